// For the trigonometric functions of the C library.
import CliptagPlatform

/// The World Geodetic System 1984, as defined by NGA.STND.0036.
package enum WGS84 {
  /// The equatorial radius in metres.
  package static let equatorialRadius = 6_378_137.0
  static let flattening = 1 / 298.257223563
  /// The polar radius in metres.
  static let polarRadius = equatorialRadius * (1 - flattening)
  static let thirdFlattening = flattening / (2 - flattening)
  package static let eccentricitySquared = flattening * (2 - flattening)
  static let secondEccentricitySquared = eccentricitySquared / (1 - eccentricitySquared)

  /// The radius of curvature across the meridian at the latitude with this sine, in metres.
  package static func primeVerticalRadius(sine: Double) -> Double {
    equatorialRadius / (1 - eccentricitySquared * sine * sine).squareRoot()
  }

  /// The point of the surface with a coordinate, in metres from the Earth's centre.
  package static func point(at coordinate: Coordinate) -> SIMD3<Double> {
    point(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// The point of the surface at a latitude and longitude in degrees, which may exceed the
  /// antimeridian.
  static func point(latitude: Double, longitude: Double) -> SIMD3<Double> {
    let north = UnitVector(angle: latitude * .pi / 180)
    let east = UnitVector(angle: longitude * .pi / 180)
    let radius = primeVerticalRadius(sine: north.sine)
    return SIMD3(
      radius * north.cosine * east.cosine, radius * north.cosine * east.sine,
      radius * (1 - eccentricitySquared) * north.sine)
  }
}

/// An angle represented by its sine and cosine, which keeps its precision near multiples of 90°.
struct UnitVector {
  var sine: Double
  var cosine: Double

  /// The direction of a point other than the origin.
  init(y: Double, x: Double) {
    let length = (x * x + y * y).squareRoot()
    sine = y / length
    cosine = x / length
  }

  /// - Parameter angle: The angle in radians.
  init(angle: Double) {
    sine = sin(angle)
    cosine = cos(angle)
  }

  /// The angle in radians, -π to π.
  var angle: Double { atan2(sine, cosine) }

  /// The angle plus another one in radians.
  func turned(by angle: Double) -> UnitVector {
    let turn = UnitVector(angle: angle)
    return UnitVector(
      y: sine * turn.cosine + cosine * turn.sine, x: cosine * turn.cosine - sine * turn.sine)
  }

  /// The angle from this to another, 0 to π.
  func angle(to other: UnitVector) -> Double {
    let across = cosine * other.sine - sine * other.cosine
    // Rounding may give less than zero, or the negative zero that atan2 takes for half a turn back.
    return atan2(across > 0 ? across : 0, cosine * other.cosine + sine * other.sine)
  }

  /// Whether the direction is strictly between two others, each at most half a turn further.
  func lies(between low: UnitVector, and high: UnitVector) -> Bool {
    low.cosine * sine - low.sine * cosine > 0 && cosine * high.sine - sine * high.cosine > 0
  }
}
