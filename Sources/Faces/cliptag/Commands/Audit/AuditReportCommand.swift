import Jobs
import CliptagBasics
import ArgumentParser
import Auditing
import CodeDrawing
import Foundation
import Invocation
import Issuing
import Registry

/// `cliptag audit report`
struct AuditReportCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Report the results of walks as text, JSON, a web page or a PDF.",
    discussion: """
      All walks of a name form one report; the default is the name of the latest \
      walk. The report includes expected codes of visited places that were \
      not read, and codes that were read at two places. Its findings are followed up: see \
      cliptag audit findings. The page and the PDF need no \
      network: they contain the map, drawn from the positions, and the pictures.

      --finding-url is the address that opens a finding; that of a station is \
      http://host:port/findings?finding={id}.

      --notify runs a command with the shell, and gives it each open finding once on its standard \
      input, a JSON object on a line, as cliptag audit findings --json prints it. If the command \
      fails or takes longer than a minute, the next report gives it the same findings again.

      Examples:
        cliptag audit report
        cliptag audit report "Autumn 2026" -o walk.html -o walk.pdf
        cliptag audit report --place cupertino -o cupertino.pdf
        cliptag audit report --json
      """)

  @Argument(help: ArgumentHelp("The walks, by their name.", valueName: "name"), completion: .walks)
  var name: String?
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the report as a web page (.html) or as a PDF; may be repeated.",
      valueName: "file"),
    completion: .file(extensions: ["html", "pdf"]))
  var output: [String] = []
  @Option(
    help: ArgumentHelp(
      "Report only one place, by its id.", valueName: "id"), completion: .places)
  var place: String?
  @Option(help: ArgumentHelp("The paper of a PDF: A4, letter …", valueName: "paper"))
  var paper = "A4"
  @Option(
    help: ArgumentHelp(
      "The address of a finding, with {id} for its name: a link, and a QR code on paper.",
      valueName: "url"))
  var findingUrl: String?
  @Option(
    help: ArgumentHelp("Give new findings to a command of the shell.", valueName: "command"))
  var notify: String?
  @OptionGroup var global: GlobalOptions

  private enum Format { case html, pdf }

  private static func format(of path: String) -> Format? {
    switch (path as NSString).pathExtension.lowercased() {
    case "html", "htm": .html
    case "pdf": .pdf
    default: nil
    }
  }

  func validate() throws {
    for path in output where Self.format(of: path) == nil {
      throw ValidationError(
        "Reports are web pages or PDF files: end the name in .html or .pdf, such as "
          + "\(path.withEnding("pdf").printable); got \(path.printable).")
    }
    _ = try PaperSize(paper)
    if let findingUrl, FindingLink(findingUrl) == nil {
      throw ValidationError(
        "--finding-url must be an HTTP or HTTPS URL with {id}, not \(findingUrl.printable).")
    }
    if let notify, notify.allSatisfy(\.isWhitespace) {
      throw ValidationError("--notify must be a command.")
    }
  }

  func execute(_ console: Console) async throws {
    let registry = try global.registryForReading(console)
    var made = try Self.report(named: name, at: place, in: registry)
    let isKept = await followUp(
      place == nil ? made.report : try Self.report(named: name, in: registry).report, in: registry,
      console)
    if isKept { made.report.followUps = try registry.followUpsByName() }
    // All of them, or none.
    var files: [AtomicFile] = []
    for path in output { files.append(try await file(of: made, at: path)) }
    for file in files { try file.commit() }
    made.report.show(on: console, files: output)
  }

  /// Keeps the findings that are followed up, and hands new ones over. The report is made all the
  /// same if that fails.
  ///
  /// - Returns: Whether any of them changed.
  private func followUp(
    _ report: WalkReport, in registry: any RegistryStore, _ console: Console
  ) async -> Bool {
    var isKept = false
    do {
      if try FollowUpReview(of: registry, by: registry.who).hasNews(report) {
        let registry = try global.registryForWriting()
        let changes = try FollowUpReview(of: registry, by: registry.who).take(report)
        isKept = true
        if !changes.opened.isEmpty || !changes.closed.isEmpty {
          console.detail(
            "to follow up: \(changes.opened.count) opened, \(changes.closed.count) closed")
        }
      }
    } catch {
      console.say("note: the findings were not kept to follow them up: \(error.message)")
    }
    guard let notify else { return isKept }
    await console.reportingFailure(of: "--notify") {
      let handed = try await HandOverFindings(to: notify, deliver: FindingNotice(notify).deliver)
        .run(in: Workplace(registry: try global.registryForWriting()))
      console.detail("handed over: \(handed.count.of("finding"))")
    }
    return isKept
  }

  /// The report of all walks of a name.
  ///
  /// - Parameters:
  ///   - name: That of the latest walk when `nil`.
  ///   - place: The one place that it is about, by its id; `nil` for all.
  static func report(
    named name: String?, at place: String? = nil, in registry: any RegistryStore
  ) throws -> MakeReport.Output {
    var job = MakeReport(ofWalk: name)
    job.place = place
    return try job.output(in: Workplace(registry: registry, now: { SourceDate.now }))
  }

  /// The report in a file that is complete, but not yet in its place.
  private func file(of made: MakeReport.Output, at path: String) async throws -> AtomicFile {
    let sink = try AtomicFile(.file(path))
    let page = WalkPage(
      made.report, material: made.material, link: findingUrl.flatMap { FindingLink($0) })
    switch Self.format(of: path) {
    case .html, nil: _ = try page.write(to: sink)
    case .pdf:
      try sink.write(
        try await page.pdf(on: try PaperSize(paper), creationTime: SourceDate.seconds))
    }
    return sink
  }
}

extension WalkReport {
  /// Shows the findings, place by place, and the sum.
  ///
  /// - Parameter files: The files that were made.
  func show(on console: Console, files: [String]) {
    for section in sections {
      if !console.json { console.result(JSONValue.null, text: section.text(console.output)) }
      // What is equally true of several codes is said once.
      var said: String?
      for item in section.items {
        let sentence = "\(item.finding.severity)\(item.finding.code)\(item.finding.message)"
        console.result(
          of: WalkFindingResult(item, at: section.place),
          text: item.text(in: self, isSaid: said == sentence, console.output))
        said = sentence
      }
    }
    let isWrong = count(of: .error) > 0 || unconfirmedCount > 0 || missingCount > 0
    console.note(isWrong ? .notAccepted : .done)
    console.result(
      of: WalkReportResult(self, outputs: files), text: text(files: files, console.output))
  }

  fileprivate func text(files: [String], _ style: Style) -> ConsoleText {
    var lines: [ConsoleText] = ["\(style.bold("\(title)")): \(answer)"]
    if !unvisited.isEmpty {
      lines.append(
        "not visited: \(unvisited.map { "\($0.name.printable) (\($0.id))" }.joined(separator: ", "))"
      )
    }
    for file in files { lines.append("wrote \(file)") }
    return lines.joined(separator: "\n")
  }
}

extension WalkReport.PlaceSection {
  fileprivate func text(_ style: Style) -> ConsoleText {
    let name = place.map { "\($0.name.printable) (\($0.id))" } ?? "at no known place"
    let doubt = unconfirmed.isEmpty ? "" : ", \(unconfirmed.count) of them not confirmed"
    let prints =
      pieces.pieces == expected ? "" : ", \(pieces.seen) of \(pieces.pieces) prints and tags"
    return
      "\(style.bold("\(name)"))  \(seen) of \(expected) seen\(doubt)\(prints), \(stops.of("stop"))"
  }
}

extension WalkReport.Item {
  /// - Parameter isSaid: Whether the line before says the same of another code.
  fileprivate func text(in report: WalkReport, isSaid: Bool, _ style: Style) -> ConsoleText {
    let label: ConsoleText = "\(finding.severity.rawValue.padding(to: 8))"
    var place: [String] = []
    if let payload = found?.payload ?? code?.payload, !payload.isEmpty {
      place.append(payload.printable)
    }
    if let uid = found?.uid ?? code?.tagUID { place.append("tag \(uid)") }
    if let stop {
      place.append(
        "stop \(report.stopName(stop.number, of: stop.walk)), \(stop.source.printable)")
    }
    let details: ConsoleText = "           \(place.joined(separator: ", "))"
    if isSaid, !place.isEmpty { return details }
    let sentence: ConsoleText =
      "  \(finding.severity.colored(label, style)) \(finding.message) [\(finding.code)]"
    return place.isEmpty ? sentence : "\(sentence)\n\(details)"
  }
}
