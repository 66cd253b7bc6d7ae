import CliptagBasics
import Invocation

/// What was done to read a file of rows that is not plain UTF-8.
public enum TableNote: Hashable, Sendable {
  /// The file is in UTF-16.
  case utf16
  /// The file is in Windows-1252, by assumption; the first field with a letter beyond ASCII shows
  /// whether that is so.
  case windows1252(example: String)

  /// The note in one sentence.
  package var sentence: String {
    switch self {
    case .utf16: "The file is in UTF-16, and was read so."
    case .windows1252(let example):
      "The file is not in UTF-8; it was read as Windows-1252, which Excel writes: see whether "
        + "“\(example.printable)” is right, else save it as “CSV UTF-8”."
    }
  }
}

/// The text of a file of rows, as spreadsheets write it, in UTF-8.
package struct TableText {
  /// The text in UTF-8, without a byte order mark.
  package let bytes: [UInt8]
  /// What was done to read it; `nil` for UTF-8.
  package let note: TableNote?

  /// A file that is in no encoding that is known.
  package struct Mistake: Error {
    /// The first wrong byte behind a byte order mark of UTF-8.
    let offset: Int
    let message: String
  }

  /// Recognises the encoding: UTF-8 and UTF-16 by a mark or by their bytes, else Windows-1252.
  ///
  /// A text with U+FFFD is refused: a letter was lost when another program converted it.
  package init(_ bytes: [UInt8]) throws(Mistake) {
    try self.init(recognising: bytes)
    var rest = self.bytes[...]
    while let start = rest.firstIndex(of: 0xEF) {
      guard !self.bytes[start...].starts(with: [0xEF, 0xBF, 0xBD]) else {
        throw Mistake(
          offset: start,
          message: "A letter was lost here when the file was converted. Save it as “CSV UTF-8”.")
      }
      rest = rest[(start + 1)...]
    }
  }

  private init(recognising bytes: [UInt8]) throws(Mistake) {
    if let isLittleEndian = Self.utf16(bytes) {
      self.bytes = try Self.decoded(bytes, isLittleEndian: isLittleEndian)
      note = .utf16
      return
    }
    let content = Self.withoutMark(bytes)
    let markLength = bytes.count - content.count
    do {
      _ = try UTF8Span(validating: content.span)
      self.bytes = content
      note = nil
    } catch {
      let offset = error.byteOffsets.lowerBound
      // A file with other characters in UTF-8 is damaged, not in another encoding.
      guard let text = Self.windows1252(bytes) else {
        throw Mistake(
          offset: offset,
          message:
            "Byte \(markLength + offset) of the file, \(content[offset].hexadecimal(digits: 2)), is not "
            + "UTF-8. Save it as “CSV UTF-8”.")
      }
      self.bytes = Array(text.utf8)
      note = .windows1252(example: Self.example(in: text))
    }
  }

  /// The bytes behind a byte order mark of UTF-8.
  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// Whether the text is in UTF-16 and its first bytes are the low ones; `nil` if it is not.
  ///
  /// Without a mark, the names of columns begin with ASCII: every other byte is zero, which no
  /// other encoding of a table has.
  private static func utf16(_ bytes: [UInt8]) -> Bool? {
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0xFF, 0xFE, _, _), (1..., 0, 1..., 0): return true
    case (0xFE, 0xFF, _, _), (0, 1..., 0, 1...): return false
    default: return nil
    }
  }

  private static func decoded(
    _ bytes: [UInt8], isLittleEndian: Bool
  ) throws(Mistake) -> [UInt8] {
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
    guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
      throw Mistake(
        offset: 0, message: "The file is UTF-16 and damaged. Save it as “CSV UTF-8”.")
    }
    return Array(text.utf8.starts(with: "\u{FEFF}".utf8) ? text.utf8.dropFirst(3) : text.utf8[...])
  }

  /// The text if it may be in Windows-1252: it has no byte that is undefined there, and no character
  /// beyond ASCII in UTF-8.
  private static func windows1252(_ bytes: [UInt8]) -> String? {
    var text = String.UnicodeScalarView()
    for (index, byte) in bytes.enumerated() {
      let isUTF8 = byte >= 0xC2 && index + 1 < bytes.count && bytes[index + 1] & 0xC0 == 0x80
      guard byte != 0, !isUTF8 || !Self.isCharacter(bytes[index...]) else { return nil }
      guard
        let scalar = (0x80..<0xA0).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte)
      else { return nil }
      text.append(scalar)
    }
    return String(text)
  }

  /// Whether bytes begin with a character of UTF-8 of two bytes or more.
  private static func isCharacter(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    return bytes.prefix(count).count == count
      && (try? UTF8Span(validating: Array(bytes.prefix(count)).span)) != nil
  }

  /// The characters of the bytes 0x80 to 0x9F (the WHATWG's index of windows-1252); `nil` where
  /// Microsoft defines none.
  private static let special: [Unicode.Scalar?] = [
    "€", nil, "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", nil, "Ž", nil,
    nil, "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", nil, "ž", "Ÿ",
  ]

  /// The first word with a letter beyond ASCII.
  private static func example(in text: String) -> String {
    let words = text.split { ",;|\t\r\n\"".contains($0) || $0.isNewline }
    return String((words.first { !$0.utf8.allSatisfy { $0 < 0x80 } } ?? "").prefix(40))
  }
}
