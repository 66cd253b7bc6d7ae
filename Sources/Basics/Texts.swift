extension [UInt8] {
  /// Appends a text as JSON has it on one line, in double quotes (RFC 8259, section 7).
  ///
  /// Only what JSON or a terminal would take for something else is escaped.
  ///
  /// - Parameter letters: How the numbers of control characters are written.
  package mutating func append(jsonText text: String, _ letters: HexadecimalLetters = .capital) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      // Most text has nothing to escape.
      if !bytes.contains(where: \.needsEscapeInJSON) {
        append(contentsOf: bytes)
      } else {
        for byte in bytes { append(escaped: byte, letters) }
      }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(escaped byte: UInt8, _ letters: HexadecimalLetters) {
    switch byte {
    case UInt8(ascii: "\""): self += "\\\"".utf8
    case UInt8(ascii: "\\"): self += "\\\\".utf8
    case UInt8(ascii: "\n"): self += "\\n".utf8
    case UInt8(ascii: "\r"): self += "\\r".utf8
    case UInt8(ascii: "\t"): self += "\\t".utf8
    case _ where byte.needsEscapeInJSON:
      self += "\\u00".utf8
      append(hexadecimalOf: byte, letters)
    default: append(byte)
    }
  }
}

extension UInt8 {
  fileprivate var needsEscapeInJSON: Bool {
    self < 0x20 || self == 0x7F || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension [String] {
  /// The texts as a line of a CSV file, with CRLF; those in quotation marks that need them (RFC 4180,
  /// section 2), and those that a spreadsheet would cut elsewhere: where the decimal sign is a comma,
  /// it separates fields by semicolons, and some guess at tabs.
  package var csvLine: String { map(\.csvField).joined(separator: ",") + "\r\n" }
}

extension String {
  fileprivate var csvField: String {
    let needsQuotes = utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\t")
    }
    guard needsQuotes else { return self }
    return "\"" + replacing("\"", with: "\"\"") + "\""
  }
}
