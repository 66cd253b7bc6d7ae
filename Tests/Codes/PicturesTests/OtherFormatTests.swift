import CliptagPlatform
import Foundation
import Testing

@testable import Pictures

/// What cameras, scanners and drawing programs write besides JPEG and PNG.
@Suite("Other formats")
struct OtherFormatTests {
  /// The brightness of the four quarters of the sample: top left, top right, bottom left, bottom
  /// right.
  private static let quarters = [0, 80, 160, 255]

  private func quarters(of picture: GreyPicture) -> [Int] {
    [(12, 8), (36, 8), (12, 24), (36, 24)].map { picture[$0.0, $0.1] }
  }

  @Test(
    "a picture is upright whatever its format says about how it was held",
    arguments: [
      ("turned.heic", PictureFormat.heic), ("turned.avif", .avif), ("turned.webp", .webp),
      ("turned.tif", .tiff), ("turned.png", .png), ("animation.gif", .gif), ("l.bmp", .bmp),
      ("rgb.bmp", .bmp), ("rgba.bmp", .bmp),
    ])
  func upright(name: String, format: PictureFormat) async throws {
    let file = try await PictureLoader.patient.open(sample(name), named: name)
    #expect(file.format == format && file.pageCount == 1 && !file.isDocument)
    let picture = try await file.page(1)
    try #require(picture.width == 48 && picture.height == 32)
    for (found, wanted) in zip(quarters(of: picture.firstLook), Self.quarters) {
      #expect(abs(found - wanted) <= 3, "\(found) for \(wanted)")
    }
    #expect(picture.damage == nil)
  }

  @Test("the pages of a TIFF are pages, each with a size of its own")
  func pages() async throws {
    let file = try await PictureLoader.patient.open(sample("two-pages.tif"), named: "sample")
    #expect(file.pageCount == 2 && file.isDocument)
    let first = try await file.page(1)
    let second = try await file.page(2)
    #expect(first.width == 48 && second.width == 24 && second.height == 16)
    #expect(second.page == 2 && second.firstLook[18, 4] == 80)
    let loader = PictureLoader(limits: PictureLimits(pages: 1, timePerPage: .seconds(900)))
    #expect(
      await errorCode { _ = try await load(sample("two-pages.tif"), with: loader) } == .tooLarge)
  }

  @Test("what is transparent is white")
  func transparency() async throws {
    let picture = try await load(sample("clear.webp")).firstLook
    #expect(quarters(of: picture) == [0, 255, 160, 255])
  }

  @Test(
    "a picture with more pixels than the limit is refused before it is decoded",
    arguments: ["turned.heic", "turned.webp", "two-pages.tif", "animation.gif", "rgb.bmp"])
  func pixelLimit(name: String) async throws {
    let loader = PictureLoader(limits: .patient(pixels: 48 * 32 - 1))
    #expect(await errorCode { _ = try await load(sample(name), with: loader) } == .tooLarge)
    let enough = PictureLoader(limits: .patient(pixels: 48 * 32))
    #expect(await errorCode { _ = try await load(sample(name), with: enough) } == nil)
  }

  @Test("of a large picture the first look is smaller, and the closer one shows all")
  func looks() async throws {
    let loader = PictureLoader(limits: .patient(), firstLookPixels: 24)
    let decoded = try await load(sample("turned.webp"))
    let files = [
      try sample("turned.webp"), try PNGWriter.grey(decoded.firstLook),
      Array("P5 48 32 255\n".utf8) + decoded.firstLook.pixels,
    ]
    for file in files {
      let picture = try await load(file, with: loader)
      #expect(picture.width == 48 && picture.height == 32)
      #expect(picture.firstLook.width == 24 && picture.firstLook.height == 16)
      #expect(picture.firstLook[6, 4] == 0 && picture.firstLook[18, 12] == 255)
      let closer = try #require(try await picture.closerLook())
      #expect(quarters(of: closer) == Self.quarters)
    }
  }

  @Test(
    "the look in colour is as large as the first one",
    arguments: ["turned.heic", "turned.tif", "clear.webp", "animation.gif", "turned.png"])
  func colour(name: String) async throws {
    let picture = try await load(
      sample(name), with: PictureLoader(limits: .patient(), firstLookPixels: 24))
    let colour = try #require(try await picture.colourLook())
    #expect(colour.width == 24 && colour.height == 16)
    for plane in [colour.red, colour.green, colour.blue] {
      #expect(abs(plane[6, 12] - 160) <= 3 && plane[18, 12] >= 252)
    }
  }

  @Test("a smaller look averages squares of pixels, and drops what is left over")
  func reduction() {
    let picture = GreyPicture(
      width: 5, height: 3, pixels: [0, 10, 20, 30, 99, 40, 50, 60, 71, 99, 9, 9, 9, 9, 9])
    #expect(picture.reduced(by: 2) == GreyPicture(width: 2, height: 1, pixels: [25, 45]))
    #expect(picture.reduced(by: 1) == picture)
    #expect(picture.reduced(by: 9) == picture)
  }

  @Test("the first line of a name counts, so text in a file cannot pass itself off as its size")
  func forgedHeader() throws {
    func header(_ text: String) -> VipsHeader? { VipsHeader(Array(text.utf8)) }
    let forged = try #require(
      header("a: 4x3 uchar\nwidth: 4\nheight: 3\nn-pages: 2\nexif: x\nwidth: 9\nn-pages: 1\n"))
    #expect(forged.width == 4 && forged.height == 3 && forged.pages == 2)
    #expect(header("width: 4\n") == nil)
    #expect(header("width: 99999999999999999999\nheight: 1\n") == nil)
  }

  // MARK: - SVG

  private func svg(_ content: String, size: String = "width='100' height='50'") -> [UInt8] {
    Array(
      """
      <svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(size)>
      \(content)</svg>
      """.utf8)
  }

  @Test("an SVG drawing fills the first look, and twice that for the closer one")
  func drawing() async throws {
    let bytes = svg("<rect width='25' height='25'/>", size: "viewBox='0 0 100 50'")
    let file = try await PictureLoader.patient.open(bytes, named: "sample")
    #expect(file.format == .svg)
    let picture = try await file.page(1)
    #expect(picture.width == 2400 && picture.height == 1200)
    #expect(picture.firstLook[500, 500] == 0 && picture.firstLook[700, 700] == 255)
    #expect(try await picture.closerLook()?.width == 4800)
    let small = try await load(bytes, with: PictureLoader(limits: .patient(pixels: 10_000)))
    #expect(small.width == 100 && small.height == 50)
  }

  @Test("an SVG drawing from elsewhere sees no file and no network")
  func closedDrawing() async throws {
    let black = FileManager.default.temporaryDirectory.appending(
      path: "cliptag-black-\(UUID()).png")
    let pixels = [UInt8](repeating: 0, count: 2500)
    let picture = GreyPicture(width: 50, height: 50, pixels: pixels)
    try Data(PNGWriter.grey(picture)).write(to: black)
    defer { try? FileManager.default.removeItem(at: black) }
    let server = try LoopbackListener()
    for reference in [
      black.absoluteString, black.path, "../\(black.lastPathComponent)",
      "http://127.0.0.1:\(server.port)/black.png",
    ] {
      let image = "<image width='100' height='50' xlink:href='\(reference)'/>"
      let look = try await load(svg(image)).firstLook
      #expect(look.pixels.allSatisfy { $0 == 255 }, "\(reference) was read")
    }
    let entity = "<!DOCTYPE svg [<!ENTITY file SYSTEM '\(black.absoluteString)'>]>"
    _ = try? await load(Array(entity.utf8) + svg("<text y='20'>&file;</text>"))
    // The drawing in itself, which newer versions of librsvg give up on.
    let itself = try? await load(svg("<image width='100' height='50' xlink:href='drawing.svg'/>"))
    #expect(itself?.firstLook.pixels.allSatisfy { $0 == 255 } ?? true)
    let style = "<style>@import url('http://127.0.0.1:\(server.port)/a.css');</style>"
    _ = try await load(svg(style))
    #expect(!server.wasAsked())
    // The same picture within the drawing is shown: it is not that pictures are not drawn.
    let inside = Data(try PNGWriter.grey(picture)).base64EncodedString()
    let data = "<image width='50' height='50' xlink:href='data:image/png;base64,\(inside)'/>"
    #expect(try await load(svg(data)).firstLook[600, 600] == 0)
  }
}

/// A server on this machine that nobody should call, and that tells whether somebody did.
private final class LoopbackListener {
  struct NoSocket: Error {}

  /// Where it listens, on 127.0.0.1.
  let port: Int
  private let descriptor: Int32

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    self.descriptor = descriptor
    guard descriptor >= 0 else { throw NoSocket() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard listening else { throw NoSocket() }
  }

  deinit { close(descriptor) }

  /// Whether anybody has connected since the last time.
  func wasAsked() -> Bool {
    let caller = accept(descriptor, nil, nil)
    if caller >= 0 { close(caller) }
    return caller >= 0
  }
}
