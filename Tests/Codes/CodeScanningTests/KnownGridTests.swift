import CliptagBasics
import CodeScanning
import Pictures
import Testing

@Suite("The modules of a known code")
struct KnownGridTests {
  private let size = 21
  private let quietZone = 4
  private let modules: [UInt8]

  init() {
    var generator = SeededGenerator(seed: 7)
    modules = (0..<size * size).map { _ in UInt8.random(in: 0...1, using: &generator) }
  }

  private var grid: KnownGrid { KnownGrid(size: size, modules: modules, quietZone: quietZone) }

  /// Draws the code from a place, each pixel the mean of what is under it.
  private func picture(
    _ modules: [UInt8], x: Double = 0, y: Double = 0, pitch: Double, side: Int,
    dark: Double = 0, light: Double = 255
  ) -> GreyPicture {
    func isDark(_ column: Double, _ row: Double) -> Bool {
      let (x, y) = (Int(column.rounded(.down)) - quietZone, Int(row.rounded(.down)) - quietZone)
      return (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x] == 1
    }
    let parts = (0..<4).map { (Double($0) + 0.5) / 4 }
    let pixels = (0..<side * side).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: side)
      let sum = parts.reduce(0) { sum, down in
        parts.reduce(sum) { sum, across in
          sum
            + (isDark((Double(column) + across - x) / pitch, (Double(row) + down - y) / pitch)
              ? dark : light)
        }
      }
      return UInt8((sum / 16).rounded())
    }
    return GreyPicture(width: side, height: side, pixels: pixels)
  }

  @Test("a code is found as it was drawn, at whole pixels and between them")
  func right() {
    for pitch in [1, 2, 5] {
      let picture = picture(modules, pitch: Double(pitch), side: 29 * pitch)
      #expect(grid.wrongModules(in: picture, pitch: Double(pitch)) == 0)
    }
    for (x, y) in [(7.3, 2.5), (0.75, 11.0)] {
      let picture = picture(modules, x: x, y: y, pitch: 3, side: 110)
      #expect(grid.wrongModules(in: picture, x: x, y: y, pitch: 3) == 0)
    }
  }

  @Test("every module that differs is counted, and a dark one in the quiet zone")
  func wrong() {
    var changed = modules
    for index in [0, 200, size * size - 1] { changed[index] ^= 1 }
    #expect(grid.wrongModules(in: picture(changed, pitch: 2, side: 58), pitch: 2) == 3)
    let whole = picture(modules, pitch: 2, side: 58)
    var pixels = whole.pixels
    for index in [0, 1, 58, 59] { pixels[index] = 0 }
    let spotted = GreyPicture(width: 58, height: 58, pixels: pixels)
    #expect(grid.wrongModules(in: spotted, pitch: 2) == 1)
  }

  @Test("a code at another place or of another size is wrong")
  func misplaced() {
    let picture = picture(modules, x: 5, y: 5, pitch: 3, side: 110)
    #expect(grid.wrongModules(in: picture, x: 8, y: 5, pitch: 3) > 100)
    #expect(grid.wrongModules(in: picture, x: 5, y: 5, pitch: 3.15) > 50)
    #expect(grid.wrongModules(in: picture, x: 5, y: 24, pitch: 3) == 29 * 29)
    #expect(grid.wrongModules(in: picture, x: -1, y: 5, pitch: 3) == 29 * 29)
  }

  @Test("faint modules and a dark ground are wrong")
  func contrast() {
    let dark = modules.count { $0 == 1 }
    let faint = picture(modules, pitch: 2, side: 58, dark: 120)
    #expect(grid.wrongModules(in: faint, pitch: 2) == dark)
    let grey = picture(modules, pitch: 2, side: 58, light: 120)
    #expect(grid.wrongModules(in: grey, pitch: 2) == 29 * 29 - dark)
  }
}
