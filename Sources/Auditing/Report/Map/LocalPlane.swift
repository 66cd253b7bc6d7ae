import Foundation
import Invocation

/// The ground around a point, as flat: metres to the east and to the south of it.
///
/// The points of the ellipsoid are seen from straight above the middle (an orthographic projection),
/// so that lengths and angles are true around it at every latitude. Within 50 km they are true to
/// some hundred-thousandths, and neither the poles nor the antimeridian are anything special.
struct LocalPlane {
  private let origin: GroundPoint
  private let east: (x: Double, y: Double)
  private let north: (x: Double, y: Double, z: Double)

  /// Lays the plane on a point of the ground.
  init(around point: GroundPoint) {
    origin = point
    let across = (point.x * point.x + point.y * point.y).squareRoot()
    // At a pole every direction leads away from it; that of Greenwich is as good as any.
    let (cosine, sine) = across > 1 ? (point.x / across, point.y / across) : (1, 0)
    east = (-sine, cosine)
    let length = (across * across + point.z * point.z).squareRoot()
    // The direction from the Earth's centre; it leans by a fifth of a degree at most.
    let (up, out) = length > 0 ? (point.z / length, across / length) : (0, 1)
    north = (-up * cosine, -up * sine, out)
  }

  /// Where a coordinate lies, in metres to the right and down, north being up.
  func place(_ coordinate: Coordinate) -> (x: Double, y: Double) {
    let point = GroundPoint(coordinate)
    let (x, y, z) = (point.x - origin.x, point.y - origin.y, point.z - origin.z)
    return (x * east.x + y * east.y, -(x * north.x + y * north.y + z * north.z))
  }
}

/// A point in metres from the Earth's centre: distances of such need no angles, and the mean of
/// some lies in their middle.
struct GroundPoint: Hashable {
  var x: Double
  var y: Double
  var z: Double

  init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The point of the ellipsoid WGS 84 with a coordinate.
  init(_ coordinate: Coordinate) {
    let point = WGS84.point(at: coordinate)
    self.init(x: point.x, y: point.y, z: point.z)
  }

  /// The middle of points; `nil` without any.
  init?(middleOf points: some Collection<GroundPoint>) {
    guard !points.isEmpty else { return nil }
    let count = Double(points.count)
    self.init(
      x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count,
      z: points.reduce(0) { $0 + $1.z } / count)
  }

  func squaredDistance(to other: GroundPoint) -> Double {
    let (x, y, z) = (x - other.x, y - other.y, z - other.z)
    return x * x + y * y + z * z
  }
}
