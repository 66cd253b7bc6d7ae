import CQREncode
import Testing

@testable import CodeScanning

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
