/// The eight patterns of which one is laid over the data modules, so that none of them happens to
/// look like a finder pattern (ISO/IEC 18004:2015, 7.8.2, Table 10).
package enum DataMask {
  /// All patterns repeat after this many rows and columns.
  package static let period = 12

  /// For masks 0 … 7 whether it turns over the module at `row % 12 * 12 + column % 12`.
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
