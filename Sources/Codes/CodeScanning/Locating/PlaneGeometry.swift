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

  /// Returns the distance between two points, in pixels.
  func distance(to other: PicturePoint) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  var isFinite: Bool { x.isFinite && y.isFinite }

  /// Returns the area that two vectors span, positive if the second is clockwise of the first in
  /// the picture.
  func cross(_ other: PicturePoint) -> Double { x * other.y - y * other.x }
}

/// An origin and two axes: the local coordinates of a planar pattern in a picture.
struct PlaneFrame: Hashable, Sendable {
  let origin: PicturePoint
  /// The displacement by a step along each axis.
  let right: PicturePoint
  let down: PicturePoint

  /// Returns the point at coordinates.
  func callAsFunction(_ x: Double, _ y: Double) -> PicturePoint {
    PicturePoint(
      x: origin.x + right.x * x + down.x * y, y: origin.y + right.y * x + down.y * y)
  }

  /// Returns the coordinates of a point. The axes must span an area.
  func coordinates(of point: PicturePoint) -> PicturePoint {
    let away = point - origin
    let area = right.cross(down)
    return PicturePoint(x: away.cross(down) / area, y: right.cross(away) / area)
  }

  /// A Boolean value that indicates whether the axes span an area and all values are finite.
  var isSound: Bool {
    let area = abs(right.cross(down))
    return origin.isFinite && area.isFinite
      && area > 1e-3 * max(1e-3, right.length * down.length)
  }
}

/// Four corners in order around a code.
struct Quadrilateral {
  private let corners: [PicturePoint]
  /// The bounding box, for fast rejection: most points are outside.
  private let least: PicturePoint
  private let most: PicturePoint

  init(_ corners: [PicturePoint], enlargedBy factor: Double) {
    let centre = PicturePoint.mean(of: corners)
    self.corners = corners.map {
      PicturePoint(
        x: centre.x + ($0.x - centre.x) * factor, y: centre.y + ($0.y - centre.y) * factor)
    }
    let (xs, ys) = (self.corners.map(\.x), self.corners.map(\.y))
    least = PicturePoint(x: xs.min() ?? 0, y: ys.min() ?? 0)
    most = PicturePoint(x: xs.max() ?? 0, y: ys.max() ?? 0)
  }

  /// Returns whether a point is inside: on the same side of every edge.
  func holds(_ point: PicturePoint) -> Bool {
    guard point.x >= least.x, point.y >= least.y, point.x <= most.x, point.y <= most.y,
      var a = corners.last
    else { return false }
    var (isRight, isLeft) = (true, true)
    for b in corners {
      let side = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
      if side < 0 { isRight = false }
      if side > 0 { isLeft = false }
      a = b
    }
    return isRight || isLeft
  }

  /// Returns where a horizontal line at `y` enters and leaves; `nil` if it does not.
  func across(_ y: Double) -> (first: Double, last: Double)? {
    guard y >= least.y, y <= most.y else { return nil }
    return crossings(corners.map { ($0.x, $0.y) }, y)
  }

  /// Returns where a vertical line at `x` enters and leaves; `nil` if it does not.
  func down(_ x: Double) -> (first: Double, last: Double)? {
    guard x >= least.x, x <= most.x else { return nil }
    return crossings(corners.map { ($0.y, $0.x) }, x)
  }

  private func crossings(
    _ corners: [(along: Double, aside: Double)], _ line: Double
  ) -> (first: Double, last: Double)? {
    guard var a = corners.last else { return nil }
    var (first, last) = (Double.infinity, -Double.infinity)
    for b in corners {
      if a.aside != b.aside, (a.aside <= line) != (b.aside <= line) {
        let place = a.along + (b.along - a.along) * (line - a.aside) / (b.aside - a.aside)
        (first, last) = (min(first, place), max(last, place))
      }
      a = b
    }
    return first < last ? (first, last) : nil
  }
}
