import Synchronization
import SymbolStructure

/// What all symbols of a version and level have in common: everything but their data (ISO/IEC
/// 18004:2015, 7.5 to 7.10).
struct SymbolTemplate: Sendable {
  /// The number of modules on a side.
  private let size: Int
  /// The modules of the bits of all codewords, in order.
  private let places: [ModuleLines.Place]
  /// For each mask: the function patterns, the format and version information, and the masked data
  /// modules. A symbol is the sum of one of them and its codewords.
  private let masks: [ModuleLines]
  /// The number of data codewords of each block.
  private let dataCounts: [Int]
  /// The position of each codeword of each block in the symbol.
  private let positions: [[Int]]
  private let checkCodewords: CheckCodewords

  /// Returns the template of a version of 1 … 40 and a level; computed once.
  static func of(version: Int, errorCorrection: QRSymbol.ErrorCorrection) -> SymbolTemplate {
    let key = version * 4 + errorCorrection.strength
    if let known = templates.withLock({ $0[key] }) { return known }
    let template = SymbolTemplate(version: version, level: errorCorrection.level)
    templates.withLock { $0[key] = template }
    return template
  }

  private static let templates = Mutex<[Int: SymbolTemplate]>([:])

  private init(version: Int, level: BlockStructure.Level) {
    let layout = SymbolLayout.of(version: version)
    let size = layout.size
    self.size = size
    places = layout.dataModules.map { module in
      let (y, x) = Int(module.index).quotientAndRemainder(dividingBy: size)
      return ModuleLines.Place(x: x, y: y, size: size)
    }
    var patterns = ModuleLines(size: size)
    for (index, isDark) in layout.functionPatterns.enumerated() where isDark {
      patterns.invert(ModuleLines.Place(x: index % size, y: index / size, size: size))
    }
    if version >= 7 {
      patterns.invert(
        bitsOf: SymbolWords.version(version), at: SymbolLayout.versionPlaces(size: size))
    }
    masks = DataMask.patterns.indices.map { [places] mask in
      var modules = patterns
      modules.invert(
        bitsOf: SymbolWords.format(level: level, mask: mask),
        at: SymbolLayout.formatPlaces(size: size))
      for (module, place) in zip(layout.dataModules, places)
      where DataMask.patterns[mask][Int(module.maskIndex)] {
        modules.invert(place)
      }
      return modules
    }
    let structure = BlockStructure(version: version, level: level)
    dataCounts = structure.blocks.map(\.dataCount)
    positions = structure.places()
    checkCodewords = CheckCodewords(count: structure.blocks[0].checkCount)
  }

  /// Returns the modules of the symbol with these data codewords: those of the first mask with the
  /// fewest penalty points.
  ///
  /// - Parameter data: As many codewords as the symbol holds.
  func symbol(of data: [UInt8]) -> ModuleLines {
    var drawn = ModuleLines(size: size)
    drawn.invert(bitsOf: codewords(of: data), at: places)
    var best = (points: Int.max, modules: drawn)
    var candidate = drawn
    for mask in masks {
      candidate.set(toSumOf: drawn, mask)
      let points = MaskPenalty.points(of: candidate)
      if points < best.points { best = (points, candidate) }
    }
    return best.modules
  }

  /// Returns the codewords in the order of the symbol: the data codewords of all blocks in turn,
  /// then their check codewords.
  private func codewords(of data: [UInt8]) -> [UInt8] {
    var codewords = [UInt8](
      repeating: 0, count: data.count + dataCounts.count * checkCodewords.count)
    var rest = data[...]
    for (dataCount, positions) in zip(dataCounts, positions) {
      let part = rest.prefix(dataCount)
      rest = rest.dropFirst(dataCount)
      for (codeword, position) in zip(part, positions) { codewords[position] = codeword }
      for (codeword, position) in zip(
        checkCodewords.checks(of: part), positions.dropFirst(dataCount))
      {
        codewords[position] = codeword
      }
    }
    return codewords
  }
}

extension ModuleLines {
  /// Inverts the modules at the bits of a word that are set, in each of its copies.
  ///
  /// - Parameter copies: The columns and rows of bit 0, 1 and so on.
  fileprivate mutating func invert(
    bitsOf word: UInt32, at copies: [[(column: Int, row: Int)]]
  ) {
    for places in copies {
      for (bit, place) in places.enumerated() where word >> UInt32(bit) & 1 == 1 {
        invert(Place(x: place.column, y: place.row, size: size))
      }
    }
  }
}

extension QRSymbol.ErrorCorrection {
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
