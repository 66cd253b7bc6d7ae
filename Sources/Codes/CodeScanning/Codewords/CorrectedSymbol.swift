import SymbolStructure

/// A symbol with all codewords corrected, before its contents are interpreted.
struct CorrectedSymbol: Sendable {
  let version: Int
  let format: FormatInformation
  let isMirrored: Bool
  let codewords: CorrectedBlocks

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
    let received = ReceivedCodewords(
      modules, at: layout.dataModules, mask: candidate.format.mask,
      isMirrored: candidate.isMirrored)
    guard let corrected = CorrectedBlocks(received, structure) else { return nil }
    version = layout.version
    format = candidate.format
    isMirrored = candidate.isMirrored
    codewords = corrected
  }

  /// The undamaged symbol, not mirrored.
  var clean: CleanSymbol { CleanSymbol(version: version, format: format, blocks: codewords.blocks) }
}

/// The corrected codewords of a symbol of any kind.
struct CorrectedBlocks: Sendable {
  let structure: BlockStructure
  /// The codewords of each block, data before check codewords.
  let blocks: [[UInt8]]
  let reports: [BlockReport]
  /// The number of codewords that differ from the sampled ones.
  let correctedCodewords: Int

  /// Corrects the codewords of a symbol; `nil` if that is not possible beyond doubt.
  ///
  /// - Parameters:
  ///   - received: the sampled codewords.
  ///   - structure: the blocks.
  ///   - demanded: the proof required of every block, in bits.
  init?(
    _ received: ReceivedCodewords, _ structure: BlockStructure,
    demanding demanded: Double = CorrectionProof.demanded
  ) {
    var blocks: [[UInt8]] = []
    var reports: [BlockReport] = []
    var changed = 0
    for (code, places) in zip(structure.codes, structure.places()) {
      guard
        let correction = BlockCorrection(
          places.map { received.values[$0] }, doubt: places.map { received.doubt[$0] }, code: code,
          demanding: demanded)
      else { return nil }
      blocks.append(correction.codewords)
      changed += correction.changed
      reports.append(
        BlockReport(
          errors: correction.errors, erasures: correction.erasures,
          capacity: code.checkCount - structure.misdecodeProtection))
    }
    self.structure = structure
    self.blocks = blocks
    self.reports = reports
    correctedCodewords = changed
  }

  /// The data codewords of all blocks, in the order of the message.
  var data: [UInt8] {
    zip(blocks, structure.blocks).flatMap { $0.prefix($1.dataCount) }
  }
}

/// The sampled codewords of a symbol before error correction, in the order of the symbol.
struct ReceivedCodewords {
  private(set) var values: [UInt8]
  /// The unreliability of each codeword: about the number of its bits that may be wrong; 0 is
  /// certain.
  private(set) var doubt: [Float]

  /// Reads the modules of the codewords.
  ///
  /// - Parameters:
  ///   - modules: the modules of the symbol.
  ///   - places: the modules of the codewords, and of remainder bits.
  ///   - mask: the index of the mask.
  ///   - isMirrored: whether rows and columns are exchanged; only in a square symbol.
  ///   - half: the index of a codeword of four bits, if there is one; they are its upper half.
  init(
    _ modules: SampledModules, at places: [SymbolLayout.DataModule], mask: Int, isMirrored: Bool,
    half: Int? = nil
  ) {
    let count = (places.count + (half == nil ? 0 : 4)) / 8
    values = [UInt8](repeating: 0, count: count)
    doubt = [Float](repeating: 0, count: count)
    let mask = DataMask.patterns[mask]
    let size = Int32(modules.width)
    var next = 0
    for index in 0..<count {
      var value: UInt8 = 0
      var sum: Float = 0
      for _ in 0..<(index == half ? 4 : 8) {
        let module = places[next]
        next += 1
        var place = module.index
        if isMirrored { place = place % size * size + place / size }
        let darkness = modules.darkness[Int(place)].asSureness
        value = value << 1 | ((darkness > 0) != mask[Int(module.maskIndex)] ? 1 : 0)
        sum += Self.doubt(of: darkness)
      }
      values[index] = index == half ? value << 4 : value
      doubt[index] = sum
    }
  }

  /// Clears bits of a codeword that hold no data.
  mutating func clear(_ bits: UInt8, ofCodeword index: Int) { values[index] &= ~bits }

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
