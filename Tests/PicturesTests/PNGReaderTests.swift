import Pictures
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
