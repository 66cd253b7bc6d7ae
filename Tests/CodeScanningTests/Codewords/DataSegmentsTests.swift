import CQREncode
import Testing

@testable import CodeScanning

@Suite("Segments of the data")
struct DataSegmentsTests {
  @Test("the declared character set is told at every version", arguments: [1, 9, 10, 27, 40])
  func characterSet(version: Int) throws {
    for (assignment, name) in [(23, "CP1252"), (26, nil), (30, "EUC-KR")] as [(UInt32, String?)] {
      let symbol = try #require(
        EncodedSymbol(Array("abc".utf8), version: version, characterSet: assignment))
      let corrected = try #require(CorrectedSymbol(symbol.modules))
      let segments = DataSegments(corrected.data, version: version)
      #expect(segments.characterSet == Int(assignment) && segments.isComplete)
      let decoded = try #require(SymbolDecoder.decode(symbol.modules))
      #expect(decoded.declaredCharacterSet == name && !decoded.bytesAreAsWritten)
    }
  }

  @Test("every kind of segment is passed over by its length", arguments: [1, 10, 27])
  func kinds(version: Int) throws {
    for (mode, text) in [
      (QR_MODE_NUM, "1234567"), (QR_MODE_AN, "AB C:9"), (QR_MODE_8, "bytes"),
      (QR_MODE_KANJI, "\u{93}\u{5F}\u{E4}\u{AA}"),
    ] {
      let bytes = text.unicodeScalars.map { UInt8($0.value) }
      let symbol = try #require(EncodedSymbol(bytes, version: version, mode: mode))
      let corrected = try #require(CorrectedSymbol(symbol.modules))
      let segments = DataSegments(corrected.data, version: version)
      #expect(segments.isComplete && segments.characterSet == nil && !segments.hasFNC1)
      #expect(SymbolDecoder.decode(symbol.modules)?.bytes == bytes)
    }
  }

  @Test(
    "data that ends within a segment is not complete",
    arguments: [
      [0x41], [0x4F, 0xF0], [0x30], [0x31, 0x00], [0x70], [0x7F, 0xF0], [0xF0], [0x90],
    ] as [[UInt8]])
  func cutOff(data: [UInt8]) {
    #expect(!DataSegments(data, version: 1).isComplete)
  }

  @Test("designators have one, two or three bytes; headers count from one")
  func headers() {
    // 7.4.2.2, ECI 000009, 000899 and 999999, each followed by the end of the message.
    #expect(DataSegments([0x70, 0x90, 0x00], version: 1).characterSet == 9)
    #expect(DataSegments([0x78, 0x38, 0x30, 0x00], version: 1).characterSet == 899)
    #expect(DataSegments([0x7C, 0xF4, 0x23, 0xF0], version: 1).characterSet == 999_999)
    let header = DataSegments([0x32, 0x6A, 0x50, 0x00], version: 1).structuredAppend
    #expect(header == StructuredAppendHeader(index: 2, count: 7, parity: 0xA5))
    #expect(DataSegments([0x36, 0x2A, 0x50, 0x00], version: 1).structuredAppend == nil)
    #expect(DataSegments([], version: 1).isComplete)
  }
}
