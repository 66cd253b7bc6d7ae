extension [UInt8] {
  /// Appends a text as a JSON string on one line, in double quotes (RFC 8259, section 7).
  ///
  /// Only characters that JSON or a terminal would interpret are escaped.
  ///
  /// - Parameter letters: The case of the digits in escaped control characters.
  package mutating func append(jsonText text: String, _ letters: HexadecimalLetters = .capital) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      // Most text needs no escapes.
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
  /// The texts as a line of a CSV file for spreadsheets, with CRLF (RFC 4180, section 2).
  ///
  /// Fields are quoted where RFC 4180 requires it, and where a spreadsheet would split them: some
  /// separate fields by semicolons or tabs. A field that a spreadsheet would evaluate as a formula
  /// (one that begins with `=`, `+`, `-`, `@`, a tab or a line end, and is not a plain number) gets
  /// a leading apostrophe, as spreadsheets write it themselves.
  package var csvLine: String { map(\.withoutFormula.csvField).joined(separator: ",") + "\r\n" }
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

  /// The text in a form that a spreadsheet does not evaluate.
  fileprivate var withoutFormula: String {
    guard let first = utf8.first, "=+-@\t\r\n".utf8.contains(first) else { return self }
    return isPlainNumber ? self : "'" + self
  }

  /// A Boolean value that indicates whether the text consists of digits with an optional leading
  /// minus and an optional point. A regular expression takes longer than the rest of a row, and
  /// every row of positions has a longitude.
  private var isPlainNumber: Bool {
    let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { part in
        (1...15).contains(part.count)
          && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
  }
}

extension String {
  /// A file's path with another ending instead of its last one, or after a name without one.
  package func withEnding(_ ending: String) -> String {
    let start = lastIndex(of: "/").map { index(after: $0) } ?? startIndex
    let name = self[start...]
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
    return self[..<start] + (stem.isEmpty ? "code" : stem) + "." + ending
  }
}

extension Substring {
  /// The text without leading and trailing spaces.
  package var trimmingSpaces: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
