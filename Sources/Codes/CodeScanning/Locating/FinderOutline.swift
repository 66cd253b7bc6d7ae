import Pictures

import CliptagPlatform

/// The outline of a finder pattern, measured in grey values.
///
/// Rays from the centre cross three edges: those of the core, of the light ring and of the dark
/// ring, 1.5, 2.5 and 3.5 modules away. All three determine the outline, so it is known even if
/// nothing light surrounds the pattern; and because they alternate between dark to light and light
/// to dark, their mean does not move when ink spreads or light blooms.
struct FinderOutline {
  /// A step is a module; right and down follow the sides.
  let frame: PlaneFrame
  /// The outer corners, clockwise, in pixels.
  let corners: [PicturePoint]
  /// The share of all rays that crossed the edges where expected.
  let clarity: Double
  /// The deviation of the rays' ends from the outline, in modules (root mean square).
  let residual: Double
  /// The centre and axes of a circle in perspective, a step being a module, and the enclosed area
  /// in square pixels; `nil` if corners are visible. The sides of a box around a circle are less
  /// accurate.
  let circle: (frame: PlaneFrame, area: Double)?

  /// The squareness below which an outline has no usable corners.
  private static let squarenessOfCircle = 0.3
  /// The largest deviation of a candidate's centre, in modules, for which its first rays show the
  /// shape.
  private static let mostAside = 0.3
  /// The residual of a box, in modules, from which the outline may be a ring.
  private static let residualOfBox = 0.12
  private static let rays = 32
  /// The least clarity less residual: 99 in 100 true patterns have more than 0.6, and 4 in 10
  /// others.
  private static let leastQuality = 0.5
  /// A quality that 49 of 50 true patterns have, and 1 of 25 others.
  private static let usualQuality = 0.8

  /// Measures the outline around a candidate.
  ///
  /// - Parameters:
  ///   - picture: the picture, at a size at which a module has a few pixels.
  ///   - middle: the centre of the candidate in that picture.
  ///   - radii: the extent of a module in eight directions.
  ///   - work: the number of rays that may still be measured; reduced by those that were.
  init?(
    in picture: GreyPicture, around middle: PicturePoint, radii: [Double], isInverted: Bool,
    work: inout Int
  ) {
    guard radii.count == 8, middle.isFinite, picture.width > 8, picture.height > 8,
      radii.allSatisfy({ $0.isFinite && $0 > 0.2 && $0 < 1e4 })
    else { return nil }
    var profile = RayProfile(picture: picture, isInverted: isInverted)
    defer { work -= profile.rays }
    // First along rays of equal angles, with the lengths of the candidate.
    let first = Self.turns.indices.lazy.map { index -> PicturePoint in
      let place = Double(index) * 8 / Double(Self.rays)
      let (low, part) = (Int(place), place - place.rounded(.down))
      let radius = radii[low % 8] * (1 - part) + radii[(low + 1) % 8] * part
      return Self.turns[index] * radius
    }
    guard Self.isLikely(middle, first, &profile),
      let rough = RayEnds(from: middle, along: Array(first), &profile),
      let shape = SquareShape(of: rough)
    else { return nil }
    // Then along rays that follow the sides found.
    var frame = shape.frame
    var result: (ends: RayEnds, outline: BoxFit)?
    for _ in 0..<2 {
      let along = Self.turns.map { turn -> PicturePoint in
        let unit = turn * (1 / max(abs(turn.x), abs(turn.y)))
        return frame.right * unit.x + frame.down * unit.y
      }
      guard let ends = RayEnds(from: frame.origin, along: along, &profile),
        let fit = BoxFit(of: ends, in: frame),
        ends.clarity - fit.residual > Self.leastQuality
      else { return nil }
      frame = fit.frame
      result = (ends, fit)
      // A false pattern needs no second round.
      if ends.clarity - fit.residual < Self.usualQuality { break }
    }
    guard let (ends, fit) = result else { return nil }
    self.frame = frame
    corners = fit.corners
    clarity = ends.clarity
    residual = fit.residual
    circle = Self.circle(shape, seenFrom: middle, residual: fit.residual, &profile)
  }

  /// Returns a shape as a circle, unless it has corners.
  private static func circle(
    _ shape: SquareShape, seenFrom middle: PicturePoint, residual: Double,
    _ profile: inout RayProfile
  ) -> (frame: PlaneFrame, area: Double)? {
    var shape = shape
    // Rings look different in different directions when they are seen obliquely, and no box fits
    // them.
    if shape.squareness >= squarenessOfCircle, residual > residualOfBox,
      shape.frame.coordinates(of: middle).length > mostAside
    {
      let along = turns.map { shape.frame.right * $0.x + shape.frame.down * $0.y }
      guard let ends = RayEnds(from: shape.frame.origin, along: along, &profile),
        let better = SquareShape(of: ends)
      else { return nil }
      shape = better
    }
    return shape.squareness < squarenessOfCircle ? (shape.circle, shape.area) : nil
  }

  /// Returns whether most of a few rays meet the edges: nearly all false patterns fail here.
  private static func isLikely<Steps: RandomAccessCollection>(
    _ middle: PicturePoint, _ along: Steps, _ profile: inout RayProfile
  ) -> Bool where Steps.Element == PicturePoint, Steps.Index == Int {
    guard profile.beginAt(middle, along) else { return false }
    var failures = 0
    for index in stride(from: along.startIndex + 2, to: along.endIndex, by: 4) {
      if profile.modules(from: middle, along: along[index]) == nil { failures += 1 }
      if failures == 2 { return false }
    }
    return true
  }

  private static let turns: [PicturePoint] = (0..<rays).map { index in
    let angle = Double(index) * 2 * Double.pi / Double(rays)
    return PicturePoint(x: cos(angle), y: sin(angle))
  }
}

/// The intersections of rays with the outline.
private struct RayEnds {
  let origin: PicturePoint
  /// The ends at 3.5 modules; `nil` for a ray that met no such edges.
  let points: [PicturePoint?]
  let clarity: Double

  /// - Parameter along: for each ray, a step of about a module.
  init?(from origin: PicturePoint, along: [PicturePoint], _ profile: inout RayProfile) {
    guard profile.beginAt(origin, along) else { return nil }
    var points: [PicturePoint?] = []
    points.reserveCapacity(along.count)
    var count = 0
    for step in along {
      if let modules = profile.modules(from: origin, along: step) {
        points.append(origin + step * (3.5 * modules))
        count += 1
      } else {
        points.append(nil)
      }
    }
    guard count * 2 >= along.count else { return nil }
    self.origin = origin
    self.points = points
    clarity = Double(count) / Double(along.count)
  }
}

/// The square whose perspective image resembles the outline that rays met.
///
/// The second moments of the area give the stretch; without the stretch, the fourth harmonic of the
/// radius gives the corners.
private struct SquareShape {
  /// A step is one of the 7 × 7 modules.
  let frame: PlaneFrame
  /// 1 for a square, 0 for a circle.
  let squareness: Double
  let area: Double

  /// The frame of a circle, whose radius is two standard deviations.
  var circle: PlaneFrame {
    let stretch = 2 / 3.0.squareRoot()
    return PlaneFrame(
      origin: frame.origin, right: frame.right * stretch, down: frame.down * stretch)
  }

  /// The fourth harmonic of a square's radius, relative to the mean radius.
  private static let harmonicOfSquare = 0.0695

  init?(of ends: RayEnds) {
    guard let outline = Self.closed(ends), let moments = Moments(of: outline) else { return nil }
    area = moments.area
    // Half the side of a square is √3 standard deviations.
    let whitened = outline.map { moments.whitened($0) }
    var (real, imaginary, sum) = (0.0, 0.0, 0.0)
    for (index, point) in whitened.enumerated() {
      let before = whitened[(index + whitened.count - 1) % whitened.count]
      let after = whitened[(index + 1) % whitened.count]
      let turn = abs(atan2(before.cross(after), before.x * after.x + before.y * after.y))
      let (radius, angle) = (point.length, atan2(point.y, point.x))
      real += turn * radius * cos(4 * angle)
      imaginary += turn * radius * sin(4 * angle)
      sum += turn * radius
    }
    guard sum > 0 else { return nil }
    squareness =
      (real * real + imaginary * imaginary).squareRoot() / sum
      / Self.harmonicOfSquare
    // A corner is half a right angle from a side.
    let angle = atan2(imaginary, real) / 4 + .pi / 4
    let half = 3.0.squareRoot() / 3.5
    let frame = PlaneFrame(
      origin: moments.centre,
      right: moments.unwhitened(PicturePoint(x: half * cos(angle), y: half * sin(angle))),
      down: moments.unwhitened(PicturePoint(x: -half * sin(angle), y: half * cos(angle))))
    guard frame.isSound else { return nil }
    self.frame = frame
  }

  /// Returns the ends, with missing ones reflected from the opposite side.
  private static func closed(_ ends: RayEnds) -> [PicturePoint]? {
    let points = ends.points
    var result: [PicturePoint] = []
    for index in points.indices {
      if let point = points[index] {
        result.append(point)
      } else if let opposite = points[(index + points.count / 2) % points.count] {
        result.append(ends.origin * 2 - opposite)
      }
    }
    return result.count * 4 >= points.count * 3 ? result : nil
  }
}

/// The area of a polygon: its centroid and its covariance.
private struct Moments {
  let centre: PicturePoint
  let area: Double
  /// The lower triangle of the covariance's Cholesky factor.
  private let (a, b, c): (Double, Double, Double)

  init?(of polygon: [PicturePoint]) {
    guard let anchor = polygon.first else { return nil }
    var area = 0.0
    var first = PicturePoint(x: 0, y: 0)
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for index in polygon.indices {
      let (p, q) = (polygon[index] - anchor, polygon[(index + 1) % polygon.count] - anchor)
      let part = p.cross(q) / 2
      area += part
      first = first + (p + q) * (part / 3)
      xx += part / 6 * (p.x * p.x + q.x * q.x + p.x * q.x)
      yy += part / 6 * (p.y * p.y + q.y * q.y + p.y * q.y)
      xy += part / 12 * (2 * p.x * p.y + 2 * q.x * q.y + p.x * q.y + q.x * p.y)
    }
    guard area > 1 else { return nil }
    self.area = area
    let middle = first * (1 / area)
    xx = xx / area - middle.x * middle.x
    yy = yy / area - middle.y * middle.y
    xy = xy / area - middle.x * middle.y
    centre = middle + anchor
    guard xx > 0.01, xx.isFinite else { return nil }
    a = xx.squareRoot()
    b = xy / a
    let rest = yy - b * b
    guard rest > 0.01, rest.isFinite else { return nil }
    c = rest.squareRoot()
  }

  func whitened(_ point: PicturePoint) -> PicturePoint {
    let away = point - centre
    let x = away.x / a
    return PicturePoint(x: x, y: (away.y - b * x) / c)
  }

  func unwhitened(_ point: PicturePoint) -> PicturePoint {
    PicturePoint(x: a * point.x, y: b * point.x + c * point.y)
  }
}

/// Four lines through the ends of rays, one for each side of a finder pattern.
private struct BoxFit {
  /// A step is a module; the axes join the midpoints of opposite sides.
  let frame: PlaneFrame
  /// The intersections of the sides, clockwise.
  let corners: [PicturePoint]
  /// The deviation of the ends from the lines, in modules (root mean square).
  let residual: Double

  /// A side in the given frame: its distance, and the change of it per step along the side.
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
      // An invisible side is assumed to mirror the opposite one.
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

  /// Returns the line through ends by least squares, without the one or two worst outliers.
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
      // Ends that are all close together do not determine the slope.
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

  /// Returns the intersection of a side left or right (at `signX`) with one above or below (at
  /// `signY`).
  private static func meeting(
    _ across: Side, _ signX: Double, _ along: Side, _ signY: Double
  ) -> PicturePoint {
    // x = signX · (d₁ + s₁ · y) and y = signY · (d₂ + s₂ · x).
    let product = signX * signY * across.slope * along.slope
    let x = signX * (across.distance + across.slope * signY * along.distance) / (1 - product)
    return PicturePoint(x: x, y: signY * (along.distance + along.slope * x))
  }

  /// Returns the frame whose axes join the midpoints of the sides, with its origin at the
  /// intersection of the diagonals.
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
