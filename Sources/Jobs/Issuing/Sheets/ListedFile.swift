import CodeDrawing
import Foundation

/// A file with the codes of many rows, and the list of them beside it, while both are made.
struct ListedFile: Sendable {
  /// A code in the file.
  struct Entry: Sendable {
    /// The index of its row.
    let row: Int
    /// The page, and the label on it.
    let position: (page: Int, label: Int?)
  }

  /// The file.
  let file: AtomicFile
  /// The name of the file in the record.
  let name: String
  /// The path of the list; `nil` in a rehearsal, or for a stream.
  let listPath: String?

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - destination: The PDF file. The list has the same name with `-manifest.csv`; a stream has
  ///     none.
  ///   - isRehearsal: Whether nothing is put in place.
  /// - Throws: ``IssuingError`` with code `cannot-create`.
  init(_ destination: FileDestination, isRehearsal: Bool) throws(IssuingError) {
    name = destination.name
    var listPath: String?
    if !isRehearsal, case .file(let path) = destination {
      let stem = path.lowercased().hasSuffix(".pdf") ? String(path.dropLast(4)) : path
      listPath = stem + "-manifest.csv"
    }
    if let listPath { try AtomicFile.checkPlace(listPath) }
    self.listPath = listPath
    file = try AtomicFile(destination)
  }

  /// Records the codes of the finished and proven file, and only then lets file and list appear: a
  /// failure leaves neither a file nor a record.
  ///
  /// - Parameters:
  ///   - items: The codes to record, row by row.
  ///   - entries: Every code in the file, in the order of the list.
  ///   - labels: The rows.
  ///   - captions: The columns that the list repeats, from 0.
  ///   - ledger: The record.
  ///   - check: Receives the names that the record gives; an error leaves no record.
  /// - Returns: These names.
  func putInPlace(
    recording items: [CodeLedger.PrintedItem], _ entries: [Entry], of labels: ApprovedLabels,
    captions: [Int], in ledger: CodeLedger,
    checking check: @escaping @Sendable ([CodeLedger.PrintNames?]) throws -> Void
  ) async throws -> [CodeLedger.PrintNames?] {
    try file.synchronize()
    let list = try listPath.map { try AtomicFile(.file($0)) }
    defer { list?.discard() }
    let names = try await ledger.recordPrinted(items) { names in
      try check(names)
      guard let list else { return }
      let lines = LabelManifest(labels.file, captions: captions)
      try list.write(lines.header)
      for entry in entries {
        try list.write(
          lines.line(
            labels.rows[entry.row], in: (name as NSString).lastPathComponent, at: entry.position,
            names[entry.row]))
      }
      try list.synchronize()
    }
    try list?.commit()
    try file.commit()
    return names
  }
}
