import Synchronization

/// The layout of the modules of a symbol of one version (ISO/IEC 18004:2015, 6.3 and 7.7.3).
package struct SymbolLayout: Sendable {
  /// A module that holds one bit of a codeword.
  package struct DataModule: Sendable {
    /// The row times the size plus the column.
    package let index: Int32
    /// The index in ``DataMask/patterns``.
    package let maskIndex: UInt8
  }

  /// The version, 1 … 40.
  package let version: Int
  /// The number of modules on a side.
  package let size: Int
  /// The modules of the codewords, beginning with the first bit of the first codeword, then the
  /// remainder bits, which belong to no codeword.
  package let dataModules: [DataModule]
  /// The function patterns, row by row; format and version information and data are light.
  package let functionPatterns: [Bool]
  /// The modules that hold neither data nor remainder bits, row by row: the function patterns with
  /// their separators, format and version information.
  package let isReserved: [Bool]

  /// Returns the layout of a version of 1 … 40; computed once.
  package static func of(version: Int) -> SymbolLayout {
    layouts.withLock { layouts in
      if let known = layouts[version] { return known }
      let layout = SymbolLayout(version: version)
      layouts[version] = layout
      return layout
    }
  }

  private static let layouts = Mutex<[Int: SymbolLayout]>([:])

  /// Returns the number of codewords of a symbol of this version, data and check together (Table
  /// 1).
  package static func codewordCount(version: Int) -> Int {
    let size = 17 + 4 * version
    var modules = size * size - 3 * 64 - 2 * (size - 16) - 31
    if version >= 2 {
      let count = version / 7 + 2
      modules -= (count * count - 3) * 25
      // The patterns on the timing patterns share five of their modules with them.
      modules += (count - 2) * 2 * 5
    }
    if version >= 7 { modules -= 36 }
    return modules / 8
  }

  /// Returns the rows, and columns, of the centres of the alignment patterns (Annex E, Table E.1).
  package static func alignmentCentres(version: Int) -> [Int] {
    guard version >= 2 else { return [] }
    let count = version / 7 + 2
    let step = (version * 8 + count * 3 + 5) / (count * 4 - 4) * 2
    let last = 10 + 4 * version
    return [6] + (0..<count - 1).reversed().map { last - $0 * step }
  }

  /// Returns the coordinates (column, row) of bit 0, 1, … 14 of both copies of the format
  /// information, for a symbol of `size` modules a side (Figure 25).
  package static func formatPlaces(size: Int) -> [[(column: Int, row: Int)]] {
    let first =
      (0..<6).map { (column: 8, row: $0) } + [(8, 7), (8, 8), (7, 8)]
      + (9..<15).map { (column: 14 - $0, row: 8) }
    let second =
      (0..<8).map { (column: size - 1 - $0, row: 8) }
      + (8..<15).map { (column: 8, row: size - 15 + $0) }
    return [first, second]
  }

  /// Returns the coordinates (column, row) of bit 0, 1, … 17 of both copies of the version
  /// information, which symbols have from version 7 on (Figure 27).
  package static func versionPlaces(size: Int) -> [[(column: Int, row: Int)]] {
    let first = (0..<18).map { (column: size - 11 + $0 % 3, row: $0 / 3) }
    return [first, first.map { (column: $0.row, row: $0.column) }]
  }

  private init(version: Int) {
    let size = 17 + 4 * version
    var grid = FunctionGrid(width: size, height: size)
    grid.add(version: version)
    self.version = version
    self.size = size
    functionPatterns = grid.isDark
    isReserved = grid.isTaken
    // The column of the timing pattern is skipped.
    dataModules = grid.placement(
      columns: stride(from: size - 1, to: 0, by: -2).map { $0 <= 6 ? $0 - 1 : $0 })
  }
}

extension SymbolLayout.DataModule {
  /// - Parameter width: The number of modules in a row of the symbol.
  init(column: Int, row: Int, width: Int) {
    let mask = row % DataMask.period * DataMask.period + column % DataMask.period
    self.init(index: Int32(row * width + column), maskIndex: UInt8(mask))
  }
}

/// The modules that hold no data, added one pattern after the other.
struct FunctionGrid {
  let width: Int
  let height: Int
  private(set) var isTaken: [Bool]
  private(set) var isDark: [Bool]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    isTaken = [Bool](repeating: false, count: width * height)
    isDark = isTaken
  }

  /// Sets a module; one outside the symbol is left out.
  mutating func set(column: Int, row: Int, dark: Bool) {
    guard (0..<width).contains(column), (0..<height).contains(row) else { return }
    isTaken[row * width + column] = true
    isDark[row * width + column] = dark
  }

  /// Returns the free modules, two columns at a time, upwards and downwards in turn (7.7.3).
  ///
  /// - Parameter columns: The right column of each pair, in order.
  func placement(columns: [Int]) -> [SymbolLayout.DataModule] {
    var modules: [SymbolLayout.DataModule] = []
    var isUpward = true
    for right in columns {
      for step in 0..<height {
        let row = isUpward ? height - 1 - step : step
        for column in [right, right - 1] where !isTaken[row * width + column] {
          modules.append(.init(column: column, row: row, width: width))
        }
      }
      isUpward.toggle()
    }
    return modules
  }

  /// Adds concentric squares around a centre, light where the distance is one of `lightRings`.
  mutating func addSquares(column: Int, row: Int, reach: Int, lightRings: Set<Int>) {
    for y in -reach...reach {
      for x in -reach...reach {
        let isLight = lightRings.contains(max(abs(x), abs(y)))
        set(column: column + x, row: row + y, dark: !isLight)
      }
    }
  }

  mutating func add(version: Int) {
    let size = width
    for position in 0..<size {
      set(column: position, row: 6, dark: position % 2 == 0)
      set(column: 6, row: position, dark: position % 2 == 0)
    }
    // Finder patterns with their separators.
    for (column, row) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      addSquares(column: column, row: row, reach: 4, lightRings: [2, 4])
    }
    let centres = SymbolLayout.alignmentCentres(version: version)
    for column in centres {
      for row in centres {
        // The finder patterns occupy three corners.
        let isNearLeft = column == 6 && (row == 6 || row == size - 7)
        if isNearLeft || (row == 6 && column == size - 7) { continue }
        addSquares(column: column, row: row, reach: 2, lightRings: [1])
      }
    }
    for (column, row) in SymbolLayout.formatPlaces(size: size).joined() {
      set(column: column, row: row, dark: false)
    }
    // One module beside the format information is always dark (7.9.1).
    set(column: 8, row: size - 8, dark: true)
    if version >= 7 {
      for (column, row) in SymbolLayout.versionPlaces(size: size).joined() {
        set(column: column, row: row, dark: false)
      }
    }
  }
}

/// The eight mask patterns, one of which is applied to the data modules so that none of them
/// resembles a finder pattern (ISO/IEC 18004:2015, 7.8.2, Table 10).
package enum DataMask {
  /// The period of all patterns in rows and columns.
  package static let period = 12

  /// Whether masks 0 … 7 invert the module at `row % 12 * 12 + column % 12`.
  package static let patterns: [[Bool]] = (0..<8).map { mask in
    (0..<period * period).map { isTurned(row: $0 / period, column: $0 % period, by: mask) }
  }

  private static func isTurned(row i: Int, column j: Int, by mask: Int) -> Bool {
    switch mask {
    case 0: (i + j) % 2 == 0
    case 1: i % 2 == 0
    case 2: j % 3 == 0
    case 3: (i + j) % 3 == 0
    case 4: (i / 2 + j / 3) % 2 == 0
    case 5: i * j % 2 + i * j % 3 == 0
    case 6: (i * j % 2 + i * j % 3) % 2 == 0
    default: ((i + j) % 2 + i * j % 3) % 2 == 0
    }
  }
}

/// The words that a symbol carries about itself, with their check bits (ISO/IEC 18004:2015, 7.9.1
/// and 7.10).
package enum SymbolWords {
  /// Returns the 15 bits of the format information as drawn: level and mask with ten check bits,
  /// masked (Annex C).
  ///
  /// - Parameter mask: 0 … 7.
  package static func format(level: BlockStructure.Level, mask: Int) -> UInt32 {
    // Table 12.
    let bits: UInt32 =
      switch level {
      case .low: 0b01
      case .medium: 0b00
      case .quartile: 0b11
      case .high: 0b10
      }
    return checked(bits << 3 | UInt32(mask), checkBits: 10, generator: 0x537) ^ 0x5412
  }

  /// Returns the 18 bits of the version information: the version with twelve check bits (Annex D).
  ///
  /// - Parameter version: 7 … 40; smaller symbols have none.
  package static func version(_ version: Int) -> UInt32 {
    checked(UInt32(version), checkBits: 12, generator: 0x1F25)
  }

  /// Returns the data bits followed by the remainder of their division by the generator polynomial.
  static func checked(_ data: UInt32, checkBits: Int, generator: UInt32) -> UInt32 {
    var remainder = data
    for _ in 0..<checkBits {
      remainder = remainder << 1 ^ (remainder >> (checkBits - 1) & 1) * generator
    }
    return data << checkBits | remainder
  }
}
