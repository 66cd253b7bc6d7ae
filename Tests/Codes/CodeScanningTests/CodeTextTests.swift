import ScanFixtures
import CQREncode
@testable import CodeScanning
import Pictures
import Testing

@Suite("Text of a code")
struct CodeTextTests {
  @Test(
    "valid UTF-8 is UTF-8, whatever else it might be",
    arguments: [
      "https://example.com/café", "größe", "中文", "https://example.com/日本語", "Ελλάδα", "🍓", "",
      "plain", "a\u{0}b",
    ])
  func utf8(text: String) {
    #expect(CodeText.decode(Array(text.utf8)) == text)
  }

  @Test("a byte order mark is a character of the text")
  func byteOrderMark() {
    let text = CodeText.decode([0xEF, 0xBB, 0xBF, 0x41])
    #expect(text.unicodeScalars.map(\.value) == [0xFEFF, 0x41])
  }

  /// JIS X 0208 as shifted by code page 932: 日本語, テスト, ｱｲｳ, and a URL around カフェ.
  @Test(
    "bytes that read as Japanese are Shift JIS",
    arguments: [
      ([0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA], "日本語"),
      ([0x83, 0x65, 0x83, 0x58, 0x83, 0x67], "テスト"), ([0xB1, 0xB2, 0xB3], "ｱｲｳ"),
      (Array("a/~\\".utf8) + [0x83, 0x4A, 0x83, 0x74, 0x83, 0x46], "a/~\\カフェ"),
    ] as [([UInt8], String)])
  func shiftJIS(bytes: [UInt8], text: String) {
    #expect(CodeText.decode(bytes) == text)
  }

  @Test(
    "accented letters are ISO/IEC 8859-1, even where they are valid Shift JIS",
    arguments: ["café", "größe", "été", "étés déjà", "crème brûlée", "Øre", "señor", "£5 ½", "ÄÖ"])
  func latin1(text: String) {
    #expect(CodeText.decode(text.unicodeScalars.map { UInt8($0.value) }) == text)
  }

  @Test("every byte sequence has a text, and pure ISO/IEC 8859-1 keeps each byte")
  func total() {
    for byte in UInt8.min...UInt8.max {
      #expect(CodeText.decode([byte]).unicodeScalars.count == 1)
    }
    #expect(CodeText.decode([0xFF, 0x80]).unicodeScalars.map(\.value) == [0xFF, 0x80])
  }
}

@Suite("Declared character sets")
struct DeclaredCharacterSetTests {
  /// Bytes as Python's codecs write them, and the ECI assignment number of the set.
  @Test(
    "a set that zbar does not know is read from the symbol itself",
    arguments: [
      ([0xE9, 0x80], 23, "é€"), ([0xB3, 0x9E], 21, "łž"),
      ([0xCF, 0xF0, 0xE8], 22, "При"), ([0xA7, 0x41, 0xA6, 0x6E], 28, "你好"),
      ([0xC4, 0xE3, 0xBA, 0xC3], 29, "你好"), ([0xC7, 0xD1, 0xB1, 0xB9], 30, "한국"),
    ] as [([UInt8], UInt32, String)],
    [(0, QR_ECLEVEL_L), (0, QR_ECLEVEL_H), (8, QR_ECLEVEL_M), (15, QR_ECLEVEL_Q)])
  func declared(
    sample: (bytes: [UInt8], set: UInt32, text: String), symbol: (version: Int, level: QRecLevel)
  ) throws {
    let start = "https://example.com/"
    let picture = try #require(
      drawSymbol(
        Array(start.utf8) + sample.bytes, version: symbol.version, level: symbol.level,
        characterSet: sample.set))
    let codes = try CodeScanner().scan(picture)
    #expect(codes.map(\.text) == [start + sample.text])
  }

  /// The mark in a segment of its own, in front, in the middle and behind, and what declares it.
  @Test(
    "a byte order mark is read with the text, in whichever segment it stands",
    arguments: [
      ([(nil, [0xEF, 0xBB, 0xBF]), (nil, url)], "\u{FEFF}https://a.example/x"),
      ([(nil, [0xFE, 0xFF]), (nil, url)], "þÿhttps://a.example/x"),
      ([(nil, [0xFF, 0xFE]), (nil, url)], "ÿþhttps://a.example/x"),
      ([(26, [0xEF, 0xBB, 0xBF]), (nil, url)], "\u{FEFF}https://a.example/x"),
      ([(26, [0xEF, 0xBB, 0xBF]), (3, url)], "\u{FEFF}https://a.example/x"),
      ([(25, [0xFE, 0xFF]), (26, url)], "\u{FEFF}https://a.example/x"),
      ([(25, [0xFE, 0xFF]), (nil, url.flatMap { [0, $0] })], "\u{FEFF}https://a.example/x"),
      ([(nil, url), (26, [0xEF, 0xBB, 0xBF])], "https://a.example/x\u{FEFF}"),
    ] as [([DrawnSegment], String)])
  func marks(segments: [DrawnSegment], text: String) throws {
    for scale in [1, 4] {
      let picture = try #require(drawSymbol(segments, modulePixels: 2 * scale))
      let seen = try CodeScanner().scan(picture).map { $0.text.unicodeScalars.map(\.value) }
      #expect(seen == [text.unicodeScalars.map(\.value)])
      let readBack = try CodeScanner().readBack(picture).map { $0.text.unicodeScalars.map(\.value) }
      #expect(readBack == [text.unicodeScalars.map(\.value)])
    }
  }

  private static let url = Array("https://a.example/x".utf8)

  @Test("a backslash stays one, in Shift JIS that is declared too")
  func backslash() throws {
    let segments: [DrawnSegment] = [(20, Array("https://a.example\\~".utf8))]
    let picture = try #require(drawSymbol(segments))
    #expect(try CodeScanner().scan(picture).map(\.text) == ["https://a.example\\~"])
  }

  @Test(
    "nothing is trimmed from the ends of a text", arguments: ["\n", "\r\n", "\u{0}", " ", "\t"])
  func ends(end: String) throws {
    let text = end + "https://a.example" + end
    let picture = try #require(drawSymbol(Array(text.utf8)))
    #expect(try CodeScanner().scan(picture).map(\.text) == [text])
  }

  @Test("a symbol without a declaration is never taken for one with", arguments: 1...40)
  func undeclared(version: Int) throws {
    // The first byte of every text begins with the bits that would follow a declaration.
    let bytes = Array("pqrstuvw".utf8) + [0xC3, 0xA9]
    let picture = try #require(drawSymbol(bytes, version: version))
    #expect(try CodeScanner().readBack(picture).map(\.text) == ["pqrstuvwé"])
  }
}
