import ScanFixtures
import Foundation
import Synchronization
import Testing

@testable import CodeScanning
@testable import Pictures

@Suite("Large pictures")
struct LargePictureTests {
  @Test(
    "the parts cover the whole and overlap by more than the largest symbol seen in them alone",
    arguments: [(100, 100), (2600, 2601), (6622, 9361), (567, 15_748), (39_370, 7874)], [1, 2])
  func areas(size: (width: Int, height: Int), fold: Int) {
    let areas = LargePicture.areas(width: size.width, height: size.height, fold: fold)
    for side in [
      areas.map { $0.x..<$0.x + $0.width }, areas.map { $0.y..<$0.y + $0.height },
    ] {
      let length = side == areas.map { $0.x..<$0.x + $0.width } ? size.width : size.height
      let ranges = Set(side).sorted { $0.lowerBound < $1.lowerBound }
      #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == length)
      for (first, second) in zip(ranges, ranges.dropFirst()) {
        #expect(first.upperBound - second.lowerBound >= 720)
      }
    }
  }

  @Test("what is on a part is cut out of its paper")
  func content() {
    let ink = GreyPicture(width: 2, height: 3, pixels: [255, 0, 0, 255, 255, 255])
    let part = wall(width: 40, height: 50, [(ink, 10, 20)]).content(margin: 4)
    #expect(part == PictureParts.Area(x: 6, y: 16, width: 10, height: 10))
    #expect(wall(width: 9, height: 9, [(ink, 0, 0)]).content(margin: 4)?.x == 0)
    #expect(wall(width: 9, height: 9, []).content(margin: 4) == nil)
  }

  @Test("small symbols in the corners of a large picture are read, beside a large one")
  func corners() async throws {
    let small = try #require(drawSymbol(Array("https://a.example/1".utf8), modulePixels: 3))
    let other = try #require(drawSymbol(Array("https://a.example/2".utf8), modulePixels: 5))
    let large = try #require(drawSymbol(Array("https://a.example/3".utf8), modulePixels: 60))
    let picture = wall(
      width: 9000, height: 3000, [(small, 8800, 2800), (other, 4400, 20), (large, 100, 500)])
    let page = LoadedPicture(
      source: "page", width: picture.width, height: picture.height, firstLook: picture,
      isLarge: true)
    let codes = try await CodeScanner().scan(page)
    #expect(
      Set(codes.map(\.text))
        == ["https://a.example/1", "https://a.example/2", "https://a.example/3"])
    let first = try #require(codes.first { $0.text.hasSuffix("1") })
    #expect(distance(Array(first.corners.prefix(1)), [(8812, 2812)]) < 2)
  }

  @Test("a page that is drawn in parts is read, and what a page too large loses is said")
  func parts() async throws {
    let symbol = try #require(drawSymbol(Array("https://a.example/part".utf8), modulePixels: 3))
    let whole = wall(width: 12_000, height: 1200, [(symbol, 11_000, 900)])
    let page = LoadedPicture(
      source: "page", width: 3000, height: 300, firstLook: whole.reduced(by: 4),
      parts: PictureParts(width: 12_000, height: 1200, shortfall: "it is large") { whole.part($0) })
    let result = try await CodeScanner().examine(page)
    #expect(result.codes.map(\.text) == ["https://a.example/part"])
    #expect(result.unsearched == "it is large")
    let first = try #require(result.codes.first)
    #expect(distance(Array(first.corners.prefix(1)), [(2753, 228)]) < 1)
  }

  @Test(
    "of a large page, only what the first look shows beside the codes that it reads is drawn again")
  func blankParts() async throws {
    let large = try #require(drawSymbol(Array("https://a.example/large".utf8), modulePixels: 120))
    let small = try #require(drawSymbol(Array("https://a.example/small".utf8), modulePixels: 3))
    func drawn(_ symbols: [(GreyPicture, Int, Int)]) async throws -> (texts: Set<String>, [Int]) {
      let whole = wall(width: 16_000, height: 4400, symbols)
      let columns = Mutex<[Int]>([])
      let page = LoadedPicture(
        source: "page", width: 4000, height: 1100, firstLook: whole.reduced(by: 4),
        parts: PictureParts(width: 16_000, height: 4400) { area in
          columns.withLock { $0.append(area.x) }
          return whole.part(area)
        })
      let codes = try await CodeScanner().scan(page)
      return (Set(codes.map(\.text)), columns.withLock(\.self))
    }
    let alone = try await drawn([(large, 200, 200)])
    #expect(alone.texts == ["https://a.example/large"] && alone.1 == [])
    let both = try await drawn([(large, 200, 200), (small, 15_000, 300)])
    #expect(both.texts == ["https://a.example/large", "https://a.example/small"])
    #expect(!both.1.isEmpty && both.1.allSatisfy { $0 > 10_000 }, "\(both.1)")
  }

  /// A page of a document with a symbol whose modules measure 0.7 mm.
  private func document(width: Double, height: Double, x: Double, y: Double) throws -> [UInt8] {
    let symbol = try #require(EncodedSymbol(Array("https://a.example/page".utf8)))
    let module = 0.7 * 72 / 25.4
    var drawing = "0 g\n"
    for row in 0..<symbol.size {
      for column in 0..<symbol.size where symbol.isDark[row * symbol.size + column] {
        drawing +=
          "\(x + Double(column) * module) \(y - Double(row) * module) \(module) \(module) re\n"
      }
    }
    drawing += "f\n"
    return Array(
      """
      %PDF-1.4
      1 0 obj
      <</Type/Catalog/Pages 2 0 R>>
      endobj
      2 0 obj
      <</Type/Pages/Kids[3 0 R]/Count 1>>
      endobj
      3 0 obj
      <</Type/Page/Parent 2 0 R/MediaBox[0 0 \(width) \(height)]/Contents 4 0 R>>
      endobj
      4 0 obj
      <</Length \(drawing.utf8.count)>>
      stream
      \(drawing)endstream
      endobj
      trailer
      <</Root 1 0 R>>
      %%EOF

      """.utf8)
  }

  @Test(
    "a code with ordinary modules is read on A0 and on a strip of two metres",
    arguments: [(2384.0, 3370.0), (204, 5669)])
  func pages(size: (width: Double, height: Double)) async throws {
    let bytes = try document(width: size.width, height: size.height, x: 60, y: 120)
    let page = try await PictureLoader(limits: PictureLimits(timePerPage: .seconds(900)))
      .open(bytes, named: "page.pdf").page(1)
    #expect(page.isLarge && page.parts == nil)
    #expect(try await CodeScanner().scan(page).map(\.text) == ["https://a.example/page"])
  }
}
