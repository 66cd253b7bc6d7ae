import SymbolStructure

extension BlockStructure {
  /// - Parameter version: 1 … 40.
  init(version: Int, level: DecodedCode.ErrorCorrection) {
    let structural: Level =
      switch level {
      case .low: .low
      case .medium: .medium
      case .quartile: .quartile
      case .high: .high
      }
    self.init(version: version, level: structural)
  }

  /// The code of each block.
  var codes: [ReedSolomon] {
    blocks.map { ReedSolomon(length: $0.length, checkCount: $0.checkCount) }
  }
}
