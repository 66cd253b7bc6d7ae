import CQREncode
import Pictures
import Testing

@testable import CodeScanning

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

  @Test("a symbol without a declaration is never taken for one with", arguments: 1...40)
  func undeclared(version: Int) throws {
    // The first byte of every text begins with the bits that would follow a declaration.
    let bytes = Array("pqrstuvw".utf8) + [0xC3, 0xA9]
    let picture = try #require(drawSymbol(bytes, version: version))
    #expect(try CodeScanner().readBack(picture).map(\.text) == ["pqrstuvwé"])
  }
}
