import Jobs
import CliptagBasics
import ArgumentParser
import Auditing
import CodeDrawing
import Foundation
import Invocation
import Issuing
import Registry

/// `cliptag pack …`
struct PackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Make and verify packing lists.",
    discussion: """
      Without a subcommand, makes the packing list of a place; pack list --help shows its options.

      Examples:
        cliptag pack cupertino
        cliptag pack cupertino -o parcel.pdf --csv parcel.csv
        cliptag pack verify cupertino posters/*.png
      """,
    subcommands: [PackListCommand.self, PackVerifyCommand.self],
    defaultSubcommand: PackListCommand.self)
}

/// `cliptag pack PLACE`
struct PackListCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the codes that belong to a place, as text, PDF and CSV.",
    discussion: """
      Every issued code of the place is on the list, printed codes first, then tags; retired ones \
      are left out. The PDF has a tick box for each code, but no printed codes, to avoid stray \
      copies.

      Examples:
        cliptag pack list cupertino
        cliptag pack cupertino -o parcel.pdf --csv parcel.csv --record
      """)

  @Argument(help: "The place, by its id.")
  var place: String
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the list as a PDF file.", valueName: "file"),
    completion: .file(extensions: ["pdf"]))
  var output: String?
  @Option(
    help: ArgumentHelp("Write the list as a CSV file.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var csv: String?
  @Option(
    help: ArgumentHelp("The paper of the PDF: A4, letter …, or a size in mm.", valueName: "paper"))
  var paper = "A4"
  @Flag(help: "Record every code as packed in its history.")
  var record = false
  @Flag(name: [.long, .customShort("n")], help: "Only show the list; write and record nothing.")
  var dryRun = false
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let standard = [output, csv].count { $0 == "-" }
    if standard > 1 || standard == 1 && global.json {
      throw ValidationError("Only one of -o -, --csv - and --json can use standard output.")
    }
    if let output, output != "-", !output.lowercased().hasSuffix(".pdf") {
      throw ValidationError(
        "Packing lists are PDF files: end the name in .pdf; got \(output.printable).")
    }
    let size = try PaperSize(paper)
    guard size.width >= 100, size.height >= 100 else {
      throw ValidationError("--paper must be 100 mm wide and high or more, not \(paper.printable).")
    }
  }

  func execute(_ console: Console) async throws {
    let isChange = record && !dryRun
    let registry =
      isChange ? try global.registryForWriting() : try global.registryForReading(console)
    let job = PackParcel(place)
    let list = try job.list(in: registry)
    var pdf: AtomicFile?
    var pages: Int?
    var table: AtomicFile?
    if !dryRun {
      if let output {
        let made = try makePDF(of: list, at: output, console)
        (pages, pdf) = (made.pages, made.sink)
      }
      table = try csv.flatMap { try makeCSV(of: list, at: $0, console) }
      // The files are complete beside their destinations before anything is recorded.
      if record { try job.record(list, in: Workplace(registry: registry)) }
      try pdf?.commit()
      try table?.commit()
    }
    guard output != "-", csv != "-" else { return }
    let isQuiet = !dryRun && (output != nil || csv != nil)
    for item in list.items where global.json || !isQuiet {
      console.result(of: PackingItemResult(item, of: list.place), text: item.text)
    }
    console.result(
      of: PackingListResult(
        list, output: dryRun ? nil : output, csv: dryRun ? nil : csv, pages: pages,
        isRecorded: isChange),
      text: text(of: list, pages: pages))
  }

  private func makePDF(
    of list: PackingList, at path: String, _ console: Console
  ) throws -> (pages: Int, sink: AtomicFile?) {
    let drawing = list.pages(on: try PaperSize(paper))
    guard path != "-" else {
      let made = try drawing.write(to: MemorySink(), creationTime: SourceDate.seconds)
      console.write(made.sink.bytes)
      return (made.pages, nil)
    }
    let made = try drawing.write(to: try AtomicFile(.file(path)), creationTime: SourceDate.seconds)
    return (made.pages, made.sink)
  }

  private func makeCSV(
    of list: PackingList, at path: String, _ console: Console
  ) throws -> AtomicFile? {
    let sink = path == "-" ? nil : try AtomicFile(.file(path))
    func write(_ line: String) throws {
      if let sink { try sink.write(Array(line.utf8)) } else { console.write(Array(line.utf8)) }
    }
    try write(PackingList.csvHeader)
    for item in list.items { try write(list.csvLine(of: item)) }
    return sink
  }

  private func text(of list: PackingList, pages: Int?) -> ConsoleText {
    var text: ConsoleText = "\(list.place.name) (\(list.place.id)), \(list.summary)"
    let (wrote, recorded) = dryRun ? ("would write", "would record") : ("wrote", "recorded")
    if let output {
      let sheets = pages.map { ", \($0) page\($0 == 1 ? "" : "s")" } ?? ""
      text += "\n\(wrote) \(output)\(sheets)"
    }
    if let csv { text += "\n\(wrote) \(csv)" }
    if record { text += "\n\(recorded) all of them as packed" }
    return text
  }
}

extension PackingList {
  /// The list on paper.
  func pages(on paper: PaperSize) -> PackingPages {
    PackingPages(self, on: paper, scanning: "cliptag pack verify \(place.id)")
  }
}

extension PackingList.Item {
  /// One line for people.
  var text: String {
    var parts = [code.id.description, code.carrier.rawValue]
    if let uid = code.tagUID { parts.append(uid) }
    if let label { parts.append("“\(label.printable)”") }
    return (parts + [code.payload.printable, origin]).joined(separator: "  ")
  }
}
