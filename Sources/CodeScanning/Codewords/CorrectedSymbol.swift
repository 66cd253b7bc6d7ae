import SymbolStructure

/// A symbol whose codewords were all corrected, before anything is made of its content.
struct CorrectedSymbol: Sendable {
  let version: Int
  let format: FormatInformation
  let isMirrored: Bool
  let structure: BlockStructure
  /// The codewords of each block, data before check codewords.
  let blocks: [[UInt8]]
  let reports: [BlockReport]
  /// Codewords that came out different from what was sampled.
  let correctedCodewords: Int

  /// Corrects what was sampled, or answers `nil` when that is not possible beyond doubt.
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

  /// The symbol as it should have been printed, unmirrored.
  var clean: CleanSymbol { CleanSymbol(version: version, format: format, blocks: blocks) }

  /// The same symbol with other data of the same length, its check codewords made anew.
  func clean(with data: [UInt8]) -> CleanSymbol {
    var rest = data[...]
    let blocks = structure.codes.map { code in
      let part = rest.prefix(code.length - code.checkCount)
      rest = rest.dropFirst(part.count)
      return code.encoded(Array(part))
    }
    return CleanSymbol(version: version, format: format, blocks: blocks)
  }
}
