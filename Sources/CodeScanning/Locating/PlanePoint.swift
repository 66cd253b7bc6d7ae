extension PicturePoint {
  static func + (a: PicturePoint, b: PicturePoint) -> PicturePoint {
    PicturePoint(x: a.x + b.x, y: a.y + b.y)
  }

  static func - (a: PicturePoint, b: PicturePoint) -> PicturePoint {
    PicturePoint(x: a.x - b.x, y: a.y - b.y)
  }

  static func * (point: PicturePoint, factor: Double) -> PicturePoint {
    PicturePoint(x: point.x * factor, y: point.y * factor)
  }

  /// The distance from the origin.
  var length: Double { (x * x + y * y).squareRoot() }

  var isFinite: Bool { x.isFinite && y.isFinite }

  /// The area that two vectors span, positive when the second is clockwise of the first in the
  /// picture.
  func cross(_ other: PicturePoint) -> Double { x * other.y - y * other.x }
}

/// Two axes from a point: the coordinates of a flat pattern as a picture shows it nearby.
struct PlaneFrame: Hashable, Sendable {
  let origin: PicturePoint
  /// Where a step along each axis leads.
  let right: PicturePoint
  let down: PicturePoint

  /// The point at coordinates.
  func callAsFunction(_ x: Double, _ y: Double) -> PicturePoint {
    PicturePoint(
      x: origin.x + right.x * x + down.x * y, y: origin.y + right.y * x + down.y * y)
  }

  /// The coordinates of a point. The axes must span an area.
  func coordinates(of point: PicturePoint) -> PicturePoint {
    let away = point - origin
    let area = right.cross(down)
    return PicturePoint(x: away.cross(down) / area, y: right.cross(away) / area)
  }

  /// Whether the axes span an area and all is finite.
  var isSound: Bool {
    let area = abs(right.cross(down))
    return origin.isFinite && area.isFinite
      && area > 1e-3 * max(1e-3, right.length * down.length)
  }
}
