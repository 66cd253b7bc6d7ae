package import Auditing
import Invocation
package import Registry

/// The `walk` object of a listing.
package struct WalkResult: Encodable {
  /// The type of the object.
  let type = "walk"
  /// The id of the walk.
  let walk: String
  /// The name.
  let name: String
  /// The person.
  let who: String
  /// The time of the start, RFC 3339 in UTC.
  let started: String
  /// The number of stops.
  let stops: Int

  package init(_ walk: Walk, stops: Int) {
    self.walk = walk.id.description
    (name, who, started) = (walk.name, walk.who, walk.started.registryTimestamp)
    self.stops = stops
  }
}

/// The `audit-place` object of a place as it was at the last visit.
package struct PlaceStandingResult: Encodable {
  /// The type of the object.
  let type = "audit-place"
  /// The place.
  let place: PlaceReference
  /// The name of the last walk there; `nil` if it was never visited.
  let name: String?
  /// The time of the last visit, RFC 3339 in UTC.
  let lastVisited: String?
  /// The number of codes expected there.
  let expected: Int
  /// The number of those that were certainly read there.
  let confirmed: Int
  /// The number of those that were read at an uncertain place.
  let unconfirmed: Int
  /// The number of readings with an error.
  let wrong: Int
  /// The number of those that were not read there.
  let missing: Int
  /// The expected codes, each counted in one state.
  let sum: CodeSumResult

  package init(_ standing: PlaceStanding) {
    place = PlaceReference(standing.place)
    name = standing.walk
    lastVisited = standing.lastVisit?.registryTimestamp
    (expected, confirmed) = (standing.expected, standing.confirmed)
    (unconfirmed, wrong, missing) = (standing.unconfirmed, standing.wrong, standing.missing)
    sum = CodeSumResult(standing.sum)
  }
}
