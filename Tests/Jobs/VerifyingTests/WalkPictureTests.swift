import CodeScanning
import Pictures
import QRSymbol
import Registry
import Testing
import Verifying

@Suite("Small copies of pictures")
struct WalkPictureTests {
  /// A code of 33 modules in the middle of a wide wall, as PNG.
  private func wall(width: Int, height: Int, module: Int) async throws -> LoadedPicture {
    let symbol = try QRSymbol("https://fruta.example.com/order/cupertino")
    var pixels = [UInt8](repeating: 190, count: width * height)
    let side = (symbol.size + 8) * module
    let (left, top) = ((width - side) / 2, (height - side) / 2)
    for y in 0..<side {
      for x in 0..<side {
        let (column, row) = (x / module - 4, y / module - 4)
        let inside = (0..<symbol.size).contains(column) && (0..<symbol.size).contains(row)
        let isDark = inside && symbol.isDark(x: column, y: row)
        pixels[(top + y) * width + left + x] = isDark ? 40 : 235
      }
    }
    let grey = GreyPicture(width: width, height: height, pixels: pixels)
    return try await PictureLoader(limits: .ownDrawing).open(
      try PNGWriter.colour(ColourPicture(grey)), named: "wall.png"
    ).page(1)
  }

  @Test(
    "the copy's long side has at most 1,600 pixels, and its code is still read",
    arguments: [(1_700, 1_275), (3_000, 2_000), (1_200, 3_300)])
  func sizes(size: (Int, Int)) async throws {
    let page = try await wall(width: size.0, height: size.1, module: 8)
    let copy = try WalkPicture(try await page.smallCopy(longestSide: 1_600))
    #expect(max(copy.width, copy.height) == 1_600)
    #expect((copy.originalWidth, copy.originalHeight) == size)
    let ratio = Double(copy.width) / Double(copy.height)
    #expect(abs(ratio * Double(size.1) / Double(size.0) - 1) < 0.002)
    let opened = try await PictureLoader(limits: .ownDrawing).open(copy.jpeg, named: "copy").page(1)
    #expect(opened.width == copy.width && opened.height == copy.height)
    let found = try await CodeScanner().scan(opened)
    #expect(found.map(\.text) == ["https://fruta.example.com/order/cupertino"])
  }

  @Test("a small picture keeps its size")
  func small() async throws {
    let page = try await wall(width: 400, height: 300, module: 4)
    let copy = try WalkPicture(try await page.smallCopy(longestSide: 1_600))
    #expect((copy.width, copy.height) == (400, 300))
    #expect(copy.jpeg.starts(with: [0xFF, 0xD8, 0xFF]))
  }
}
