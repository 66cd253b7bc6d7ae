import CliptagBasics

/// Percent-encoding according to RFC 3986 (sections 2.1, 2.3 and 6.2.2).
enum PercentEscapes {
  /// One byte as an escape, in upper case.
  static func escape(_ byte: UInt8) -> String { "%" + byte.hexadecimal(digits: 2) }

  /// The normal form: unreserved characters unescaped, other escapes in upper case, bytes beyond
  /// ASCII escaped. The result is pure ASCII.
  ///
  /// - Parameter text: Text whose escapes are known to be well formed.
  static func normalize(_ text: some Collection<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = escapedByte(after: rest) {
        rest = rest.dropFirst(2)
        if value.isUnreserved {
          result.append(value)
        } else {
          appendEscape(of: value, to: &result)
        }
      } else if byte >= 0x80 {
        appendEscape(of: byte, to: &result)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text with escapes decoded, or the text unchanged if they are not UTF-8.
  static func decode(_ text: some StringProtocol) -> String {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = escapedByte(after: rest) {
        rest = rest.dropFirst(2)
        result.append(value)
      } else {
        result.append(byte)
      }
    }
    return String(validating: result, as: UTF8.self) ?? String(text)
  }

  private static func escapedByte(after rest: some Collection<UInt8>) -> UInt8? {
    var digits = rest.makeIterator()
    guard let high = digits.next()?.hexadecimalValue, let low = digits.next()?.hexadecimalValue
    else { return nil }
    return high << 4 | low
  }

  private static func appendEscape(of byte: UInt8, to result: inout [UInt8]) {
    result.append(0x25)
    result.append(hexadecimalOf: byte)
  }
}

extension UInt8 {
  var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether the byte is an unreserved character (RFC 3986, section 2.3).
  package var isUnreserved: Bool {
    isASCIILetter || isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
      || self == UInt8(ascii: "_") || self == UInt8(ascii: "~")
  }
}
