import CliptagBasics
import CFileSystem
import Invocation
public import CodeDrawing
import Foundation
import Glibc
import Pictures
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
  /// a folder beside it and proven there like those of ``PrintedCode``, many by one process of a
  /// renderer. Then all codes are recorded, and only then do the files appear: an earlier failure
  /// leaves neither files nor a record.
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
    let folder = (folder as NSString).standardizingPath
    let run = try CodeFilesRun(labels, options)
    let staging = try StagingFolder(beside: folder)
    defer { staging.discard() }
    let drawings = try await run.make(in: staging.path, progress)
    let own = Set(run.fileNames + [CodeFilesRun.manifestName])
    let others = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .count { !own.contains($0) }
    guard !isRehearsal else { return run.issued(drawings, in: folder, [], beside: others) }
    let items = zip(zip(labels.rows, run.fileNames), drawings).map {
      CodeLedger.PrintedItem(
        $0.0.approval, symbol: IssuedCode.Symbol($1), output: "\(folder)/\($0.1)",
        label: PrintedLabel(
          caption: $0.0.row.caption(options.captions), row: $0.0.row.number))
    }
    let names = try await ledger.recordPrinted(items) { names in
      let list = LabelManifest(labels.file, captions: options.captions)
      let manifest = try AtomicFile(.file("\(staging.path)/\(CodeFilesRun.manifestName)"))
      try manifest.write(list.header)
      for (index, row) in labels.rows.enumerated() {
        try manifest.write(list.line(row, in: run.fileNames[index], at: nil, names[index]))
      }
      try manifest.commit()
      try staging.synchronize()
      try StagingFolder.make(folder)
    }
    try staging.move(run.fileNames + [CodeFilesRun.manifestName], to: folder)
    return run.issued(drawings, in: folder, names, beside: others)
  }
}

/// One run that makes a file for each row.
private struct CodeFilesRun {
  /// The most characters that a file name may have before its ending: what Apple's print partner
  /// takes for App Clip Codes is 188 with it.
  static let longestName = 180
  /// The name of the list of files.
  static let manifestName = "manifest.csv"

  let approved: ApprovedLabels
  let options: CodeFileOptions
  /// The file name of each row.
  let fileNames: [String]

  /// Names the files.
  ///
  /// - Throws: ``LabelRefusal`` for rows whose names cannot be those of files, or come twice.
  init(_ approved: ApprovedLabels, _ options: CodeFileOptions) throws(LabelRefusal) {
    self.approved = approved
    self.options = options
    let file = approved.file
    let digits = String(file.rows.count).count
    let column = file.column(named: "code") ?? file.column(named: "id") ?? 0
    var fileNames: [String] = []
    var problems: [DocumentProblem] = []
    var rowsByName: [String: Int] = [:]
    for row in file.rows {
      let number = String(row.number)
      let padded = String(repeating: "0", count: max(0, digits - number.count)) + number
      let name = "\(row.name ?? padded).\(options.format.fileEnding)"
      fileNames.append(name)
      var message: String?
      if let first = rowsByName[name.lowercased()] {
        message = "“\(name)” is already the file of row \(first). Give each row a unique name."
      } else {
        rowsByName[name.lowercased()] = row.number
        if let text = row.name, let fault = Self.fault(in: text) {
          message = "“\(text)” is not a valid file name: \(fault). Use letters, digits, - and _."
        }
      }
      guard let message else { continue }
      let place = file.position(ofColumn: column, in: row)
      problems.append(DocumentProblem(line: place.line, column: place.column, message))
    }
    guard problems.isEmpty else { throw LabelRefusal(problems: problems) }
    self.fileNames = fileNames
  }

  private static func fault(in name: String) -> String? {
    if name.count > longestName { return "it has more than \(longestName) characters" }
    if name.hasPrefix(".") || name.hasPrefix("-") { return "it begins with \(name.prefix(1))" }
    let forbidden = name.unicodeScalars.first { scalar in
      scalar == "/" || scalar == "\\" || scalar.properties.generalCategory == .control
    }
    return forbidden.map { _ in "it contains a slash or a control character" }
  }

  /// Makes every file in a folder and reads each back from its own pixels.
  ///
  /// - Returns: The codes, row by row.
  func make(
    in folder: String, _ progress: (_ files: Int) -> Void
  ) async throws -> [CodeDrawing] {
    let rows = approved.rows.indices
    // Enough to make the start of a renderer cheap, and few enough for every processor to have
    // some.
    let size = options.format == .png ? 16 : min(128, max(1, (rows.count + 3) / 4))
    let parts = stride(from: 0, to: rows.count, by: size).map { start in
      start..<min(start + size, rows.count)
    }
    var drawings: [Int: [CodeDrawing]] = [:]
    try await parts.inParallel { part in
      (part.lowerBound, try await make(part, in: folder))
    } each: { start, made in
      drawings[start] = made
      progress(made.count)
    }
    return parts.flatMap { drawings[$0.lowerBound] ?? [] }
  }

  private func make(_ part: Range<Int>, in folder: String) async throws -> [CodeDrawing] {
    var drawings: [CodeDrawing] = []
    var files: [(name: String, bytes: [UInt8])] = []
    for index in part {
      try Task.checkCancellation()
      let drawing = try CodeDrawing(
        QRSymbol(
          approved.rows[index].row.url, minimumErrorCorrection: options.errorCorrection),
        size: options.size, creationTime: options.creationTime)
      let bytes = try drawing.data(as: options.format)
      try StagingFolder.write(bytes, to: "\(folder)/\(fileNames[index])")
      drawings.append(drawing)
      files.append((fileNames[index], bytes))
    }
    try await PrintedCode.prove(drawings, as: options.format, files, in: folder)
    return drawings
  }

  /// Returns the printed files with the names that the record gave.
  func issued(
    _ drawings: [CodeDrawing], in folder: String, _ names: [CodeLedger.PrintNames?],
    beside others: Int
  ) -> IssuedFiles {
    let labels = approved.rows.indices.map { index in
      let name = names.isEmpty ? nil : names[index]
      return IssuedLabel(
        row: approved.rows[index].row,
        findings: approved.rows[index].approval.verification.findings, drawing: drawings[index],
        appClipCode: nil,
        id: name?.code, item: name?.item, output: "\(folder)/\(fileNames[index])",
        position: nil)
    }
    return IssuedFiles(
      labels: labels, manifestPath: names.isEmpty ? nil : "\(folder)/\(Self.manifestName)",
      otherFiles: others)
  }
}

/// A folder in which files are made before all of them are put in place; gone with its owner.
private final class StagingFolder: Sendable {
  let path: String

  /// Makes a folder beside another.
  ///
  /// - Throws: ``IssuingError`` with code `cannot-create`.
  init(beside folder: String) throws(IssuingError) {
    path = "\(folder).\(getpid())-\(UInt32.random(in: .min ... .max)).tmp"
    if mkdir(path, 0o700) != 0 {
      guard errno == ENOENT else { throw .cannotCreate(path, errno) }
      // The folders above are as the user has them.
      try Self.make((folder as NSString).deletingLastPathComponent)
      guard mkdir(path, 0o700) == 0 else { throw .cannotCreate(path, errno) }
    }
    UnfinishedFiles.add(path)
  }

  deinit { discard() }

  /// Removes the folder with everything in it. A finished task may still hold this value when an
  /// error is thrown.
  func discard() {
    try? FileManager.default.removeItem(atPath: path)
    UnfinishedFiles.remove(path)
  }

  /// Makes a folder and those above it, where they are missing.
  static func make(_ folder: String) throws(IssuingError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw IssuingError(
        .cannotCreate, "The folder \(folder) cannot be created.",
        hint: "Check the path, its permissions and the free disk space.", underlying: error)
    }
  }

  /// Writes a file that no other process sees yet.
  static func write(_ bytes: [UInt8], to path: String) throws(IssuingError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .cannotCreate(path, errno) }
    var failure = AtomicFile.write(bytes, to: descriptor)
    if close(descriptor) != 0, failure == 0 { failure = errno }
    guard failure == 0 else { throw .cannotCreate(path, failure) }
  }

  /// Hands everything to the disk at once, which costs less than file by file.
  func synchronize() throws(IssuingError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotCreate(path, errno) }
    defer { close(descriptor) }
    guard cfilesystem_synchronize(descriptor) == 0 else { throw .cannotCreate(path, errno) }
  }

  /// Puts files in place.
  func move(_ names: [String], to folder: String) throws(IssuingError) {
    for name in names where rename("\(path)/\(name)", "\(folder)/\(name)") != 0 {
      throw IssuingError(
        .cannotCreate,
        "\(folder)/\(name) cannot be moved into place: \(String(cString: strerror(errno))).",
        hint: "Check the folder's permissions, and run the command again.")
    }
    AtomicFile.synchronize(folder: folder)
  }
}
