import Pictures
import Testing

@testable import CodeDrawing

@Suite("PNG and pictures in memory")
struct PictureTests {
  /// The chunks of a PNG file by name, in order.
  private func chunks(_ png: [UInt8]) -> [(name: String, data: ArraySlice<UInt8>)] {
    var chunks: [(String, ArraySlice<UInt8>)] = []
    var rest = png.dropFirst(8)
    while rest.count >= 12 {
      let length = number(rest.prefix(4))
      let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      chunks.append((name, rest.dropFirst(8).prefix(length)))
      rest = rest.dropFirst(12 + length)
    }
    return chunks
  }

  private func number(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  @Test("a PNG has one pixel a dot, one bit a pixel, and the density of the printer")
  func header() throws {
    let png = try drawing(dotsPerInch: 300).data(as: .png)
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let chunks = chunks(png)
    let header = try #require(chunks.first { $0.name == "IHDR" }).data
    // 37 modules of 10 dots, bit depth 1, grey.
    #expect(Array(header.prefix(10)) == [0, 0, 1, 114, 0, 0, 1, 114, 1, 0])
    let density = try #require(chunks.first { $0.name == "pHYs" }).data
    // 300 dots per inch are 11,811 a metre.
    #expect(Array(density) == [0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1])
  }

  @Test("the dots of a PNG are the symbol's modules, each a square of dots", arguments: [1, 3, 8])
  func dots(dotsPerModule: Int) throws {
    let drawing = try drawing(
      moduleSize: Double(dotsPerModule) * 25.4 / 600, dotsPerInch: 600)
    let side = drawing.size.dotsAcross
    #expect(side == 37 * dotsPerModule)
    let rows = drawing.packedDots()
    let rowBytes = (side + 7) / 8
    let modules = drawing.expectedModules
    #expect(rows.count == rowBytes * side)
    for y in 0..<side {
      for x in 0..<rowBytes * 8 {
        let bit = Int(rows[y * rowBytes + x / 8] >> UInt8(7 - x % 8) & 1)
        let module =
          x < side ? modules[y / dotsPerModule][x / dotsPerModule] : 0
        guard bit != module else { continue }
        Issue.record("the dot at \(x), \(y) is \(bit)")
        return
      }
    }
  }

  @Test("a PNG of more than 10,000 pixels a side is refused, with the resolution that would do")
  func tooLarge() throws {
    for version in [1, 3, 40] {
      let large = try drawing(version: version, moduleSize: 25)
      let error = #expect(throws: CodeDrawingError.self) { try large.data(as: .png) }
      #expect(error?.code == .sizeTooLarge)
      let hint = try #require(error?.hint.firstMatch(of: /([0-9]+) dots per inch or less/))
      let resolution = try #require(Double(hint.1))
      let smaller = try drawing(version: version, moduleSize: 25, dotsPerInch: resolution)
      #expect(smaller.size.dotsAcross <= 10_000)
      #expect(smaller.size.dotsAcross > 9_700)
      #expect(try !large.data(as: .pdf).isEmpty)
    }
  }

  @Test("a grey picture is the code with its quiet zone")
  func greyPicture() throws {
    let drawing = try drawing()
    let picture = drawing.greyPicture(pixelsPerModule: 2)
    let modules = drawing.expectedModules
    #expect(picture.width == 74)
    #expect(picture.height == 74)
    for y in 0..<74 {
      let row = picture.pixels[y * 74..<(y + 1) * 74].map { $0 == 0 ? 1 : 0 }
      #expect(row == modules[y / 2].flatMap { [$0, $0] })
    }
    #expect(Set(picture.pixels) == [0, 255])
  }
}
