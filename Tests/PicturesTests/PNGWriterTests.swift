import Pictures
import Testing

@Suite("Writing PNG")
struct PNGWriterTests {
  @Test("a set bit is black, and bits beyond the width are ignored")
  func setBitIsBlack() async throws {
    let bytes = try PNGWriter.oneBit(
      width: 10, height: 2, packedRows: [0b1010_0000, 0b0111_1111, 0, 0x80], pixelsPerMetre: nil)
    let picture = try await load(bytes).firstLook
    #expect(picture.pixels[0..<10] == [0, 255, 0, 255, 255, 255, 255, 255, 255, 0])
    #expect(picture.pixels[10..<20] == [255, 255, 255, 255, 255, 255, 255, 255, 0, 255])
  }

  @Test("one-bit pictures of any width and content come back as they were")
  func oneBitRoundTrip() async throws {
    for (width, height) in [(1, 1), (7, 300), (333, 257), (1_024, 3)] {
      let rowBytes = (width + 7) / 8
      // Half of the rows repeat the one above, as those of a code do; the rest has no pattern.
      var generator = SeededGenerator(seed: 4)
      var rows: [UInt8] = []
      for row in 0..<height {
        let fresh = (0..<rowBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        rows += row % 2 == 1 ? Array(rows.suffix(rowBytes)) : fresh
      }
      for palette in [nil, PNGWriter.Palette(clear: [200, 200, 200], set: [9, 9, 9])] {
        let (clear, set): (UInt8, UInt8) = palette == nil ? (255, 0) : (200, 9)
        var expected: [UInt8] = []
        for y in 0..<height {
          for x in 0..<width {
            let byte = rows[y * rowBytes + x / 8]
            expected.append(byte & 0x80 >> UInt8(x % 8) == 0 ? clear : set)
          }
        }
        let bytes = try PNGWriter.oneBit(
          width: width, height: height, packedRows: rows, palette: palette, pixelsPerMetre: 1)
        #expect(try await load(bytes).firstLook.pixels == expected)
      }
    }
  }

  @Test("one-bit files have one channel, one bit, and the density in pixels a metre")
  func header() throws {
    let bytes = try PNGWriter.oneBit(
      width: 8, height: 1, packedRows: [0xF0], pixelsPerMetre: 23_622)
    // ISO/IEC 15948, 11.2.2: bit depth and colour type follow width and height.
    #expect(bytes[24] == 1 && bytes[25] == 0)
    // 11.3.5.3: two densities and unit 1, the metre.
    let density: [UInt8] = [0, 0, 0x5C, 0x46]
    let chunk = Array("pHYs".utf8) + density + density + [1]
    #expect(bytes.indices.contains { bytes[$0...].starts(with: chunk) })
  }

  @Test("without a density there is no pHYs chunk")
  func noDensity() throws {
    let bytes = try PNGWriter.oneBit(width: 8, height: 1, packedRows: [1], pixelsPerMetre: nil)
    #expect(!bytes.indices.contains { bytes[$0...].starts(with: Array("pHYs".utf8)) })
  }

  @Test("grey pictures come back as they were")
  func greyRoundTrip() async throws {
    let picture = GreyPicture(width: 256, height: 2, pixels: (0..<512).map { UInt8($0 & 255) })
    #expect(try await load(PNGWriter.grey(picture)).firstLook == picture)
  }

  @Test("impossible sizes are refused")
  func impossible() async {
    let empty = GreyPicture(width: 0, height: 0, pixels: [])
    #expect(await errorCode { _ = try PNGWriter.grey(empty) } == .cannotEncode)
    #expect(
      await errorCode {
        _ = try PNGWriter.oneBit(width: 9, height: 1, packedRows: [1], pixelsPerMetre: nil)
      } == .cannotEncode)
    #expect(
      await errorCode {
        _ = try PNGWriter.oneBit(width: 8, height: 1, packedRows: [1], pixelsPerMetre: -1)
      } == .cannotEncode)
  }
}
