import CliptagBasics
import Invocation
public import CodeDrawing
public import QRSymbol
import Registry

/// Options for files of one code each.
public struct CodeFileOptions: Sendable {
  /// The kind of file.
  public var format: DrawingFormat
  /// The size of the codes.
  public var size: CodeSize.Request
  /// The lowest error-correction level.
  public var errorCorrection = QRSymbol.ErrorCorrection.medium
  /// The creation time in a PDF, in seconds since 1970.
  public var creationTime: Int?
  /// The columns that the list of what was printed repeats, from 0.
  public var captions: [Int] = []

  /// Options for a kind of file.
  public init(format: DrawingFormat, size: CodeSize.Request = CodeSize.Request()) {
    self.format = format
    self.size = size
  }
}

/// A folder of files that were made, proven and recorded.
public struct IssuedFiles: Sendable {
  /// The codes, in the order of the rows.
  public let labels: [IssuedLabel]
  /// The list of what is in which file; `nil` in a rehearsal.
  public let manifestPath: String?
  /// The number of other files in the folder: of an earlier run, or of other origin.
  public let otherFiles: Int
}

extension Issuer {
  /// Makes a file for each row, and a list of them, in a folder.
  ///
  /// Files are named after the column `code` or `id`, else after the row's number. All are made in
  /// a folder beside it and proven there, many by one process of a renderer: every module is as it
  /// was drawn, and zbar decodes the code. Then all codes are recorded, and only then do the files
  /// appear: an earlier failure leaves neither files nor a record.
  ///
  /// - Parameters:
  ///   - labels: The labels to print.
  ///   - folder: The folder, made if it is missing. Files of these names in it are replaced.
  ///   - options: Options for the files.
  ///   - progress: Called with a number of files whenever some were proven.
  /// - Throws: ``LabelRefusal`` for rows whose names cannot be those of files; ``IssuingError``
  ///   with code `unreadable-rendering` or `cannot-create`; `CodeDrawingError`, `QRSymbolError`,
  ///   `PictureError`, `RegistryError`, or `CancellationError`.
  public func issue(
    _ labels: ApprovedLabels, in folder: String, as options: CodeFileOptions,
    progress: (_ files: Int) -> Void = { _ in }
  ) async throws -> IssuedFiles {
    let run = CodeFilesRun(
      options: options, files: try RowFiles(of: labels, as: options.format, in: folder))
    defer { run.files.staging.discard() }
    let drawings = try await run.make(progress)
    guard !isRehearsal else { return run.issued(drawings, []) }
    let names = try await run.files.putInPlace(
      recording: run.items(drawings), captions: options.captions, in: ledger)
    return run.issued(drawings, names)
  }
}

/// One run that makes a file for each row.
private struct CodeFilesRun {
  let options: CodeFileOptions
  let files: RowFiles

  /// Makes every file in the staging folder and reads each back from its own pixels.
  ///
  /// - Returns: The codes, row by row.
  func make(_ progress: (_ files: Int) -> Void) async throws -> [CodeDrawing] {
    let rows = files.labels.rows.indices
    // Enough to make the start of a renderer cheap, and few enough for every processor to have
    // some.
    let size = options.format == .png ? 16 : min(512, max(1, (rows.count + 3) / 4))
    let parts = stride(from: 0, to: rows.count, by: size).map { start in
      start..<min(start + size, rows.count)
    }
    var drawings: [Int: [CodeDrawing]] = [:]
    try await parts.inParallel { part in
      (part.lowerBound, try await make(part))
    } each: { start, made in
      drawings[start] = made
      progress(made.count)
    }
    return parts.flatMap { drawings[$0.lowerBound] ?? [] }
  }

  private func make(_ part: Range<Int>) async throws -> [CodeDrawing] {
    var drawings: [CodeDrawing] = []
    var made: [(name: String, bytes: [UInt8])] = []
    for index in part {
      try Task.checkCancellation()
      let drawing = try CodeDrawing(
        QRSymbol(
          files.labels.rows[index].row.url, minimumErrorCorrection: options.errorCorrection),
        size: options.size, creationTime: options.creationTime)
      let bytes = try drawing.data(as: options.format)
      try files.write(bytes, ofRow: index)
      drawings.append(drawing)
      made.append((files.names[index], bytes))
    }
    try await PrintedCode.prove(drawings, as: options.format, made, in: files.staging.path)
    return drawings
  }

  /// Returns the items to record, row by row.
  func items(_ drawings: [CodeDrawing]) -> [CodeLedger.PrintedItem] {
    zip(files.labels.rows, drawings).enumerated().map { index, row in
      CodeLedger.PrintedItem(
        row.0.approval, symbol: IssuedCode.Symbol(row.1), output: files.output(ofRow: index),
        label: PrintedLabel(
          caption: row.0.row.caption(options.captions), row: row.0.row.number))
    }
  }

  /// Returns the printed files with the names that the record gave.
  func issued(_ drawings: [CodeDrawing], _ names: [CodeLedger.PrintNames?]) -> IssuedFiles {
    let labels = files.labels.rows.enumerated().map { index, row in
      let name = names.isEmpty ? nil : names[index]
      return IssuedLabel(
        row: row.row, findings: row.approval.verification.findings, drawing: drawings[index],
        appClipCode: nil, id: name?.code, item: name?.item, output: files.output(ofRow: index),
        position: nil)
    }
    return IssuedFiles(
      labels: labels, manifestPath: names.isEmpty ? nil : files.listPath,
      otherFiles: files.otherFiles)
  }
}
