/// A point on the WGS 84 ellipsoid, in degrees.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180 to 180.
  public let longitude: Double

  /// Makes a coordinate, or `nil` when a number is not finite or out of range.
  public init?(latitude: Double, longitude: Double) {
    guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 180 else {
      return nil
    }
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Where somebody stood when a code was read.
public struct LocationFix: Hashable, Sendable {
  /// The measured position.
  public let coordinate: Coordinate
  /// Radius, in metres, within which the true position is taken to lie; 0 for an exact position.
  public let accuracy: Double
  /// How the position came to be known; `nil` when that is not said.
  public let origin: PositionOrigin?

  /// Makes a fix, or `nil` when `accuracy` is negative or not finite.
  public init?(coordinate: Coordinate, accuracy: Double = 0, origin: PositionOrigin? = nil) {
    guard accuracy.isFinite, accuracy >= 0 else { return nil }
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.origin = origin
  }
}
