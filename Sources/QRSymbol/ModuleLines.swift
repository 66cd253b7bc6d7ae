/// The dark modules of a symbol as bits, twice: row by row and column by column.
///
/// A line has ``wordsPerLine`` words, the first 64 modules from the lowest bit of the first one; bits
/// beyond the last module are 0. First come the first words of all lines, then the second ones.
struct ModuleLines: Sendable {
  /// The number of modules on a side.
  let size: Int
  /// The rows from the top.
  private(set) var rows: [UInt64]
  /// The columns from the left.
  private(set) var columns: [UInt64]

  /// The number of words of a row or column.
  var wordsPerLine: Int { Self.wordsPerLine(size: size) }

  /// Creates a symbol of light modules.
  init(size: Int) {
    self.size = size
    rows = [UInt64](repeating: 0, count: size * Self.wordsPerLine(size: size))
    columns = rows
  }

  /// The place of one module in both directions.
  struct Place: Sendable {
    /// The number of the module's bit in the rows.
    let row: UInt16
    /// The number of its bit in the columns.
    let column: UInt16

    /// Describes the module in column `x` and row `y` of a symbol of `size` modules a side.
    init(x: Int, y: Int, size: Int) {
      // 177 rows of 192 bits are fewer than 65,536.
      row = UInt16((x / 64 * size + y) * 64 + x % 64)
      column = UInt16((y / 64 * size + x) * 64 + y % 64)
    }
  }

  private static func wordsPerLine(size: Int) -> Int { (size + 63) / 64 }

  /// Inverts one module.
  mutating func invert(_ place: Place) {
    rows[Int(place.row >> 6)] ^= 1 << UInt64(place.row & 63)
    columns[Int(place.column >> 6)] ^= 1 << UInt64(place.column & 63)
  }

  /// Inverts the modules at the bits of codewords that are set.
  ///
  /// - Parameters:
  ///   - codewords: The codewords; the first bit is the highest one.
  ///   - places: The modules of their bits, in order.
  mutating func invert(bitsOf codewords: [UInt8], at places: [Place]) {
    rows.withUnsafeMutableBufferPointer { rows in
      columns.withUnsafeMutableBufferPointer { columns in
        places.withUnsafeBufferPointer { places in
          for (index, codeword) in codewords.enumerated() {
            var rest = codeword
            while rest != 0 {
              let bit = rest.leadingZeroBitCount
              rest ^= 0x80 >> UInt8(bit)
              let place = places[index * 8 + bit]
              rows[Int(place.row >> 6)] ^= 1 << UInt64(place.row & 63)
              columns[Int(place.column >> 6)] ^= 1 << UInt64(place.column & 63)
            }
          }
        }
      }
    }
  }

  /// Makes this symbol the sum of two of its size: dark where exactly one of them is.
  mutating func set(toSumOf first: ModuleLines, _ second: ModuleLines) {
    for index in rows.indices {
      rows[index] = first.rows[index] ^ second.rows[index]
      columns[index] = first.columns[index] ^ second.columns[index]
    }
  }

  /// The number of dark modules.
  var darkCount: Int { rows.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Calls a function with the words of one number of all rows, from the top.
  func withRows<Result>(_ word: Int, _ use: (UnsafeBufferPointer<UInt64>) -> Result) -> Result {
    rows.withUnsafeBufferPointer {
      use(UnsafeBufferPointer(rebasing: $0[word * size..<(word + 1) * size]))
    }
  }

  /// Calls a function with the words of one number of all columns, from the left.
  func withColumns<Result>(_ word: Int, _ use: (UnsafeBufferPointer<UInt64>) -> Result) -> Result {
    columns.withUnsafeBufferPointer {
      use(UnsafeBufferPointer(rebasing: $0[word * size..<(word + 1) * size]))
    }
  }

  /// One byte per module, row by row, 1 for dark.
  var modules: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size * size) { modules, count in
      for y in 0..<size {
        for x in 0..<size {
          modules[y * size + x] =
            UInt8(truncatingIfNeeded: rows[(x >> 6) * size + y] >> UInt64(x & 63) & 1)
        }
      }
      count = size * size
    }
  }
}
