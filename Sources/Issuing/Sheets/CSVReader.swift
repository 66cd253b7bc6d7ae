/// Reads comma-separated values strictly as RFC 4180 says, with UTF-8 and without a limit on what a
/// quoted field may hold.
///
/// A reader of our own, because the libraries there are (SwiftCSV, and those built on it) tell
/// neither the line nor the column of what is wrong, and forgive a quote in the wrong place by
/// moving all that follows into one field. Here every mistake has its place, and reading goes on
/// behind it where that is possible, so that all are told at once.
///
/// Beyond the RFC: lines may end with LF alone, another separator may be named, and empty lines at
/// the end of the file are no records.
struct CSVReader {
  /// One field, without the quotes around it.
  struct Field {
    let text: String
    /// Where it begins in the file, in bytes.
    let offset: Int
  }

  /// One record: a line, or several when a quoted field goes over several.
  struct Record {
    let fields: [Field]
    /// Where it ends in the file, in bytes, before the line end.
    let end: Int
  }

  /// Something that is wrong, and where, in bytes.
  struct Mistake {
    let offset: Int
    let message: String
  }

  let bytes: [UInt8]
  let separator: UInt8
  private(set) var position: Int
  private(set) var mistakes: [Mistake] = []

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - bytes: The file, valid UTF-8.
  ///   - start: The first byte behind a byte order mark.
  init(_ bytes: [UInt8], from start: Int, separator: UInt8) {
    self.bytes = bytes
    self.separator = separator
    position = start
  }

  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// The next record; `nil` at the end of the file.
  mutating func next() -> Record? {
    guard !isAtEnd else { return nil }
    var fields: [Field] = []
    while true {
      fields.append(position < bytes.count && bytes[position] == Self.quote ? quoted() : plain())
      guard position < bytes.count else { return Record(fields: fields, end: position) }
      if bytes[position] == separator {
        position += 1
        continue
      }
      let end = position
      endLine()
      return Record(fields: fields, end: end)
    }
  }

  /// Whether nothing follows but empty lines.
  private var isAtEnd: Bool {
    bytes[position...].allSatisfy { $0 == Self.lineFeed || $0 == Self.carriageReturn }
  }

  /// A field without quotes around it.
  private mutating func plain() -> Field {
    let start = position
    while position < bytes.count, bytes[position] != separator, !isLineEnd {
      if bytes[position] == Self.quote {
        mistakes.append(
          Mistake(
            offset: position,
            message: "A quotation mark stands inside a field that does not begin with one. Put the "
              + "whole field in quotation marks and double those inside."))
        // Told once for a field: the rest of it is taken as it is.
        while position < bytes.count, bytes[position] != separator, !isLineEnd { position += 1 }
        break
      }
      position += 1
    }
    return field(bytes[start..<position], at: start)
  }

  /// A field in quotes, in which a doubled quote stands for one.
  private mutating func quoted() -> Field {
    let start = position
    var content: [UInt8] = []
    position += 1
    while true {
      guard let end = bytes[position...].firstIndex(of: Self.quote) else {
        mistakes.append(
          Mistake(
            offset: start,
            message: "A field begins with a quotation mark here, and none ends it."))
        position = bytes.count
        return field([], at: start)
      }
      content += bytes[position..<end]
      position = end + 1
      guard position < bytes.count, bytes[position] == Self.quote else { break }
      content.append(Self.quote)
      position += 1
    }
    if position < bytes.count, bytes[position] != separator, !isLineEnd {
      mistakes.append(
        Mistake(
          offset: position,
          message: "The field has ended with a quotation mark, and more text follows. Double the "
            + "quotation marks inside a field."))
      while position < bytes.count, bytes[position] != separator, !isLineEnd { position += 1 }
    }
    return field(content[...], at: start)
  }

  private func field(_ content: ArraySlice<UInt8>, at offset: Int) -> Field {
    Field(text: String(decoding: content, as: UTF8.self), offset: offset)
  }

  private var isLineEnd: Bool {
    bytes[position] == Self.lineFeed || bytes[position] == Self.carriageReturn
  }

  private mutating func endLine() {
    if bytes[position] == Self.carriageReturn {
      position += 1
      guard position < bytes.count, bytes[position] == Self.lineFeed else {
        mistakes.append(
          Mistake(
            offset: position - 1,
            message: "A carriage return stands alone. End lines with LF or CRLF."))
        return
      }
    }
    position += 1
  }
}

/// Lines and columns of a text, from its bytes.
struct TextPositions {
  private let bytes: [UInt8]
  private let start: Int
  private let lineStarts: [Int]

  /// - Parameter start: The first byte behind a byte order mark.
  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    self.start = start
    var lineStarts = [start]
    for (index, byte) in bytes.enumerated() {
      let endsLine =
        byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r") && bytes.dropFirst(index + 1).first != UInt8(ascii: "\n")
      if endsLine, index >= start { lineStarts.append(index + 1) }
    }
    self.lineStarts = lineStarts
  }

  /// The line and the column of a byte, both from 1; columns count characters as Unicode has them
  /// (scalars), as editors do.
  func position(of offset: Int) -> (line: Int, column: Int) {
    let offset = min(max(offset, start), bytes.count)
    var low = 0
    var high = lineStarts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    // Continuation bytes of UTF-8 are 10xxxxxx.
    let column = bytes[lineStarts[low]..<offset].count { $0 & 0xC0 != 0x80 }
    return (low + 1, column + 1)
  }
}
