import Pictures
import Testing

@testable import CodeDrawing

@Suite("Photographs on pages")
struct JPEGPictureTests {
  private func jpeg() throws -> [UInt8] {
    let grey = GreyPicture(width: 40, height: 24, pixels: (0..<960).map { UInt8($0 & 255) })
    return try JPEGWriter.colour(ColourPicture(grey))
  }

  private func page(_ picture: JPEGPicture) -> PageDrawing {
    var page = PageDrawing(width: 100, height: 80)
    page.elements = [.photograph(picture, DrawingBox(x: 10, y: 10, width: 60, height: 36))]
    return page
  }

  @Test("a file says its own size")
  func size() throws {
    let picture = try #require(JPEGPicture(try jpeg(), alternativeText: "A wall"))
    #expect((picture.width, picture.height) == (40, 24))
    #expect(!picture.isGrey)
  }

  @Test("what a document cannot hold as it is, is none: other formats, processes, inks and ends")
  func refused() throws {
    let file = try jpeg()
    #expect(JPEGPicture([], alternativeText: "") == nil)
    #expect(JPEGPicture(Array("<svg/>".utf8), alternativeText: "") == nil)
    let frame = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC0]) })
    var lossless = file
    lossless[frame + 1] = 0xC3
    var fourInks = file
    fourInks[frame + 9] = 4
    var twelveBits = file
    twelveBits[frame + 4] = 12
    var noHeight = file
    (noHeight[frame + 5], noHeight[frame + 6]) = (0, 0)
    for bytes in [lossless, fourInks, twelveBits, noHeight] {
      #expect(JPEGPicture(bytes, alternativeText: "") == nil)
    }
    for count in 0..<frame + 10 {
      #expect(JPEGPicture(Array(file.prefix(count)), alternativeText: "") == nil)
    }
  }

  @Test("a PDF file holds each photograph on the page it is on, byte by byte, with its words")
  func pdf() throws {
    let picture = try #require(JPEGPicture(try jpeg(), alternativeText: "A wall"))
    var writer = try PDFWriter(
      to: MemorySink(), information: .init(title: "Wall"), compresses: false)
    for _ in 0..<2 { try writer.add(page(picture)) }
    let pdf = try writer.finished().bytes
    let text = String(String.UnicodeScalarView(pdf.map { Unicode.Scalar($0) }))
    #expect(text.matches(of: /\/Filter \/DCTDecode/).count == 2)
    #expect(text.contains("/J0 Do") && text.contains("/J1 Do"))
    #expect(text.contains("/ColorSpace /DeviceRGB"))
    #expect(text.matches(of: /\/Alt \(A wall\)/).count == 2)
    #expect(pdf.indices.contains { pdf[$0...].starts(with: picture.bytes) })
  }

  @Test("SVG and EPS show a photograph where PDF does")
  func otherFormats() async throws {
    let picture = try #require(JPEGPicture(try jpeg(), alternativeText: "A <wall>"))
    let svg = try page(picture).svg(title: "Wall")
    #expect(String(decoding: svg, as: UTF8.self).contains("<title>A &lt;wall&gt;</title>"))
    let renderer = DocumentRenderer(limits: .ownDrawing)
    let drawn = try await renderer.drawColour(svg, dotsPerInch: 50.8, named: "wall.svg").red
    let eps = try await renderer.render(
      try page(picture).eps(title: "Wall"), as: .eps, dotsPerInch: 50.8, named: "wall.eps")[0]
    // Two dots a millimetre: within the box it is not white, without it is.
    for look in [drawn, eps] {
      #expect(look.pixels[4 * look.width + 4] == 255)
      let dark = (24..<88).filter { look.pixels[56 * look.width + 24 + $0] < 250 }.count
      #expect(dark > 30)
    }
  }
}
