import CodeDrawing
import Deployment
import Foundation
import Invocation
import Registry

/// One run that makes a file for each row: makes and proves all, records, and puts them in place,
/// in this order, so that whatever fails leaves neither files nor a record.
struct CodeFilesRun {
  let job: CodeFilesJob
  let folder: String
  let captions: [Int]
  let dryRun: Bool
  let ledger: CodeLedger
  let console: Console

  func run() async throws {
    let parent = (folder as NSString).standardizingPath
    let making = "\(parent).\(getpid())-\(UInt32.random(in: .min ... .max)).tmp"
    try create(making)
    defer { try? FileManager.default.removeItem(atPath: making) }
    let bar = ProgressBar(total: job.rows.file.rowCount, console: console)
    do {
      try await job.make(in: making) { _ in bar?.advance() }
      bar?.hide()
    } catch {
      bar?.hide()
      throw error
    }
    let names = dryRun ? [] : try job.rows.names(in: ledger)
    if !dryRun {
      try writeManifest(in: making, names)
      try create(parent)
      try await record(names)
      try move(from: making, to: parent)
    }
    try show(names)
  }

  private func create(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        "cannot-create", .cannotCreate, "The folder \(folder) cannot be made.",
        hint: "Check the path, its permissions and the room on the disk.", source: folder)
    }
  }

  private func writeManifest(in folder: String, _ names: [CodeID]) throws {
    let manifest = LabelManifest(job.rows.file, captions: captions)
    let sink = try FileSink(path: "\(folder)/\(Self.manifestName)")
    try sink.write(Array(manifest.header.utf8))
    for row in job.rows.file.rows() {
      let place = try job.rows.approval(of: row).verification.place?.id
      let line = manifest.line(
        row, in: job.fileName(of: row), at: nil, code: names[row.number - 1], placeID: place)
      try sink.write(Array(line.utf8))
    }
    try sink.commit()
  }

  private static let manifestName = "manifest.csv"

  private func record(_ names: [CodeID]) async throws {
    // Approved again from memory: the registry's own transaction must not ask the registry.
    var items: [CodeLedger.PrintedItem] = []
    for row in job.rows.file.rows() {
      items.append(
        CodeLedger.PrintedItem(
          try job.rows.approval(of: row), symbol: IssuedCode.Symbol(try job.drawing(of: row)),
          output: "\(folder)/\(job.fileName(of: row))", name: names[row.number - 1]))
    }
    try await ledger.recordPrinted(items)
  }

  private func move(from making: String, to folder: String) throws {
    for name in job.rows.file.rows().map(job.fileName) + [Self.manifestName] {
      guard rename("\(making)/\(name)", "\(folder)/\(name)") == 0 else {
        throw Failure(
          "cannot-create", .cannotCreate,
          "\(folder)/\(name) cannot be put in place: \(String(cString: strerror(errno))).",
          hint: "Check the folder's permissions, and run the same command again.", source: folder)
      }
    }
  }

  private func show(_ names: [CodeID]) throws {
    var warned: Set<String> = []
    for row in job.rows.file.rows() {
      let drawing = try job.drawing(of: row)
      let path = "\((folder as NSString).standardizingPath)/\(job.fileName(of: row))"
      if console.json {
        console.print(
          drawing.issueJSON(
            output: path, code: dryRun ? nil : names[row.number - 1], dryRun: dryRun,
            [("row", .integer(row.number)), ("page", .null), ("position", .null)]))
      }
      for warning in drawing.warnings where warned.insert(warning.code).inserted {
        console.say("\(console.error.yellow("warning:")) row \(row.number): \(warning.text)")
      }
    }
    guard !console.json else { return }
    console.result(
      .null,
      text: """
        \(dryRun ? "would write" : "wrote") \(rowCount(job.rows.file.rowCount)) to \(folder), each \
        file read back from its own pixels
          manifest  \(dryRun ? "none" : "\((folder as NSString).standardizingPath)/manifest.csv")
        """)
  }
}
