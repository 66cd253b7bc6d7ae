/// A QR Code symbol (ISO/IEC 18004, model 2): a square of dark and light modules, without its
/// quiet zone.
///
/// The bytes are encoded exactly as given, by libqrencode. The segments are planned so that the version is the
/// smallest possible; where that version leaves room, error correction is raised without making
/// the symbol larger.
public struct QRSymbol: Hashable, Sendable {
  /// The encoded bytes; UTF-8 for text.
  public let bytes: [UInt8]
  /// The version, 1 to 40.
  public let version: Int
  /// The level of error correction in use: the requested one, or a stronger one that fits without a
  /// larger version.
  public let errorCorrection: ErrorCorrection
  /// The segments that the bytes were split into, with their modes.
  public let segments: [Segment]
  /// One byte per module, row by row, 1 for dark.
  package let modules: [UInt8]

  /// The number of modules on a side, 21 to 177, without the quiet zone.
  public var size: Int { SymbolCapacity.modules(version: version) }

  /// Returns whether the module in column `x` and row `y`, counted from the top left, is dark.
  ///
  /// All modules outside the symbol are light, like the quiet zone.
  public func isDark(x: Int, y: Int) -> Bool {
    let size = size
    guard x >= 0, y >= 0, x < size, y < size else { return false }
    return modules[y * size + x] != 0
  }

  /// Creates the smallest symbol for a text, encoded as UTF-8.
  ///
  /// - Parameters:
  ///   - text: The text, 1 to 2,953 bytes (2,331 at level M); up to 7,089 digits. No ECI header is
  ///     written: readers assume UTF-8, and a URL is ASCII.
  ///   - minimumErrorCorrection: The lowest level of error correction that the symbol may have.
  ///   - raiseErrorCorrection: Whether a stronger level is used if the version stays the same.
  ///   - minimumVersion: The smallest version to use, 1 to 40.
  ///   - maximumVersion: The largest version to use, `minimumVersion` to 40.
  /// - Throws: ``QRSymbolError``; for `tooLong`, `room` is the version and level that would hold
  ///   the text.
  public init(
    _ text: String, minimumErrorCorrection: ErrorCorrection = .medium,
    raiseErrorCorrection: Bool = true, minimumVersion: Int = 1, maximumVersion: Int = 40
  ) throws(QRSymbolError) {
    try self.init(
      bytes: Array(text.utf8), minimumErrorCorrection: minimumErrorCorrection,
      raiseErrorCorrection: raiseErrorCorrection, minimumVersion: minimumVersion,
      maximumVersion: maximumVersion)
  }

  /// Creates the smallest symbol for bytes, kept verbatim.
  ///
  /// The parameters and errors are those of the initialiser for text.
  public init(
    bytes: [UInt8], minimumErrorCorrection: ErrorCorrection = .medium,
    raiseErrorCorrection: Bool = true, minimumVersion: Int = 1, maximumVersion: Int = 40
  ) throws(QRSymbolError) {
    let plan = try SymbolPlan(
      bytes: bytes, minimumErrorCorrection: minimumErrorCorrection,
      raiseErrorCorrection: raiseErrorCorrection, minimumVersion: minimumVersion,
      maximumVersion: maximumVersion)
    try self.init(bytes: bytes, plan: plan)
  }

  /// Draws a planned symbol with libqrencode.
  init(
    bytes: [UInt8], plan: SymbolPlan, calls: EncoderCalls = EncoderCalls()
  ) throws(QRSymbolError) {
    var encoder = try SymbolEncoder(
      version: plan.version, errorCorrection: plan.errorCorrection, calls: calls)
    for segment in plan.segments {
      try encoder.append(bytes[segment.range], mode: segment.mode)
    }
    modules = try encoder.modules()
    self.bytes = bytes
    self.version = plan.version
    self.errorCorrection = plan.errorCorrection
    self.segments = plan.segments
  }

  /// The number of bits of all segments with their headers, without terminator and padding.
  public var bitCount: Int { segments.reduce(0) { $0 + $1.bits(version: version) } }

  /// Returns the number of data bits that a symbol holds before error correction (ISO/IEC
  /// 18004:2015, table 7).
  ///
  /// - Parameters:
  ///   - version: the version, 1 to 40.
  ///   - errorCorrection: the level.
  /// - Precondition: `version` is 1 to 40.
  public static func capacity(version: Int, errorCorrection: ErrorCorrection) -> Int {
    SymbolCapacity.bits(version: version, errorCorrection: errorCorrection)
  }

  /// Returns the number of data bits that this symbol would have left at a level; negative if the
  /// text does not fit. The terminator needs none of them: it is truncated at the end of the
  /// capacity.
  public func spareBits(at level: ErrorCorrection) -> Int {
    Self.capacity(version: version, errorCorrection: level) - bitCount
  }

  /// The mask pattern that libqrencode chose, 0 to 7 (ISO/IEC 18004:2015, 7.8).
  ///
  /// The format information beside the top left finder pattern contains it. Its 15 bits are masked
  /// with 101010000010010; the mask pattern is the third to the fifth of them.
  public var mask: Int {
    let stored = (2...4).reduce(0) { $0 << 1 | (isDark(x: $1, y: 8) ? 1 : 0) }
    return stored ^ 0b101
  }
}

extension QRSymbol {
  /// The level of error correction: the share of codewords that can be restored (ISO/IEC 18004,
  /// 7.5.1).
  ///
  /// The raw value is the letter used in the standard and in the command's JSON.
  public enum ErrorCorrection: String, CaseIterable, Comparable, Hashable, Codable, Sendable {
    /// Level L: about 7 % of the codewords can be restored.
    case low = "L"
    /// Level M: about 15 %.
    case medium = "M"
    /// Level Q: about 25 %.
    case quartile = "Q"
    /// Level H: about 30 %.
    case high = "H"

    /// Returns whether `first` restores less than `second`.
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
