import CliptagBasics
import CQREncode
import Foundation
import Pictures

@testable import CodeScanning
import TestSupport

/// A symbol as a camera might see it: what a test knows exactly of a picture that is not.
struct Photograph {
  /// Modules on a side.
  let size: Int
  /// Row by row, whether a module is dark.
  let modules: [Bool]
  let picture: GreyPicture
  /// Where the symbol's top left, top right, bottom right and bottom left corners lie.
  let corners: [PicturePoint]
  /// Where a place of the symbol is seen.
  private let seen: (Double, Double) -> PicturePoint

  /// How the picture is spoilt.
  struct Flaws {
    /// Blurs by the mean over squares of this many pixels to each side, twice.
    var blur = 0
    /// The most that a pixel is off, in levels of brightness.
    var noise = 0
    /// Light at the left edge and at the right, 0 … 1.
    var light = (left: 1.0, right: 1.0)
    /// How far a roll bends the sheet's middle away from its edges, as a part of its side.
    var roll = 0.0
    /// The brightness of ink, in levels.
    var ink = 40.0
    /// Whether modules are dots and finder patterns rings, as some designs have them.
    var isRound = false
  }

  /// A picture of a symbol.
  ///
  /// - Parameters:
  ///   - bytes: what it says.
  ///   - version: the least version.
  ///   - corners: where its corners shall lie.
  ///   - side: of the picture, in pixels.
  init?(
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

  /// The three finder patterns, each as a whole and each of its corners off by at most `error`
  /// modules.
  func triple(sizes: [Int]? = nil, error: Double = 0) -> FinderTriple {
    var random = SeededGenerator(seed: 7)
    func finder(_ left: Double, _ top: Double) -> FinderPattern {
      let (centre, right) = (seen(left + 3.5, top + 3.5), seen(left + 4.5, top + 3.5))
      let module = centre.distance(to: right)
      let off = (x: random.part() * error * module, y: random.part() * error * module)
      let corners = [(0.0, 0.0), (7, 0), (7, 7), (0, 7)].map { corner in
        let point = seen(left + corner.0, top + corner.1)
        return PicturePoint(
          x: point.x + off.x + random.part() * error * module,
          y: point.y + off.y + random.part() * error * module)
      }
      return FinderPattern(
        centre: PicturePoint(x: centre.x + off.x, y: centre.y + off.y), corners: corners,
        modulePixels: module)
    }
    let far = Double(size - 7)
    return FinderTriple(
      topLeft: finder(0, 0), topRight: finder(far, 0), bottomLeft: finder(0, far),
      sizes: sizes ?? [size])
  }

  /// The part of the modules that were sampled on the wrong side, 0 … 1.
  func wrongPart(of sampled: SampledModules) -> Double {
    guard sampled.size == size else { return 1 }
    let wrong = modules.indices.count { modules[$0] != (sampled.darkness[$0] > 0) }
    return Double(wrong) / Double(modules.count)
  }
}
