public import Foundation
public import Invocation
import Registry

/// The state of a place at its last visit.
public struct PlaceStanding: Sendable {
  /// The place.
  public let place: Place
  /// The time of the last visit; `nil` if there was none.
  public let lastVisit: Date?
  /// The name of the walks of that visit.
  public let walk: String?
  /// The number of codes expected at the place.
  public let expected: Int
  /// The number of those that were certainly read there.
  public let confirmed: Int
  /// The number of those that were read, but perhaps elsewhere.
  public let unconfirmed: Int
  /// The number of those that were not read.
  public let missing: Int
  /// The number of readings at the place with an error.
  public let wrong: Int
  /// The expected codes, each counted in one state.
  public let sum: CodeSum
  /// The number of readings with an error that are none of the codes that ``sum`` counts as wrong,
  /// missing or dead.
  public let otherWrong: Int

  fileprivate init(_ section: WalkReport.PlaceSection, of place: Place, walk: String) {
    self.place = place
    self.walk = walk
    lastVisit = section.lastVisit
    expected = section.expected
    confirmed = section.confirmed
    unconfirmed = section.unconfirmed.count
    missing = section.missing.count
    wrong = section.wrongCount
    (sum, otherWrong) = (section.sum, section.otherWrongCount)
  }

  fileprivate init(unvisited place: Place, expected: Int) {
    self.place = place
    self.expected = expected
    (lastVisit, walk) = (nil, nil)
    (confirmed, unconfirmed, missing, wrong) = (0, 0, 0, 0)
    (sum, otherWrong) = (CodeSum(), 0)
  }
}

extension WalkReview {
  /// The state of every place, as found by the latest walks that visited it, ordered by name.
  ///
  /// Walks with the same name are evaluated together, as in a report. Places without expected codes
  /// and without a visit are left out.
  ///
  /// - Throws: The errors of the registry.
  public func places() throws -> [PlaceStanding] {
    var standings: [String: PlaceStanding] = [:]
    for (name, walks) in Dictionary(grouping: try registry.walks(), by: \.name) {
      try Task.checkCancellation()
      for section in try report(ofWalks: walks, title: name).sections {
        guard let place = section.place, let visit = section.lastVisit else { continue }
        let known = standings[place.id]
        // Of two visits at the same time, the walk's name decides.
        if (known?.lastVisit ?? .distantPast, known?.walk ?? "") < (visit, name) {
          standings[place.id] = PlaceStanding(section, of: place, walk: name)
        }
      }
    }
    let codes = Dictionary(grouping: try registry.codes(CodeFilter(status: .issued))) {
      $0.placeID ?? ""
    }
    for place in try registry.places() where standings[place.id] == nil {
      guard let expected = codes[place.id]?.count else { continue }
      standings[place.id] = PlaceStanding(unvisited: place, expected: expected)
    }
    return standings.values.sorted { ($0.place.name, $0.place.id) < ($1.place.name, $1.place.id) }
  }
}
