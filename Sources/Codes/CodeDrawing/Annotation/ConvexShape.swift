/// The outline of a symbol, a label or a line, which others must not overlap.
struct ConvexShape: Hashable {
  /// The corners in order around the shape; two make a line.
  let points: [DrawingPoint]

  init(_ points: [DrawingPoint]) { self.points = points }

  /// The middle of the corners.
  var centre: DrawingPoint {
    let count = Double(max(1, points.count))
    return DrawingPoint(
      x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
  }

  var bounds: DrawingBox {
    let xs = points.map(\.x)
    let ys = points.map(\.y)
    let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
    return DrawingBox(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
  }

  /// The shape with each corner moved away from the middle.
  func grown(by distance: Double) -> ConvexShape {
    let middle = centre
    return ConvexShape(
      points.map { point in
        let (dx, dy) = (point.x - middle.x, point.y - middle.y)
        let length = (dx * dx + dy * dy).squareRoot()
        guard length > 0 else { return point }
        // A corner of a square moves by √2 when its sides move by 1.
        let part = 1 + distance * 2.0.squareRoot() / length
        return DrawingPoint(x: middle.x + dx * part, y: middle.y + dy * part)
      })
  }

  /// Whether two convex shapes have more than an edge in common: no line parallel to a side of
  /// either separates them (separating axis theorem).
  func overlaps(_ other: ConvexShape) -> Bool {
    for axis in normals + other.normals {
      let (mine, others) = (extent(along: axis), other.extent(along: axis))
      if mine.upper <= others.lower || others.upper <= mine.lower { return false }
    }
    return true
  }

  /// The nearest point on the outline.
  func nearestPoint(to point: DrawingPoint) -> DrawingPoint {
    let candidates = sides.map { start, end in
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      let square = dx * dx + dy * dy
      let part =
        square > 0 ? ((point.x - start.x) * dx + (point.y - start.y) * dy) / square : 0
      let held = min(1, max(0, part))
      return DrawingPoint(x: start.x + held * dx, y: start.y + held * dy)
    }
    return candidates.min { $0.distance(to: point) < $1.distance(to: point) } ?? point
  }

  private var sides: [(DrawingPoint, DrawingPoint)] {
    points.indices.map { (points[$0], points[($0 + 1) % points.count]) }
  }

  private var normals: [DrawingPoint] {
    sides.map { DrawingPoint(x: $1.y - $0.y, y: $0.x - $1.x) }.filter { $0.x != 0 || $0.y != 0 }
  }

  private func extent(along axis: DrawingPoint) -> (lower: Double, upper: Double) {
    let values = points.map { $0.x * axis.x + $0.y * axis.y }
    return (values.min() ?? 0, values.max() ?? 0)
  }
}

extension DrawingBox {
  var shape: ConvexShape {
    ConvexShape([
      DrawingPoint(x: x, y: y), DrawingPoint(x: right, y: y), DrawingPoint(x: right, y: bottom),
      DrawingPoint(x: x, y: bottom),
    ])
  }
}
