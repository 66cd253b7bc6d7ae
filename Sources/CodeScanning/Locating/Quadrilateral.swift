/// Four corners in order around a code.
struct Quadrilateral {
  private let corners: [PicturePoint]
  /// The box around them: most points lie outside it.
  private let least: PicturePoint
  private let most: PicturePoint

  init(_ corners: [PicturePoint], enlargedBy factor: Double) {
    let count = Double(max(1, corners.count))
    let (x, y) = (
      corners.reduce(0) { $0 + $1.x } / count, corners.reduce(0) { $0 + $1.y } / count
    )
    self.corners = corners.map {
      PicturePoint(x: x + ($0.x - x) * factor, y: y + ($0.y - y) * factor)
    }
    let (xs, ys) = (self.corners.map(\.x), self.corners.map(\.y))
    least = PicturePoint(x: xs.min() ?? 0, y: ys.min() ?? 0)
    most = PicturePoint(x: xs.max() ?? 0, y: ys.max() ?? 0)
  }

  /// Whether a point lies inside: on the same side of every edge.
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
}
