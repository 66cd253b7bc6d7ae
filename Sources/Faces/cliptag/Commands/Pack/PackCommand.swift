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
    abstract: "List the codes that belong to a place, as text, PDF, web page and CSV.",
    discussion: """
      Every issued code of the place is on the list, printed codes first, then tags; retired ones \
      are left out. The PDF or web page has a tick box for each code, but no printed codes, to \
      avoid stray copies.

      Examples:
        cliptag pack list cupertino
        cliptag pack cupertino -o parcel.pdf --csv parcel.csv --record
      """)

  @Argument(help: "The place, by its id.", completion: .places)
  var place: String
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write the list for people, as a PDF file or a web page (.html).", valueName: "file"),
    completion: .file(extensions: ["html", "pdf"]))
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
    if let output, output != "-", !output.lowercased().hasSuffix(".pdf"), !Self.isWebPage(output) {
      throw ValidationError(
        "Packing lists are PDF files or web pages: end the name in .pdf or .html, such as "
          + "\(output.withEnding("pdf").printable); got \(output.printable).")
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
    var page: AtomicFile?
    var pages: Int?
    var table: AtomicFile?
    if !dryRun {
      if let output {
        (pages, page) = try await makePage(of: list, at: output, console)
      }
      table = try csv.flatMap { try makeCSV(of: list, at: $0, console) }
      // The files are complete beside their destinations before anything is recorded.
      if record { try job.record(list, in: Workplace(registry: registry)) }
      try page?.commit()
      try table?.commit()
    }
    guard output != "-", csv != "-" else { return }
    let isQuiet = !dryRun && (output != nil || csv != nil)
    for item in list.items where global.json || !isQuiet {
      console.result(of: PackingItemResult(item, of: list.place), text: item.lines)
    }
    console.result(
      of: PackingListResult(
        list, output: dryRun ? nil : output, csv: dryRun ? nil : csv, pages: pages,
        isRecorded: isChange),
      text: text(of: list, pages: pages))
  }

  /// Makes the list for people: a web page, or a PDF file with its number of pages.
  private func makePage(
    of list: PackingList, at path: String, _ console: Console
  ) async throws -> (pages: Int?, sink: AtomicFile?) {
    let sink = path == "-" ? nil : try AtomicFile(.file(path))
    var pages: Int?
    var bytes = Array(list.page.html.utf8)
    if !Self.isWebPage(path) {
      let made = try await list.page.pdf(
        on: try PaperSize(paper), creationTime: SourceDate.seconds)
      (pages, bytes) = (made.pages, made.bytes)
    }
    if let sink { try sink.write(bytes) } else { console.write(bytes) }
    return (pages, sink)
  }

  private static func isWebPage(_ path: String) -> Bool {
    ["html", "htm"].contains((path as NSString).pathExtension.lowercased())
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
      let sheets = pages.map { ", \($0.of("page"))" } ?? ""
      text += "\n\(wrote) \(output)\(sheets)"
    }
    if let csv { text += "\n\(wrote) \(csv)" }
    if record { text += "\n\(recorded) all of them as packed" }
    return text
  }
}

extension PackingList {
  /// The list for people.
  var page: PackingPage { PackingPage(self, scanning: "cliptag pack verify \(place.id)") }
}

extension PackingList.Item {
  /// The lines for people: that of the code, and those of its prints if there are several.
  var lines: ConsoleText {
    let prints = items.count < 2 ? [] : items.map { "    item \($0.name)  \($0.words.printable)" }
    return ([text] + prints).asLines
  }

  /// One line for people.
  var text: String {
    var parts = [code.id.description, code.carrier.rawValue]
    if let uid = code.tagUID { parts.append(uid) }
    if let label { parts.append("“\(label.printable)”") }
    return (parts + [code.payload.printable, origin]).joined(separator: "  ")
  }
}
