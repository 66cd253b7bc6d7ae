import SymbolStructure

/// What was measured of the codewords of a symbol, and the grades that follow from them.
struct CodewordQuality {
  private let structure: [(places: [Int], capacity: Int)]
  /// Whether a codeword has a module on the wrong side of the threshold.
  private let isWrong: [Bool]
  /// The lowest modulation of a codeword's modules.
  private let modulation: [Double]

  init(of measured: MeasuredSymbol) {
    let (version, level) = (measured.symbol.version, measured.symbol.errorCorrection)
    let blocks = BlockStructure(version: version, level: level)
    structure = zip(blocks.places(), blocks.blocks).map {
      ($0, $1.checkCount - blocks.misdecodeProtection)
    }
    let layout = SymbolLayout.of(version: version)
    var isWrong = [Bool](repeating: false, count: blocks.codewordCount)
    var modulation = [Double](repeating: 1, count: blocks.codewordCount)
    for (bit, module) in layout.dataModules.enumerated() where bit / 8 < isWrong.count {
      let (row, column) = Int(module.index).quotientAndRemainder(dividingBy: layout.size)
      if measured.isRight(column, row) != true { isWrong[bit / 8] = true }
      modulation[bit / 8] = min(modulation[bit / 8], measured.modulation(column, row))
    }
    self.isWrong = isWrong
    self.modulation = modulation
  }

  /// The part of the correction that is left in the worst block, 1 − 2 t ÷ (d − p): wrong codewords
  /// are errors, none is given up as an erasure. Below 0 the block cannot be corrected.
  var unused: Double { unused { isWrong[$0] } }

  private func unused(_ isError: (Int) -> Bool) -> Double {
    structure.map { block in
      1 - 2 * Double(block.places.count(where: isError)) / Double(max(1, block.capacity))
    }.min() ?? 0
  }

  /// The overlay of modulation over error correction.
  ///
  /// - Parameter countsWrong: whether a wrong module counts as one without any modulation
  ///   (reflectance margin), or as if it were right (modulation).
  func overlay(countsWrong: Bool) -> GradePair {
    GradePair.overlaid { least in
      let scale = GradeScale.unusedErrorCorrection
      return scale.grade(
        max(0, unused { modulation[$0] < least || (countsWrong && least > 0 && isWrong[$0]) }))
    }
  }
}
