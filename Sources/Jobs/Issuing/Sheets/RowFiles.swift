package import CodeDrawing
import Foundation
import Invocation

/// A folder of files of one row each, and the list of them, while all are made in another folder
/// beside it.
struct RowFiles {
  /// The most characters that a file name may have before its ending: what Apple's print partner
  /// takes for App Clip Codes is 188 with it.
  private static let longestName = 180
  /// The name of the list of files.
  private static let listName = "manifest.csv"

  /// The rows.
  let labels: ApprovedLabels
  /// The file name of each row.
  let names: [String]
  /// The number of other files in the folder: of an earlier run, or of other origin.
  let otherFiles: Int
  /// The folder in which the files are made.
  let staging: StagingFolder
  private let folder: String

  /// The path of the list.
  var listPath: String { "\(folder)/\(Self.listName)" }

  /// Names the files, and makes a folder for them.
  ///
  /// - Throws: ``LabelRefusal`` for rows whose names cannot be those of files, or come twice;
  ///   ``IssuingError`` with code `cannot-create`.
  init(of labels: ApprovedLabels, as format: DrawingFormat, in folder: String) throws {
    self.labels = labels
    self.folder = Self.standardized(folder)
    names = try Self.names(of: labels.file, as: format)
    staging = try StagingFolder(beside: self.folder)
    let own = Set(names + [Self.listName])
    otherFiles = ((try? FileManager.default.contentsOfDirectory(atPath: self.folder)) ?? [])
      .count { !own.contains($0) }
  }

  /// Returns the path of a row's file, as it is recorded.
  func output(ofRow index: Int) -> String { "\(folder)/\(names[index])" }

  /// Writes the file of a row in the staging folder.
  func write(_ bytes: [UInt8], ofRow index: Int) throws(IssuingError) {
    try StagingFolder.write(bytes, to: "\(staging.path)/\(names[index])")
  }

  /// Records the codes of the finished and proven files, and only then lets files and list appear:
  /// an earlier failure leaves neither files nor a record.
  ///
  /// - Parameters:
  ///   - items: The codes to record, row by row.
  ///   - captions: The columns that the list repeats, from 0.
  ///   - ledger: The record.
  ///   - check: Receives the names that the record gives; an error leaves no record.
  /// - Returns: These names.
  func putInPlace(
    recording items: [CodeLedger.PrintedItem], captions: [Int], in ledger: CodeLedger,
    checking check: @escaping @Sendable ([CodeLedger.PrintNames?]) throws -> Void = { _ in }
  ) async throws -> [CodeLedger.PrintNames?] {
    let recorded = try await ledger.recordPrinted(items) { [self] recorded in
      try check(recorded)
      let lines = LabelManifest(labels.file, captions: captions)
      let list = try AtomicFile(.file("\(staging.path)/\(Self.listName)"))
      try list.write(lines.header)
      for (index, row) in labels.rows.enumerated() {
        try list.write(lines.line(row, in: names[index], at: nil, recorded[index]))
      }
      try list.commit()
      try staging.synchronize()
      try StagingFolder.make(folder)
    }
    try staging.move(names + [Self.listName], to: folder)
    return recorded
  }

  fileprivate static func standardized(_ folder: String) -> String {
    (folder as NSString).standardizingPath
  }

  /// Names the files after the column `code` or `id`, else after the rows' numbers.
  fileprivate static func names(
    of file: LabelFile, as format: DrawingFormat
  ) throws(LabelRefusal) -> [String] {
    let digits = String(file.rows.count).count
    let column = file.column(named: "code") ?? file.column(named: "id") ?? 0
    var names: [String] = []
    var problems: [DocumentProblem] = []
    var rowsByName: [String: Int] = [:]
    for row in file.rows {
      let number = String(row.number)
      let padded = String(repeating: "0", count: max(0, digits - number.count)) + number
      let name = "\(row.name ?? padded).\(format.fileEnding)"
      names.append(name)
      var message: String?
      if let first = rowsByName[name.lowercased()] {
        message = "“\(name)” is already the file of row \(first). Give each row a unique name."
      } else {
        rowsByName[name.lowercased()] = row.number
        if let text = row.name, let fault = fault(in: text) {
          message = "“\(text)” is not a valid file name: \(fault). Use letters, digits, - and _."
        }
      }
      guard let message else { continue }
      let place = file.position(ofColumn: column, in: row)
      problems.append(DocumentProblem(line: place.line, column: place.column, message))
    }
    guard problems.isEmpty else { throw LabelRefusal(problems: problems) }
    return names
  }

  private static func fault(in name: String) -> String? {
    if name.count > longestName { return "it has more than \(longestName) characters" }
    if name.hasPrefix(".") || name.hasPrefix("-") { return "it begins with \(name.prefix(1))" }
    let forbidden = name.unicodeScalars.first { scalar in
      scalar == "/" || scalar == "\\" || scalar.properties.generalCategory == .control
    }
    return forbidden.map { _ in "it contains a slash or a control character" }
  }
}

extension LabelFile {
  /// Returns the path of each row's file in a folder, as it is recorded.
  ///
  /// - Throws: ``LabelRefusal`` for rows whose names cannot be those of files, or come twice.
  package func outputs(
    as format: DrawingFormat, in folder: String
  ) throws(LabelRefusal) -> [String] {
    let folder = RowFiles.standardized(folder)
    return try RowFiles.names(of: self, as: format).map { "\(folder)/\($0)" }
  }
}
