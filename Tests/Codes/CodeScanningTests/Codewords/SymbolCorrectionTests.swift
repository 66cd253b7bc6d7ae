import CliptagBasics
import CQREncode
import SymbolStructure
import TestSupport
import Testing

@testable import CodeScanning

@Suite("Correction of sampled modules")
struct SymbolCorrectionTests {
  private let text = Array("https://a.co/z".utf8)

  @Test(
    "each block is corrected up to its capacity, and not beyond",
    arguments: [
      (3, QR_ECLEVEL_M, 13), (5, QR_ECLEVEL_Q, 9), (7, QR_ECLEVEL_H, 13), (14, QR_ECLEVEL_M, 12),
      (25, QR_ECLEVEL_L, 13), (40, QR_ECLEVEL_H, 15),
    ])
  func capacity(version: Int, level: QRecLevel, errors: Int) throws {
    var symbol = try #require(EncodedSymbol(text, version: version, level: level))
    let clean = symbol.isDark
    let format = try #require(symbol.format)
    let structure = BlockStructure(version: version, level: format.errorCorrection)
    var random = SeededGenerator(seed: UInt64(version))
    var spared: [Int] = []
    for places in structure.places() {
      let chosen = places.shuffled(using: &random)
      for place in chosen.prefix(errors) {
        symbol.damage(codeword: place, with: .random(in: 1...255, using: &random))
      }
      spared.append(chosen[errors])
    }
    let decoded = try #require(SymbolDecoder.decode(symbol.modules))
    #expect(decoded.bytes == text && decoded.modules == clean)
    #expect(decoded.correctedCodewords == errors * structure.blocks.count)
    #expect(decoded.blocks.allSatisfy { $0.errors == errors && $0.erasures == 0 })
    #expect(decoded.unusedErrorCorrection < 0.1)
    // One more in a single block.
    symbol.damage(codeword: try #require(spared.last), with: 0x5A)
    #expect(SymbolDecoder.decode(symbol.modules) == nil)
  }

  @Test("twice as many codewords may be wrong when their modules are unsure")
  func erasures() throws {
    let symbol = try #require(EncodedSymbol(text, version: 3))
    for count in [14, 17, 20, 21] {
      let modules = sampled(symbol, unsure: Array(20..<20 + count))
      let decoded = try #require(SymbolDecoder.decode(modules), "\(count)")
      #expect(decoded.bytes == text && decoded.modules == symbol.isDark)
      #expect(decoded.blocks[0].erasures > 0)
      // ISO/IEC 15415: 1 − (erasures + 2 · errors) / capacity.
      let used = decoded.blocks[0].erasures + 2 * decoded.blocks[0].errors
      #expect(decoded.unusedErrorCorrection == 1 - Double(used) / 26)
    }
    // With all check codewords used up there would be nothing left to prove it.
    #expect(SymbolDecoder.decode(sampled(symbol, unsure: Array(20..<46))) == nil)
  }

  /// The symbol with some codewords wrong and hardly to be seen.
  private func sampled(_ symbol: EncodedSymbol, unsure: [Int]) -> SampledModules {
    var damaged = symbol
    for codeword in unsure { damaged.damage(codeword: codeword, with: 0b0101_0110) }
    var modules = damaged.modules
    for (index, isDark) in symbol.isDark.enumerated() where damaged.isDark[index] != isDark {
      modules.darkness[index] *= 0.1
    }
    return modules
  }

  @Test("a small symbol's last error needs more than its own word")
  func misdecodeProtection() throws {
    let symbol = try #require(EncodedSymbol(text, version: 1, level: QR_ECLEVEL_L))
    var one = symbol
    one.damage(codeword: 4, with: 0xB7)
    #expect(SymbolDecoder.decode(one.modules)?.bytes == text)
    // Five of the seven check codewords would be explained by chance once in 10⁹ tries.
    var two = one
    two.damage(codeword: 9, with: 0x6E)
    #expect(SymbolDecoder.decode(two.modules) == nil)
    // The same two codewords, seen to be unsure.
    var modules = two.modules
    for index in symbol.isDark.indices where two.isDark[index] != symbol.isDark[index] {
      modules.darkness[index] *= 0.2
    }
    #expect(SymbolDecoder.decode(modules)?.bytes == text)
  }

  @Test("the format is told from what is sure of both its copies")
  func formatDamaged() throws {
    let symbol = try #require(EncodedSymbol(text, version: 3))
    let copies = FormatInformation.places(size: symbol.size)
    var modules = symbol.modules
    // One copy is gone, and of the other five modules are unsure and wrong.
    for (column, row) in copies[0] { modules.darkness[row * symbol.size + column] = 0 }
    for (column, row) in copies[1].prefix(5) {
      modules.darkness[row * symbol.size + column] *= -0.2
    }
    #expect(SymbolDecoder.decode(modules)?.bytes == text)
  }

  @Test("chance is never taken for a symbol", arguments: [21, 25, 29, 45])
  func chance(size: Int) {
    var random = SeededGenerator(seed: UInt64(size))
    for _ in 0..<300 {
      let darkness = (0..<size * size).map { _ in Float.random(in: -1...1, using: &random) }
      #expect(CorrectedSymbol(SampledModules(size: size, darkness: darkness)) == nil)
    }
  }

  @Test("a symbol damaged beyond its capacity is never read as another")
  func beyondCapacity() throws {
    let symbol = try #require(EncodedSymbol(text, version: 1, level: QR_ECLEVEL_L))
    var random = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      var modules = symbol.modules
      for index in modules.darkness.indices {
        modules.darkness[index] += .random(in: -1.6...1.6, using: &random)
      }
      guard let decoded = CorrectedSymbol(modules) else { continue }
      #expect(decoded.clean.modules == symbol.isDark)
    }
  }
}
