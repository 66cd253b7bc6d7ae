/// A line of a scanner's input.
enum ScannedLine: Hashable, Sendable {
  /// Bytes that may be a code.
  case bytes([UInt8])
  /// A line with missing or non-text parts; the reason is a sentence.
  case damaged(String)
  /// A request to end the scan.
  case leave

  /// A limit in bytes above the capacity of any code: QR version 40 holds 7,089 digits or 2,953
  /// bytes.
  static let longest = 8192

  static let tooLong = ScannedLine.damaged(
    "The scanner sent more than \(longest) bytes without an end of line.")
}

/// Splits a device's input into lines, regardless of how it arrives in pieces.
protocol LineFinder: Sendable {
  /// Adds the next piece.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [ScannedLine]
  /// Ends the current line.
  mutating func finish() -> [ScannedLine]
}

/// Splits bytes into lines that end with a carriage return, a line feed or both.
struct ByteLines: LineFinder {
  private var line: [UInt8] = []
  private var isTooLong = false

  mutating func take(_ bytes: some Sequence<UInt8>) -> [ScannedLine] {
    var lines: [ScannedLine] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") {
        lines += finish()
      } else if line.count < ScannedLine.longest {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
    return lines
  }

  mutating func finish() -> [ScannedLine] {
    defer {
      line = []
      isTooLong = false
    }
    if isTooLong { return [ScannedLine.tooLong] }
    return line.isEmpty ? [] : [.bytes(line)]
  }
}

/// Extracts a code from the framing of a scanner.
enum ScannerText {
  /// Returns the reading in one line of a scanner.
  ///
  /// The control characters with which scanners can frame a code are dropped: SOH and STX in front;
  /// ETX, EOT and a tabulator at the end. All others belong to the code, whose check will find
  /// them. The only thing that a scanner hides is therefore a code that ends with these or with an
  /// end of line; a picture of it shows that. An AIM symbology identifier (ISO/IEC 15424: `]`, a
  /// letter, a modifier) is dropped and determines the symbology.
  ///
  /// - Returns: `nil` if the line is empty.
  static func reading(_ line: [UInt8]) -> LiveReading? {
    var rest = withoutFraming(line[...])
    var symbology: DecodedCode.Symbology?
    if let identifier = Identifier(startOf: rest) {
      symbology = identifier.symbology
      rest = withoutFraming(rest.dropFirst(3))
      if identifier.escapesBackslashes { rest = withoutInterpretations(rest)[...] }
    }
    if rest.isEmpty { return nil }
    guard let text = String(validating: rest, as: UTF8.self) else {
      return .unreadable(reason: "The scanner sent \(rest.count) bytes that are not UTF-8 text.")
    }
    return .text(text, symbology: symbology)
  }

  private static func withoutFraming(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while let first = rest.first, first == 0x01 || first == 0x02 { rest.removeFirst() }
    while let last = rest.last, [0x03, 0x04, 0x09].contains(last) { rest.removeLast() }
    return rest
  }

  /// Returns the bytes without the protocol of extended channel interpretations: `\000026`
  /// announces a character set, and a backslash of the code is doubled.
  private static func withoutInterpretations(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let backslash = UInt8(ascii: "\\")
    var text: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == backslash, rest.first == backslash {
        rest.removeFirst()
      } else if byte == backslash, rest.prefix(6).count(where: isDigit) == 6 {
        rest.removeFirst(6)
        continue
      }
      text.append(byte)
    }
    return text
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// An AIM symbology identifier.
  private struct Identifier {
    private let letter: UInt8
    private let modifier: UInt8

    init?(startOf bytes: ArraySlice<UInt8>) {
      let start = Array(bytes.prefix(3))
      guard start.count == 3, start[0] == UInt8(ascii: "]"),
        Character(Unicode.Scalar(start[1])).isASCIILetter,
        Character(Unicode.Scalar(start[2])).isASCIILetter || isDigit(start[2])
      else { return nil }
      (letter, modifier) = (start[1], start[2])
    }

    var symbology: DecodedCode.Symbology {
      switch (letter, modifier) {
      case (UInt8(ascii: "Q"), _): .qr
      case (UInt8(ascii: "C"), _): .code128
      case (UInt8(ascii: "G"), _): .code93
      case (UInt8(ascii: "E"), UInt8(ascii: "4")): .ean8
      case (UInt8(ascii: "E"), _): .ean13
      default: DecodedCode.Symbology(rawValue: "aim-\(Character(Unicode.Scalar(letter)))")
      }
    }

    /// A Boolean value that indicates a QR Code with extended channel interpretations (ISO/IEC
    /// 18004:2015, annex F).
    var escapesBackslashes: Bool {
      letter == UInt8(ascii: "Q") && [0x32, 0x34, 0x36].contains(modifier)
    }
  }
}

extension Character {
  fileprivate var isASCIILetter: Bool { isASCII && isLetter }
}
