import Pictures

/// The projective map from a symbol's plane, in modules from its top left corner, to the picture,
/// in pixels: the image of a flat symbol in a camera.
package struct PlaneMap: Hashable, Sendable {
  /// The 3 × 3 matrix, row by row.
  private let a, b, c, d, e, f, g, h, i: Double

  private init?(_ m: [Double]) {
    guard m.count == 9, m.allSatisfy(\.isFinite) else { return nil }
    (a, b, c, d, e, f, g, h, i) = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
  }

  /// A point of the plane and its position in the picture.
  package struct Match {
    let u: Double
    let v: Double
    let seen: PicturePoint
    let weight: Double

    /// Creates a match.
    ///
    /// - Parameters:
    ///   - u: its column in the plane.
    ///   - v: its row in the plane.
    ///   - seen: its position in the picture.
    ///   - weight: its weight among the others.
    package init(u: Double, v: Double, seen: PicturePoint, weight: Double = 1) {
      (self.u, self.v, self.seen, self.weight) = (u, v, seen, weight)
    }
  }

  /// Creates the map that fits the matches best by least squares (direct linear transform on
  /// normalised coordinates, reweighted twice so that distances in the picture count), or `nil` if
  /// there is none.
  ///
  /// - Parameter matches: at least four, no three of them collinear.
  package init?(fitting matches: [Match]) {
    guard matches.count >= 4, let plane = Normalisation(matches.map { ($0.u, $0.v) }),
      let picture = Normalisation(matches.map { ($0.seen.x, $0.seen.y) })
    else { return nil }
    let points = matches.map { (from: plane.apply($0.u, $0.v), to: picture.apply($0.seen)) }
    var h = [Double](repeating: 0, count: 8)
    for _ in 0..<3 {
      var equations = NormalEquations(count: 8)
      for (point, match) in zip(points, matches) {
        let ((x, y), (p, q)) = (point.from, point.to)
        let depth = h[6] * x + h[7] * y + 1
        guard depth > 0.05 else { return nil }
        let weight = match.weight / (depth * depth)
        equations.add([x, y, 1, 0, 0, 0, -x * p, -y * p], equals: p, weight: weight)
        equations.add([0, 0, 0, x, y, 1, -x * q, -y * q], equals: q, weight: weight)
      }
      guard let solved = equations.solved(damping: 1e-9) else { return nil }
      h = solved
    }
    let inner = Self.product(h + [1], plane.matrix)
    self.init(Self.product(picture.inverseMatrix, inner))
  }

  /// Creates the map that brings the corners of a square to points of the picture, or `nil` if they
  /// span no area.
  ///
  /// - Parameters:
  ///   - side: the side of the square, whose top left corner is the origin.
  ///   - corners: the points of the top left, top right, bottom right and bottom left corner.
  init?(side: Double, corners: [PicturePoint]) {
    guard corners.count == 4 else { return nil }
    let (across, down) = (corners[1] - corners[2], corners[3] - corners[2])
    let rest = corners[0] - corners[1] + corners[2] - corners[3]
    let area = across.cross(down)
    guard abs(area) > 1e-6 else { return nil }
    let (g, h) = (rest.cross(down) / area, across.cross(rest) / area)
    let toRight = corners[1] - corners[0] + corners[1] * g
    let toBottom = corners[3] - corners[0] + corners[3] * h
    self.init([
      toRight.x / side, toBottom.x / side, corners[0].x, toRight.y / side, toBottom.y / side,
      corners[0].y, g / side, h / side, 1,
    ])
  }

  /// Returns the position of a point of the plane in the picture; not finite on the horizon.
  package func callAsFunction(_ u: Double, _ v: Double) -> PicturePoint {
    let w = 1 / (g * u + h * v + i)
    return PicturePoint(x: (a * u + b * v + c) * w, y: (d * u + e * v + f) * w)
  }

  /// Returns the depth of a point, up to a factor: its sign separates the two sides of the horizon.
  func depth(_ u: Double, _ v: Double) -> Double { g * u + h * v + i }

  /// Returns this map after a small projective change of the plane, in coordinates −1 … 1 over a
  /// symbol of `width` by `height` modules: x moves by `p0 + p1 x + p2 y + x (p6 x + p7 y)`, y by
  /// `p3 + p4 x + p5 y + y (p6 x + p7 y)`, to the first order.
  func moved(by p: [Double], width: Int, height: Int) -> PlaneMap? {
    let (halfU, halfV) = (Double(width) / 2, Double(height) / 2)
    let toUnit = [1 / halfU, 0, -1, 0, 1 / halfV, -1, 0, 0, 1]
    let change = [1 + p[1], p[2], p[0], p[4], 1 + p[5], p[3], -p[6], -p[7], 1]
    let fromUnit = [halfU, 0, halfU, 0, halfV, halfV, 0, 0, 1]
    let matrix = [a, b, c, d, e, f, g, h, i]
    return PlaneMap(
      Self.product(matrix, Self.product(fromUnit, Self.product(change, toUnit))))
  }

  fileprivate static func product(_ a: [Double], _ b: [Double]) -> [Double] {
    (0..<9).map { index in
      let (row, column) = (index / 3 * 3, index % 3)
      return a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6]
    }
  }
}

/// Translates points to their centroid and scales them to a mean distance of 1, which keeps the
/// equations of a projective map well conditioned (Hartley, 1997).
private struct Normalisation {
  private let x, y, scale: Double

  init?(_ points: [(x: Double, y: Double)]) {
    let count = Double(points.count)
    let x = points.reduce(0) { $0 + $1.x } / count
    let y = points.reduce(0) { $0 + $1.y } / count
    let distance =
      points.reduce(0) { sum, point in
        let (dx, dy) = (point.x - x, point.y - y)
        return sum + (dx * dx + dy * dy).squareRoot()
      } / count
    guard distance.isFinite, distance > 1e-6 else { return nil }
    (self.x, self.y, scale) = (x, y, 1 / distance)
  }

  func apply(_ x: Double, _ y: Double) -> (Double, Double) {
    ((x - self.x) * scale, (y - self.y) * scale)
  }

  func apply(_ point: PicturePoint) -> (Double, Double) { apply(point.x, point.y) }

  var matrix: [Double] { [scale, 0, -x * scale, 0, scale, -y * scale, 0, 0, 1] }

  var inverseMatrix: [Double] { [1 / scale, 0, x, 0, 1 / scale, y, 0, 0, 1] }
}
