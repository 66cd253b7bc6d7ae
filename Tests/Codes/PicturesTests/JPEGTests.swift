import CliptagBasics
import Pictures
import TestSupport
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

  /// A progressive file of a few hundred bytes: scans of nothing, each of which walks over the whole
  /// picture (ITU-T T.81, annexes B and G).
  private func progressive(side: Int, scans: Int) -> [UInt8] {
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
    }
    let size = [UInt8(side >> 8), UInt8(side & 0xFF)]
    let oneCode = [1] + [UInt8](repeating: 0, count: 15)
    let scan = segment(0xDA, [1, 1, 0, 1, 1, 0])
    return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
      + segment(0xC2, [8] + size + size + [1, 1, 0x11, 0])
      + segment(0xC4, [0] + oneCode + [0]) + segment(0xC4, [0x10] + oneCode + [0xE0])
      + segment(0xDA, [1, 1, 0, 0, 0, 0]) + (1..<scans).flatMap { _ in scan } + [0xFF, 0xD9]
  }

  @Test("scans may walk over twenty times the largest picture, and not more")
  func scans() async throws {
    let loader = PictureLoader.patient
    let modest = try await load(progressive(side: 400, scans: 60), with: loader)
    #expect(modest.width == 400)
    await #expect {
      _ = try await load(progressive(side: 10_000, scans: 60), with: loader)
    } throws: { error in
      (error as? PictureError)?.code == .malformed && "\(error)".contains("more than 20 scans")
    }
  }

  @Test("the limit on pixels counts the full size, not the first look's")
  func limit() async throws {
    let loader = PictureLoader(limits: PictureLimits(pixels: 48 * 32 - 1), firstLookPixels: 6)
    let bytes = try sample("orientation-1.jpg")
    #expect(await errorCode { _ = try await load(bytes, with: loader) } == .tooLarge)
  }
}

@Suite("Writing JPEG")
struct JPEGWriterTests {
  /// Soft colours, as in a photograph; each side of its own, so that no two are confused.
  private func picture(width: Int, height: Int) -> ColourPicture {
    func plane(_ value: (Int, Int) -> Int) -> GreyPicture {
      GreyPicture(
        width: width, height: height,
        pixels: (0..<width * height).map { UInt8(value($0 % width, $0 / width)) })
    }
    return ColourPicture(
      red: plane { x, _ in 40 + 160 * x / width }, green: plane { _, y in 30 + 180 * y / height },
      blue: plane { x, y in 200 - 120 * (x + y) / (width + height) })
  }

  @Test(
    "a picture of any size comes back with nearly its colours",
    arguments: [(1, 1), (1, 40), (17, 9), (300, 201)])
  func roundTrip(size: (Int, Int)) async throws {
    let original = picture(width: size.0, height: size.1)
    let loaded = try await load(JPEGWriter.colour(original, quality: 90))
    let read = try #require(try await loaded.colourLook())
    #expect(read.width == size.0 && read.height == size.1)
    let pairs = [
      (read.red, original.red), (read.green, original.green), (read.blue, original.blue),
    ]
    for (plane, wanted) in pairs {
      let apart = zip(plane.pixels, wanted.pixels).map { abs(Int($0) - Int($1)) }
      // Colours are kept for squares of four pixels.
      #expect((apart.max() ?? 255) <= 24)
      #expect(Double(apart.reduce(0, +)) / Double(apart.count) < 6)
    }
  }

  @Test("nothing but the picture goes into the file, and the same picture gives the same bytes")
  func onlyPixels() throws {
    let bytes = try JPEGWriter.colour(picture(width: 64, height: 48))
    #expect(try JPEGWriter.colour(picture(width: 64, height: 48)) == bytes)
    // ITU-T T.81, B.1.1.3: segments follow each other until the scan begins.
    var markers: [UInt8] = []
    var index = 2
    while index + 4 <= bytes.count, bytes[index] == 0xFF, markers.last != 0xDA {
      markers.append(bytes[index + 1])
      index += 2 + Int(bytes[index + 2]) << 8 + Int(bytes[index + 3])
    }
    // APP0 is JFIF's header; APP1 would hold EXIF, FE a comment.
    #expect(Set(markers) == [0xE0, 0xDB, 0xC0, 0xC4, 0xDA])
  }

  @Test("a picture of noise, larger than the first room for its bytes, is written whole")
  func noise() async throws {
    var generator = SeededGenerator(seed: 7)
    let noise = GreyPicture(
      width: 700, height: 500,
      pixels: (0..<350_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    let bytes = try JPEGWriter.colour(ColourPicture(noise), quality: 95)
    #expect(bytes.count > 1 << 17)
    let loaded = try await load(bytes)
    #expect(loaded.damage == nil && loaded.width == 700 && loaded.height == 500)
  }

  @Test("impossible sizes and qualities are refused")
  func impossible() async {
    let empty = ColourPicture(GreyPicture(width: 0, height: 0, pixels: []))
    #expect(await errorCode { _ = try JPEGWriter.colour(empty) } == .cannotEncode)
    let long = ColourPicture(
      GreyPicture(width: 65_501, height: 1, pixels: [UInt8](repeating: 1, count: 65_501)))
    #expect(await errorCode { _ = try JPEGWriter.colour(long) } == .cannotEncode)
    let fine = picture(width: 8, height: 8)
    #expect(await errorCode { _ = try JPEGWriter.colour(fine, quality: 0) } == .cannotEncode)
    #expect(await errorCode { _ = try JPEGWriter.colour(fine, quality: 101) } == .cannotEncode)
  }
}
