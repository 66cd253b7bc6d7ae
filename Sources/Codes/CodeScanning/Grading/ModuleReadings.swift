import Foundation
import Pictures

/// The reflections of the modules of a symbol and its quiet zone, measured through a round aperture
/// in the picture's full resolution, relative to the scanner's white.
struct ModuleReadings: Sendable {
  /// The width of the quiet zone that is measured on each side in modules (ISO/IEC 18004:2015,
  /// 6.3.8).
  static let margin = 4

  /// The number of modules on a side, without the quiet zone.
  let size: Int
  private var values: [Double?]

  /// Returns the diameter of the aperture in modules: 80 % of a module, and less for a module with
  /// few pixels, which blur in themselves.
  private static func aperture(modulePixels: Double) -> Double { modulePixels >= 5 ? 0.8 : 0.5 }

  /// - Parameters:
  ///   - picture: values with the transfer function of sRGB.
  ///   - geometry: the geometry of the symbol in the picture.
  ///   - isMirrored: whether the symbol's rows are the geometry's columns.
  init(of picture: GreyPicture, through geometry: SymbolGeometry, isMirrored: Bool) {
    size = geometry.size
    let taps = Self.taps(modulePixels: geometry.modulePixels)
    let light = LinearLight(of: picture)
    let range = -Self.margin..<size + Self.margin
    values = range.flatMap { row in
      range.map { column in
        let (u, v) = isMirrored ? (row, column) : (column, row)
        return Self.mean(light, geometry, Double(u) + 0.5, Double(v) + 0.5, taps)
      }
    }
  }

  /// The reflection of a module, or `nil` outside the picture. Columns and rows are those of the
  /// symbol, from `-margin` to `size + margin - 1`.
  subscript(column: Int, row: Int) -> Double? { values[index(column, row)] }

  private func index(_ column: Int, _ row: Int) -> Int {
    (row + Self.margin) * (size + 2 * Self.margin) + column + Self.margin
  }

  /// The readings of the symbol itself.
  var inside: [Double] {
    (0..<size * size).compactMap { self[$0 % size, $0 / size] }
  }

  /// All readings, including the quiet zone.
  var all: [Double] { values.compactMap { $0 } }

  /// Removes the unevenness of the illumination, as far as it is a plane: `part` returns each
  /// module's share of light.
  mutating func divide(by part: (_ column: Int, _ row: Int) -> Double) {
    for row in -Self.margin..<size + Self.margin {
      for column in -Self.margin..<size + Self.margin {
        let index = index(column, row)
        values[index] = values[index].map { $0 / part(column, row) }
      }
    }
  }

  private static func taps(modulePixels: Double) -> [(du: Double, dv: Double)] {
    let radius = aperture(modulePixels: modulePixels) / 2
    let count = min(15, max(5, Int((2 * radius * modulePixels).rounded(.up)))) | 1
    let steps = (0..<count).map { (step: Int) -> Double in
      (Double(step) + 0.5) / Double(count) * 2 - 1
    }
    var taps: [(du: Double, dv: Double)] = []
    for y in steps {
      for x in steps where x * x + y * y <= 1 { taps.append((x * radius, y * radius)) }
    }
    return taps
  }

  private static func mean(
    _ light: LinearLight, _ geometry: SymbolGeometry, _ u: Double, _ v: Double,
    _ taps: [(du: Double, dv: Double)]
  ) -> Double? {
    // Within a module, the projection of the plane is approximately affine.
    let (middle, right, below) = (geometry(u, v), geometry(u + 0.5, v), geometry(u, v + 0.5))
    let (ux, uy) = ((right.x - middle.x) * 2, (right.y - middle.y) * 2)
    let (vx, vy) = ((below.x - middle.x) * 2, (below.y - middle.y) * 2)
    guard light.holds(middle) else { return nil }
    var sum = 0.0
    for tap in taps {
      sum += light.at(
        PicturePoint(
          x: middle.x + ux * tap.du + vx * tap.dv, y: middle.y + uy * tap.du + vy * tap.dv))
    }
    return sum / Double(taps.count)
  }
}

/// A picture as linear light: pixel values use the transfer function of sRGB (IEC 61966-2-1), and
/// only linear values have meaningful ratios.
struct LinearLight {
  private let picture: GreyPicture

  init(of picture: GreyPicture) { self.picture = picture }

  private static let table: [Double] = (0...255).map { level in
    let value = Double(level) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// Returns whether a point is in the picture.
  func holds(_ point: PicturePoint) -> Bool {
    point.x >= 0 && point.y >= 0 && point.x <= Double(picture.width)
      && point.y <= Double(picture.height)
  }

  /// Returns the bilinearly interpolated light at a point, 0 … 1; outside the picture, the edge
  /// continues.
  func at(_ point: PicturePoint) -> Double {
    let (x, left, right) = Self.between(point.x, picture.width)
    let (y, top, bottom) = Self.between(point.y, picture.height)
    func value(_ column: Int, _ row: Int) -> Double {
      Self.table[Int(picture.pixels[row * picture.width + column])]
    }
    let above = value(left, top) + (value(right, top) - value(left, top)) * x
    let below = value(left, bottom) + (value(right, bottom) - value(left, bottom)) * x
    return above + (below - above) * y
  }

  private static func between(_ place: Double, _ count: Int) -> (part: Double, Int, Int) {
    var place = place - 0.5
    // Written so that NaN is also clamped to the edge.
    if !(place >= 0) { place = 0 }
    place = min(place, Double(count - 1))
    let first = Int(place)
    return (place - Double(first), first, min(first + 1, count - 1))
  }
}
