import AppClipCodes
import CliptagBasics
public import Invocation

/// The mapping of files to URLs that App Store Connect puts into its ZIP file, or that was given to
/// Apple's generator: a CSV file with the columns `SVG File Name` and `URL`, and perhaps
/// `Background Color`, `Foreground Color`, `Type` and `Logo`.
public struct AppClipCodeMapping: Sendable {
  /// The data of a row about a file.
  struct Row: Sendable {
    /// The line of the row, from 1.
    let line: Int
    let url: String
    let background: String?
    let foreground: String?
    let type: String?
    let logo: String?
  }

  /// The file, for sentences.
  public let path: String
  /// The mistakes in the mapping file.
  public let problems: [DocumentProblem]
  /// What was done to read the file; `nil` if it is in UTF-8.
  public let note: TableNote?
  /// The rows by the names of their files.
  let rows: [String: Row]

  /// Reads a mapping.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 or UTF-16, with or without a byte order mark, or Windows-1252.
  ///   - path: The file, for sentences.
  public init(_ bytes: [UInt8], path: String) {
    self.path = path
    var table = CSVTable(bytes, key: "svg file name", example: "SVG File Name,URL")
    if table.hasHeader, table.columns.contains("svg file name"), !table.columns.contains("url") {
      table.report("No column is named URL.", at: 0)
    }
    var rows: [String: Row] = [:]
    while let row = table.next() {
      guard let name = row.text("svg file name"), let url = row.text("url") else {
        table.report(
          "The row has no file or no URL.", at: row.offset("svg file name"))
        continue
      }
      let line = table.positions.position(of: row.offset("svg file name")).line
      let known = rows.updateValue(
        Row(
          line: line, url: url, background: row.text("background color"),
          foreground: row.text("foreground color"), type: row.text("type"),
          logo: row.text("logo")),
        forKey: Self.key(name))
      if let known {
        table.report(
          "The file \(name) is already in line \(known.line).",
          at: row.offset("svg file name"))
      }
    }
    table.finish(hasRows: !rows.isEmpty)
    problems = table.problems
    note = table.note
    self.rows = rows
  }

  /// The row of a file, with or without its ending.
  func row(ofFile name: String) -> Row? { rows[Self.key(name)] }

  /// Returns the files of rows that are not among the given names, in the order of their lines.
  func files(without names: some Sequence<String>) -> [(name: String, line: Int)] {
    let asked = Set(names.map(Self.key))
    return rows.filter { !asked.contains($0.key) }.map { ($0.key, $0.value.line) }
      .sorted { $0.line < $1.line }
  }

  private static func key(_ name: String) -> String {
    name.lowercased().hasSuffix(".svg") ? String(name.dropLast(4)) : name
  }
}

extension AppClipCodeMapping.Row {
  /// Returns the difference between a code's file and the row; `nil` when they agree.
  func difference(from code: AppClipCode) -> String? {
    guard url.utf8.elementsEqual(code.payload.utf8) else {
      return "the mapping has \(url), and the file \(code.payload)"
    }
    if let background, Colour(background) != code.colours.background {
      return "the mapping has the background \(background), and the file "
        + code.colours.background.hexadecimal
    }
    if let foreground, Colour(foreground) != code.colours.foreground {
      return "the mapping has the foreground \(foreground), and the file "
        + code.colours.foreground.hexadecimal
    }
    if let type, let kind = code.badge?.kind, type.lowercased() != kind.rawValue {
      return "the mapping has the type \(type), and the file the glyph of "
        + kind.rawValue
    }
    if let logo, logo.lowercased() != code.logo {
      return "the mapping has the logo \(logo), and the file \(code.logo)"
    }
    return nil
  }

  /// The intended use of the code, which an old record may not contain.
  var kind: AppClipCode.Kind? { type.flatMap { AppClipCode.Kind(rawValue: $0.lowercased()) } }
}
