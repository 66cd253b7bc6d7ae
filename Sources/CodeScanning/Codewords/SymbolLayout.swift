import Synchronization

/// What stands where in a symbol of one version (ISO/IEC 18004:2015, 6.3 and 7.7.3).
struct SymbolLayout: Sendable {
  /// A module that holds one bit of a codeword.
  struct DataModule: Sendable {
    /// Row times size plus column.
    let index: Int32
    /// Its place in ``DataMask/patterns``.
    let maskIndex: UInt8
  }

  /// 1 … 40.
  let version: Int
  /// Modules on a side.
  let size: Int
  /// The modules of the codewords, the first bit of the first codeword first, then the remainder
  /// bits that belong to none.
  let dataModules: [DataModule]
  /// The function patterns, row by row; format and version information and data are light.
  let functionPatterns: [Bool]

  /// The layout of a version of 1 … 40; made once.
  static func of(version: Int) -> SymbolLayout {
    layouts.withLock { layouts in
      if let known = layouts[version] { return known }
      let layout = SymbolLayout(version: version)
      layouts[version] = layout
      return layout
    }
  }

  private static let layouts = Mutex<[Int: SymbolLayout]>([:])

  /// Codewords of a symbol of this version, data and check together (Table 1).
  static func codewordCount(version: Int) -> Int {
    let size = 17 + 4 * version
    var modules = size * size - 3 * 64 - 2 * (size - 16) - 31
    if version >= 2 {
      let count = version / 7 + 2
      modules -= (count * count - 3) * 25
      // Those on the timing patterns take five of their modules instead of five more.
      modules += (count - 2) * 2 * 5
    }
    if version >= 7 { modules -= 36 }
    return modules / 8
  }

  /// The rows, and columns, of the centres of the alignment patterns (Annex E, Table E.1).
  static func alignmentCentres(version: Int) -> [Int] {
    guard version >= 2 else { return [] }
    let count = version / 7 + 2
    let step = (version * 8 + count * 3 + 5) / (count * 4 - 4) * 2
    let last = 10 + 4 * version
    return [6] + (0..<count - 1).reversed().map { last - $0 * step }
  }

  private init(version: Int) {
    let size = 17 + 4 * version
    var grid = FunctionGrid(size: size)
    grid.add(version: version)
    self.version = version
    self.size = size
    functionPatterns = grid.isDark
    dataModules = Self.placement(size: size, isTaken: grid.isTaken)
  }

  /// Two columns at a time from right to left, upwards and downwards in turn (7.7.3); the column
  /// of the timing pattern is left out.
  private static func placement(size: Int, isTaken: [Bool]) -> [DataModule] {
    var modules: [DataModule] = []
    var isUpward = true
    for right in stride(from: size - 1, to: 0, by: -2) {
      let right = right <= 6 ? right - 1 : right
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isTaken[row * size + column] {
          let mask = row % DataMask.period * DataMask.period + column % DataMask.period
          modules.append(DataModule(index: Int32(row * size + column), maskIndex: UInt8(mask)))
        }
      }
      isUpward.toggle()
    }
    return modules
  }
}

/// The modules that hold no data, drawn one pattern after the other.
private struct FunctionGrid {
  let size: Int
  var isTaken: [Bool]
  var isDark: [Bool]

  init(size: Int) {
    self.size = size
    isTaken = [Bool](repeating: false, count: size * size)
    isDark = isTaken
  }

  private mutating func set(column: Int, row: Int, dark: Bool) {
    guard (0..<size).contains(column), (0..<size).contains(row) else { return }
    isTaken[row * size + column] = true
    isDark[row * size + column] = dark
  }

  /// Concentric squares around a centre, light where the distance is one of `lightRings`.
  private mutating func addSquares(column: Int, row: Int, reach: Int, lightRings: Set<Int>) {
    for y in -reach...reach {
      for x in -reach...reach {
        let isLight = lightRings.contains(max(abs(x), abs(y)))
        set(column: column + x, row: row + y, dark: !isLight)
      }
    }
  }

  mutating func add(version: Int) {
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
        // Three corners belong to the finder patterns.
        let isNearLeft = column == 6 && (row == 6 || row == size - 7)
        if isNearLeft || (row == 6 && column == size - 7) { continue }
        addSquares(column: column, row: row, reach: 2, lightRings: [1])
      }
    }
    for (column, row) in FormatInformation.places(size: size).joined() {
      set(column: column, row: row, dark: false)
    }
    // One module beside the format information is always dark (7.9.1).
    set(column: 8, row: size - 8, dark: true)
    if version >= 7 {
      for (column, row) in VersionInformation.places(size: size).joined() {
        set(column: column, row: row, dark: false)
      }
    }
  }
}
