/// Four lines through the ends of rays, one for each side of a finder pattern.
struct BoxFit {
  /// A step is a module; the axes join the middles of opposite sides.
  let frame: PlaneFrame
  /// Where the sides meet, clockwise.
  let corners: [PicturePoint]
  /// How far the ends lie from the lines, in modules (root of mean square).
  let residual: Double

  /// A side in the frame given: how far out it is, and by how much more for a step along it.
  private struct Side {
    var distance = 3.5
    var slope = 0.0
    var error = 0.0
    var count = 0
  }

  init?(of ends: RayEnds, in frame: PlaneFrame) {
    // Ends near a corner are rounded off by blur and belong to two sides.
    var along: [[(place: Double, distance: Double)]] = [[], [], [], []]
    for end in ends.points {
      guard let end else { continue }
      let point = frame.coordinates(of: end)
      guard point.isFinite else { return nil }
      let isAcross = abs(point.x) > abs(point.y)
      let (distance, place) = isAcross ? (point.x, point.y) : (point.y, point.x)
      guard abs(place) <= 0.8 * abs(distance) else { continue }
      along[(isAcross ? 0 : 1) + (distance > 0 ? 0 : 2)].append((place, abs(distance)))
    }
    var sides = along.map(Self.line)
    for index in sides.indices where sides[index].count < 4 {
      // A side that is not seen is taken to be as its opposite is.
      let opposite = sides[(index + 2) % 4]
      guard opposite.count >= 4 else { return nil }
      sides[index].distance = opposite.distance
      sides[index].slope = -opposite.slope
    }
    let (right, lower, left, upper) = (sides[0], sides[1], sides[2], sides[3])
    let meetings = [
      Self.meeting(left, -1, upper, -1), Self.meeting(right, 1, upper, -1),
      Self.meeting(right, 1, lower, 1), Self.meeting(left, -1, lower, 1),
    ]
    guard meetings.allSatisfy({ abs($0.x) < 7 && abs($0.y) < 7 }) else { return nil }
    let corners = meetings.map { frame($0.x, $0.y) }
    guard let result = Self.frame(of: corners) else { return nil }
    self.frame = result
    self.corners = result.right.cross(result.down) > 0 ? corners : corners.reversed()
    let count = Double(max(1, sides.reduce(0) { $0 + $1.count }))
    residual = (sides.reduce(0) { $0 + $1.error } / count).squareRoot()
  }

  /// The line through ends, by least squares, without the one or two that fit worst.
  private static func line(_ points: [(place: Double, distance: Double)]) -> Side {
    var side = Side()
    var points = points
    for round in 0..<3 {
      guard points.count >= 4 else { break }
      let count = Double(points.count)
      var (x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0)
      for point in points {
        x += point.place
        y += point.distance
        xx += point.place * point.place
        xy += point.place * point.distance
      }
      let spread = xx - x * x / count
      // Ends that all lie close together tell nothing of the slope.
      let slope = spread > 2 ? min(0.4, max(-0.4, (xy - x * y / count) / spread)) : 0
      side = Side(distance: (y - slope * x) / count, slope: slope, error: 0, count: points.count)
      func error(_ point: (place: Double, distance: Double)) -> Double {
        abs(point.distance - side.distance - slope * point.place)
      }
      side.error = points.reduce(0) { $0 + error($1) * error($1) }
      guard round < 2,
        let worst = points.indices.max(by: { error(points[$0]) < error(points[$1]) }),
        error(points[worst]) > 0.25, points.count > 4
      else { break }
      points.remove(at: worst)
    }
    return side
  }

  /// Where a side left or right (at `signX`) meets one above or below (at `signY`).
  private static func meeting(
    _ across: Side, _ signX: Double, _ along: Side, _ signY: Double
  ) -> PicturePoint {
    // x = signX · (d₁ + s₁ · y) and y = signY · (d₂ + s₂ · x).
    let product = signX * signY * across.slope * along.slope
    let x = signX * (across.distance + across.slope * signY * along.distance) / (1 - product)
    return PicturePoint(x: x, y: signY * (along.distance + along.slope * x))
  }

  /// The frame whose axes join the middles of the sides, with its origin where diagonals meet.
  private static func frame(of corners: [PicturePoint]) -> PlaneFrame? {
    let (first, second) = (corners[2] - corners[0], corners[3] - corners[1])
    let turn = first.cross(second)
    guard abs(turn) > 1 else { return nil }
    let part = (corners[1] - corners[0]).cross(second) / turn
    guard part > 0.2, part < 0.8 else { return nil }
    let frame = PlaneFrame(
      origin: corners[0] + first * part,
      right: (corners[1] + corners[2] - corners[0] - corners[3]) * (1 / 14),
      down: (corners[3] + corners[2] - corners[0] - corners[1]) * (1 / 14))
    return frame.isSound ? frame : nil
  }
}
