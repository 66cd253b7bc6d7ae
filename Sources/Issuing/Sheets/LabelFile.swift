package import Invocation

/// The CSV file that labels are printed from: one row for each code.
///
/// The first record names the columns, in any order and case: `url`, and if wanted `place` (the id
/// of the place that the URL must belong to), `code` or `id` (what the row is called, for file
/// names) and `copies`. Every column may be printed as a caption.
///
/// The whole file is checked when it is opened; its rows are made one after another when they are
/// asked for, so that ten thousand need no more memory than the file.
package struct LabelFile: Sendable {
  /// The most bytes a file may have.
  package static let largestByteCount = BatchFile.largestByteCount
  /// The most copies of a row.
  package static let mostCopies = 10_000

  /// One row.
  package struct Row: Hashable, Sendable {
    /// The row's number in the file, from 1; the header does not count.
    package let number: Int
    /// The line it begins in, from 1.
    package let line: Int
    /// The URL, exactly as the code shall carry it.
    package let url: String
    /// The id of the place that the row names.
    package let placeID: String?
    /// What the row is called.
    package let name: String?
    /// How many labels it asks for; `nil` where it does not say.
    package let copies: Int?
    /// What it holds in each column, in the order of ``LabelFile/columns``.
    package let values: [String]
  }

  /// The columns' names as they are written.
  package let columns: [String]
  /// The rows that are right.
  package let rowCount: Int
  /// The labels that they ask for when those that do not say ask for one.
  ///
  /// Use ``labelCount(copies:)`` for another number.
  package var labelCount: Int { labelCount(copies: 1) }
  /// Everything that is wrong with the file, by line and column.
  package let problems: [DocumentProblem]

  private let table: CSVTable
  private let stated: (rows: Int, labels: Int)

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - separator: What stands between fields; `nil` for the comma, semicolon or tab that the
  ///     header has.
  package init(_ bytes: [UInt8], separator: UInt8? = nil) {
    var table = CSVTable(bytes, separator: separator, key: "url", example: "url,place")
    self.table = table
    columns = table.headings
    var rows = 0
    var stated = (rows: 0, labels: 0)
    while let row = table.next() {
      guard Self.check(row, in: &table) else { continue }
      rows += 1
      guard let copies = row.text("copies").flatMap({ Int($0) }) else { continue }
      stated = (stated.rows + 1, stated.labels + copies)
    }
    table.finish(hasRows: rows > 0)
    rowCount = rows
    self.stated = stated
    problems = table.problems.sorted()
  }

  /// The labels of the whole file.
  ///
  /// - Parameter copies: How many a row has that does not say.
  package func labelCount(copies: Int) -> Int {
    stated.labels + (rowCount - stated.rows) * copies
  }

  /// The index of a column in ``Row/values``, its name in any case.
  package func column(named name: String) -> Int? {
    table.columns.firstIndex(of: name.columnName)
  }

  /// The rows of a file without problems, one after another.
  package func rows() -> some Sequence<Row> {
    var number = 0
    return sequence(state: table) { table -> Row? in
      guard let row = table.next() else { return nil }
      number += 1
      return Row(
        number: number, line: table.positions.position(of: row.fields[0].offset).line,
        url: row.text("url") ?? "", placeID: row.text("place"),
        name: row.text("code") ?? row.text("id"),
        copies: row.text("copies").flatMap { Int($0) }, values: row.fields.map(\.text))
    }
  }

  /// Where a row has a column, both from 1.
  ///
  /// - Parameters:
  ///   - index: The column, from 0.
  ///   - number: The row's number, from 1.
  package func position(ofColumn index: Int, inRow number: Int) -> (line: Int, column: Int) {
    var table = table
    for _ in 1..<max(1, number) { _ = table.next() }
    guard let row = table.next() else { return (1, 1) }
    return table.positions.position(of: row.fields[index].offset)
  }

  private static func check(_ row: CSVTable.Row, in table: inout CSVTable) -> Bool {
    guard row.text("url") != nil else {
      let isBlank = row.fields.allSatisfy { $0.text.isEmpty }
      table.report(
        isBlank ? "The row is blank. Delete it." : "The row has no url.", at: row.offset("url"))
      return false
    }
    if let text = row.text("copies"), !(1...mostCopies).contains(Int(text) ?? 0) {
      table.report(
        "“\(text)” is no number of copies: write 1 to \(mostCopies), or leave it empty.",
        at: row.offset("copies"))
      return false
    }
    return true
  }
}
