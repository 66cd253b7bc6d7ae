// The only file that needs the C library's functions of angles.
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// An angle kept as its sine and cosine, which loses nothing near multiples of 90°.
struct UnitVector {
  var sine: Double
  var cosine: Double

  /// The direction of a point other than the origin.
  init(y: Double, x: Double) {
    let length = (x * x + y * y).squareRoot()
    sine = y / length
    cosine = x / length
  }

  /// - Parameter angle: Radians.
  init(angle: Double) {
    sine = sin(angle)
    cosine = cos(angle)
  }

  /// Radians, -π to π.
  var angle: Double { atan2(sine, cosine) }

  /// The angle turned further by another, in radians.
  func turned(by angle: Double) -> UnitVector {
    let turn = UnitVector(angle: angle)
    return UnitVector(
      y: sine * turn.cosine + cosine * turn.sine, x: cosine * turn.cosine - sine * turn.sine)
  }

  /// The angle from this to another, 0 to π.
  func angle(to other: UnitVector) -> Double {
    let across = cosine * other.sine - sine * other.cosine
    // Rounding may leave less than zero, or the negative zero that atan2 takes for half a turn back.
    return atan2(across > 0 ? across : 0, cosine * other.cosine + sine * other.sine)
  }

  /// Whether the direction lies strictly between two others, each at most half a turn on.
  func lies(between low: UnitVector, and high: UnitVector) -> Bool {
    low.cosine * sine - low.sine * cosine > 0 && cosine * high.sine - sine * high.cosine > 0
  }
}
