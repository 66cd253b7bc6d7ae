/// The penalties of a symbol by the rule of libqrencode (ISO/IEC 18004:2015, 7.8.3), for all
/// modules of a row at a time: rows and columns are words, the first module in the lowest bit.
struct ProbePenalty {
  let size: Int

  /// The penalty of one symbol, which is given twice, as rows and as columns.
  func penalty(rows: [UInt64], columns: [UInt64]) -> Int {
    let inside: UInt64 = 1 << UInt64(size) - 1
    var points = 0
    var dark = 0
    var above: UInt64 = 0
    for y in 0..<size {
      let row = rows[y]
      points += runs(row) + runs(~row & inside) + finders(row)
      points += runs(columns[y]) + runs(~columns[y] & inside) + finders(columns[y])
      dark += row.nonzeroBitCount
      if y > 0 {
        let same = ~(row ^ above)
        let squares = same & same >> 1 & ~(row ^ row >> 1) & inside >> 1
        points += 3 * squares.nonzeroBitCount
      }
      above = row
    }
    let modules = size * size
    let percent = (200 * dark + modules) / modules / 2
    return points + abs(percent - 50) / 5 * 10
  }

  /// The penalty for runs: three points for five modules of one colour in a row, and one for each
  /// further module.
  private func runs(_ line: UInt64) -> Int {
    let pairs = line & line >> 1
    let fives = pairs & pairs >> 2 & line >> 4
    return fives.nonzeroBitCount + 2 * (fives & ~(fives << 1)).nonzeroBitCount
  }

  /// The penalty for finder-like patterns: forty points for each with four light modules on either
  /// side, also at double width. Modules outside the symbol are light.
  private func finders(_ line: UInt64) -> Int {
    let single = line << 8
    let light = ~single
    let cores =
      single & single >> 2 & single >> 3 & single >> 4 & single >> 6
      & light >> 1 & light >> 5 & light >> 7 & light << 1
    var found = 0
    if cores != 0 {
      let before = light << 2 & light << 3 & light << 4
      let after = light >> 8 & light >> 9 & light >> 10
      found = (cores & (before | after)).nonzeroBitCount
    }
    let dark = single & single >> 1
    let gap = light & light >> 1
    let wide =
      dark & gap >> 2 & dark >> 4 & dark >> 6 & dark >> 8 & gap >> 10 & dark >> 12
      & light << 1 & light >> 14
    if wide != 0 {
      let before = gap << 3 & gap << 5 & gap << 7 & gap << 8
      let after = gap >> 14 & gap >> 16 & gap >> 18 & gap >> 20
      found += (wide & (before | after)).nonzeroBitCount
    }
    return 40 * found
  }
}
