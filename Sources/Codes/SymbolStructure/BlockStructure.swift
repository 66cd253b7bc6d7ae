/// The division of a symbol's codewords into blocks for error correction
/// (ISO/IEC 18004:2015, Table 9 and 7.6).
package struct BlockStructure: Sendable {
  /// One block: `length` codewords, the last `checkCount` of them for error correction.
  package struct Block: Hashable, Sendable {
    /// The number of codewords of the block, at most 255.
    package let length: Int
    /// The number of codewords for error correction.
    package let checkCount: Int
    /// The number of data codewords.
    package var dataCount: Int { length - checkCount }
  }

  /// The levels of error correction in ascending order.
  package enum Level: Int, CaseIterable, Sendable {
    case low, medium, quartile, high
  }

  /// The blocks; the shorter ones come first.
  package let blocks: [Block]
  /// The number of codewords per block that guard against misdecodes and are not used for
  /// correction (Table 9, note: p).
  package let misdecodeProtection: Int

  /// Whether the codewords of the blocks take turns; otherwise the data codewords of one block follow
  /// those of the block before.
  package let isInterleaved: Bool

  /// The number of codewords of the symbol.
  package var codewordCount: Int { blocks.reduce(0) { $0 + $1.length } }

  /// - Parameter version: 1 … 40.
  package init(version: Int, level: Level) {
    self.init(
      count: Self.counts[level.rawValue][version - 1],
      checkCount: Self.checkCounts[level.rawValue][version - 1],
      codewords: SymbolLayout.codewordCount(version: version),
      misdecodeProtection: Self.misdecodeProtection(version: version, level: level))
  }

  /// Divides codewords into blocks of the same number of check codewords, whose lengths differ by at
  /// most one.
  init(
    count: Int, checkCount: Int, codewords: Int, misdecodeProtection: Int = 0,
    isInterleaved: Bool = true
  ) {
    blocks = (0..<count).map { block in
      let isLong = block >= count - codewords % count
      return Block(length: codewords / count + (isLong ? 1 : 0), checkCount: checkCount)
    }
    self.misdecodeProtection = misdecodeProtection
    self.isInterleaved = isInterleaved
  }

  /// Returns the positions of the codewords of each block in the symbol, in the order of the block:
  /// first the data codewords of all blocks in turn, then their check codewords (Figure 15).
  package func places() -> [[Int]] {
    var places = blocks.map { _ in [Int]() }
    var next = 0
    /// Deals codewords to the blocks, each of which takes a number of them.
    func deal(_ counts: [Int]) {
      if isInterleaved {
        for round in 0..<(counts.max() ?? 0) {
          for block in counts.indices where round < counts[block] {
            places[block].append(next)
            next += 1
          }
        }
      } else {
        for (block, count) in counts.enumerated() {
          places[block] += next..<next + count
          next += count
        }
      }
    }
    deal(blocks.map(\.dataCount))
    deal(blocks.map(\.checkCount))
    return places
  }

  private static func misdecodeProtection(version: Int, level: Level) -> Int {
    switch (version, level) {
    case (1, .low): 3
    case (1, .medium), (2, .low): 2
    case (1, _), (3, .low): 1
    default: 0
    }
  }

  /// The number of blocks for versions 1 to 40, for levels L, M, Q and H.
  private static let counts = [
    [
      1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13,
      14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
    ],
    [
      1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23,
      25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
    ],
    [
      1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29,
      34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
    ],
    [
      1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35,
      37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
    ],
  ]

  /// The number of check codewords per block for versions 1 to 40, for levels L, M, Q and H.
  private static let checkCounts = [
    [
      7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30,
      30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    [
      10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28,
      28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ],
    [
      13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30,
      30, 30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    [
      17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30,
      30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
  ]
}
