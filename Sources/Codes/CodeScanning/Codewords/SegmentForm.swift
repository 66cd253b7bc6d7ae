import SymbolStructure

/// The lengths and values of the indicators with which segments begin, which depend on the kind of
/// symbol and on its version.
struct SegmentForm: Sendable {
  /// The meaning of a mode indicator.
  enum Mode: Sendable {
    case text(TextKind)
    case structuredAppend, characterSet, fnc1First, fnc1Second, end
  }

  /// The number of bits of the mode indicator.
  let modeBits: Int
  /// The meaning of each mode indicator.
  let modes: [Mode?]
  /// The number of bits of the count of characters, by ``TextKind``.
  private let countBits: [Int]
  /// A Boolean value that indicates whether a numeric segment without characters ends the data.
  var endsWithEmptySegment = false
  /// The number of bits before the first segment.
  var leadingBits = 0

  /// Returns the number of bits of the count of characters.
  func countBits(_ kind: TextKind) -> Int { countBits[kind.rawValue] }

  /// Returns the form of QR Code (ISO/IEC 18004:2015, Tables 2 and 3).
  ///
  /// - Parameter version: 1 … 40.
  static func qr(version: Int) -> SegmentForm {
    let column = version < 10 ? 0 : version < 27 ? 1 : 2
    return SegmentForm(
      modeBits: 4, modes: modesOfQR,
      countBits: [[10, 12, 14], [9, 11, 13], [8, 16, 16], [8, 10, 12]].map { $0[column] })
  }

  private static let modesOfQR: [Mode?] = [
    .end, .text(.numeric), .text(.alphanumeric), .structuredAppend, .text(.byte), .fnc1First, nil,
    .characterSet, .text(.kanji), .fnc1Second, nil, nil, nil, nil, nil, nil,
  ]

  /// Returns the form of QR Code Model 1: the first four bits of its first codeword are a pattern.
  ///
  /// - Parameter version: 1 … 14.
  static func model1(version: Int) -> SegmentForm {
    var form = qr(version: version)
    form.leadingBits = 4
    return form
  }

  /// Returns the form of a small symbol.
  static func small(_ form: SmallForm) -> SegmentForm {
    switch form {
    case .micro(let version):
      // ISO/IEC 18004:2015, Tables 2 and 3.
      let kinds = Array(TextKind.allCases.prefix(version < 3 ? version : 4))
      let modes: [Mode?] = kinds.map { .text($0) }
      return SegmentForm(
        modeBits: version - 1,
        modes: modes + [Mode?](repeating: nil, count: (1 << (version - 1)) - modes.count),
        countBits: [version + 2, version + 1, version + 1, version], endsWithEmptySegment: true)
    case .rectangular(let indicator):
      // ISO/IEC 23941:2022, Tables 2 and 3.
      return SegmentForm(
        modeBits: 3,
        modes: [
          .end, .text(.numeric), .text(.alphanumeric), .text(.byte), .text(.kanji), .fnc1First,
          .fnc1Second, .characterSet,
        ], countBits: rectangularCounts.map { $0[indicator] })
    }
  }

  private static let rectangularCounts = [
    [
      4, 5, 6, 7, 7, 5, 6, 7, 7, 8, 4, 6, 7, 7, 8, 8, 5, 6, 7, 7, 8, 8, 7, 7, 8, 8, 9, 7, 8, 8, 8,
      9,
    ],
    [
      3, 5, 5, 6, 6, 5, 5, 6, 6, 7, 4, 5, 6, 6, 7, 7, 5, 6, 6, 7, 7, 8, 6, 7, 7, 7, 8, 6, 7, 7, 8,
      8,
    ],
    [
      3, 4, 5, 5, 6, 4, 5, 5, 6, 6, 3, 5, 5, 6, 6, 7, 4, 5, 6, 6, 7, 7, 6, 6, 7, 7, 7, 6, 6, 7, 7,
      8,
    ],
    [
      2, 3, 4, 5, 5, 3, 4, 5, 5, 6, 2, 4, 5, 5, 6, 6, 3, 5, 5, 6, 6, 7, 5, 5, 6, 6, 7, 5, 6, 6, 6,
      7,
    ],
  ]
}
