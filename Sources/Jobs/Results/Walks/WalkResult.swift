package import Auditing
import Invocation
package import Registry

/// The `walk` object of a listing.
package struct WalkResult: Encodable {
  let type = "walk"
  let walk: String
  let name: String
  let who: String
  let started: String
  let stops: Int

  package init(_ walk: Walk, stops: Int) {
    self.walk = walk.id.description
    (name, who, started) = (walk.name, walk.who, walk.started.registryTimestamp)
    self.stops = stops
  }
}

/// The `audit-place` object of a place as it was at the last visit.
package struct PlaceStandingResult: Encodable {
  let type = "audit-place"
  let place: PlaceReference
  let name: String?
  let lastVisited: String?
  let expected: Int
  let confirmed: Int
  let unconfirmed: Int
  let wrong: Int
  let missing: Int

  package init(_ standing: PlaceStanding) {
    place = PlaceReference(standing.place)
    name = standing.walk
    lastVisited = standing.lastVisit?.registryTimestamp
    (expected, confirmed) = (standing.expected, standing.confirmed)
    (unconfirmed, wrong, missing) = (standing.unconfirmed, standing.wrong, standing.missing)
  }
}
