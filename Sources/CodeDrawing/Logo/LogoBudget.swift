import QRSymbol
import SymbolStructure

/// How much of a symbol's error correction a plate over its modules would cost: which codewords it
/// touches, and what is left of each Reed–Solomon block (ISO/IEC 18004:2015, 7.5 to 7.7).
struct LogoBudget {
  private let layout: SymbolLayout
  /// The block and the codeword of each module, row by row; -1 where there is none.
  private let codewords: [Int]
  private let blocks: [Int]
  /// The codewords of each block that can be corrected, twice: d − p.
  private let capacities: [Int]

  /// - Parameter version: 1 … 40.
  init(version: Int, level: QRSymbol.ErrorCorrection) {
    layout = SymbolLayout.of(version: version)
    let structural: BlockStructure.Level =
      switch level {
      case .low: .low
      case .medium: .medium
      case .quartile: .quartile
      case .high: .high
      }
    let structure = BlockStructure(version: version, level: structural)
    capacities = structure.blocks.map { $0.checkCount - structure.misdecodeProtection }
    var blocks = [Int](repeating: 0, count: structure.codewordCount)
    for (block, places) in structure.places().enumerated() {
      for place in places { blocks[place] = block }
    }
    self.blocks = blocks
    var codewords = [Int](repeating: -1, count: layout.size * layout.size)
    for (bit, module) in layout.dataModules.enumerated() where bit / 8 < structure.codewordCount {
      codewords[Int(module.index)] = bit / 8
    }
    self.codewords = codewords
  }

  /// What a plate of modules costs, its size odd on both sides; nil where no place for it is free.
  ///
  /// The place is the middle of the symbol, or where an alignment pattern stands there, the nearest
  /// one below it: no function pattern and no format or version information is ever touched.
  func plate(width: Int, height: Int) -> LogoPlate? {
    let size = layout.size
    guard width < size, height < size else { return nil }
    let column = (size - width) / 2
    for row in (size - height) / 2..<size - height {
      let places = (row..<row + height).flatMap { row in
        (column..<column + width).map { row * size + $0 }
      }
      guard places.allSatisfy({ !layout.isReserved[$0] }) else { continue }
      // In the worst case every codeword that lies under the plate even in part is read wrong.
      let covered = Set(places.map { codewords[$0] }).subtracting([-1])
      var used = [Int](repeating: 0, count: capacities.count)
      for codeword in covered { used[blocks[codeword]] += 2 }
      let left = zip(used, capacities).map { 1 - Double($0) / Double(max(1, $1)) }
      return LogoPlate(
        column: column, row: row, width: width, height: height,
        isMoved: row > (size - height) / 2, coveredCodewords: covered.count,
        unusedErrorCorrection: left.min() ?? 0)
    }
    return nil
  }

  /// The plate whose long side has so many modules, for a logo of these proportions.
  func plate(modules: Int, ratio: Double) -> LogoPlate? {
    let margin = LogoPlate.margin(modules: modules)
    func short(_ ratio: Double) -> Int {
      let needed = (Double(modules) - 2 * margin) * ratio + 2 * margin - 1e-6
      let whole = Int(needed.rounded(.up))
      return min(modules, max(3, whole + (whole % 2 == 0 ? 1 : 0)))
    }
    return ratio <= 1
      ? plate(width: modules, height: short(ratio))
      : plate(width: short(1 / ratio), height: modules)
  }

  /// The largest plate that leaves at least so much of the error correction.
  func largest(leaving share: Double, ratio: Double) -> LogoPlate? {
    stride(from: layout.size - 2, to: 1, by: -2).lazy
      .compactMap { plate(modules: $0, ratio: ratio) }
      .first { $0.unusedErrorCorrection >= share }
  }
}
