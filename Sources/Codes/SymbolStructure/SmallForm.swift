import Synchronization

/// The forms of the symbols with one finder pattern.
package enum SmallForm: Hashable, Sendable {
  /// Micro QR Code of version M1 to M4, 1 … 4 (ISO/IEC 18004:2015, 5.3).
  case micro(version: Int)
  /// rMQR Code by its version indicator, 0 … 31 (ISO/IEC 23941:2022, Table 1).
  case rectangular(indicator: Int)

  /// The number of modules in a row and in a column.
  package var size: (width: Int, height: Int) {
    switch self {
    case .micro(let version): (9 + 2 * version, 9 + 2 * version)
    case .rectangular(let indicator): Self.rectangles[indicator]
    }
  }

  /// The sizes of rMQR Code by version indicator.
  private static let rectangles: [(width: Int, height: Int)] =
    [43, 59, 77, 99, 139].map { ($0, 7) } + [43, 59, 77, 99, 139].map { ($0, 9) }
    + [27, 43, 59, 77, 99, 139].map { ($0, 11) } + [27, 43, 59, 77, 99, 139].map { ($0, 13) }
    + [43, 59, 77, 99, 139].map { ($0, 15) } + [43, 59, 77, 99, 139].map { ($0, 17) }
}

/// The properties that the format information of a small symbol states.
package struct SmallFormat: Hashable, Sendable {
  /// The form of the symbol.
  package let form: SmallForm
  /// The level of error correction; `nil` for M1, which only detects errors.
  package let level: BlockStructure.Level?
  /// The index of the mask in ``DataMask/patterns``.
  package let mask: Int
  /// The word as drawn, with check bits and masked: one for each of ``SmallLayout/formatPlaces``.
  package let words: [UInt32]

  /// The 32 formats of Micro QR Code (ISO/IEC 18004:2015, 7.9.2, Table 13).
  package static let micro: [SmallFormat] = [
    (1, nil), (2, .low), (2, .medium), (3, .low), (3, .medium), (4, .low), (4, .medium),
    (4, .quartile),
  ].enumerated().flatMap { number, symbol -> [SmallFormat] in
    // Table 10: four of the masks, in the order of those of QR Code.
    [1, 4, 6, 7].enumerated().map { reference, mask in
      let word = SymbolWords.checked(
        UInt32(number << 2 | reference), checkBits: 10, generator: 0x537)
      return SmallFormat(
        form: .micro(version: symbol.0), level: symbol.1, mask: mask, words: [word ^ 0x4445])
    }
  }

  /// The 64 formats of rMQR Code (ISO/IEC 23941:2022, 7.9), all with the same mask.
  package static let rectangular: [SmallFormat] = [BlockStructure.Level.medium, .high].enumerated()
    .flatMap { bit, level in
      (0..<32).map { indicator in
        let word = SymbolWords.checked(
          UInt32(bit << 5 | indicator), checkBits: 12, generator: 0x1F25)
        return SmallFormat(
          form: .rectangular(indicator: indicator), level: level, mask: 4,
          words: [word ^ 0x1FAB2, word ^ 0x20A7B])
      }
    }
}

/// The layout of the modules of a small symbol.
package struct SmallLayout: Sendable {
  /// The number of modules in a row.
  package let width: Int
  /// The number of modules in a column.
  package let height: Int
  /// Whether each module of the function patterns is dark, row by row; `nil` for format information
  /// and data.
  package let patterns: [Bool?]
  /// The coordinates (column, row) of the bits of the format information, highest first, for each
  /// copy.
  package let formatPlaces: [[(column: Int, row: Int)]]
  /// The modules of the codewords, beginning with the first bit of the first codeword, then the
  /// remainder bits, which belong to no codeword.
  package let dataModules: [SymbolLayout.DataModule]

  /// Returns the layout of a form; computed once.
  package static func of(_ form: SmallForm) -> SmallLayout {
    layouts.withLock { layouts in
      if let known = layouts[form] { return known }
      let layout = SmallLayout(form)
      layouts[form] = layout
      return layout
    }
  }

  private static let layouts = Mutex<[SmallForm: SmallLayout]>([:])

  private init(_ form: SmallForm) {
    (width, height) = form.size
    var grid = FunctionGrid(width: width, height: height)
    switch form {
    case .micro: grid.addMicroPatterns()
    case .rectangular: grid.addRectangularPatterns()
    }
    patterns = zip(grid.isTaken, grid.isDark).map { $0 ? $1 : nil }
    formatPlaces = Self.formatPlaces(of: form)
    for (column, row) in formatPlaces.joined() { grid.set(column: column, row: row, dark: false) }
    let last =
      switch form {
      case .micro: width - 1
      case .rectangular: width - 2
      }
    dataModules = grid.placement(columns: Array(stride(from: last, to: 0, by: -2)))
  }

  /// Returns the coordinates of the bits of the format information, highest first, for each copy
  /// (ISO/IEC 18004:2015, Figure 26; ISO/IEC 23941:2022, 7.9.2). Those of the first are the same for
  /// all forms of a kind.
  package static func formatPlaces(of form: SmallForm) -> [[(column: Int, row: Int)]] {
    switch form {
    case .micro:
      return [(1...8).map { ($0, 8) } + (1...7).reversed().map { (8, $0) }]
    case .rectangular:
      let (width, height) = form.size
      let beside =
        [3, 2, 1].map { (column: 11, row: $0) }
        + [10, 9, 8].flatMap { column in [5, 4, 3, 2, 1].map { (column: column, row: $0) } }
      let far =
        [3, 4, 5].map { (column: width - $0, row: height - 6) }
        + [6, 7, 8].flatMap { column in
          (2...6).map { (column: width - column, row: height - $0) }
        }
      return [beside, far]
    }
  }
}

extension FunctionGrid {
  /// Adds the patterns of Micro QR Code (ISO/IEC 18004:2015, 6.3.2).
  fileprivate mutating func addMicroPatterns() {
    for position in 0..<width {
      set(column: position, row: 0, dark: position % 2 == 0)
      set(column: 0, row: position, dark: position % 2 == 0)
    }
    addSquares(column: 3, row: 3, reach: 4, lightRings: [2, 4])
  }

  /// Adds the patterns of rMQR Code (ISO/IEC 23941:2022, 6.3).
  fileprivate mutating func addRectangularPatterns() {
    let alignments = Self.alignments[width] ?? []
    for column in 0..<width {
      for row in [0, height - 1] { set(column: column, row: row, dark: column % 2 == 0) }
    }
    for row in 0..<height {
      for column in [0, width - 1] + alignments {
        set(column: column, row: row, dark: row % 2 == 0)
      }
    }
    for column in alignments {
      for row in [1, height - 2] {
        addSquares(column: column, row: row, reach: 1, lightRings: [0])
      }
    }
    // The corners at the top right and at the bottom left.
    for (column, row, dark) in [(1, 0, true), (2, 0, true), (1, 1, true), (2, 1, false)] {
      set(column: width - column, row: row, dark: dark)
    }
    for column in 0..<3 { set(column: column, row: height - 1, dark: true) }
    if height >= 11 {
      set(column: 0, row: height - 2, dark: true)
      set(column: 1, row: height - 2, dark: false)
    }
    addSquares(column: width - 3, row: height - 3, reach: 2, lightRings: [1])
    addSquares(column: 3, row: 3, reach: 4, lightRings: [2, 4])
  }

  /// The columns of the centres of the alignment patterns of rMQR Code by width (ISO/IEC
  /// 23941:2022, Annex D).
  private static let alignments: [Int: [Int]] = [
    27: [], 43: [21], 59: [19, 39], 77: [25, 51], 99: [23, 49, 75], 139: [27, 55, 83, 111],
  ]
}

extension BlockStructure {
  /// The blocks of a small symbol (ISO/IEC 18004:2015, Table 9; ISO/IEC 23941:2022, Table 8).
  package init(_ format: SmallFormat) {
    switch (format.form, format.level) {
    case (.micro(1), _):
      self.init(count: 1, checkCount: 2, codewords: 5, misdecodeProtection: 2)
    case (.micro(2), .medium):
      self.init(count: 1, checkCount: 6, codewords: 10, misdecodeProtection: 2)
    case (.micro(2), _):
      self.init(count: 1, checkCount: 5, codewords: 10, misdecodeProtection: 3)
    case (.micro(3), .medium): self.init(count: 1, checkCount: 8, codewords: 17)
    case (.micro(3), _):
      self.init(count: 1, checkCount: 6, codewords: 17, misdecodeProtection: 2)
    case (.micro, .quartile): self.init(count: 1, checkCount: 14, codewords: 24)
    case (.micro, .medium): self.init(count: 1, checkCount: 10, codewords: 24)
    case (.micro, _): self.init(count: 1, checkCount: 8, codewords: 24, misdecodeProtection: 2)
    case (.rectangular(let indicator), let level):
      let (count, checkCount) = Self.rectangular[level == .high ? 1 : 0][indicator]
      self.init(
        count: count, checkCount: checkCount,
        codewords: SmallLayout.of(format.form).dataModules.count / 8)
    }
  }

  /// The number of blocks and of check codewords in each, for levels M and H of rMQR Code.
  private static let rectangular: [[(Int, Int)]] = [
    [
      (1, 7), (1, 9), (1, 12), (1, 16), (1, 24), (1, 9), (1, 12), (1, 18), (1, 24), (2, 18),
      (1, 8), (1, 12), (1, 16), (1, 24), (2, 16), (2, 24), (1, 9), (1, 14), (1, 22), (2, 16),
      (2, 20), (3, 20), (1, 18), (1, 26), (2, 18), (2, 24), (3, 24), (1, 22), (2, 16), (2, 22),
      (3, 20), (4, 20),
    ],
    [
      (1, 10), (1, 14), (1, 22), (1, 30), (2, 22), (1, 14), (1, 22), (2, 16), (2, 22), (3, 22),
      (1, 10), (1, 20), (2, 16), (2, 22), (2, 30), (3, 30), (1, 14), (1, 28), (2, 20), (2, 28),
      (3, 26), (4, 28), (2, 18), (2, 24), (3, 24), (4, 22), (5, 26), (2, 20), (2, 30), (3, 28),
      (4, 26), (6, 26),
    ],
  ]
}
