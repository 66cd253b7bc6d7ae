import CliptagBasics
public import Invocation
public import Registry
import TagTypes

/// The CSV file that a batch is made from: one row for each tag.
///
/// The first record names the columns, in any order and case: `url`, and if wanted `label` (shown
/// to the operator), `place` (the id of the place that the URL must belong to) and `uid` (the one
/// tag that the row is for). Further columns are kept as captions.
public struct BatchFile: Sendable {
  /// The most bytes a file may have.
  package static let largestByteCount = 1 << 26

  /// The orders of the rows, in their order.
  public let orders: [BatchRow.Order]
  /// Everything that is wrong with the file, by line and column; its rows are left out of
  /// ``orders`` then.
  public let problems: [DocumentProblem]

  /// What was done to read the file; `nil` if it is in UTF-8.
  public let note: TableNote?

  /// The template of each row's URL, `nil` without placeholders, or the reason why no tag fills it
  /// in.
  let templates: [Result<MirrorTemplate?, MirrorTemplate.Problem>]
  private let positions: TextPositions
  /// The beginning of the URL and the place of each row, in bytes.
  private let offsets: [(url: Int, place: Int)]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 or UTF-16, with or without a byte order mark, or Windows-1252.
  ///   - separator: The separator of fields; `nil` for the comma, semicolon or tab that the header
  ///     has.
  ///   - allowsDuplicates: Whether two rows may have the same URL.
  public init(_ bytes: [UInt8], separator: UInt8? = nil, allowsDuplicates: Bool = false) {
    var interpretation = Interpretation(
      allowsDuplicates: allowsDuplicates,
      table: CSVTable(bytes, separator: separator, key: "url", example: "url,label"))
    interpretation.takeRows()
    positions = interpretation.table.positions
    note = interpretation.table.note
    orders = interpretation.rows.map(\.order)
    templates = interpretation.rows.map(\.template)
    offsets = interpretation.rows.map { ($0.urlOffset, $0.placeOffset) }
    problems = interpretation.table.problems.sorted()
  }

  /// Returns the position of the URL of a row, both from 1.
  ///
  /// - Parameter number: The row's number, from 1.
  package func position(ofRow number: Int) -> (line: Int, column: Int) {
    positions.position(of: offsets[number - 1].url)
  }

  /// Returns the position of the place of a row, both from 1.
  package func position(ofPlaceInRow number: Int) -> (line: Int, column: Int) {
    positions.position(of: offsets[number - 1].place)
  }
}

/// Creates the orders of rows.
private struct Interpretation {
  struct Row {
    let order: BatchRow.Order
    let template: Result<MirrorTemplate?, MirrorTemplate.Problem>
    let urlOffset: Int
    let placeOffset: Int
  }

  let allowsDuplicates: Bool
  private(set) var table: CSVTable
  private(set) var rows: [Row] = []
  var linesOfURLs: [String: Int] = [:]
  var linesOfUIDs: [String: Int] = [:]

  mutating func takeRows() {
    while let row = table.next() { take(row) }
    table.finish(hasRows: !rows.isEmpty)
  }

  private mutating func take(_ row: CSVTable.Row) {
    let line = table.positions.position(of: row.fields[0].offset).line
    guard let url = row.text("url") else {
      let isBlank = row.fields.allSatisfy { $0.text.isEmpty }
      table.report(
        isBlank ? "The row is blank. Delete it." : "The row has no url.", at: row.offset("url"))
      return
    }
    // Two spellings that phones and the registry treat as one are one; text that is not a URL is
    // refused for that later.
    let key = (try? InvocationURL(url))?.normalized ?? url
    // With the UID in the placeholder, each tag gets a different URL.
    let template = Result { () throws(MirrorTemplate.Problem) in try MirrorTemplate(url) }
    let differsByTag = (try? template.get())?.kind.showsUID == true
    if !allowsDuplicates, !differsByTag, let first = linesOfURLs.updateValue(line, forKey: key) {
      linesOfURLs[key] = first
      table.report(
        advising: "Line \(first) has the same URL. Give each tag its own, or \(.allowDuplicates).",
        at: row.offset("url"))
    }
    let uid = takeUID(row.text("uid"), line: line, at: row.offset("uid"))
    let known: Set = ["url", "label", "place", "uid"]
    rows.append(
      Row(
        order: BatchRow.Order(
          url: url, label: row.text("label"), placeID: row.text("place"), wantedUID: uid,
          captions: table.columns.indices.filter { !known.contains(table.columns[$0]) }.map {
            BatchRow.Caption(table.headings[$0], row.fields[$0].text)
          }),
        template: template,
        urlOffset: row.offset("url"),
        // Without a column for the place, a problem of the place is a problem of the URL.
        placeOffset: row.offset(table.columns.contains("place") ? "place" : "url")))
  }

  private mutating func takeUID(_ text: String?, line: Int, at offset: Int) -> String? {
    guard let text else { return nil }
    guard let uid = [UInt8](separatedHexadecimal: text), [4, 7, 10].contains(uid.count) else {
      table.report(
        "“\(text)” is not a UID: 4, 7 or 10 bytes in hexadecimal, for example 04E10CDA993C80.",
        at: offset)
      return nil
    }
    let digits = uid.hexadecimal
    if let first = linesOfUIDs.updateValue(line, forKey: digits) {
      linesOfUIDs[digits] = first
      table.report("Line \(first) has the same UID. A tag has one URL.", at: offset)
    }
    return digits
  }
}
