/// The layout of QR Code Model 1, the predecessor of the current form (AIM ITS/97-001; ISO/IEC
/// 18004:2000, Annex M).
///
/// It has the same finder and timing patterns and format information, except for another mask, and
/// no alignment patterns. A codeword is a rectangle of two by four modules; some of them along the
/// right and lower sides hold extension patterns instead.
package enum Model1Layout {
  /// The versions.
  package static let versions = 1...14
  /// The difference of the masks of the format information of the current form and of Model 1.
  package static let otherMask: UInt32 = 0x5412 ^ 0x2825

  /// Returns the modules of the codewords, beginning with the first bit of the first codeword.
  ///
  /// The first four are the pattern in the lower right corner; the bits are 0.
  ///
  /// - Parameter version: 1 … 14.
  package static func dataModules(version: Int) -> [SymbolLayout.DataModule] {
    let size = 17 + 4 * version
    let last = size - 1
    var modules: [SymbolLayout.DataModule] = []
    /// Adds the codeword whose first module is at a position, leftwards and upwards from there.
    func add(_ column: Int, _ row: Int, width: Int) {
      for bit in 0..<8 {
        modules.append(.init(column: column - bit % width, row: row - bit / width, width: size))
      }
    }
    // Upright codewords below the upper right finder pattern, from the lower right corner upwards.
    let rightRows = (size - 8) / 4
    for place in 0..<rightRows where place % 2 == 1 || place == 0 || place == rightRows - 1 {
      add(last, last - 4 * place, width: 2)
    }
    for place in 0..<rightRows { add(last - 2, last - 4 * place, width: 2) }
    // Flat codewords between the finder patterns; the timing pattern interrupts a column, and the
    // finder pattern is above the first.
    let columns = size / 4 - 3
    let rows = size / 2
    for column in 0..<columns {
      for place in 0..<rows {
        if column == 0 && place >= rows - 4 { continue }
        if column % 2 == 1 && place == 0 && column != columns - 1 { continue }
        add(last - 4 - 4 * column, last - 2 * place - (place >= rows - 3 ? 1 : 0), width: 4)
      }
    }
    // Upright codewords between the left finder patterns, on both sides of the timing pattern.
    for right in [8, 5, 3, 1] {
      for place in 0..<(size - 16) / 4 { add(right, last - 8 - 4 * place, width: 2) }
    }
    return modules
  }

  /// Returns the blocks (Annex M, Table M.4). They have the same length and do not take turns, and
  /// codewords that are left over belong to none.
  ///
  /// - Parameter version: 1 … 14.
  package static func blocks(version: Int, level: BlockStructure.Level) -> BlockStructure {
    let (count, checkCount) = blocks[version - 1][level.rawValue]
    let codewords = dataModules(version: version).count / 8
    return BlockStructure(
      count: count, checkCount: checkCount, codewords: codewords / count * count,
      isInterleaved: false)
  }

  /// The number of blocks and of check codewords in each, for levels L, M, Q and H.
  private static let blocks: [[(Int, Int)]] = [
    [(1, 7), (1, 10), (1, 13), (1, 17)],
    [(1, 10), (1, 16), (1, 22), (1, 30)],
    [(1, 15), (1, 28), (1, 36), (1, 48)],
    [(1, 20), (1, 40), (1, 50), (1, 66)],
    [(1, 26), (1, 52), (1, 66), (2, 44)],
    [(1, 34), (2, 32), (2, 42), (2, 56)],
    [(1, 42), (2, 40), (2, 52), (3, 46)],
    [(2, 24), (2, 48), (2, 64), (3, 56)],
    [(2, 30), (2, 60), (3, 50), (3, 68)],
    [(2, 34), (2, 68), (3, 58), (4, 58)],
    [(2, 40), (4, 40), (4, 52), (5, 54)],
    [(2, 46), (4, 46), (4, 58), (5, 62)],
    [(3, 36), (4, 52), (4, 66), (6, 58)],
    [(3, 40), (4, 60), (5, 60), (6, 66)],
  ]
}
