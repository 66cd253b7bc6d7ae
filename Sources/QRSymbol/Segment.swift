extension QRSymbol {
  /// A stretch of the text that is encoded in one mode (ISO/IEC 18004:2015, 7.4).
  public struct Segment: Hashable, Sendable {
    /// How the bytes of a segment become bits.
    public enum Mode: String, CaseIterable, Hashable, Sendable {
      /// Digits: ten bits for three.
      case numeric
      /// Digits, capital letters and `␠ $ % * + - . / :`: eleven bits for two.
      case alphanumeric
      /// Any bytes: eight bits for one.
      case byte
    }

    /// How the bytes become bits.
    public let mode: Mode
    /// Where the segment lies in the symbol's ``QRSymbol/bytes``; never empty.
    public let range: Range<Int>

    /// The bits the segment takes in a symbol of `version` (1 to 40), with its mode and count.
    public func bits(version: Int) -> Int {
      4 + mode.countBits(version: version) + mode.dataBits(count: range.count)
    }
  }
}

extension QRSymbol.Segment.Mode {
  /// The bits of the character count indicator (ISO/IEC 18004:2015, table 3).
  func countBits(version: Int) -> Int {
    switch self {
    case .numeric: version <= 9 ? 10 : version <= 26 ? 12 : 14
    case .alphanumeric: version <= 9 ? 9 : version <= 26 ? 11 : 13
    case .byte: version <= 9 ? 8 : 16
    }
  }

  /// The bits of `count` characters, without mode and count.
  func dataBits(count: Int) -> Int { (count * sixthsOfABit + 5) / 6 }

  /// What one more character costs; whole bits only at the end of a segment.
  var sixthsOfABit: Int {
    switch self {
    case .numeric: 20
    case .alphanumeric: 33
    case .byte: 48
    }
  }

  /// Whether the mode has a code for the byte.
  func encodes(_ byte: UInt8) -> Bool {
    switch self {
    case .numeric: Self.isDigit(byte)
    case .alphanumeric:
      Self.isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || Self.alphanumericSigns.contains(byte)
    case .byte: true
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static let alphanumericSigns = Array(" $%*+-./:".utf8)
}
