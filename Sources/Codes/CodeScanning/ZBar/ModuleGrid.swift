import Pictures

/// The brightness of a QR code's modules, sampled from a picture through the symbol's corners.
struct ModuleGrid {
  /// The number of modules on a side.
  let size: Int
  /// The symbol's corners in the picture.
  let corners: [PicturePoint]

  private let picture: GreyPicture
  private let map: Homography

  /// Creates a grid, or `nil` if the corners span no area or a module would be smaller than a
  /// pixel.
  init?(picture: GreyPicture, corners: [PicturePoint], size: Int) {
    guard let map = Homography(unitSquareTo: corners) else { return nil }
    let (dx, dy) = (corners[1].x - corners[0].x, corners[1].y - corners[0].y)
    guard (dx * dx + dy * dy).squareRoot() >= Double(size) else { return nil }
    self.picture = picture
    self.corners = corners
    self.size = size
    self.map = map
  }

  /// Returns the same grid with other corners.
  func moved(to corners: [PicturePoint]) -> ModuleGrid? {
    ModuleGrid(picture: picture, corners: corners, size: size)
  }

  /// The approximate size of a module along the top side in pixels.
  var modulePixels: Double {
    let (dx, dy) = (corners[1].x - corners[0].x, corners[1].y - corners[0].y)
    return (dx * dx + dy * dy).squareRoot() / Double(size)
  }

  /// The points of a module at which its brightness is sampled, as offsets from its centre in
  /// modules.
  enum Sampling {
    /// The centre alone: fast, for a first comparison.
    case middle
    /// Around the centre, which reduces noise.
    case core
    /// Near its corners, which match only if the grid is well aligned.
    case corners

    var offsets: [(Double, Double)] {
      switch self {
      case .middle: [(0, 0)]
      case .core: [(0, 0), (-0.2, -0.2), (0.2, -0.2), (-0.2, 0.2), (0.2, 0.2)]
      case .corners: [(-0.4, -0.4), (0.4, -0.4), (-0.4, 0.4), (0.4, 0.4)]
      }
    }
  }

  /// Returns the brightness of a module: the mean of its sampled points.
  func brightness(column: Int, row: Int, offsets: [(Double, Double)]) -> Double {
    var sum = 0.0
    let scale = 1 / Double(size)
    for (dx, dy) in offsets {
      sum += sample(
        map((Double(column) + 0.5 + dx) * scale, (Double(row) + 0.5 + dy) * scale))
    }
    return sum / Double(offsets.count)
  }

  /// Returns the bilinearly interpolated brightness; outside the picture, the edge continues.
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

  /// Returns every module compared with the level of the nearest finder pattern.
  func darkness(levels: [Double]) -> SampledModules {
    let offsets = Sampling.core.offsets
    let darkness = (0..<size * size).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: size)
      let nearest = column > size / 2 ? 1 : row > size / 2 ? 2 : 0
      let level = levels[nearest]
      let value = brightness(column: column, row: row, offsets: offsets)
      return Float((level - value) / max(1, level))
    }
    return SampledModules(size: size, darkness: darkness)
  }

  /// Returns dark modules as ones, the first place as bit 0, each compared with the level of the
  /// nearest finder pattern.
  func bits(
    at places: [(column: Int, row: Int)], levels: [Double], transposed: Bool
  ) -> UInt32 {
    let offsets = Sampling.core.offsets
    return places.enumerated().reduce(0) { word, place in
      let (column, row) =
        transposed
        ? (place.element.row, place.element.column) : (place.element.column, place.element.row)
      let nearest = column > size / 2 ? 1 : row > size / 2 ? 2 : 0
      let isDark = brightness(column: column, row: row, offsets: offsets) < levels[nearest]
      return isDark ? word | 1 << UInt32(place.offset) : word
    }
  }

  /// Returns the middle between the brightness of the dark and the light modules of a pattern.
  func level(of modules: [KnownPatterns.Module]) -> Double {
    let (dark, light) = means(of: modules, offsets: Sampling.core.offsets)
    return (dark + light) / 2
  }

  /// Returns the share of the modules that are on the right side of the level, 0 … 1.
  func fit(of modules: [KnownPatterns.Module], level: Double, _ sampling: Sampling) -> Double {
    let offsets = sampling.offsets
    let right = modules.count {
      (brightness(column: $0.column, row: $0.row, offsets: offsets) < level) == $0.isDark
    }
    return Double(right) / Double(max(1, modules.count))
  }

  /// Returns the grid with the three corners that have a finder pattern moved, by at most a module,
  /// to the position of its highest contrast.
  func settled(on finders: [[KnownPatterns.Module]]) -> ModuleGrid {
    let offsets = Sampling.middle.offsets
    let step = modulePixels * 0.7
    var settled = corners
    for (corner, finder) in zip([0, 1, 3], finders) {
      var best = -Double.infinity
      for (x, y) in [
        (0.0, 0.0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1),
      ] {
        var moved = corners
        moved[corner].x += x * step
        moved[corner].y += y * step
        guard let grid = self.moved(to: moved) else { continue }
        let (dark, light) = grid.means(of: finder, offsets: offsets)
        if light - dark > best { (best, settled[corner]) = (light - dark, moved[corner]) }
      }
    }
    return moved(to: settled) ?? self
  }

  /// Returns the grid with each corner moved to the position of the highest contrast of the known
  /// patterns.
  ///
  /// First the three corners with a finder pattern, whose broad shape guides from a module away;
  /// then the fourth by the alignment pattern near it; then all of them with the timing patterns,
  /// which are exact but mislead from further than half a module.
  func refined(by patterns: KnownPatterns) -> ModuleGrid {
    let known = patterns.finders + (patterns.alignment.isEmpty ? [] : [patterns.alignment])
    var grid = climbing([0, 1, 3], by: patterns.finders, steps: [0.5, 0.5, 0.25])
    if !patterns.alignment.isEmpty {
      grid = grid.climbing([2], by: [patterns.alignment], steps: [0.5, 0.5, 0.25])
    }
    return grid.climbing([0, 1, 3, 2], by: known + [patterns.timing], steps: [0.25, 0.125])
  }

  /// Moves single corners, by steps in modules, while the contrast of the patterns increases.
  private func climbing(
    _ movable: [Int], by groups: [[KnownPatterns.Module]], steps: [Double]
  ) -> ModuleGrid {
    var best = self
    var bestContrast = contrast(of: groups)
    for step in steps {
      let pixels = step * modulePixels
      for corner in movable {
        for (x, y) in [(1.0, 0.0), (-1, 0), (0, 1), (0, -1)] {
          var corners = best.corners
          corners[corner].x += x * pixels
          corners[corner].y += y * pixels
          guard let grid = moved(to: corners) else { continue }
          let contrast = grid.contrast(of: groups)
          if contrast > bestContrast { (best, bestContrast) = (grid, contrast) }
        }
      }
    }
    return best
  }

  /// Returns the sum of the contrasts of all groups: it increases smoothly towards the right
  /// corners, unlike a count of right modules.
  private func contrast(of groups: [[KnownPatterns.Module]]) -> Double {
    let offsets = Sampling.corners.offsets
    return groups.reduce(0) { sum, modules in
      let (dark, light) = means(of: modules, offsets: offsets)
      return sum + light - dark
    }
  }

  private func means(
    of modules: [KnownPatterns.Module], offsets: [(Double, Double)]
  ) -> (dark: Double, light: Double) {
    var dark = (sum: 0.0, count: 0.0)
    var light = (sum: 0.0, count: 0.0)
    for module in modules {
      let value = brightness(column: module.column, row: module.row, offsets: offsets)
      if module.isDark {
        dark = (dark.sum + value, dark.count + 1)
      } else {
        light = (light.sum + value, light.count + 1)
      }
    }
    return (dark.sum / max(1, dark.count), light.sum / max(1, light.count))
  }
}

/// The modules of a QR code that do not depend on its contents (ISO/IEC 18004:2015, 6.3.3 to
/// 6.3.6): its three finder patterns, its two timing patterns, and from version 2 on the alignment
/// pattern nearest to the corner without a finder.
struct KnownPatterns {
  struct Module {
    let column: Int
    let row: Int
    let isDark: Bool
  }

  /// The finder patterns: top left, top right, bottom left.
  let finders: [[Module]]
  /// Both timing patterns.
  let timing: [Module]
  /// The alignment pattern; empty in version 1.
  let alignment: [Module]

  init(size: Int) {
    finders = [
      Self.square(7, column: 0, row: 0, lightRing: 2),
      Self.square(7, column: size - 7, row: 0, lightRing: 2),
      Self.square(7, column: 0, row: size - 7, lightRing: 2),
    ]
    timing = (8...(size - 9)).flatMap { (index: Int) -> [Module] in
      let isDark = index.isMultiple(of: 2)
      return [
        Module(column: index, row: 6, isDark: isDark),
        Module(column: 6, row: index, isDark: isDark),
      ]
    }
    alignment =
      size < 25 ? [] : Self.square(5, column: size - 9, row: size - 9, lightRing: 1)
  }

  /// Returns concentric squares, dark except for one ring, counted from the centre.
  private static func square(_ side: Int, column: Int, row: Int, lightRing: Int) -> [Module] {
    let middle = side / 2
    return (0..<side * side).map { index in
      let (y, x) = index.quotientAndRemainder(dividingBy: side)
      return Module(
        column: column + x, row: row + y,
        isDark: max(abs(x - middle), abs(y - middle)) != lightRing)
    }
  }
}

/// The projective map from the unit square to a quadrilateral: the image of a flat square in a
/// camera.
struct Homography {
  private let a, b, c, d, e, f, g, h: Double

  /// Creates the map, or `nil` if the corners do not span an area.
  ///
  /// - Parameter corners: the images of (0, 0), (1, 0), (1, 1) and (0, 1).
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
