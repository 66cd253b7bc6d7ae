import Foundation
import Testing

@testable import Pictures

@Suite("What shines through, comes later or is packed")
struct TransparentPictureTests {
  private let loader = PictureLoader.patient

  /// A drawing of a white square on nothing.
  private static let drawing = """
    <svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">\
    <rect x="10" y="10" width="20" height="20" fill="white"/></svg>
    """

  @Test("a drawing in white on nothing shows on a dark ground alone")
  func lightOnTransparent() async throws {
    let page = try await loader.open(Array(Self.drawing.utf8), named: "a.svg").page(1)
    #expect(page.firstLook.isUniform)
    let dark = try #require(try await page.lookOnDarkGround())
    #expect(!dark.isUniform && dark[0, 0] == 0 && dark[dark.width / 2, dark.height / 2] == 255)
  }

  @Test("a picture that hides nothing has no look on a dark ground")
  func opaque() async throws {
    let filled = Self.drawing.replacing("<rect", with: "<rect width='40' height='40'/><rect")
    let page = try await loader.open(Array(filled.utf8), named: "a.svg").page(1)
    #expect(try await page.lookOnDarkGround() == nil)
    let turned = try await loader.open(sample("turned.png"), named: "turned.png").page(1)
    #expect(try await turned.lookOnDarkGround() == nil)
  }

  @Test("a packed drawing is read as the drawing; what is packed otherwise is told")
  func packed() async throws {
    let plain = try await loader.open(Array(Self.drawing.utf8), named: "a.svg").page(1)
    // Python: gzip.compress(drawing, mtime=0).
    let page = try await loader.open(Self.packedDrawing, named: "a.svgz")
    #expect(page.format == .svg)
    #expect(try await page.page(1).firstLook == plain.firstLook)
    let error = await #expect(throws: PictureError.self) {
      try await loader.open(Array(Self.packedDrawing.prefix(60)) + [1, 0, 0, 0], named: "a.svgz")
    }
    #expect(error?.code == .malformed)
  }

  @Test("of an animated PNG whose first picture is empty, the first frame that is not is read")
  func animated() async throws {
    let page = try await loader.open(Self.animation, named: "a.png").page(1)
    #expect(page.width == 2 && page.height == 1)
    #expect(page.firstLook.pixels == [0, 255])
  }

  private static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    PNGChunks.bytes(kind, content)
  }

  /// Two grey pixels: white and white, then black and white.
  private static var animation: [UInt8] {
    let compressor = try? Compressor()
    func data(_ pixels: [UInt8]) -> [UInt8] { compressor?.compressed([0] + pixels) ?? [] }
    func control(_ number: UInt8) -> [UInt8] {
      chunk(
        "fcTL",
        [0, 0, 0, number, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 10, 0, 0])
    }
    return PNGChunks.signature + chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 1, 8, 0, 0, 0, 0])
      + chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]) + control(0) + chunk("IDAT", data([255, 255]))
      + control(1) + chunk("fdAT", [0, 0, 0, 2] + data([0, 255])) + chunk("IEND", [])
  }

  private static let packedDrawing: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 77, 140, 75, 14,
    128, 32, 12, 5, 175, 66, 122, 0, 139, 159, 149, 1, 46, 163,
    72, 73, 240, 19, 109, 172, 222, 94, 81, 23, 174, 222, 36, 111,
    50, 102, 219, 131, 58, 198, 52, 109, 22, 136, 121, 105, 17, 69,
    164, 144, 186, 152, 215, 128, 149, 214, 26, 111, 3, 148, 196, 158,
    201, 66, 163, 65, 145, 143, 129, 248, 97, 103, 86, 223, 177, 58,
    44, 148, 247, 113, 190, 243, 169, 213, 79, 205, 60, 196, 148, 44,
    8, 69, 246, 128, 206, 228, 172, 187, 0, 137, 41, 216, 255, 126,
    0, 0, 0,
  ]
}
