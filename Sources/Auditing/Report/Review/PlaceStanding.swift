public import Foundation
public import Invocation
import Registry

/// How a place stood when somebody was there last.
public struct PlaceStanding: Sendable {
  /// The place.
  public let place: Place
  /// When somebody was there last; `nil` when nobody was.
  public let lastVisit: Date?
  /// The name of the walks on which that was.
  public let walk: String?
  /// How many codes should hang there.
  public let expected: Int
  /// How many of them were read, certainly there.
  public let confirmed: Int
  /// How many of them were read, and nobody knows for certain whether there.
  public let unconfirmed: Int
  /// How many of them were not read.
  public let missing: Int
  /// How many things hang there that are wrong.
  public let wrong: Int

  fileprivate init(_ section: WalkReport.PlaceSection, of place: Place, walk: String) {
    self.place = place
    self.walk = walk
    lastVisit = section.lastVisit
    expected = section.expected
    confirmed = section.confirmed
    unconfirmed = section.unconfirmed.count
    missing = section.missing.count
    wrong = section.wrongCount
  }

  fileprivate init(unvisited place: Place, expected: Int) {
    self.place = place
    self.expected = expected
    (lastVisit, walk) = (nil, nil)
    (confirmed, unconfirmed, missing, wrong) = (0, 0, 0, 0)
  }
}

extension WalkReview {
  /// How every place stands: as the latest walks that went there found it, by name.
  ///
  /// Walks of one name are looked at together, as in a report. Places where no code should hang and
  /// nobody was are left out.
  ///
  /// - Throws: What the registry throws.
  public func places() throws -> [PlaceStanding] {
    var standings: [String: PlaceStanding] = [:]
    for (name, walks) in Dictionary(grouping: try registry.walks(), by: \.name) {
      try Task.checkCancellation()
      for section in try report(ofWalks: walks, title: name).sections {
        guard let place = section.place, let visit = section.lastVisit else { continue }
        let known = standings[place.id]
        // Of two at the same moment always the same one counts.
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
