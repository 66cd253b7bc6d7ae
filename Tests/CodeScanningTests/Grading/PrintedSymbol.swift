import CQREncode
import Foundation
import Pictures
import SymbolStructure

@testable import CodeScanning

/// A symbol printed and scanned as a test wants it, so that every parameter of its print quality is
/// known beforehand.
struct PrintedSymbol {
  static let text = "https://a.example/grade"

  /// Modules on a side.
  let size: Int
  let version: Int
  /// Row by row, whether a module is printed dark.
  var isDark: [Bool]
  /// What light and dark modules reflect, in parts of the scanner's white.
  var light = 0.9
  var dark = 0.05
  /// What single modules reflect instead, by row times size plus column.
  var reflectances: [Int: Double] = [:]
  /// Pixels of a module across and down.
  var modulePixels = (x: 10.0, y: 10.0)
  /// Modules of paper left, top, right and bottom of the symbol; beyond is dark.
  var quietZone = (left: 6.0, top: 6.0, right: 6.0, bottom: 6.0)
  /// How much larger than a module a dark one is printed on each of its two sides, in modules.
  var growth = (x: 0.0, y: 0.0)
  /// The share of light at a place of the picture, across and down 0 … 1.
  var lamp: (Double, Double) -> Double = { _, _ in 1 }

  init?(
    _ text: String = Self.text, version: Int = 3, level: QRecLevel = QR_ECLEVEL_Q
  ) {
    guard
      let drawn = drawSymbol(
        Array(text.utf8), version: version, level: level, modulePixels: 1, quietZone: 0)
    else { return nil }
    size = drawn.width
    self.version = (drawn.width - 17) / 4
    isDark = drawn.pixels.map { $0 == 0 }
  }

  /// Turns modules over.
  mutating func flip(_ places: [(column: Int, row: Int)]) {
    for place in places { isDark[place.row * size + place.column].toggle() }
  }

  /// Turns over the first module of codewords, in the order of the symbol.
  mutating func flip(codewords: [Int]) {
    let modules = SymbolLayout.of(version: version).dataModules
    for codeword in codewords { isDark[Int(modules[codeword * 8].index)].toggle() }
  }

  /// The picture: 8 bits by the transfer function of sRGB. Each pixel shows its middle, so that
  /// what is printed should begin and end between pixels.
  var picture: GreyPicture {
    let side = Double(size)
    let width = Int(
      ((side + quietZone.left + quietZone.right + 2 * Self.surround) * modulePixels.x).rounded())
    let height = Int(
      ((side + quietZone.top + quietZone.bottom + 2 * Self.surround) * modulePixels.y).rounded())
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        let u = (Double(x) + 0.5) / modulePixels.x - quietZone.left - Self.surround
        let v = (Double(y) + 0.5) / modulePixels.y - quietZone.top - Self.surround
        let share = lamp(Double(x) / Double(width), Double(y) / Double(height))
        pixels.append(Self.level(reflectance(u, v) * share))
      }
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  /// Room for a dark surround that ends the quiet zone.
  private static let surround = 2.0

  private func reflectance(_ u: Double, _ v: Double) -> Double {
    let side = Double(size)
    if u < -quietZone.left || v < -quietZone.top || u >= side + quietZone.right
      || v >= side + quietZone.bottom
    {
      return dark
    }
    if (0..<side).contains(u), (0..<side).contains(v),
      let own = reflectances[Int(v) * size + Int(u)]
    {
      return own
    }
    // Dark spreads from the modules around.
    for dv in [-growth.y, growth.y] {
      for du in [-growth.x, growth.x] where printsDark(u + du, v + dv) { return dark }
    }
    return light
  }

  private func printsDark(_ u: Double, _ v: Double) -> Bool {
    let side = Double(size)
    guard (0..<side).contains(u), (0..<side).contains(v) else { return false }
    return isDark[Int(v) * size + Int(u)]
  }

  private static func level(_ light: Double) -> UInt8 {
    let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8(min(255, max(0, (value * 255).rounded())))
  }

  /// The grade of the picture, of which a scanner told the corners to a third of a module.
  func graded(by grader: PrintGrader) -> PrintGrade? {
    let side = Double(size)
    let (left, top) = (quietZone.left + Self.surround, quietZone.top + Self.surround)
    let corners = [(0.0, 0.0), (side, 0), (side, side), (0, side)].map {
      PicturePoint(
        x: (left + $0.0 + 0.3) * modulePixels.x, y: (top + $0.1 - 0.2) * modulePixels.y)
    }
    let code = DecodedCode(
      text: Self.text, bytes: Array(Self.text.utf8), corners: corners, version: version,
      stage: "test")
    return grader.grade(code, in: picture)
  }
}
