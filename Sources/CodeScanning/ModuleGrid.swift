import Pictures

/// A QR code's modules as brightness, sampled from a picture through the symbol's corners.
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

  /// Where in a module its brightness is taken, as offsets from its middle in modules.
  enum Sampling {
    /// The middle alone: quick, for a first comparison.
    case middle
    /// Around the middle, against noise.
    case core
    /// Near its corners, which are right only when the grid lies right.
    case corners

    fileprivate var offsets: [(Double, Double)] {
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

// MARK: - Known patterns

extension ModuleGrid {
  /// The part of the modules of the three finder patterns and of both timing patterns that are as
  /// the standard wants them, 0 … 1 (ISO/IEC 18004:2015, 6.3.3 to 6.3.5).
  func fit(_ sampling: Sampling) -> Double {
    let offsets = sampling.offsets
    let finders = finderOrigins.map { finder($0, offsets) }
    var right = 0
    var total = 0
    for finder in finders {
      right += finder.modules.count { ($0.brightness < finder.level) == $0.isDark }
      total += finder.modules.count
    }
    let timing = timingMatches(level: finders.reduce(0) { $0 + $1.level } / 3, offsets)
    return Double(right + timing.right) / Double(total + timing.total)
  }

  /// The part of the timing patterns alone that is right, which tells versions apart.
  func timingFit() -> Double {
    let offsets = Sampling.core.offsets
    let level = finderOrigins.reduce(0) { $0 + finder($1, offsets).level } / 3
    let timing = timingMatches(level: level, offsets)
    return Double(timing.right) / Double(timing.total)
  }

  private var finderOrigins: [(column: Int, row: Int)] { [(0, 0), (size - 7, 0), (0, size - 7)] }

  /// A finder pattern's modules, and the level halfway between its dark and its light ones.
  private func finder(
    _ origin: (column: Int, row: Int), _ offsets: [(Double, Double)]
  ) -> (modules: [(brightness: Double, isDark: Bool)], level: Double) {
    var modules: [(brightness: Double, isDark: Bool)] = []
    var sums = (dark: 0.0, light: 0.0)
    for row in 0..<7 {
      for column in 0..<7 {
        let ring = max(abs(row - 3), abs(column - 3))
        let value = brightness(
          column: origin.column + column, row: origin.row + row, offsets: offsets)
        modules.append((value, ring != 2))
        if ring == 2 { sums.light += value } else { sums.dark += value }
      }
    }
    // 16 modules of a finder pattern are light, 33 dark.
    return (modules, (sums.dark / 33 + sums.light / 16) / 2)
  }

  private func timingMatches(
    level: Double, _ offsets: [(Double, Double)]
  ) -> (right: Int, total: Int) {
    var right = 0
    for place in 8...(size - 9) {
      let isDark = place % 2 == 0
      if (brightness(column: place, row: 6, offsets: offsets) < level) == isDark { right += 1 }
      if (brightness(column: 6, row: place, offsets: offsets) < level) == isDark { right += 1 }
    }
    return (right, 2 * (size - 16))
  }

  /// How strongly the patterns stand out: rises smoothly towards the right corners, which a count
  /// of right modules does not.
  private func contrast() -> Double {
    let offsets = Sampling.corners.offsets
    var sum = 0.0
    for origin in finderOrigins {
      for module in finder(origin, offsets).modules {
        sum += module.isDark ? -module.brightness / 33 : module.brightness / 16
      }
    }
    let weight = 2 / Double(size - 16)
    for place in 8...(size - 9) {
      let sign = place % 2 == 0 ? -weight : weight
      sum += sign * brightness(column: place, row: 6, offsets: offsets)
      sum += sign * brightness(column: 6, row: place, offsets: offsets)
    }
    return sum
  }

  /// The grid with each corner moved, by at most a module and a half, to where the patterns stand
  /// out most.
  func refined() -> ModuleGrid {
    var best = self
    var bestContrast = contrast()
    let (dx, dy) = (corners[1].x - corners[0].x, corners[1].y - corners[0].y)
    var step = (dx * dx + dy * dy).squareRoot() / Double(size) / 2
    for _ in 0..<4 {
      for corner in 0..<4 {
        for (x, y) in [(1.0, 0.0), (-1, 0), (0, 1), (0, -1)] {
          var moved = best.corners
          moved[corner].x += x * step
          moved[corner].y += y * step
          guard
            let grid = ModuleGrid(
              picture: picture, corners: moved, size: size, inverted: inverted)
          else { continue }
          let contrast = grid.contrast()
          if contrast > bestContrast { (best, bestContrast) = (grid, contrast) }
        }
      }
      step /= 2
    }
    return best
  }

  /// Dark modules as ones, the first place as bit 0, each against the level of the finder pattern
  /// that is nearest.
  func bits(at places: [(column: Int, row: Int)], transposed: Bool) -> UInt32 {
    let offsets = Sampling.core.offsets
    let levels = finderOrigins.map { finder($0, offsets).level }
    return places.enumerated().reduce(0) { word, place in
      let (column, row) =
        transposed
        ? (place.element.row, place.element.column) : (place.element.column, place.element.row)
      let nearest = column > size / 2 ? 1 : row > size / 2 ? 2 : 0
      let isDark = brightness(column: column, row: row, offsets: offsets) < levels[nearest]
      return isDark ? word | 1 << UInt32(place.offset) : word
    }
  }
}
