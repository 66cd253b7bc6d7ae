import SymbolStructure

/// An undamaged symbol, generated from its codewords.
struct CleanSymbol {
  /// The number of modules on a side.
  let size: Int
  /// Whether each module is dark, row by row.
  private(set) var modules: [Bool]

  /// Draws the symbol (ISO/IEC 18004:2015, 7.6 to 7.10).
  ///
  /// - Parameter blocks: the codewords of each block, data before check codewords.
  init(version: Int, format: FormatInformation, blocks: [[UInt8]]) {
    let layout = SymbolLayout.of(version: version)
    let structure = BlockStructure(version: version, level: format.errorCorrection)
    var codewords = [UInt8](repeating: 0, count: layout.dataModules.count / 8)
    for (block, places) in zip(blocks, structure.places()) {
      for (codeword, place) in zip(block, places) { codewords[place] = codeword }
    }
    var modules = layout.functionPatterns
    let mask = DataMask.patterns[format.mask]
    for (bit, module) in layout.dataModules.enumerated() {
      // The remainder bits are 0 before masking.
      let isSet = bit / 8 < codewords.count && codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
      modules[Int(module.index)] = isSet != mask[Int(module.maskIndex)]
    }
    size = layout.size
    self.modules = modules
    draw(format.bits, at: FormatInformation.places(size: size))
    if version >= 7 {
      draw(SymbolWords.version(version), at: VersionInformation.places(size: size))
    }
  }

  private mutating func draw(_ word: UInt32, at copies: [[(column: Int, row: Int)]]) {
    for places in copies {
      for (bit, place) in places.enumerated() {
        modules[place.row * size + place.column] = word >> UInt32(bit) & 1 == 1
      }
    }
  }
}
