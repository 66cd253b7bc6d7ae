package import CQREncode
import CliptagBasics
package import CodeScanning
import Foundation
package import Pictures

/// A symbol as a camera might see it: what a test knows exactly of a picture that is not.
package struct Photograph {
  /// Modules on a side.
  package let size: Int
  /// Row by row, whether a module is dark.
  package let modules: [Bool]
  package let picture: GreyPicture
  /// Where the symbol's top left, top right, bottom right and bottom left corners lie.
  package let corners: [PicturePoint]
  /// Where a place of the symbol is seen.
  package let seen: (Double, Double) -> PicturePoint

  /// How the picture is spoilt.
  package struct Flaws {
    /// Blurs by the mean over squares of this many pixels to each side, twice.
    package var blur = 0
    /// The most that a pixel is off, in levels of brightness.
    package var noise = 0
    /// Light at the left edge and at the right, 0 … 1.
    package var light = (left: 1.0, right: 1.0)
    /// How far a roll bends the sheet's middle away from its edges, as a part of its side.
    package var roll = 0.0
    /// The brightness of ink, in levels.
    package var ink = 40.0
    /// Whether modules are dots and finder patterns rings, as some designs have them.
    package var isRound = false

    /// Creates flaws.
    package init(
      blur: Int = 0, noise: Int = 0, light: (left: Double, right: Double) = (1, 1),
      roll: Double = 0, ink: Double = 40, isRound: Bool = false
    ) {
      (self.blur, self.noise, self.light) = (blur, noise, light)
      (self.roll, self.ink, self.isRound) = (roll, ink, isRound)
    }
  }

  /// A picture of a symbol.
  ///
  /// - Parameters:
  ///   - bytes: what it says.
  ///   - version: the least version.
  ///   - corners: where its corners shall lie.
  ///   - side: of the picture, in pixels.
  package init?(
    _ bytes: [UInt8], version: Int, level: QRecLevel = QR_ECLEVEL_M, corners: [(Double, Double)],
    side: Int, flaws: Flaws = Flaws()
  ) {
    guard
      let symbol = drawSymbol(
        bytes, version: version, level: level, modulePixels: 1, quietZone: 0)
    else { return nil }
    let size = symbol.width
    let modules = symbol.pixels.map { $0 == 0 }
    let far = Double(size)
    let places = [(0.0, 0.0), (far, 0), (far, far), (0, far)]
    let points = corners.map { PicturePoint(x: $0.0, y: $0.1) }
    guard
      let plane = PlaneMap(
        fitting: zip(places, points).map { .init(u: $0.0, v: $0.1, seen: $1) }),
      let back = PlaneMap(
        fitting: zip(places, points).map {
          .init(u: $1.x, v: $1.y, seen: PicturePoint(x: $0.0, y: $0.1))
        })
    else { return nil }
    // The roll moves rows up and down: a place's row depends on its column.
    func roll(_ u: Double) -> Double {
      let x = 2 * u / far - 1
      return flaws.roll * far * (1 - x * x)
    }
    let fine = 3
    var pixels: [Double] = []
    for y in 0..<side {
      for x in 0..<side {
        var sum = 0.0
        for step in 0..<fine * fine {
          let place = back(
            Double(x) + (Double(step % fine) + 0.5) / Double(fine),
            Double(y) + (Double(step / fine) + 0.5) / Double(fine))
          let (u, v) = (place.x, place.y - roll(place.x))
          let isInside = u >= 0 && v >= 0 && u < far && v < far
          let isDark =
            isInside
            && (flaws.isRound
              ? Self.isDark(u, v, size, modules) : modules[Int(v) * size + Int(u)])
          sum += isDark ? flaws.ink : 210
        }
        let part = Double(x) / Double(side)
        let light = flaws.light.left + (flaws.light.right - flaws.light.left) * part
        pixels.append(sum / Double(fine * fine) * light)
      }
    }
    for _ in 0..<2 { pixels = Self.blurred(pixels, side, reach: flaws.blur) }
    var random = SeededGenerator(seed: 42)
    let grey = pixels.map { value -> UInt8 in
      let noise = Double(Int(random.next() >> 33) % (2 * flaws.noise + 1) - flaws.noise)
      return UInt8(max(0, min(255, value + noise)))
    }
    self.size = size
    self.modules = modules
    picture = GreyPicture(width: side, height: side, pixels: grey)
    seen = { plane($0, $1 + roll($0)) }
    self.corners = places.map { plane($0.0, $0.1) }
  }

  /// Whether a place of a symbol of dots and rings is dark.
  private static func isDark(_ u: Double, _ v: Double, _ size: Int, _ modules: [Bool]) -> Bool {
    let far = Double(size) - 3.5
    for (x, y) in [(3.5, 3.5), (far, 3.5), (3.5, far)]
    where max(abs(u - x), abs(v - y)) < 3.5 {
      let away = hypot(u - x, v - y)
      return away < 1.5 || (2.5..<3.5).contains(away)
    }
    let (column, row) = (Int(u), Int(v))
    return modules[row * size + column]
      && hypot(u - Double(column) - 0.5, v - Double(row) - 0.5) < 0.45
  }

  private static func blurred(_ pixels: [Double], _ side: Int, reach: Int) -> [Double] {
    guard reach > 0 else { return pixels }
    return pixels.indices.map { index in
      let (y, x) = index.quotientAndRemainder(dividingBy: side)
      var (sum, count) = (0.0, 0.0)
      for row in max(0, y - reach)...min(side - 1, y + reach) {
        for column in max(0, x - reach)...min(side - 1, x + reach) {
          sum += pixels[row * side + column]
          count += 1
        }
      }
      return sum / count
    }
  }
}
