import Pictures
import Testing

@Suite("JPEG")
struct JPEGReaderTests {
  /// Black, dark, light and white in the four quarters of 48 × 32 pixels.
  private func showsQuarters(_ picture: GreyPicture, tolerance: Int = 6) -> Bool {
    picture.width == 48 && picture.height == 32
      && [(8, 8, 0), (40, 8, 80), (8, 24, 160), (40, 24, 255)].allSatisfy {
        abs(picture[$0.0, $0.1] - $0.2) <= tolerance
      }
  }

  @Test("each of the eight EXIF orientations is undone", arguments: 1...8)
  func orientations(value: Int) async throws {
    let loaded = try await load(sample("orientation-\(value).jpg"))
    #expect(showsQuarters(loaded.firstLook))
    #expect(loaded.width == 48 && loaded.height == 32)
    #expect(loaded.damage == nil)
  }

  @Test("progressive and CMYK files are read", arguments: ["progressive.jpg", "cmyk.jpg"])
  func kinds(name: String) async throws {
    #expect(showsQuarters(try await load(sample(name)).firstLook))
  }

  @Test("the first look is shrunk by the decoder, upright, and the closer look is not")
  func reduced() async throws {
    let loader = PictureLoader(firstLookPixels: 12)
    let loaded = try await load(sample("orientation-6.jpg"), with: loader)
    #expect(loaded.width == 48 && loaded.height == 32)
    #expect(loaded.firstLook.width == 12 && loaded.firstLook.height == 8)
    #expect(loaded.firstLook[1, 1] < 20 && loaded.firstLook[10, 6] > 235)
    let closer = try #require(try await loaded.closerLook())
    #expect(showsQuarters(closer))
  }

  @Test("a file that needs no shrinking has no closer look")
  func noCloserLook() async throws {
    #expect(try await load(sample("orientation-1.jpg")).closerLook() == nil)
  }

  @Test("a JPEG cut short shows what arrived, and says what is wrong")
  func cutShort() async throws {
    let whole = try sample("orientation-1.jpg")
    // Into the scan, whose header of one component has 10 bytes (ITU-T T.81, B.2.3).
    let scan = try #require(whole.indices.first { whole[$0...].starts(with: [0xFF, 0xDA]) })
    let loaded = try await load(Array(whole.prefix(scan + 10 + 12)))
    #expect(loaded.damage?.code == .malformed)
    #expect(abs(loaded.firstLook[8, 8]) <= 6)
  }

  @Test("a JPEG of one or a few bytes is malformed", arguments: [1, 2, 3, 4, 20])
  func fewBytes(count: Int) async throws {
    let bytes = Array(try sample("orientation-1.jpg").prefix(count))
    #expect(await errorCode { _ = try await load(bytes) } == .malformed)
  }

  @Test("the limit on pixels counts the full size, not the first look's")
  func limit() async throws {
    let loader = PictureLoader(limits: PictureLimits(pixels: 48 * 32 - 1), firstLookPixels: 6)
    let bytes = try sample("orientation-1.jpg")
    #expect(await errorCode { _ = try await load(bytes, with: loader) } == .tooLarge)
  }
}
