import CliptagBasics
public import Invocation
import Registry

/// The CSV file that labels and files of codes are printed from: one row for each code.
///
/// The first record names the columns, in any order and case: `url`, and if wanted `place` (the id
/// of the place that the URL must belong to), `code` or `id` (the row's name, for file names),
/// `copies`, and `app-clip-code` (as ``AppClipCodeChoice`` reads it). Every column may be printed
/// as a caption.
///
/// The file is read once, and all mistakes are reported together.
public struct LabelFile: Sendable {
  /// The most bytes a file may have.
  package static let largestByteCount = BatchFile.largestByteCount
  /// The most copies of a row.
  package static let mostCopies = 10_000

  /// One row.
  public struct Row: Hashable, Sendable {
    /// The row's number in the file, from 1; the header does not count.
    public let number: Int
    /// The URL, exactly as the code shall carry it.
    public let url: String
    /// The id of the place that the row names.
    public let placeID: String?
    /// The row's name.
    public let name: String?
    /// The number of labels; `nil` if the row does not state it.
    public let copies: Int?
    /// The choice of the App Clip Code on its labels; `nil` if the row does not state it.
    public let appClipCode: AppClipCodeChoice?
    /// The values of the row, in the order of ``LabelFile/columns``.
    public let values: [String]
    /// The beginning of each column in the file, in bytes.
    fileprivate let offsets: [Int]

    /// Returns the text by which people find the row: the caption beside its code, else its name.
    ///
    /// - Parameter columns: The columns that are printed, from 0.
    func caption(_ columns: [Int]) -> String? {
      let printed = columns.map { values[$0] }.filter { !$0.isEmpty }
      return printed.isEmpty ? name : printed.joined(separator: ", ")
    }
  }

  /// The columns' names as they are written.
  public let columns: [String]
  /// The rows that are right.
  public let rows: [Row]
  /// Everything that is wrong with the file, by line and column.
  public let problems: [DocumentProblem]

  /// What was done to read the file; `nil` if it is in UTF-8.
  public let note: TableNote?

  private let positions: TextPositions

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 or UTF-16, with or without a byte order mark, or Windows-1252.
  ///   - separator: The separator of fields; `nil` for the comma, semicolon or tab that the header
  ///     has.
  public init(_ bytes: [UInt8], separator: UInt8? = nil) {
    self.init(bytes, separator: separator) { _ in [] }
  }

  /// Reads a file, in which a row may name its place instead of a URL.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 or UTF-16, with or without a byte order mark, or Windows-1252.
  ///   - separator: The separator of fields; `nil` for the one that the header has.
  ///   - urls: The URLs of a place.
  public init(
    _ bytes: [UInt8], separator: UInt8? = nil, urlsOfPlace urls: (String) throws -> [String]
  ) rethrows {
    var table = CSVTable(bytes, separator: separator, key: "url", example: "url,place")
    var rows: [Row] = []
    while let row = table.next() {
      let url = try row.text("url") ?? Self.url(row, urls, in: &table)
      if let url, let row = Self.row(row, url, number: rows.count + 1, in: &table) {
        rows.append(row)
      }
    }
    table.finish(hasRows: !rows.isEmpty)
    self.rows = rows
    columns = table.headings
    positions = table.positions
    note = table.note
    problems = table.problems.sorted()
  }

  /// Returns the number of labels of the whole file.
  ///
  /// - Parameter copies: The number of labels of a row that does not state it.
  public func labelCount(copies: Int = 1) -> Int { rows.reduce(0) { $0 + ($1.copies ?? copies) } }

  /// The index of a column in ``Row/values``, its name in any case.
  public func column(named name: String) -> Int? {
    columns.firstIndex { $0.columnName == name.columnName }
  }

  /// Returns the position of a column in a row, both from 1.
  ///
  /// - Parameter index: The column, from 0.
  package func position(ofColumn index: Int, in row: Row) -> (line: Int, column: Int) {
    positions.position(of: row.offsets[index])
  }

  /// The URL of a row that names its place alone; what is wrong is reported.
  private static func url(
    _ row: CSVTable.Row, _ urls: (String) throws -> [String], in table: inout CSVTable
  ) rethrows -> String? {
    let found = try row.text("place").map(urls) ?? []
    if found.count == 1 { return found[0] }
    let isBlank = row.fields.allSatisfy { $0.text.isEmpty }
    table.report(
      isBlank
        ? "The row is blank. Delete it."
        : found.isEmpty
          ? "The row has no url."
          : "The row has no url, and its place has \(found.count): give one, such as “\(found[0])”.",
      at: row.offset("url"))
    return nil
  }

  /// A row that has what it needs; what is wrong is reported.
  private static func row(
    _ row: CSVTable.Row, _ url: String, number: Int, in table: inout CSVTable
  ) -> Row? {
    let copies = row.text("copies").map { wholeNumber($0) ?? 0 }
    if let text = row.text("copies"), let copies, !(1...mostCopies).contains(copies) {
      table.report(
        "“\(text)” is not a number of copies: write 1 to \(mostCopies), or leave it empty.",
        at: row.offset("copies"))
      return nil
    }
    return Row(
      number: number, url: url, placeID: row.text("place"),
      name: row.text("code") ?? row.text("id"), copies: copies,
      appClipCode: row.text(appClipCodeColumn).map { AppClipCodeChoice($0) },
      values: row.fields.map(\.text), offsets: row.fields.map(\.offset))
  }
}

extension LabelFile {
  /// Reads a number as spreadsheets write whole ones: `3`, or `3.0` and `3,00` in a column with
  /// decimals. Three digits behind the sign are thousands in some languages, and refused.
  fileprivate static func wholeNumber(_ text: String) -> Int? {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { ".,".contains($0) }
    guard parts.count == 2 else { return Int(text) }
    return ["0", "00"].contains(parts[1]) ? Int(parts[0]) : nil
  }
}

/// The list of the printed labels and their positions, as CSV beside the file, for a print shop and
/// the people who attach the labels.
struct LabelManifest {
  private let columns: [String]
  private let captions: [Int]

  /// A list for a file.
  ///
  /// - Parameters:
  ///   - file: The file of labels.
  ///   - captions: The columns that are repeated.
  init(_ file: LabelFile, captions: [Int]) {
    columns = captions.map { file.columns[$0] }
    self.captions = captions
  }

  /// The first line.
  var header: [UInt8] {
    Self.line(["file", "page", "position", "row", "url", "code", "place"] + columns + ["item"])
  }

  /// The line of a label.
  ///
  /// - Parameters:
  ///   - row: The row that was printed.
  ///   - file: The file that holds the label.
  ///   - position: The sheet and the label on it, which a page of one code has not; `nil` for a file
  ///     of one code.
  ///   - names: The names of the code and its item in the registry.
  func line(
    _ approved: ApprovedLabels.Row, in file: String, at position: (page: Int, label: Int?)?,
    _ names: CodeLedger.PrintNames?
  ) -> [UInt8] {
    let row = approved.row
    return Self.line(
      [
        file, position.map { "\($0.page)" } ?? "", position?.label.map { "\($0)" } ?? "",
        "\(row.number)", row.url, names?.code.description ?? "",
        approved.approval.verification.place?.id ?? row.placeID ?? "",
      ] + captions.map { row.values[$0] } + [names?.item ?? ""])
  }

  private static func line(_ fields: [String]) -> [UInt8] {
    Array(fields.csvLine.utf8)
  }
}
