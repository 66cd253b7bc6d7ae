public import Foundation

/// The name of one issued code: `c-` and a ULID, for example `c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E`.
///
/// A ULID is 48 bits of Unix time in milliseconds and 80 random bits in Crockford's base 32, so
/// that names sort by time of issue and two stations never make the same one.
public struct CodeID: Hashable, Sendable, CustomStringConvertible {
  /// The name as text.
  public let description: String

  /// Creates a new name.
  ///
  /// - Parameters:
  ///   - date: The time of issue; times before 1970 count as 1970.
  ///   - previous: The last name made. A name of the same millisecond follows it, so that the rows
  ///     of one file sort in order of issue.
  ///   - generator: The source of the random bits.
  public init(
    at date: Date, after previous: CodeID? = nil, using generator: inout some RandomNumberGenerator
  ) {
    let time = UInt64(clamping: max(0, date.millisecondsSince1970)) & 0xFFFF_FFFF_FFFF
    if let former = previous?.value, (UInt128(time)...UInt128(time) + 1).contains(former >> 80) {
      // If the random part of a millisecond overflows, the next millisecond is used.
      let step = UInt128(UInt64.random(in: 1...0xFFFF_FFFF_FFFF, using: &generator))
      let (following, isTooLarge) = former.addingReportingOverflow(step)
      if !isTooLarge {
        self.init(value: following)
        return
      }
    }
    let high = UInt16.random(in: .min ... .max, using: &generator)
    let low = UInt64.random(in: .min ... .max, using: &generator)
    self.init(value: UInt128(time) << 80 | UInt128(high) << 64 | UInt128(low))
  }

  /// Creates a new name with the system's random bits.
  ///
  /// - Parameters:
  ///   - date: The time of issue; times before 1970 count as 1970.
  ///   - previous: The last name made; a name of the same millisecond follows it.
  public init(at date: Date, after previous: CodeID? = nil) {
    var generator = SystemRandomNumberGenerator()
    self.init(at: date, after: previous, using: &generator)
  }

  /// Reads a name, or returns `nil` when `text` is not `c-` and 26 characters of Crockford's base
  /// 32. Lower case is read as upper case, `O` as `0`, `I` and `L` as `1`, because names are read
  /// out and typed.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 28, bytes[0] == UInt8(ascii: "c") || bytes[0] == UInt8(ascii: "C"),
      bytes[1] == UInt8(ascii: "-")
    else { return nil }
    guard let characters = Self.plain(bytes.dropFirst(2)),
      characters[0] <= UInt8(ascii: "7")  // no more than 128 bits
    else { return nil }
    description = "c-" + String(decoding: characters, as: UTF8.self)
  }

  /// The last six characters: 30 random bits, short enough for the small print of a sign.
  public var tail: String { String(description.suffix(Self.tailLength)) }

  /// Reads a tail as names are read; `nil` when `text` is not six characters of their alphabet.
  package static func tail(_ text: some StringProtocol) -> String? {
    guard text.utf8.count == tailLength, let characters = plain(text.utf8) else { return nil }
    return String(decoding: characters, as: UTF8.self)
  }

  private static let tailLength = 6

  /// Reads characters of Crockford's base 32; `nil` if one is another.
  private static func plain(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var characters: [UInt8] = []
    for byte in text {
      let upper = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
      let plain =
        switch upper {
        case UInt8(ascii: "O"): UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
        default: upper
        }
      guard alphabet.contains(plain) else { return nil }
      characters.append(plain)
    }
    return characters
  }

  /// Writes 128 bits as 26 characters of five: two zero bits, the time, then the random part.
  private init(value: UInt128) {
    var bits = value
    var characters = [UInt8](repeating: 0, count: 26)
    for position in characters.indices.reversed() {
      characters[position] = Self.alphabet[Int(bits & 31)]
      bits >>= 5
    }
    description = "c-" + String(decoding: characters, as: UTF8.self)
  }

  /// The time and the random part as one number.
  private var value: UInt128 {
    description.utf8.dropFirst(2).reduce(0) { value, character in
      value << 5 | UInt128(Self.alphabet.firstIndex(of: character) ?? 0)
    }
  }

  static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
}

extension Date {
  /// Whole milliseconds since 1970, the unit in which the registry keeps time.
  var millisecondsSince1970: Int64 {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
  }

  /// Creates the date at a number of milliseconds after 1970.
  init(millisecondsSince1970 milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// The date rounded down to whole milliseconds, the registry's precision.
  var inWholeMilliseconds: Date { Date(millisecondsSince1970: millisecondsSince1970) }
}
