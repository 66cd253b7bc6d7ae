package import CQREncode
package import CodeScanning
import Foundation
package import Pictures
import SymbolStructure

/// A symbol printed and scanned as a test wants it, so that every parameter of its print quality is
/// known beforehand.
package struct PrintedSymbol {
  package static let text = "https://a.example/grade"

  /// Modules on a side.
  package let size: Int
  package let version: Int
  /// Row by row, whether a module is printed dark.
  package var isDark: [Bool]
  /// What light and dark modules reflect, in parts of the scanner's white.
  package var light = 0.9
  package var dark = 0.05
  /// What single modules reflect instead, by row times size plus column.
  package var reflectances: [Int: Double] = [:]
  /// Pixels of a module across and down.
  package var modulePixels = (x: 10.0, y: 10.0)
  /// Modules of paper left, top, right and bottom of the symbol; beyond is dark.
  package var quietZone = (left: 6.0, top: 6.0, right: 6.0, bottom: 6.0)
  /// How much larger than a module a dark one is printed on each of its two sides, in modules.
  package var growth = (x: 0.0, y: 0.0)
  /// Where a place of the symbol is printed instead, in modules; what is printed at a place of the
  /// paper is found by going back.
  package var warp: ((Double, Double) -> (u: Double, v: Double))?
  /// Whether a pixel is the mean of 16 places of it, as a scanner sees it, and not its middle.
  package var isSmooth = false
  /// How far the light of a pixel is off by noise at most, in parts of the scanner's white.
  package var roughness = 0.0
  /// The share of light at a place of the picture, across and down 0 … 1.
  package var lamp: (Double, Double) -> Double = { _, _ in 1 }

  package init?(
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
  package mutating func flip(_ places: [(column: Int, row: Int)]) {
    for place in places { isDark[place.row * size + place.column].toggle() }
  }

  /// Turns over the first module of codewords, in the order of the symbol.
  package mutating func flip(codewords: [Int]) {
    let modules = SymbolLayout.of(version: version).dataModules
    for codeword in codewords { isDark[Int(modules[codeword * 8].index)].toggle() }
  }

  /// The picture: 8 bits by the transfer function of sRGB. Each pixel shows its middle, so that
  /// what is printed should begin and end between pixels, if it is not smooth.
  package var picture: GreyPicture {
    let side = Double(size)
    let width = Int(
      ((side + quietZone.left + quietZone.right + 2 * Self.surround) * modulePixels.x).rounded())
    let height = Int(
      ((side + quietZone.top + quietZone.bottom + 2 * Self.surround) * modulePixels.y).rounded())
    // A linear congruential generator (Knuth), so that noise is always the same.
    var random: UInt64 = 15_415
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        let share = lamp(Double(x) / Double(width), Double(y) / Double(height))
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let noise = roughness * (Double(random >> 32) / 0x8000_0000 - 1)
        let light = isSmooth ? mean(x, y) : light(x, y, 0.5, 0.5)
        pixels.append(Self.level(light * share + noise))
      }
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  /// Room for a dark surround that ends the quiet zone.
  private static let surround = 2.0

  /// What a place of a pixel reflects, across and down 0 … 1.
  private func light(_ x: Int, _ y: Int, _ right: Double, _ down: Double) -> Double {
    let place = printed(x, y, right, down)
    return reflectance(place.u, place.v)
  }

  /// What a pixel reflects: the mean of 16 places, no two of them in one line.
  private func mean(_ x: Int, _ y: Int) -> Double {
    let middle = printed(x, y, 0.5, 0.5)
    // Within a module all places are the same.
    let inward = [middle.u - middle.u.rounded(), middle.v - middle.v.rounded()].map(abs)
    let (width, height) = (growth.x + 1 / modulePixels.x, growth.y + 1 / modulePixels.y)
    if inward[0] > width, inward[1] > height { return reflectance(middle.u, middle.v) }
    let (right, below) = (printed(x, y, 1.5, 0.5), printed(x, y, 0.5, 1.5))
    var sum = 0.0
    for index in 0..<16 {
      let across = (Double(index) + 0.5) / 16 - 0.5
      let down = (Double(index * 7 % 16) + 0.5) / 16 - 0.5
      sum += reflectance(
        middle.u + across * (right.u - middle.u) + down * (below.u - middle.u),
        middle.v + across * (right.v - middle.v) + down * (below.v - middle.v))
    }
    return sum / 16
  }

  /// The place of the symbol that is printed at a place of a pixel.
  private func printed(
    _ x: Int, _ y: Int, _ right: Double, _ down: Double
  ) -> (u: Double, v: Double) {
    let u = (Double(x) + right) / modulePixels.x - quietZone.left - Self.surround
    let v = (Double(y) + down) / modulePixels.y - quietZone.top - Self.surround
    guard let warp else { return (u, v) }
    var place = (u: u, v: v)
    for _ in 0..<8 {
      let seen = warp(place.u, place.v)
      place = (place.u + u - seen.u, place.v + v - seen.v)
    }
    return place
  }

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
  package func graded(by grader: PrintGrader) -> PrintGrade? {
    let side = Double(size)
    let (left, top) = (quietZone.left + Self.surround, quietZone.top + Self.surround)
    let corners = [(0.0, 0.0), (side, 0), (side, side), (0, side)].map {
      (corner: (Double, Double)) in
      let seen = warp?(corner.0, corner.1) ?? (u: corner.0, v: corner.1)
      return PicturePoint(
        x: (left + seen.u + 0.3) * modulePixels.x, y: (top + seen.v - 0.2) * modulePixels.y)
    }
    let code = DecodedCode(
      text: Self.text, bytes: Array(Self.text.utf8), corners: corners, version: version,
      stage: "test")
    return grader.grade(code, in: picture)
  }
}
