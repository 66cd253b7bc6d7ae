import Pictures

/// A QR code's modules as brightness, sampled from a picture through the symbol's corners.
///
/// What is known of them beforehand stands in `KnownPatterns`.
struct ModuleGrid {
  /// Modules on a side.
  let size: Int
  /// The symbol's corners in the picture.
  let corners: [PicturePoint]

  private let picture: GreyPicture
  private let inverted: Bool
  private let map: Homography

  /// A grid, or `nil` when the corners span no area or a module would be smaller than a pixel.
  init?(picture: GreyPicture, corners: [PicturePoint], size: Int, inverted: Bool) {
    guard let map = Homography(unitSquareTo: corners) else { return nil }
    let (dx, dy) = (corners[1].x - corners[0].x, corners[1].y - corners[0].y)
    guard (dx * dx + dy * dy).squareRoot() >= Double(size) else { return nil }
    self.picture = picture
    self.corners = corners
    self.size = size
    self.inverted = inverted
    self.map = map
  }

  /// The same grid over other corners.
  func moved(to corners: [PicturePoint]) -> ModuleGrid? {
    ModuleGrid(picture: picture, corners: corners, size: size, inverted: inverted)
  }

  /// About how many pixels a module measures along the top side.
  var modulePixels: Double {
    let (dx, dy) = (corners[1].x - corners[0].x, corners[1].y - corners[0].y)
    return (dx * dx + dy * dy).squareRoot() / Double(size)
  }

  /// Where in a module its brightness is taken, as offsets from its middle in modules.
  enum Sampling {
    /// The middle alone: quick, for a first comparison.
    case middle
    /// Around the middle, against noise.
    case core
    /// Near its corners, which are right only when the grid lies right.
    case corners

    var offsets: [(Double, Double)] {
      switch self {
      case .middle: [(0, 0)]
      case .core: [(0, 0), (-0.2, -0.2), (0.2, -0.2), (-0.2, 0.2), (0.2, 0.2)]
      case .corners: [(-0.4, -0.4), (0.4, -0.4), (-0.4, 0.4), (0.4, 0.4)]
      }
    }
  }

  /// The brightness of a module: the mean of the points sampled in it.
  func brightness(column: Int, row: Int, offsets: [(Double, Double)]) -> Double {
    var sum = 0.0
    let scale = 1 / Double(size)
    for (dx, dy) in offsets {
      sum += sample(
        map((Double(column) + 0.5 + dx) * scale, (Double(row) + 0.5 + dy) * scale))
    }
    let mean = sum / Double(offsets.count)
    return inverted ? 255 - mean : mean
  }

  /// The brightness between the four nearest pixels; the edge goes on outside of the picture.
  private func sample(_ point: PicturePoint) -> Double {
    let x = min(max(point.x - 0.5, 0), Double(picture.width - 1))
    let y = min(max(point.y - 0.5, 0), Double(picture.height - 1))
    guard x.isFinite, y.isFinite else { return 255 }
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, picture.width - 1), min(top + 1, picture.height - 1))
    let (fx, fy) = (x - Double(left), y - Double(top))
    let (upper, lower) = (top * picture.width, bottom * picture.width)
    let above =
      Double(picture.pixels[upper + left]) * (1 - fx) + Double(picture.pixels[upper + right]) * fx
    let below =
      Double(picture.pixels[lower + left]) * (1 - fx) + Double(picture.pixels[lower + right]) * fx
    return above * (1 - fy) + below * fy
  }
}
