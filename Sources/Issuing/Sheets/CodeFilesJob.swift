package import CodeDrawing
import Foundation
package import Invocation
package import QRSymbol

/// The making of one file for each row of a file of labels, each with one code.
///
/// The files are made in a folder of their own beside the others and proven there; only when all
/// are, they are put in place, so that whatever fails leaves none.
package struct CodeFilesJob: Sendable {
  /// How files are made.
  package struct Options: Sendable {
    /// The kind of file.
    package var format: DrawingFormat
    /// The size of the codes.
    package var size: CodeSize.Request
    /// The lowest error-correction level.
    package var errorCorrection = QRSymbol.ErrorCorrection.medium
    /// When a PDF says it was made, in seconds since 1970.
    package var creationTime: Int?

    /// Options for a kind of file.
    package init(format: DrawingFormat, size: CodeSize.Request) {
      self.format = format
      self.size = size
    }
  }

  /// The most characters that a file name may have before its ending: what Apple's print partner
  /// takes for App Clip Codes is 188 with it.
  package static let longestName = 180

  /// The file and what decides on its rows.
  package let rows: CheckedLabelFile
  /// How files are made.
  package let options: Options

  /// Plans the files.
  package init(_ rows: CheckedLabelFile, options: Options) {
    self.rows = rows
    self.options = options
  }

  /// What a row's file is called: as its column `code` or `id` says, else by its number.
  package func fileName(of row: LabelFile.Row) -> String {
    let digits = String(rows.file.rowCount).count
    let number = String(row.number)
    let padded = String(repeating: "0", count: max(0, digits - number.count)) + number
    return "\(row.name ?? padded).\(options.format.fileEnding)"
  }

  /// Rows whose names cannot be those of files, or come twice.
  package func nameProblems() -> [DocumentProblem] {
    var problems: [DocumentProblem] = []
    var rowsByName: [String: Int] = [:]
    let column = rows.file.column(named: "code") ?? rows.file.column(named: "id") ?? 0
    for row in rows.file.rows() {
      let name = fileName(of: row)
      var message: String?
      if let first = rowsByName[name.lowercased()] {
        message = "“\(name)” is the file of row \(first) already. Name each row differently."
      } else if let text = row.name, let fault = Self.fault(in: text) {
        message = "“\(text)” cannot name a file: \(fault). Use letters, digits, - and _."
      }
      rowsByName[name.lowercased()] = rowsByName[name.lowercased()] ?? row.number
      guard let message else { continue }
      let place = rows.file.position(ofColumn: column, inRow: row.number)
      problems.append(DocumentProblem(line: place.line, column: place.column, message))
    }
    return problems
  }

  private static func fault(in name: String) -> String? {
    if name.count > longestName { return "it has more than \(longestName) characters" }
    if name.hasPrefix(".") || name.hasPrefix("-") { return "it begins with \(name.prefix(1))" }
    let forbidden = name.unicodeScalars.first { scalar in
      scalar == "/" || scalar == "\\" || scalar.properties.generalCategory == .control
    }
    return forbidden.map { _ in "it holds a slash or a control character" }
  }

  /// The code of a row as it is drawn.
  ///
  /// - Throws: `QRSymbolError` or `CodeDrawingError`.
  package func drawing(of row: LabelFile.Row) throws -> CodeDrawing {
    try CodeDrawing(
      QRSymbol(row.url, minimumErrorCorrection: options.errorCorrection), size: options.size,
      creationTime: options.creationTime)
  }

  /// Makes every file in a folder and reads each back from its own pixels.
  ///
  /// - Parameters:
  ///   - folder: Where the files are made.
  ///   - progress: Called with 1 whenever one was proven.
  /// - Throws: What ``PrintedCode`` throws, or ``IssuingError`` with code `cannot-create`.
  package func make(in folder: String, progress: (_ files: Int) -> Void = { _ in }) async throws {
    let workers = min(max(ProcessInfo.processInfo.activeProcessorCount, 1), 4)
    try await withThrowingTaskGroup(of: Void.self) { group in
      var running = 0
      for row in rows.file.rows() {
        if running == workers {
          try await group.next()
          running -= 1
          progress(1)
        }
        running += 1
        group.addTask {
          try Task.checkCancellation()
          let name = fileName(of: row)
          let printed = try await PrintedCode(drawing(of: row), as: options.format, named: name)
          let file = try FileSink(path: "\(folder)/\(name)")
          try file.write(printed.bytes)
          try file.commit()
        }
      }
      while running > 0 {
        try await group.next()
        running -= 1
        progress(1)
      }
    }
  }
}
