extension QRSymbol {
  /// How much of a symbol may be unreadable before its text is lost (ISO/IEC 18004, 7.5.1).
  ///
  /// The raw value is the letter that people and the command's JSON use.
  public enum ErrorCorrection: String, CaseIterable, Comparable, Hashable, Codable, Sendable {
    /// Level L: about 7 % of the codewords can be restored.
    case low = "L"
    /// Level M: about 15 %.
    case medium = "M"
    /// Level Q: about 25 %.
    case quartile = "Q"
    /// Level H: about 30 %.
    case high = "H"

    /// Whether `first` restores less than `second`.
    public static func < (first: Self, second: Self) -> Bool { first.strength < second.strength }

    /// 0 for L to 3 for H.
    var strength: Int {
      switch self {
      case .low: 0
      case .medium: 1
      case .quartile: 2
      case .high: 3
      }
    }

    /// The levels that restore more than this one, strongest first.
    var stronger: [Self] { Self.allCases.filter { $0 > self }.reversed() }
  }
}
