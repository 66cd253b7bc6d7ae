import SymbolStructure

/// A symbol with all codewords corrected, before its contents are interpreted.
struct CorrectedSymbol: Sendable {
  let version: Int
  let format: FormatInformation
  let isMirrored: Bool
  let structure: BlockStructure
  /// The codewords of each block, data before check codewords.
  let blocks: [[UInt8]]
  let reports: [BlockReport]
  /// The number of codewords that differ from the sampled ones.
  let correctedCodewords: Int

  /// Corrects sampled modules; `nil` if that is not possible beyond doubt.
  init?(_ modules: SampledModules) {
    guard modules.size >= 21, modules.size <= 177, modules.size % 4 == 1,
      modules.darkness.count == modules.size * modules.size
    else { return nil }
    let layout = SymbolLayout.of(version: (modules.size - 17) / 4)
    for candidate in FormatCandidate.likeliest(of: modules) {
      if let symbol = CorrectedSymbol(modules, layout, candidate) {
        self = symbol
        return
      }
    }
    return nil
  }

  private init?(_ modules: SampledModules, _ layout: SymbolLayout, _ candidate: FormatCandidate) {
    let level = candidate.format.errorCorrection
    let structure = BlockStructure(version: layout.version, level: level)
    let received = ReceivedCodewords(modules, layout: layout, as: candidate)
    var blocks: [[UInt8]] = []
    var reports: [BlockReport] = []
    var changed = 0
    for (code, places) in zip(structure.codes, structure.places()) {
      guard
        let correction = BlockCorrection(
          places.map { received.values[$0] }, doubt: places.map { received.doubt[$0] }, code: code)
      else { return nil }
      blocks.append(correction.codewords)
      changed += correction.changed
      reports.append(
        BlockReport(
          errors: correction.errors, erasures: correction.erasures,
          capacity: code.checkCount - structure.misdecodeProtection))
    }
    version = layout.version
    format = candidate.format
    isMirrored = candidate.isMirrored
    self.structure = structure
    self.blocks = blocks
    self.reports = reports
    correctedCodewords = changed
  }

  /// The data codewords of all blocks, in the order of the message.
  var data: [UInt8] {
    zip(blocks, structure.blocks).flatMap { $0.prefix($1.dataCount) }
  }

  /// The undamaged symbol, not mirrored.
  var clean: CleanSymbol { CleanSymbol(version: version, format: format, blocks: blocks) }
}

/// The sampled codewords of a symbol before error correction, in the order of the symbol.
private struct ReceivedCodewords {
  private(set) var values: [UInt8]
  /// The unreliability of each codeword: about the number of its bits that may be wrong; 0 is
  /// certain.
  private(set) var doubt: [Float]

  /// Reads the modules in one of the symbol's possible formats.
  init(_ modules: SampledModules, layout: SymbolLayout, as candidate: FormatCandidate) {
    let count = layout.dataModules.count / 8
    values = [UInt8](repeating: 0, count: count)
    doubt = [Float](repeating: 0, count: count)
    let mask = DataMask.patterns[candidate.format.mask]
    let size = Int32(layout.size)
    for index in 0..<count {
      var value: UInt8 = 0
      var sum: Float = 0
      for bit in 0..<8 {
        let module = layout.dataModules[index * 8 + bit]
        var place = module.index
        if candidate.isMirrored { place = place % size * size + place / size }
        let darkness = modules.darkness[Int(place)].asSureness
        value = value << 1 | ((darkness > 0) != mask[Int(module.maskIndex)] ? 1 : 0)
        sum += Self.doubt(of: darkness)
      }
      values[index] = value
      doubt[index] = sum
    }
  }

  /// Decreases steeply with reliability, so that one ambiguous bit outweighs eight that are fairly
  /// reliable.
  private static func doubt(of darkness: Float) -> Float {
    let rest = 1 - darkness.magnitude
    return rest * rest * rest * rest
  }
}

extension BlockStructure {
  /// - Parameter version: 1 … 40.
  init(version: Int, level: DecodedCode.ErrorCorrection) {
    self.init(version: version, level: level.level)
  }

  /// The code of each block.
  var codes: [ReedSolomon] {
    blocks.map { ReedSolomon(length: $0.length, checkCount: $0.checkCount) }
  }
}

extension DecodedCode.ErrorCorrection {
  /// The same level in the tables of the symbol's structure.
  var level: BlockStructure.Level {
    switch self {
    case .low: .low
    case .medium: .medium
    case .quartile: .quartile
    case .high: .high
    }
  }
}
