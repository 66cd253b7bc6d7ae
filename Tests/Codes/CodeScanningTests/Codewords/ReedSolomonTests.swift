import CliptagBasics
import SymbolStructure
import TestSupport
import Testing

@testable import CodeScanning

@Suite("Reed–Solomon code")
struct ReedSolomonTests {
  /// Version 1-M, data before check codewords.
  private static let published: [[UInt8]] = [
    // ISO/IEC 18004:2015, Annex I.2: 01234567.
    [
      0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC,
      0x11, 0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55,
    ],
    // Thonky's QR Code tutorial, error correction coding: HELLO WORLD.
    [
      32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17, 196, 35, 39, 119,
      235, 215, 231, 226, 93, 23,
    ],
  ]

  @Test("check codewords are those of published examples", arguments: published)
  func vectors(block: [UInt8]) {
    let code = ReedSolomon(length: 26, checkCount: 10)
    #expect(code.encoded(Array(block.prefix(16))) == block)
    #expect(code.syndromes(of: block).allSatisfy { $0 == 0 })
    #expect(code.corrections(syndromes: code.syndromes(of: block)) == [])
  }

  @Test(
    "any errors are found that with the erasures stay within capacity",
    arguments: [(26, 7), (26, 10), (70, 26), (148, 30), (153, 30)])
  func withinCapacity(length: Int, checkCount: Int) {
    let code = ReedSolomon(length: length, checkCount: checkCount)
    var random = SeededGenerator(seed: 7)
    for erasureCount in 0...checkCount {
      let block = code.encoded(
        (0..<length - checkCount).map { _ in .random(in: 0...255, using: &random) })
      let errorCount = (checkCount - erasureCount) / 2
      let places = (0..<length).shuffled(using: &random).prefix(erasureCount + errorCount)
      var received = block
      // An erased codeword may happen to be right.
      for place in places.prefix(erasureCount) {
        received[place] ^= .random(in: 0...3, using: &random)
      }
      for place in places.dropFirst(erasureCount) {
        received[place] ^= .random(in: 1...255, using: &random)
      }
      let corrections = code.corrections(
        syndromes: code.syndromes(of: received), erasures: Array(places.prefix(erasureCount)))
      #expect(Set((corrections ?? []).map(\.index)) == Set(places))
      for correction in corrections ?? [] { received[correction.index] ^= correction.difference }
      #expect(received == block, "\(erasureCount) erasures")
    }
  }

  @Test("more errors than the capacity are said to be too many, or give another valid block")
  func beyondCapacity() {
    let code = ReedSolomon(length: 26, checkCount: 10)
    var random = SeededGenerator(seed: 8)
    for _ in 0..<200 {
      let received = (0..<26).map { _ in UInt8.random(in: 0...255, using: &random) }
      guard let corrections = code.corrections(syndromes: code.syndromes(of: received)) else {
        continue
      }
      var block = received
      for correction in corrections { block[correction.index] ^= correction.difference }
      #expect(code.syndromes(of: block).allSatisfy { $0 == 0 })
      #expect(corrections.count <= 5)
    }
    let zero = [UInt8](repeating: 0, count: 10)
    #expect(code.corrections(syndromes: zero, erasures: Array(0..<11)) == nil)
  }

  /// ISO/IEC 18004:2015, Table 1 and Table 9.
  @Test("symbols have the codewords and blocks of the standard's tables")
  func tables() {
    for (version, codewords) in [
      (1, 26), (2, 44), (5, 134), (6, 172), (7, 196), (14, 581), (21, 1156), (32, 2465), (40, 3706),
    ] {
      #expect(SymbolLayout.codewordCount(version: version) == codewords)
      #expect(SymbolLayout.of(version: version).dataModules.count / 8 == codewords)
    }
    let fiveQ = BlockStructure(version: 5, level: DecodedCode.ErrorCorrection.quartile)
    #expect(fiveQ.blocks.map(\.length) == [33, 33, 34, 34])
    #expect(fiveQ.blocks.map(\.checkCount) == [18, 18, 18, 18])
    for version in 1...40 {
      for level in DecodedCode.ErrorCorrection.allCases {
        let structure = BlockStructure(version: version, level: level)
        #expect(structure.codewordCount == SymbolLayout.codewordCount(version: version))
        #expect(structure.places().joined().sorted() == Array(0..<structure.codewordCount))
      }
    }
    // Annex E.
    #expect(SymbolLayout.alignmentCentres(version: 1) == [])
    #expect(SymbolLayout.alignmentCentres(version: 7) == [6, 22, 38])
    #expect(SymbolLayout.alignmentCentres(version: 32) == [6, 34, 60, 86, 112, 138])
    #expect(SymbolLayout.alignmentCentres(version: 40) == [6, 30, 58, 86, 114, 142, 170])
  }
}
