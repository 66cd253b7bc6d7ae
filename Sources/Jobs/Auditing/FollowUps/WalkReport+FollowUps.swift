import Foundation
package import Invocation
package import Registry

extension WalkReport {
  /// Returns the name under which a finding is followed up, which is the same on every station.
  ///
  /// - Parameters:
  ///   - item: The finding.
  ///   - place: The place of its section.
  /// - Returns: `nil` for a note, and for a finding about the walk itself.
  package static func followUpID(of item: Item, at place: Place?) -> FollowUp.ID? {
    item.isFollowedUp ? (try? item.followUpSubject(at: place)?.id) : nil
  }

  /// The findings that these walks saw right, by their place.
  var putRight: [(place: Place?, followUps: [FollowUp])] {
    let walks = Set(walks.map(\.id))
    let found = followUps.values.filter { followUp in
      followUp.decided.kind == .right && followUp.decided.walk.map(walks.contains) ?? false
    }
    let places = sections.map(\.place) + (place == nil ? unvisited.map(Optional.some) : [])
    return places.compactMap { place in
      let right = found.filter { $0.subject.placeID == place?.id }
        .sorted { ($0.opened.time, $0.id) < ($1.opened.time, $1.id) }
      return right.isEmpty ? nil : (place, right)
    }
  }
}

extension WalkReport.Item {
  /// The findings about the walk itself, which nobody puts right at the place.
  private static let ofTheWalk: Set<Finding.Code> = [
    .unconfirmedPlace, .unfinishedSearch, .oldPicture, .knownPicture,
  ]

  /// Whether the finding is one that is put right.
  var isFollowedUp: Bool { finding.severity > .note }

  /// The facts that identify the finding; `nil` if it is about the walk, or about no place and no
  /// code.
  func followUpSubject(at place: Place?) -> FollowUp.Subject? {
    let code = code?.id ?? walkReading?.code
    let payload = walkReading.flatMap { $0.payload.isEmpty ? $0.uid : $0.payload }
    guard !Self.ofTheWalk.contains(finding.code), place != nil || code != nil || payload != nil
    else { return nil }
    return FollowUp.Subject(
      placeID: place?.id, code: code, payload: payload, finding: finding.code)
  }
}
