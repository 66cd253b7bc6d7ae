/// One of the symbols over which a message is spread (ISO/IEC 18004:2015, 8).
struct StructuredAppendHeader: Hashable, Sendable {
  /// Its place, 0 being first.
  let index: Int
  /// How many symbols there are, 1 … 16.
  let count: Int
  /// All bytes of the whole message, added up by exclusive or.
  let parity: UInt8
}

/// The segments that corrected data consists of, without their content, which is zbar's to read.
struct DataSegments {
  private(set) var structuredAppend: StructuredAppendHeader?
  /// The ECI assignment number in force when the first character comes, if there is one (7.4.2).
  private(set) var characterSet: Int?
  /// Whether the data is marked as formatted by an industry's rules (FNC1; 7.4.8).
  private(set) var hasFNC1 = false
  /// Whether every segment is of a known kind and ends within the data.
  private(set) var isComplete = false

  /// - Parameters:
  ///   - data: the data codewords.
  ///   - version: the symbol's version, on which the lengths of the counts depend.
  init(_ data: [UInt8], version: Int) {
    var bits = BitReader(data)
    var hasContent = false
    while bits.left >= 4, let mode = bits.read(4), mode != 0 {
      switch mode {
      case 0b0011:
        // Only at the very start (8.2).
        guard bits.position == 4, let index = bits.read(4), let last = bits.read(4),
          let parity = bits.read(8), index <= last
        else { return }
        structuredAppend = StructuredAppendHeader(
          index: index, count: last + 1, parity: UInt8(parity))
      case 0b0111:
        guard let number = bits.readDesignator() else { return }
        if !hasContent { characterSet = number }
      case 0b0101:
        hasFNC1 = true
      case 0b1001:
        hasFNC1 = true
        guard bits.skip(8) else { return }
      default:
        guard let kind = Kind(mode: mode), let count = bits.read(kind.countBits(version)),
          bits.skip(kind.bits(of: count))
        else { return }
        hasContent = true
      }
    }
    isComplete = true
  }

  /// The segments that hold characters.
  private enum Kind {
    case numeric, alphanumeric, byte, kanji

    /// By mode indicator (Table 2).
    init?(mode: Int) {
      switch mode {
      case 0b0001: self = .numeric
      case 0b0010: self = .alphanumeric
      case 0b0100: self = .byte
      case 0b1000: self = .kanji
      default: return nil
      }
    }

    /// Bits of the character count (Table 3).
    func countBits(_ version: Int) -> Int {
      let column = version < 10 ? 0 : version < 27 ? 1 : 2
      return switch self {
      case .numeric: [10, 12, 14][column]
      case .alphanumeric: [9, 11, 13][column]
      case .byte: [8, 16, 16][column]
      case .kanji: [8, 10, 12][column]
      }
    }

    /// Bits of so many characters (7.4.3 to 7.4.6).
    func bits(of count: Int) -> Int {
      switch self {
      case .numeric: count / 3 * 10 + [0, 4, 7][count % 3]
      case .alphanumeric: count / 2 * 11 + count % 2 * 6
      case .byte: count * 8
      case .kanji: count * 13
      }
    }
  }
}

/// The character sets that a QR code declares by an Extended Channel Interpretation and that zbar
/// does not know (ISO/IEC 18004:2015, 7.4.2).
///
/// zbar converts the sets it knows and keeps silent about the others: their bytes come out as they
/// are, and would be taken for something else.
enum DeclaredCharacterSet {
  /// The C library's name of the set with an ECI assignment number; `nil` when zbar knows it, or
  /// nobody does.
  static func name(assignment: Int) -> String? { names[assignment] }

  private static let names: [Int: String] = [
    21: "CP1250", 22: "CP1251", 23: "CP1252", 24: "CP1256", 25: "UTF-16BE", 28: "BIG5",
    29: "GB18030", 30: "EUC-KR", 31: "GBK", 32: "GB18030",
  ]
}

/// Reads numbers of some bits, the highest bit first.
private struct BitReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var left: Int { bytes.count * 8 - position }

  mutating func read(_ count: Int) -> Int? {
    guard count <= left else { return nil }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position / 8] >> (7 - position % 8) & 1)
      position += 1
    }
    return value
  }

  mutating func skip(_ count: Int) -> Bool {
    guard count <= left else { return false }
    position += count
    return true
  }

  /// An ECI assignment number of one, two or three bytes (Table 4).
  mutating func readDesignator() -> Int? {
    guard let first = read(8) else { return nil }
    if first & 0x80 == 0 { return first }
    if first & 0xC0 == 0x80 { return read(8).map { (first & 0x3F) << 8 | $0 } }
    guard first & 0xE0 == 0xC0 else { return nil }
    return read(16).map { (first & 0x1F) << 16 | $0 }
  }
}
