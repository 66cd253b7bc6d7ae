import CQREncode
@testable import CodeScanning
import Testing

@Suite("Decoding of sampled modules")
struct SymbolDecoderTests {
  private static let levels: [(QRecLevel, DecodedCode.ErrorCorrection)] = [
    (QR_ECLEVEL_L, .low), (QR_ECLEVEL_M, .medium), (QR_ECLEVEL_Q, .quartile),
    (QR_ECLEVEL_H, .high),
  ]

  @Test("every version is read at every level, and drawn anew as it was", arguments: 1...40)
  func everyVersion(version: Int) throws {
    for (level, name) in Self.levels {
      let text = Array("v\(version)-\(name.rawValue)".utf8)
      let symbol = try #require(EncodedSymbol(text, version: version, level: level))
      let decoded = try #require(SymbolDecoder.decode(symbol.modules), "\(name)")
      #expect(decoded.bytes == text)
      #expect(decoded.version == version && decoded.errorCorrection == name)
      #expect(decoded.modules == symbol.isDark && !decoded.isMirrored)
      #expect(decoded.correctedCodewords == 0 && decoded.unusedErrorCorrection == 1)
    }
  }

  @Test("every mask is read, upright and mirrored")
  func everyMask() throws {
    var masks: Set<Int> = []
    // libqrencode chooses the mask; some are rare.
    for number in 0..<4000 where masks.count < 8 {
      let text = Array("mask \(number)".utf8)
      let symbol = try #require(EncodedSymbol(text, version: 1 + number % 3))
      let format = try #require(symbol.format)
      guard masks.insert(format.mask).inserted else { continue }
      let decoded = try #require(SymbolDecoder.decode(symbol.modules))
      let mirrored = try #require(SymbolDecoder.decode(symbol.mirrored.modules))
      #expect(decoded.bytes == text && mirrored.bytes == text)
      #expect(!decoded.isMirrored && mirrored.isMirrored)
      #expect(mirrored.modules == symbol.isDark)
      #expect(decoded.mask == format.mask && mirrored.mask == format.mask)
    }
    #expect(masks == Set(0..<8))
  }

  @Test("modules that can be no symbol give no content")
  func impossible() {
    for (size, count) in [
      (0, 0), (20, 400), (21, 440), (22, 484), (25, 0), (181, 181 * 181), (-3, 9), (.max, 1),
    ] {
      let darkness = [Float](repeating: 1, count: count)
      #expect(SymbolDecoder.decode(SampledModules(size: size, darkness: darkness)) == nil)
    }
    for darkness: Float in [0, 1, -1, .nan, .infinity] {
      for size in [21, 45, 177] {
        let all = [Float](repeating: darkness, count: size * size)
        #expect(SymbolDecoder.decode(SampledModules(size: size, darkness: all)) == nil)
      }
    }
  }
}

@Suite("Segments of the data")
struct DataSegmentsTests {
  @Test("the declared character set is told at every version", arguments: [1, 9, 10, 27, 40])
  func characterSet(version: Int) throws {
    for assignment: UInt32 in [23, 26, 30] {
      let symbol = try #require(
        EncodedSymbol(Array("abc".utf8), version: version, characterSet: assignment))
      let corrected = try #require(CorrectedSymbol(symbol.modules))
      let segments = DataSegments(corrected.codewords.data, .qr(version: version))
      #expect(segments.characterSet == Int(assignment) && segments.isComplete)
      let decoded = try #require(SymbolDecoder.decode(symbol.modules))
      let content = SegmentRun(characterSet: Int(assignment), bytes: Array("abc".utf8))
      #expect(decoded.content == [content] && decoded.bytes == Array("abc".utf8))
    }
  }

  @Test("every kind of segment is read as it was written", arguments: [1, 10, 27])
  func kinds(version: Int) throws {
    for (mode, text) in [
      (QR_MODE_NUM, "1234567"), (QR_MODE_AN, "AB C:9"), (QR_MODE_8, "bytes"),
      (QR_MODE_KANJI, "\u{93}\u{5F}\u{E4}\u{AA}"),
    ] {
      let bytes = text.unicodeScalars.map { UInt8($0.value) }
      let symbol = try #require(EncodedSymbol(bytes, version: version, mode: mode))
      let corrected = try #require(CorrectedSymbol(symbol.modules))
      let segments = DataSegments(corrected.codewords.data, .qr(version: version))
      #expect(segments.isComplete && segments.characterSet == nil && !segments.hasFNC1)
      #expect(segments.content == [SegmentRun(characterSet: nil, bytes: bytes)])
      #expect(SymbolDecoder.decode(symbol.modules)?.bytes == bytes)
    }
  }

  @Test("every kind of segment has the bytes that zbar reads in it")
  func asZBar() throws {
    for (mode, text) in [
      (QR_MODE_NUM, "0123456789"), (QR_MODE_AN, "HTTPS://A.EXAMPLE/$%*+-."),
      (QR_MODE_8, "https://a.example/\u{7F}"), (QR_MODE_KANJI, "\u{93}\u{5F}\u{E4}\u{AA}"),
    ] {
      let bytes = text.unicodeScalars.map { UInt8($0.value) }
      let symbol = try #require(EncodedSymbol(bytes, mode: mode))
      let decoded = try #require(SymbolDecoder.decode(symbol.modules))
      let seen = try CodeScanner().bytesReadBack(from: symbol.picture(modulePixels: 3))
      #expect(seen == [decoded.bytes])
    }
  }

  @Test("after FNC1 a percent sign separates fields, two are one, and an indicator comes first")
  func industryRules() {
    // 7.4.8.2: FNC1 in the first position, then 5 alphanumeric characters, A%B%%: 10 38, 11 38, 38.
    var bits = DataBits()
    bits.add(0b0101, 4)
    bits.add(0b0010, 4)
    bits.add(5, 9)
    bits.add(10 * 45 + 38, 11)
    bits.add(11 * 45 + 38, 11)
    bits.add(38, 6)
    let first = DataSegments(bits.codewords, .qr(version: 1))
    #expect(first.content?.flatMap(\.bytes) == Array("A\u{1D}B%".utf8) && first.hasFNC1)
    // 7.4.8.3: FNC1 in the second position with the indicators 37 and a (97 + 100).
    for (indicator, text) in [(37, "37"), (197, "a")] {
      var bits = DataBits()
      bits.add(0b1001, 4)
      bits.add(indicator, 8)
      #expect(
        DataSegments(bits.codewords, .qr(version: 1)).content?.flatMap(\.bytes) == Array(text.utf8))
    }
  }

  @Test(
    "data that ends within a segment is not complete",
    arguments: [
      [0x41], [0x4F, 0xF0], [0x30], [0x31, 0x00], [0x70], [0x7F, 0xF0], [0xF0], [0x90],
    ] as [[UInt8]])
  func cutOff(data: [UInt8]) {
    #expect(!DataSegments(data, .qr(version: 1)).isComplete)
  }

  @Test("designators have one, two or three bytes; headers count from one")
  func headers() {
    // 7.4.2.2, ECI 000009, 000899 and 999999, each followed by the end of the message.
    #expect(DataSegments([0x70, 0x90, 0x00], .qr(version: 1)).characterSet == 9)
    #expect(DataSegments([0x78, 0x38, 0x30, 0x00], .qr(version: 1)).characterSet == 899)
    #expect(DataSegments([0x7C, 0xF4, 0x23, 0xF0], .qr(version: 1)).characterSet == 999_999)
    let header = DataSegments([0x32, 0x6A, 0x50, 0x00], .qr(version: 1)).structuredAppend
    #expect(header == StructuredAppendHeader(index: 2, count: 7, parity: 0xA5))
    #expect(DataSegments([0x36, 0x2A, 0x50, 0x00], .qr(version: 1)).structuredAppend == nil)
    #expect(DataSegments([], .qr(version: 1)).isComplete)
  }
}

/// Bits that are written into codewords, the rest of the last of them 0.
private struct DataBits {
  private var bits: [Bool] = []

  mutating func add(_ value: Int, _ count: Int) {
    bits += (0..<count).reversed().map { value >> $0 & 1 == 1 }
  }

  var codewords: [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 << 1 | (start + $1 < bits.count && bits[start + $1] ? 1 : 0) }
    }
  }
}

@Suite("Messages over several symbols")
struct StructuredAppendTests {
  private let message = (0..<100).map { UInt8(0x21 + $0 * 7 % 90) }

  private func parts(_ message: [UInt8]) throws -> [DecodedSymbol] {
    try EncodedSymbol.series(message, version: 3).map {
      try #require(SymbolDecoder.decode($0.modules))
    }
  }

  @Test("each part is read by itself, and all together are the message in any order")
  func joined() throws {
    let parts = try parts(message)
    #expect(parts.count > 2)
    #expect(parts.map { $0.structuredAppend?.index } == Array(0..<parts.count))
    #expect(parts.allSatisfy { $0.structuredAppend?.count == parts.count })
    #expect(parts.flatMap(\.bytes) == message)
    let whole = [SegmentRun(characterSet: nil, bytes: message)]
    #expect(StructuredAppend.joined(parts) == whole)
    #expect(StructuredAppend.joined(parts.reversed() + parts.prefix(1)) == whole)
  }

  @Test("a message with a missing part, or one of another message, is not joined")
  func incomplete() throws {
    let first = try parts(message)
    #expect(StructuredAppend.joined([]) == nil)
    #expect(StructuredAppend.joined(Array(first.dropLast())) == nil)
    // The same number of parts and, because two bytes changed by the same bits, the same parity.
    var other = message
    other[0] ^= 1
    other[99] ^= 1
    let second = try parts(other)
    #expect(second[0].structuredAppend == first[0].structuredAppend)
    #expect(StructuredAppend.joined([second[0]] + first.dropFirst()) == nil)
    #expect(StructuredAppend.joined(first + second) == nil)
    other[50] ^= 2
    #expect(StructuredAppend.joined([try parts(other)[0]] + first.dropFirst()) == nil)
  }

  @Test("a symbol that stands alone is no part")
  func alone() throws {
    let symbol = try #require(EncodedSymbol(Array("alone".utf8)))
    let decoded = try #require(SymbolDecoder.decode(symbol.modules))
    #expect(decoded.structuredAppend == nil)
    #expect(StructuredAppend.joined([decoded]) == nil)
  }
}
