import CliptagBasics
import Invocation
import Registry

/// A CSV file whose first record names its columns, read row by row.
///
/// All mistakes are gathered with their positions and reported together; rows with a mistake are
/// left out. Rows are created on demand: a table holds the file and little else.
struct CSVTable {
  /// One row with as many fields as the header.
  struct Row {
    /// The fields, in the order of the columns.
    let fields: [CSVReader.Field]
    fileprivate let columns: [String]

    /// Returns the row's text in a column; `nil` if the column does not exist or is empty.
    ///
    /// - Parameter name: The column's name in lower case.
    func text(_ name: String) -> String? {
      columns.firstIndex(of: name).flatMap { fields[$0].text.isEmpty ? nil : fields[$0].text }
    }

    /// Returns the beginning of a column's field, in bytes; the beginning of the row if there is no
    /// such column.
    func offset(_ name: String) -> Int {
      fields[columns.firstIndex(of: name) ?? 0].offset
    }
  }

  /// The positions of lines and columns in the file.
  let positions: TextPositions
  /// The columns' names as they are compared.
  private(set) var columns: [String] = []
  /// The columns' names as they are written.
  private(set) var headings: [String] = []
  /// The mistakes in the file as far as it was read.
  private(set) var problems: [DocumentProblem] = []
  /// What was done to read the file; `nil` if it is in UTF-8.
  let note: TableNote?

  private var reader: CSVReader
  private let key: String
  private let isReadable: Bool

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 or UTF-16, with or without a byte order mark, or Windows-1252; a first line
  ///     such as `sep=;`, as Excel writes it, states the separator.
  ///   - separator: The separator of fields; `nil` for that of the first line, or for the comma,
  ///     semicolon or tab that the header has.
  ///   - key: The required column, in lower case.
  ///   - example: An example of a header, for messages.
  init(_ bytes: [UInt8], separator: UInt8? = nil, key: String, example: String) {
    self.key = key
    let text: TableText
    do throws(TableText.Mistake) {
      text = try TableText(bytes)
    } catch {
      note = nil
      positions = TextPositions(TableText.withoutMark(bytes))
      reader = CSVReader([], from: 0, separator: UInt8(ascii: ","))
      isReadable = false
      report(error.message, at: error.offset)
      return
    }
    note = text.note
    positions = TextPositions(text.bytes)
    isReadable = true
    let stated = Self.statedSeparator(in: text.bytes)
    let start = stated?.end ?? 0
    reader = CSVReader(
      text.bytes, from: start,
      separator: separator ?? stated?.separator
        ?? Self.separator(of: text.bytes, from: start, key: key))
    guard let header = reader.next() else {
      report(
        "The file is empty. Begin it with a line of column names, for example \(example).",
        at: 0)
      return
    }
    takeHeader(header)
  }

  /// Whether the file has a header and could be decoded.
  var hasHeader: Bool { isReadable && !columns.isEmpty }

  /// The next row that has all its fields; `nil` at the end of the file.
  mutating func next() -> Row? {
    guard hasHeader else { return nil }
    while let record = reader.next() {
      let fields = record.fields
      // A table without its key has one mistake; its rows are not checked.
      guard columns.contains(key) else { continue }
      if fields.count == columns.count { return Row(fields: fields, columns: columns) }
      let offset = fields.count > columns.count ? fields[columns.count].offset : record.end
      if fields.count == 1, fields[0].text.isEmpty {
        report("The line is empty. Delete it.", at: offset)
      } else {
        report(
          "The row has \(fields.count.of("field")), "
            + "the header \(columns.count).", at: offset)
      }
    }
    return nil
  }

  /// Gathers the reader's mistakes, and reports a file without a row.
  ///
  /// - Parameter hasRows: Whether any row was usable.
  mutating func finish(hasRows: Bool) {
    for mistake in reader.mistakes { report(mistake.message, at: mistake.offset) }
    if hasHeader, !hasRows, problems.isEmpty {
      report("The file has no row after the header.", at: reader.position)
    }
  }

  /// Adds a problem.
  ///
  /// - Parameter offset: Its place, in bytes.
  mutating func report(_ message: String, at offset: Int) {
    report(advising: Hint(message), at: offset)
  }

  /// Adds a problem with advice in its sentences.
  mutating func report(advising hint: Hint, at offset: Int) {
    let (line, column) = positions.position(of: offset)
    problems.append(
      DocumentProblem(at: DocumentPosition(line: line, column: column), advising: hint))
  }

  /// The most columns that a file has: each is compared with those before it.
  private static let mostColumns = 500

  private mutating func takeHeader(_ record: CSVReader.Record) {
    guard record.fields.count <= Self.mostColumns else {
      return report(
        "The first line has \(record.fields.count) columns; the limit is \(Self.mostColumns).",
        at: record.fields[Self.mostColumns].offset)
    }
    columns = record.fields.map { $0.text.columnName }
    headings = record.fields.map(\.text)
    if !columns.contains(key) {
      let found = headings.map { "“\($0)”" }.joined(separator: ", ")
      report(
        "No column is named \(key). The columns in the first line are \(found).",
        at: record.fields.first?.offset ?? 0)
    }
    for (index, field) in record.fields.enumerated()
    where !columns[index].isEmpty && columns[..<index].contains(columns[index]) {
      report("Two columns are named “\(field.text)”.", at: field.offset)
    }
  }

  /// The separator that the first line states, as in `sep=;`, and the end of the line.
  private static func statedSeparator(in bytes: [UInt8]) -> (separator: UInt8, end: Int)? {
    guard bytes.count > 5,
      String(decoding: bytes.prefix(4), as: UTF8.self).lowercased() == "sep="
    else { return nil }
    let rest = bytes.dropFirst(5)
    for lineEnd in ["\n", "\r\n"] where rest.starts(with: lineEnd.utf8) {
      return (bytes[4], 5 + lineEnd.utf8.count)
    }
    return nil
  }

  /// The separator that makes the key a column of the header; else the one it has most of.
  private static func separator(of bytes: [UInt8], from start: Int, key: String) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    let headers = candidates.map { separator in
      var reader = CSVReader(bytes, from: start, separator: separator)
      return (separator, reader.next()?.fields.map { $0.text.columnName } ?? [])
    }
    let named = headers.filter { $0.1.contains(key) }
    return (named.isEmpty ? headers : named).max { $0.1.count < $1.1.count }?.0 ?? candidates[0]
  }
}

extension String {
  /// A column's name as it is compared: without spaces around it, in lower case.
  var columnName: String {
    let name = drop { $0 == " " }
    return String(name.prefix(name.count - name.reversed().prefix { $0 == " " }.count))
      .lowercased()
  }
}

/// Reads comma-separated values strictly after RFC 4180, with UTF-8 and without a limit on the size
/// of a quoted field.
///
/// Existing libraries (SwiftCSV, and those built on it) report neither the line nor the column of a
/// mistake, and accept a misplaced quote by moving all that follows into one field. Here every
/// mistake has its position, and reading continues behind it if possible, so that all are reported
/// together.
///
/// Beyond the RFC: lines may end with LF alone, another separator may be named, and empty lines and
/// rows at the end of the file are no records.
struct CSVReader {
  /// One field, without the quotes around it.
  struct Field {
    let text: String
    /// The beginning of the field in the file, in bytes.
    let offset: Int
  }

  /// One record: a line, or several when a quoted field goes over several.
  struct Record {
    let fields: [Field]
    /// The end in the file, in bytes, before the line end.
    let end: Int
  }

  /// A mistake and its place, in bytes.
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
  ///   - start: The first byte of the first record.
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

  /// Whether nothing follows but empty lines and rows of empty fields.
  private var isAtEnd: Bool {
    bytes[position...].allSatisfy {
      $0 == Self.lineFeed || $0 == Self.carriageReturn || $0 == separator
        || $0 == UInt8(ascii: " ")
    }
  }

  /// A field without quotes around it.
  private mutating func plain() -> Field {
    let start = position
    while position < bytes.count, bytes[position] != separator, !isLineEnd {
      if bytes[position] == Self.quote {
        mistakes.append(
          Mistake(
            offset: position,
            message: "A quotation mark is inside a field that does not begin with one. Put the "
              + "whole field in quotation marks and double those inside."))
        // Reported once for a field: the rest of it is taken literally.
        while position < bytes.count, bytes[position] != separator, !isLineEnd { position += 1 }
        break
      }
      position += 1
    }
    return field(bytes[start..<position], at: start)
  }

  /// Reads a field in quotes, in which a doubled quote represents one.
  private mutating func quoted() -> Field {
    let start = position
    var content: [UInt8] = []
    position += 1
    while true {
      guard let end = bytes[position...].firstIndex(of: Self.quote) else {
        mistakes.append(
          Mistake(
            offset: start,
            message: "A field begins with a quotation mark here, without a closing one."))
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
          message: "More text follows the closing quotation mark of the field. Double the "
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
            message: "A carriage return is not followed by LF. End lines with LF or CRLF."))
        return
      }
    }
    position += 1
  }
}

/// Lines and columns of a text, from its bytes.
struct TextPositions {
  private let bytes: [UInt8]
  private let lineStarts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var lineStarts = [0]
    for (index, byte) in bytes.enumerated() {
      let endsLine =
        byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r") && bytes.dropFirst(index + 1).first != UInt8(ascii: "\n")
      if endsLine { lineStarts.append(index + 1) }
    }
    self.lineStarts = lineStarts
  }

  /// The line and the column of a byte, both from 1; columns count characters as Unicode has them
  /// (scalars), as editors do.
  func position(of offset: Int) -> (line: Int, column: Int) {
    let offset = min(max(offset, 0), bytes.count)
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
