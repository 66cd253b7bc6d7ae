/// Whether a position lies in the region where a code belongs.
///
/// The answer has three values, because a position has an accuracy. The phone's own confirmation
/// gives only two, and Apple does not say how it treats accuracy; ours is never surer than the
/// position allows.
public enum LocationConfirmation {
  /// Compares a position with a region.
  ///
  /// With the distance *d* from the centre, the accuracy *a* and the radius *r*, the result is
  /// ``LocationOutcome/Result/inside`` when *d* + *a* ≤ *r*, ``LocationOutcome/Result/outside``
  /// when *d* − *a* > *r*, else ``LocationOutcome/Result/undecided``. For a polygon, *d* is the
  /// distance from its edge, negative inside, and *r* is zero.
  ///
  /// Several regions are answered as one: inside when the position is certainly in one of them,
  /// outside when it is certainly in none, else undecided, even where the regions next to each
  /// other cover all that the accuracy leaves open. The distance is then that from the edge of the
  /// nearest, or of the one that the position is deepest in.
  ///
  /// - Returns: The outcome with its figures in metres.
  public static func confirm(_ fix: LocationFix, in region: Region) -> LocationOutcome {
    let distance: Double
    let radius: Double?
    switch region {
    case .several(let several): return confirm(fix, in: several)
    case .circle(let circle):
      distance = Geodesic.distance(from: circle.centre, to: fix.coordinate)
      radius = circle.radius
    case .polygon(let polygon):
      distance = polygon.signedDistance(from: fix.coordinate)
      radius = nil
    }
    let limit = radius ?? 0
    let result: LocationOutcome.Result =
      if distance + fix.accuracy <= limit {
        .inside
      } else if distance - fix.accuracy > limit {
        .outside
      } else {
        .undecided
      }
    return LocationOutcome(
      result: result, distance: distance, radius: radius, accuracy: fix.accuracy, fix: fix)
  }

  private static func confirm(_ fix: LocationFix, in several: Region.Several) -> LocationOutcome {
    let outcomes = several.regions.map { confirm(fix, in: $0) }
    let result: LocationOutcome.Result =
      if outcomes.contains(where: { $0.result == .inside }) {
        .inside
      } else if outcomes.allSatisfy({ $0.result == .outside }) {
        .outside
      } else {
        .undecided
      }
    let distance = outcomes.compactMap(\.signedDistance).min()
    return LocationOutcome(
      result: result, distance: distance, radius: nil, accuracy: fix.accuracy, fix: fix)
  }

  /// What a slip of the pen in the position, or in the place, would explain.
  ///
  /// Apple's own sample lacks the minus sign of its longitude, and has been copied widely.
  ///
  /// - Returns: The change to a coordinate that brings the position inside, as a clause, or `nil`.
  static func slip(explaining fix: LocationFix, outside region: Region) -> String? {
    let north = fix.coordinate.latitude
    let east = fix.coordinate.longitude
    let slips = [
      ("the sign of the longitude changed", Coordinate(latitude: north, longitude: -east)),
      ("the sign of the latitude changed", Coordinate(latitude: -north, longitude: east)),
      ("both signs changed", Coordinate(latitude: -north, longitude: -east)),
      ("latitude and longitude exchanged", Coordinate(latitude: east, longitude: north)),
    ]
    return slips.first { _, coordinate in
      guard let coordinate, let exact = LocationFix(coordinate: coordinate) else { return false }
      return confirm(exact, in: region).result == .inside
    }?.0
  }
}
