import CliptagBasics
import Pictures
import TestSupport
import Testing

/// Every colour type of PNG, made byte by byte by an independent script from one formula.
@Suite("PNG")
struct PNGReaderTests {
  private static let width = 13
  private static let height = 11

  /// The formula of the script, cut to the depth and brought back to 0 … 255.
  private static func stored(_ x: Int, _ y: Int, _ channel: Int, _ depth: Int) -> Int {
    let full = (x * 19 + y * 23 + channel * 71) % 256
    guard depth < 8 else { return full }
    return (full >> (8 - depth)) * 255 / ((1 << depth) - 1)
  }

  private static func luma(_ red: Int, _ green: Int, _ blue: Int) -> Double {
    0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)
  }

  private static func overWhite(_ grey: Double, _ alpha: Int) -> Double {
    (grey * Double(alpha) + 255 * Double(255 - alpha)) / 255
  }

  private static func expected(_ kind: String, _ depth: Int, _ x: Int, _ y: Int) -> Double {
    func value(_ channel: Int) -> Int { stored(x, y, channel, depth) }
    switch kind {
    case "grey": return Double(value(0))
    case "rgb": return luma(value(0), value(1), value(2))
    case "grey-alpha": return overWhite(Double(value(0)), value(1))
    case "rgba": return overWhite(luma(value(0), value(1), value(2)), value(3))
    default:  // A palette of (i, 255 − i, 2 i), whose second half is transparent.
      let entries = 1 << depth
      let index = value(0) * (entries - 1) / 255
      guard index < entries / 2 else { return 255 }
      let colour = index * (255 / (entries - 1))
      return luma(colour, 255 - colour, 2 * colour % 256)
    }
  }

  @Test("a picture as thin as a hair is refused for its side, before any row is kept")
  func side() async throws {
    // IHDR alone: nothing else is looked at (ISO/IEC 15948, 11.2.2).
    var header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    header += Array("IHDR".utf8) + [0x05, 0xF5, 0xE1, 0x00, 0, 0, 0, 1, 16, 6, 0, 0, 0]
    header += [0, 0, 0, 0]
    #expect(await errorCode { _ = try await load(header) } == .tooLarge)
    let loader = PictureLoader(limits: PictureLimits(side: 47))
    #expect(
      await errorCode { _ = try await load(sample("orientation-1.jpg"), with: loader) } == .tooLarge
    )
  }

  @Test(
    "every colour type and depth, interlaced or not, becomes grey over white",
    arguments: [
      ("grey", 1), ("grey", 2), ("grey", 4), ("grey", 8), ("grey", 16), ("rgb", 8), ("rgb", 16),
      ("palette", 1), ("palette", 2), ("palette", 4), ("palette", 8), ("grey-alpha", 8),
      ("grey-alpha", 16), ("rgba", 8), ("rgba", 16),
    ])
  func colourTypes(kind: String, depth: Int) async throws {
    for suffix in ["", "-interlaced"] {
      let picture = try await load(sample("\(kind)-\(depth)\(suffix).png")).firstLook
      #expect(picture.width == Self.width && picture.height == Self.height)
      for y in 0..<Self.height {
        for x in 0..<Self.width {
          let expected = Self.expected(kind, depth, x, y)
          #expect(abs(Double(picture[x, y]) - expected) <= 1, "\(kind)-\(depth)\(suffix) \(x),\(y)")
        }
      }
    }
  }

  @Test("a PNG cut short shows the rows that arrived, and says what is wrong")
  func cutShort() async throws {
    // Noise, so that the data fill several chunks.
    var generator = SeededGenerator(seed: 3)
    let picture = GreyPicture(
      width: 256, height: 256,
      pixels: (0..<65_536).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let whole = try PNGWriter.grey(picture)
    let half = try await load(Array(whole.prefix(whole.count / 2)))
    #expect(half.damage?.code == .malformed)
    #expect(half.firstLook.pixels.prefix(2560) == picture.pixels.prefix(2560))
    #expect(half.firstLook.pixels.suffix(256).allSatisfy { $0 == 255 })
  }

  @Test("a wrong check sum in the picture data is damage, not a picture")
  func wrongChecksum() async throws {
    var bytes = try sample("grey-8.png")
    bytes[bytes.count - 14] ^= 0xFF
    let loaded = try await load(bytes)
    #expect(loaded.damage?.code == .malformed)
  }

  @Test("a PNG that ends within its header is malformed", arguments: [8, 16, 32, 33, 40])
  func onlyHeader(length: Int) async throws {
    let bytes = Array(try sample("grey-8.png").prefix(length))
    #expect(await errorCode { _ = try await load(bytes) } == .malformed)
  }

  @Test("a header of 100,000 × 100,000 pixels is refused with its size and the limit")
  func hugeHeader() async throws {
    var bytes = try sample("grey-8.png")
    for offset in [16, 20] { bytes.replaceSubrange(offset..<offset + 4, with: [0, 1, 0x86, 0xA0]) }
    do {
      _ = try await load(bytes)
      Issue.record("it was loaded")
    } catch let error as PictureError {
      #expect(error.code == .tooLarge)
      #expect(error.message.contains("100000 × 100000") && error.message.contains("100000000"))
    }
  }

  @Test("a header of 0 pixels is malformed")
  func emptyHeader() async throws {
    var bytes = try sample("grey-8.png")
    bytes.replaceSubrange(16..<20, with: [0, 0, 0, 0])
    #expect(await errorCode { _ = try await load(bytes) } == .malformed)
  }
}

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

  @Test("clear bits can be transparent; set bits never are")
  func transparent() async throws {
    let bytes = try PNGWriter.oneBit(
      width: 10, height: 1, packedRows: [0b1010_0000, 0b0100_0000],
      palette: PNGWriter.Palette(
        clear: [255, 255, 255], set: [0, 51, 102], isClearTransparent: true), pixelsPerMetre: 1)
    let picture = try await PictureLoader().translucent(bytes, named: "a.png", drawingSide: 1)
    #expect(picture.opacity.pixels == [255, 0, 255, 0, 0, 0, 0, 0, 0, 255])
    #expect(picture.colour.blue.pixels[0] == 102)
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
