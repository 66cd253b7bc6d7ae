import CodeDrawing
import Deployment
import Foundation
import Invocation
import Registry

/// One print run: draws, proves, records, and puts the files in place, in this order, so that
/// whatever fails leaves neither a file nor a record.
struct SheetRun {
  let job: LabelSheetJob
  let output: String
  let source: String
  let dryRun: Bool
  let ledger: CodeLedger
  let console: Console

  func run() async throws {
    // What goes to standard output is made, and proven, in a file first.
    let isStandard = output == "-"
    let path = isStandard ? "\(NSTemporaryDirectory())/cliptag-sheet-\(UUID()).pdf" : output
    if !dryRun, !isStandard { try AtomicFile.checkPlace(manifestPath) }
    let sink = try FileSink(path: path)
    let labels = try job.draw(to: sink)
    let bar = ProgressBar(total: labels.count, console: console)
    do {
      try await job.prove(labels, at: sink.temporaryPath, named: isStandard ? "the sheet" : output)
      {
        for _ in 0..<$0 { bar?.advance() }
      }
      bar?.hide()
    } catch {
      bar?.hide()
      throw error
    }
    let names = dryRun ? [] : try job.rows.names(in: ledger)
    if !dryRun {
      let manifest = isStandard ? nil : try manifest(labels, names)
      try await record(labels, names)
      try manifest?.commit()
      if isStandard { try copy(sink.temporaryPath) } else { try sink.commit() }
    }
    if !isStandard { try show(labels, names) }
  }

  /// The file beside the sheet that says which label holds what.
  private var manifestPath: String {
    (output.lowercased().hasSuffix(".pdf") ? String(output.dropLast(4)) : output)
      + "-manifest.csv"
  }

  private func manifest(
    _ labels: [LabelSheetJob.Label], _ names: [CodeID]
  ) throws -> FileSink {
    let sink = try FileSink(path: manifestPath)
    let manifest = LabelManifest(job.file, captions: job.options.captions)
    let name = (output as NSString).lastPathComponent
    try sink.write(Array(manifest.header.utf8))
    try forEachLabel(labels) { label, row in
      let place = try job.rows.approval(of: row).verification.place?.id
      let line = manifest.line(
        row, in: name, at: (label.place.page, label.place.position), code: names[row.number - 1],
        placeID: place)
      try sink.write(Array(line.utf8))
    }
    try sink.flush()
    return sink
  }

  private func record(_ labels: [LabelSheetJob.Label], _ names: [CodeID]) async throws {
    // Approved before, and again here from memory: what the registry's own transaction needs must
    // not ask the registry.
    var items: [CodeLedger.PrintedItem] = []
    var last = 0
    try forEachLabel(labels) { label, row in
      guard row.number != last else { return }
      last = row.number
      items.append(
        CodeLedger.PrintedItem(
          try job.rows.approval(of: row), symbol: label.symbol, output: output,
          name: names[row.number - 1]))
    }
    try await ledger.recordPrinted(items)
  }

  /// Goes through labels and their rows together; both are in the order of the file.
  private func forEachLabel(
    _ labels: [LabelSheetJob.Label], _ body: (LabelSheetJob.Label, LabelFile.Row) throws -> Void
  ) throws {
    var rows = job.file.rows().makeIterator()
    var row = rows.next()
    for label in labels {
      while let current = row, current.number < label.row { row = rows.next() }
      if let row { try body(label, row) }
    }
  }

  private func copy(_ path: String) throws {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    while let part = try file.read(upToCount: 1 << 18), !part.isEmpty {
      console.write(Array(part))
    }
  }

  private func show(_ labels: [LabelSheetJob.Label], _ names: [CodeID]) throws {
    var warnings: [(code: String, text: String, count: Int)] = []
    var lastRow = 0
    var drawing: CodeDrawing?
    try forEachLabel(labels) { label, row in
      if row.number != lastRow { drawing = try job.drawing(of: row, on: label) }
      guard let drawing else { return }
      if console.json {
        console.print(
          drawing.issueJSON(
            output: output, code: dryRun ? nil : names[row.number - 1], dryRun: dryRun,
            [
              ("row", .integer(row.number)), ("page", .integer(label.place.page)),
              ("position", .integer(label.place.position)),
            ]))
      } else if row.number != lastRow {
        for warning in drawing.warnings {
          if let index = warnings.firstIndex(where: { $0.code == warning.code }) {
            warnings[index].count += 1
          } else {
            warnings.append((warning.code, warning.text, 1))
          }
        }
      }
      lastRow = row.number
    }
    for warning in warnings {
      let others = warning.count > 1 ? " (\(rowCount(warning.count)) in all)" : ""
      console.say("\(console.error.yellow("warning:")) \(warning.text)\(others)")
    }
    if !console.json { console.result(.null, text: text(labels)) }
  }

  private func text(_ labels: [LabelSheetJob.Label]) -> String {
    let modules = labels.map(\.moduleSize)
    let (least, most) = (modules.min() ?? 0, modules.max() ?? 0)
    let sizes =
      least == most
      ? "\(least.inThousandths) mm" : "\(least.inThousandths) to \(most.inThousandths) mm"
    return """
      \(dryRun ? "would write" : "wrote") \(output)
        labels    \(labels.count) of \(rowCount(job.file.rowCount)), each read back from the \
      finished sheet
        sheets    \(job.pageCount) of \(job.options.stock.name), \
      \(job.options.stock.count) labels each
        modules   \(sizes)
        manifest  \(dryRun ? "none" : manifestPath)
      """
  }
}
