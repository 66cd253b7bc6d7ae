import ScanFixtures
import CQREncode
import CodeScanning
import Pictures
import Testing

@Suite("Scanning")
struct CodeScannerTests {
  private func texts(_ name: String) async throws -> [String] {
    try await CodeScanner().scan(loadSample(name)).map(\.text)
  }

  @Test(
    "texts are exact in every character set",
    arguments: [
      ("utf-8.png", "https://example.com/café/größe/中文/日本"),
      ("shift-jis.png", "https://example.jp/カフェ/東京"), ("kanji-mode.png", "漢字とカナ"),
      ("latin-1.png", "café größe été"), ("eci-8859-5.png", "Привет"),
      ("eci-utf-8.png", "été déjà vu"), ("zero-byte.png", "before\0after"),
    ])
  func characterSets(name: String, text: String) async throws {
    #expect(try await texts(name) == [text])
  }

  @Test("the bytes are kept, with a zero byte among them")
  func bytes() async throws {
    let codes = try await CodeScanner().scan(loadSample("zero-byte.png"))
    #expect(codes.first?.bytes == Array("before\0after".utf8))
    #expect(codes.first?.symbology == .qr)
  }

  @Test(
    "a code that is turned, blurred, grainy and half in the shade is read",
    arguments: ["photo.jpg", "photo-exif-6.jpg"])
  func photographs(name: String) async throws {
    let loaded = try await loadSample(name)
    let codes = try await CodeScanner().scan(loaded)
    #expect(codes.map(\.text) == ["https://fruta.example.com/order/cupertino"])
    // The middle of the wall, in displayed pixels, whatever the orientation stored.
    #expect(loaded.width == 480 && loaded.height == 360)
    let code = try #require(codes.first)
    #expect(abs(code.centre.x - 240) < 3 && abs(code.centre.y - 180) < 3)
    // Turned anticlockwise, its top right corner is the highest.
    let (left, right) = (code.corners[0], code.corners[1])
    #expect(right.y < left.y && right.x > left.x)
  }

  @Test("a photograph is read from its small first look, with corners in its full size")
  func largePhotograph() async throws {
    let loaded = try await loadSample("large.jpg")
    #expect(loaded.firstLook.width == 1700)
    let code = try #require(try await CodeScanner().scan(loaded).first)
    #expect(abs(code.centre.x - 1700) < 12 && abs(code.centre.y - 1275) < 12)
    #expect(code.version == 3 && code.errorCorrection == .medium)
  }

  @Test("two posters with the same text are two codes, and each code counts once")
  func wallOfThree() async throws {
    let codes = try await CodeScanner().scan(loadSample("wall.png"))
    #expect(
      codes.map(\.text).sorted() == [
        "https://example.com/other", "https://example.com/same", "https://example.com/same",
      ])
    #expect(Set(codes.map { Int($0.corners[0].x) / 100 }).count == 3)
  }

  @Test("a code printed over the middle of another one is read, and so is the other")
  func nested() throws {
    let outer = try #require(
      drawSymbol(
        Array("https://outer.example".utf8), version: 10, level: QR_ECLEVEL_H, modulePixels: 10))
    let inner = try #require(
      drawSymbol(Array("https://i.example".utf8), modulePixels: 4, quietZone: 2))
    let start = (outer.width - inner.width) / 2
    let both = wall(
      width: outer.width, height: outer.height, [(outer, 0, 0), (inner, start, start)])
    let codes = try CodeScanner().scan(both)
    #expect(
      Set(codes.map(\.text)) == ["https://outer.example", "https://i.example"])
  }

  @Test("a light code on a dark ground is read")
  func inverted() async throws {
    let codes = try await CodeScanner().scan(loadSample("inverted.png"))
    #expect(codes.map(\.text) == ["https://example.com/inverted"])
    #expect(codes.first?.version == 2)
  }

  @Test("a code too small for a page's first look is found in the closer one")
  func closerLook() async throws {
    let loaded = try await loadSample("tiny-code.pdf")
    #expect(try CodeScanner().readBack(loaded.firstLook).isEmpty)
    let codes = try await CodeScanner().scan(loaded)
    #expect(codes.map(\.text) == ["https://example.com/tiny"])
    // In pixels of the first look: 33 a side, from (2416, 1816) at 600 dots an inch.
    let corner = try #require(codes.first?.corners.first)
    #expect(abs(corner.x - 805.3) < 1.5 && abs(corner.y - 605.3) < 1.5)
  }

  @Test("the same picture gives the same answer, again and again")
  func deterministic() async throws {
    let loaded = try await loadSample("wall.png")
    let first = try await CodeScanner().scan(loaded)
    for _ in 0..<3 { #expect(try await CodeScanner().scan(loaded) == first) }
  }

  @Test("pictures of nothing hold no code", arguments: [0, 1, 2, 7, 64, 500])
  func nothing(side: Int) throws {
    for value: UInt8 in [0, 128, 255] {
      let picture = GreyPicture(
        width: side, height: side, pixels: [UInt8](repeating: value, count: side * side))
      #expect(try CodeScanner().scan(picture).isEmpty)
    }
    let line = GreyPicture(width: side, height: 1, pixels: [UInt8](repeating: 9, count: side))
    #expect(try CodeScanner().scan(line).isEmpty)
  }

  @Test("noise holds no code")
  func noise() throws {
    var state: UInt32 = 1
    let pixels = (0..<120 * 90).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    #expect(try CodeScanner().scan(GreyPicture(width: 120, height: 90, pixels: pixels)).isEmpty)
  }

  @Test("a damaged file without a code throws its damage; with a code it gives the code")
  func damage() async throws {
    let symbol = try #require(drawSymbol(Array("damaged".utf8), modulePixels: 5))
    // The code above a long white tail, cut within the tail.
    var raster = symbol.pixels
    raster += [UInt8](repeating: 255, count: symbol.width * 50)
    let header = Array("P5 \(symbol.width) \(symbol.height + 100) 255\n".utf8)
    let cut = try await PictureLoader().open(header + raster, named: "cut").page(1)
    #expect(cut.damage != nil)
    #expect(try await CodeScanner().scan(cut).map(\.text) == ["damaged"])

    let blank = Array("P5 100 100 255\n".utf8) + [UInt8](repeating: 255, count: 5000)
    let empty = try await PictureLoader().open(blank, named: "blank").page(1)
    await #expect(throws: PictureError(.malformed, source: "", message: "", hint: "")) {
      try await CodeScanner().scan(empty)
    }
  }

  @Test("a cancelled scan says so instead of finding nothing, also where there is a code")
  func cancelled() async throws {
    let loaded = try await loadSample("photo.jpg")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await CodeScanner().scan(loaded)
    }
    await #expect(throws: PictureError(.cancelled, source: "", message: "", hint: "")) {
      try await task.value
    }
  }

  @Test("the search ends with the first code when only that is wanted")
  func firstCode() async throws {
    let codes = try await CodeScanner(effort: .firstCode).scan(loadSample("photo.jpg"))
    #expect(codes.count == 1)
  }
}
