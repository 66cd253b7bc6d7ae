/// The projective map that takes the unit square onto a quadrilateral, as a camera takes a flat
/// square onto the picture.
struct Homography {
  private let a, b, c, d, e, f, g, h: Double

  /// The map, or `nil` when the corners do not span an area.
  ///
  /// - Parameter corners: where (0, 0), (1, 0), (1, 1) and (0, 1) go.
  init?(unitSquareTo corners: [PicturePoint]) {
    guard corners.count == 4 else { return nil }
    let (p0, p1, p2, p3) = (corners[0], corners[1], corners[2], corners[3])
    let sum = (x: p0.x - p1.x + p2.x - p3.x, y: p0.y - p1.y + p2.y - p3.y)
    let first = (x: p1.x - p2.x, y: p1.y - p2.y)
    let second = (x: p3.x - p2.x, y: p3.y - p2.y)
    let determinant = first.x * second.y - second.x * first.y
    guard abs(determinant) > 1e-9 else { return nil }
    g = (sum.x * second.y - second.x * sum.y) / determinant
    h = (first.x * sum.y - sum.x * first.y) / determinant
    a = p1.x - p0.x + g * p1.x
    b = p3.x - p0.x + h * p3.x
    c = p0.x
    d = p1.y - p0.y + g * p1.y
    e = p3.y - p0.y + h * p3.y
    f = p0.y
  }

  func callAsFunction(_ u: Double, _ v: Double) -> PicturePoint {
    let w = g * u + h * v + 1
    return PicturePoint(x: (a * u + b * v + c) / w, y: (d * u + e * v + f) / w)
  }
}
