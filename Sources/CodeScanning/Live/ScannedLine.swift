/// What a scanner sent between two ends of line.
enum ScannedLine: Hashable, Sendable {
  /// Something that may be a code.
  case bytes([UInt8])
  /// Something of which a part is lost or is no text; why, in a sentence.
  case damaged(String)
  /// The wish to leave.
  case leave

  /// More bytes than any code holds: QR version 40 takes 7,089 digits or 2,953 bytes.
  static let longest = 8192

  static let tooLong = ScannedLine.damaged(
    "The scanner sent more than \(longest) bytes without an end of line.")
}

/// Finds the lines in what a device sends, however it is cut into pieces.
protocol LineFinder: Sendable {
  /// Takes the next piece.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [ScannedLine]
  /// Takes what has come so far for a whole line.
  mutating func finish() -> [ScannedLine]
}

/// Lines of bytes, ended by a carriage return, a line feed or both.
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
