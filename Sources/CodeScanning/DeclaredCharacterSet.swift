/// The character set that a QR code declares at its very start by an Extended Channel
/// Interpretation (ISO/IEC 18004:2015, 7.4.2).
///
/// zbar converts the sets it knows and keeps silent about the others: their bytes come out as they
/// are, and would be taken for something else. So the declaration is read from the modules, before
/// error correction, and only where it names a set that zbar does not know.
enum DeclaredCharacterSet {
  /// What the C library calls the sets that zbar does not know, by their ECI assignment number.
  private static let names: [Int: String] = [
    21: "CP1250", 22: "CP1251", 23: "CP1252", 24: "CP1256", 25: "UTF-16BE", 28: "BIG5",
    29: "GB18030", 30: "EUC-KR", 31: "GBK", 32: "GB18030",
  ]

  /// The name of the declared set; `nil` when the symbol declares none that matters here, or where
  /// it stands too far apart to be read this way (the largest symbols only).
  ///
  /// - Parameters:
  ///   - version: the symbol's version.
  ///   - format: its error-correction level and mask.
  ///   - isDark: whether a module is dark, as it stands in the picture.
  static func name(
    version: Int, format: FormatInformation, isDark: (_ column: Int, _ row: Int) -> Bool
  ) -> String? {
    let size = 17 + 4 * version
    let second = blockCount(version: version, level: format.errorCorrection)
    // The last two columns are data from the lower edge up to the format information.
    guard (second + 1) * 8 <= (size - 9) * 2 else { return nil }
    func codeword(_ index: Int) -> Int {
      (0..<8).reduce(0) { word, bit in
        let place = index * 8 + bit
        let (column, row) = (size - 1 - place % 2, size - 1 - place / 2)
        let isSet = isDark(column, row) != isMasked(column, row, by: format.mask)
        return word << 1 | (isSet ? 1 : 0)
      }
    }
    // The first block's codewords stand apart by one of each other block (7.6, Figure 15).
    let bits = codeword(0) << 8 | codeword(second)
    let (mode, designator) = (bits >> 12, bits >> 4 & 0xFF)
    return mode == 0b0111 ? names[designator] : nil
  }

  /// Whether the mask turns a module over (Table 10).
  private static func isMasked(_ j: Int, _ i: Int, by mask: Int) -> Bool {
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

  /// Number of error-correction blocks (Table 9).
  private static func blockCount(version: Int, level: DecodedCode.ErrorCorrection) -> Int {
    let counts =
      switch level {
      case .low:
        [
          1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13,
          14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
        ]
      case .medium:
        [
          1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23,
          25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
        ]
      case .quartile:
        [
          1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29,
          34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
        ]
      case .high:
        [
          1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35,
          37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
        ]
      }
    return counts[version - 1]
  }
}
