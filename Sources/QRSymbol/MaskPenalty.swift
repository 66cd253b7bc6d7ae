/// The penalty points by which the mask of a symbol is chosen (ISO/IEC 18004:2015, 7.8.3), counted
/// in up to 64 lines at a time.
///
/// The rules are those of libqrencode 4, which reads the standard like this: a pattern of dark and
/// light modules in the proportion 1 : 1 : 3 : 1 : 1 counts at every scale, if there are light
/// modules of four times the scale on one side of it or nothing dark up to the edge; and the share
/// of dark modules counts in whole steps of five percent.
enum MaskPenalty {
  /// Returns the points of a symbol.
  static func points(of modules: ModuleLines) -> Int {
    var points = shareOfDark(modules)
    for word in 0..<modules.wordsPerLine {
      // A bit of each column is a row, and the other way round.
      modules.withColumns(word) { points += CrossedLines(dark: $0, word: word).runsAndFinders }
      modules.withRows(word) { points += CrossedLines(dark: $0, word: word).runsAndFinders }
    }
    return points + 3 * squares(modules)
  }

  /// Ten points for every five percent by which the share of dark modules is not one half.
  private static func shareOfDark(_ modules: ModuleLines) -> Int {
    let count = modules.size * modules.size
    let percent = (200 * modules.darkCount + count) / count / 2
    return abs(percent - 50) / 5 * 10
  }

  /// Returns the number of squares of two by two modules of one colour; they may overlap.
  private static func squares(_ modules: ModuleLines) -> Int {
    let (size, words) = (modules.size, modules.wordsPerLine)
    return modules.rows.withUnsafeBufferPointer { rows in
      var count = 0
      for word in 0..<words {
        // The last module of a row has none beside it.
        let inside = lowestBits(size - 1 - word * 64)
        let first = word * size
        for index in first + 1..<first + size {
          let (above, current) = (rows[index - 1], rows[index])
          let hasNext = word + 1 < words
          let besideAbove = above >> 1 | (hasNext ? rows[index - 1 + size] << 63 : 0)
          let beside = current >> 1 | (hasNext ? rows[index + size] << 63 : 0)
          let isSame = ~((above ^ current) | (current ^ beside) | (above ^ besideAbove))
          count += (isSame & inside).nonzeroBitCount
        }
      }
      return count
    }
  }

  /// Returns a word whose lowest bits are set.
  fileprivate static func lowestBits(_ count: Int) -> UInt64 {
    count >= 64 ? .max : count <= 0 ? 0 : 1 << UInt64(count) - 1
  }
}

/// Up to 64 lines of modules next to each other: a word has the modules of all of them at one
/// position, 1 for dark.
private struct CrossedLines {
  /// The words, position by position.
  let dark: UnsafeBufferPointer<UInt64>
  /// The number of the first line, in words.
  let word: Int

  private var size: Int { dark.count }

  /// Three points for five modules of one colour in a line and one for each further module; forty
  /// for each resemblance of a finder pattern.
  var runsAndFinders: Int { runs + 40 * finders }

  private var runs: Int {
    let inside = MaskPenalty.lowestBits(size - word * 64)
    var points = 0
    // Whether two modules of one colour end at a position; three, there and before; and five.
    var two: UInt64 = 0
    var (three, threeBefore): (UInt64, UInt64) = (0, 0)
    var five: UInt64 = 0
    for position in 1..<size {
      let same = ~(dark[position] ^ dark[position - 1]) & inside
      let next = same & two & threeBefore
      points += next.nonzeroBitCount + 2 * (next & ~five).nonzeroBitCount
      (two, three, threeBefore, five) = (same, same & two, three, next)
    }
    return points
  }

  private var finders: Int {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 3 * size) { scratch in
      // Where as many modules of one colour begin as the scale says.
      let darkRuns = UnsafeMutableBufferPointer(rebasing: scratch[..<size])
      let lightRuns = UnsafeMutableBufferPointer(rebasing: scratch[size..<2 * size])
      let patterns = UnsafeMutableBufferPointer(rebasing: scratch[(2 * size)...])
      for position in 0..<size {
        darkRuns[position] = dark[position]
        lightRuns[position] = ~dark[position]
      }
      var count = 0
      var scale = 1
      while 7 * scale <= size {
        var (anyMiddle, anyPattern): (UInt64, UInt64) = (0, 0)
        for start in 0...size - 7 * scale {
          let middle =
            darkRuns[start + 2 * scale] & darkRuns[start + 3 * scale] & darkRuns[start + 4 * scale]
          let pattern =
            middle & darkRuns[start] & lightRuns[start + scale] & lightRuns[start + 5 * scale]
            & darkRuns[start + 6 * scale]
          anyMiddle |= middle
          anyPattern |= pattern
          patterns[start] = pattern
        }
        if anyPattern != 0 {
          for start in 0...size - 7 * scale where patterns[start] != 0 {
            count += isolated(patterns[start], start, scale).nonzeroBitCount
          }
        }
        // A larger pattern has a larger middle.
        guard anyMiddle != 0 else { break }
        for position in 0..<size - scale {
          darkRuns[position] &= dark[position + scale]
          lightRuns[position] &= ~dark[position + scale]
        }
        scale += 1
      }
      return count
    }
  }

  /// Returns those of the patterns at a position that end with their last module and have enough
  /// light modules on one side.
  private func isolated(_ patterns: UInt64, _ start: Int, _ scale: Int) -> UInt64 {
    let end = start + 7 * scale
    var (before, after) = (UInt64.max, UInt64.max)
    for distance in 0..<4 * scale {
      before &= ~module(start - 1 - distance)
      after &= ~module(end + distance)
    }
    return patterns & ~module(start - 1) & ~module(end) & (before | after)
  }

  /// Returns the modules at a position; outside the symbol they are light.
  private func module(_ position: Int) -> UInt64 {
    dark.indices.contains(position) ? dark[position] : 0
  }
}
