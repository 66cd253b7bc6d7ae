import Invocation
public import Registry

/// The CSV file that a batch is made from: one row for each tag.
///
/// The first record names the columns, in any order and case: `url`, and if wanted `label` (shown
/// to the operator), `place` (the id of the place that the URL must belong to) and `uid` (the one
/// tag that the row is for). Further columns are kept as captions.
public struct BatchFile: Sendable {
  /// The most bytes a file may have.
  public static let largestByteCount = 1 << 26

  /// What the rows ask for, in their order.
  public let orders: [BatchRow.Order]
  /// Everything that is wrong with the file, by line and column; its rows are left out of
  /// ``orders`` then.
  public let problems: [DocumentProblem]

  private let positions: TextPositions
  /// Where the URL and the place of each row begin, in bytes.
  private let offsets: [(url: Int, place: Int)]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - separator: What stands between fields; `nil` for the comma, semicolon or tab that the
  ///     header has.
  ///   - allowsDuplicates: Whether two rows may have the same URL.
  public init(_ bytes: [UInt8], separator: UInt8? = nil, allowsDuplicates: Bool = false) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let positions = TextPositions(bytes, from: start)
    self.positions = positions
    if let problem = Self.misencoding(bytes, positions) {
      (orders, offsets, problems) = ([], [], [problem])
      return
    }
    var reader = CSVReader(
      bytes, from: start, separator: separator ?? Self.separator(of: bytes, from: start))
    var interpretation = Interpretation(allowsDuplicates: allowsDuplicates, positions: positions)
    while let record = reader.next() { interpretation.take(record) }
    interpretation.finish(reader)
    orders = interpretation.rows.map(\.order)
    offsets = interpretation.rows.map { ($0.urlOffset, $0.placeOffset) }
    problems = interpretation.problems.sorted()
  }

  /// Where the URL of a row stands, both from 1.
  ///
  /// - Parameter number: The row's number, from 1.
  public func position(ofRow number: Int) -> (line: Int, column: Int) {
    positions.position(of: offsets[number - 1].url)
  }

  /// Where the place of a row stands, both from 1.
  public func position(ofPlaceInRow number: Int) -> (line: Int, column: Int) {
    positions.position(of: offsets[number - 1].place)
  }

  private static func misencoding(
    _ bytes: [UInt8], _ positions: TextPositions
  ) -> DocumentProblem? {
    for mark: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF]] where bytes.starts(with: mark) {
      return DocumentProblem(
        line: 1, column: 1, "The file is UTF-16. Save it as “CSV UTF-8”.")
    }
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      let offset = error.byteOffsets.lowerBound
      let (line, column) = positions.position(of: offset)
      let byte = String(bytes[offset], radix: 16, uppercase: true)
      return DocumentProblem(
        line: line, column: column,
        "Byte \(offset) of the file, \(byte), is not UTF-8. Save it as “CSV UTF-8”.")
    }
  }

  /// The separator that makes a column `url` of the header; else the one it has most of.
  private static func separator(of bytes: [UInt8], from start: Int) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    let headers = candidates.map { separator in
      var reader = CSVReader(bytes, from: start, separator: separator)
      return (separator, reader.next()?.fields.map { $0.text.columnName } ?? [])
    }
    let named = headers.filter { $0.1.contains("url") }
    return (named.isEmpty ? headers : named).max { $0.1.count < $1.1.count }?.0 ?? candidates[0]
  }
}

extension String {
  /// A column's name as it is compared: without spaces around it, in lower case.
  fileprivate var columnName: String {
    let name = drop { $0 == " " }
    return String(name.prefix(name.count - name.reversed().prefix { $0 == " " }.count))
      .lowercased()
  }

  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

/// Makes orders of records.
private struct Interpretation {
  struct Row {
    let order: BatchRow.Order
    let urlOffset: Int
    let placeOffset: Int
  }

  let allowsDuplicates: Bool
  let positions: TextPositions
  private(set) var rows: [Row] = []
  private(set) var problems: [DocumentProblem] = []
  private var columns: [String]?
  /// The header's names as they are written, for captions.
  private var captions: [String] = []
  private var linesOfURLs: [String: Int] = [:]
  private var linesOfUIDs: [String: Int] = [:]

  init(allowsDuplicates: Bool, positions: TextPositions) {
    self.allowsDuplicates = allowsDuplicates
    self.positions = positions
  }

  mutating func take(_ record: CSVReader.Record) {
    if let columns { takeRow(record, columns) } else { takeHeader(record) }
  }

  mutating func finish(_ reader: CSVReader) {
    for mistake in reader.mistakes { report(mistake.message, at: mistake.offset) }
    if columns == nil {
      report(
        "The file is empty. Begin it with a line that names the columns, for example url,label.",
        at: 0)
    } else if rows.isEmpty, problems.isEmpty {
      report("The file has no row after the header.", at: reader.position)
    }
  }

  private mutating func takeHeader(_ record: CSVReader.Record) {
    let names = record.fields.map { $0.text.columnName }
    columns = names
    captions = record.fields.map(\.text)
    if !names.contains("url") {
      let found = captions.map { "“\($0)”" }.joined(separator: ", ")
      report(
        "No column is called url. The first line names the columns, and names \(found).",
        at: record.fields.first?.offset ?? 0)
    }
    for (index, field) in record.fields.enumerated()
    where !names[index].isEmpty && names[..<index].contains(names[index]) {
      report("Two columns are called “\(field.text)”.", at: field.offset)
    }
  }

  private mutating func takeRow(_ record: CSVReader.Record, _ columns: [String]) {
    guard let urlColumn = columns.firstIndex(of: "url") else { return }
    let fields = record.fields
    guard fields.count == columns.count else {
      let offset =
        fields.count > columns.count ? fields[columns.count].offset : record.end
      if fields.count == 1, fields[0].text.isEmpty {
        report("The line is empty. Delete it.", at: offset)
      } else {
        report(
          "The row has \(fields.count) \(fields.count == 1 ? "field" : "fields"), "
            + "the header \(columns.count).", at: offset)
      }
      return
    }
    func text(_ name: String) -> String? {
      columns.firstIndex(of: name).flatMap { fields[$0].text.nonEmpty }
    }
    func offset(_ name: String) -> Int {
      fields[columns.firstIndex(of: name) ?? urlColumn].offset
    }
    let line = positions.position(of: fields[0].offset).line
    guard let url = text("url") else {
      let isBlank = fields.allSatisfy { $0.text.isEmpty }
      report(
        isBlank ? "The row is blank. Delete it." : "The row has no url.", at: offset("url"))
      return
    }
    // Two spellings that phones and the registry take for one are one; what is no URL at all is
    // refused for that later.
    let key = (try? InvocationURL(url))?.normalized ?? url
    if !allowsDuplicates, let first = linesOfURLs.updateValue(line, forKey: key) {
      linesOfURLs[key] = first
      report(
        "Line \(first) has the same URL. Give each tag its own, or add --allow-duplicates.",
        at: offset("url"))
    }
    let uid = takeUID(text("uid"), line: line, at: offset("uid"))
    let known: Set = ["url", "label", "place", "uid"]
    rows.append(
      Row(
        order: BatchRow.Order(
          url: url, label: text("label"), placeID: text("place"), wantedUID: uid,
          captions: columns.indices.filter { !known.contains(columns[$0]) }.map {
            BatchRow.Caption(captions[$0], fields[$0].text)
          }),
        urlOffset: offset("url"), placeOffset: offset("place")))
  }

  private mutating func takeUID(_ text: String?, line: Int, at offset: Int) -> String? {
    guard let text else { return nil }
    let digits = text.filter { !": -".contains($0) }.uppercased()
    guard [8, 14, 20].contains(digits.utf8.count),
      digits.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit })
    else {
      report(
        "“\(text)” is no UID: 4, 7 or 10 bytes in hexadecimal, for example 04E10CDA993C80.",
        at: offset)
      return nil
    }
    if let first = linesOfUIDs.updateValue(line, forKey: digits) {
      linesOfUIDs[digits] = first
      report("Line \(first) has the same UID. A tag carries one URL.", at: offset)
    }
    return digits
  }

  private mutating func report(_ message: String, at offset: Int) {
    let (line, column) = positions.position(of: offset)
    problems.append(DocumentProblem(line: line, column: column, message))
  }
}
