#if canImport(Glibc)
  import Glibc
#else
  import FoundationEssentials
#endif

/// The square that, seen from the side, looks like the outline that rays met.
///
/// The second moments of the area tell how it is stretched; the fourth harmonic of the radius tells,
/// once the stretch is undone, where the corners are.
struct SquareShape {
  /// A step is a module of the 7 × 7.
  let frame: PlaneFrame
  /// 1 for a square, 0 for a circle.
  let squareness: Double

  /// The fourth harmonic of a square's radius, as part of the mean radius.
  private static let harmonicOfSquare = 0.0695

  init?(of ends: RayEnds) {
    guard let outline = Self.closed(ends), let moments = Moments(of: outline) else { return nil }
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
    // A corner stands half a right angle from a side.
    let angle = atan2(imaginary, real) / 4 + .pi / 4
    let half = 3.0.squareRoot() / 3.5
    let frame = PlaneFrame(
      origin: moments.centre,
      right: moments.unwhitened(PicturePoint(x: half * cos(angle), y: half * sin(angle))),
      down: moments.unwhitened(PicturePoint(x: -half * sin(angle), y: half * cos(angle))))
    guard frame.isSound else { return nil }
    self.frame = frame
  }

  /// The ends, with those that are missing taken from opposite, or from their neighbours.
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

/// The area within a polygon: its middle and its spread.
private struct Moments {
  let centre: PicturePoint
  /// The lower triangle of Cholesky's root of the covariance.
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
