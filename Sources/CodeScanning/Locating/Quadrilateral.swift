/// Four corners in order around a code.
struct Quadrilateral {
  private let corners: [PicturePoint]

  init(_ corners: [PicturePoint], enlargedBy factor: Double) {
    let count = Double(max(1, corners.count))
    let (x, y) = (
      corners.reduce(0) { $0 + $1.x } / count, corners.reduce(0) { $0 + $1.y } / count
    )
    self.corners = corners.map {
      PicturePoint(x: x + ($0.x - x) * factor, y: y + ($0.y - y) * factor)
    }
  }

  /// Whether a point lies inside: on the same side of every edge.
  func holds(_ point: PicturePoint) -> Bool {
    let sides = corners.indices.map { index in
      let (a, b) = (corners[index], corners[(index + 1) % corners.count])
      return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
    }
    return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
  }
}
