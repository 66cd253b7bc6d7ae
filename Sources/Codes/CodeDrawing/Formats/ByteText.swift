import CliptagBasics

/// A file of mostly ASCII text, built from parts without temporary strings.
struct ByteText {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ part: [UInt8]) { bytes.append(contentsOf: part) }

  /// Appends one ASCII character.
  mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

  /// Appends a number in decimal digits.
  mutating func append(_ number: Int) {
    if number < 0 { append("-" as Unicode.Scalar) }
    guard number.magnitude >= 10 else {
      return bytes.append(UInt8(ascii: "0") + UInt8(number.magnitude))
    }
    appendDigits(of: number.magnitude)
  }

  /// Appends bytes as two lower-case hexadecimal digits each.
  mutating func append(hexadecimal part: some Sequence<UInt8>) {
    bytes.append(hexadecimal: part, .small)
  }

  private mutating func appendDigits(of number: UInt) {
    if number >= 10 { appendDigits(of: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Appends two numbers, each followed by a space.
  mutating func append(_ first: Int, _ second: Int) {
    append(first)
    append(" ")
    append(second)
    append(" ")
  }
}

/// Text for the content of an element or an attribute in double quotes, in XML and in HTML: markup
/// is escaped, and control characters that either forbids are replaced.
package func xmlEscaped(_ text: String) -> String {
  var escaped = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
    case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
    case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
    case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
    // A bare carriage return would be read back as a line feed.
    case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
    case "\t", "\n": escaped.append(scalar)
    case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped.append("\u{FFFD}")
    default: escaped.append(scalar)
    }
  }
  return String(escaped)
}
