import Jobs
import CliptagBasics
import Issuing
import ArgumentParser
import Auditing
import Foundation
import Invocation
import Registry
import Synchronization

/// `cliptag audit findings …`
struct AuditFindingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "findings",
    abstract: "Follow up what walks found.",
    discussion: """
      audit report opens each finding about a place or a code, and closes those that a later walk \
      saw right. Without a subcommand, lists the open ones, the worst first.

      Examples:
        cliptag audit findings
        cliptag audit findings assign f-5c1de30a6e2b94f07a88 --owner Ada
      """,
    subcommands: [List.self, Statistics.self, Close.self, Assign.self, Reopen.self],
    defaultSubcommand: List.self)

  /// `cliptag audit findings list`
  struct List: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the findings, the worst first.",
      discussion: """
        Errors come before warnings, then the first due date. The exit status is 1 if an open \
        finding is listed. The calendar contains a task (VTODO, RFC 5545) for each finding.

        Examples:
          cliptag audit findings list --place cupertino
          cliptag audit findings list --due 2026-12-01 --csv due.csv --ics due.ics
        """)

    @Option(
      help: ArgumentHelp("Only findings at this place, by its id.", valueName: "id"),
      completion: .places)
    var place: String?
    @Option(help: "The state: open, done, will-not or all.")
    var state = "open"
    @Option(help: ArgumentHelp("Only findings of this owner.", valueName: "name"))
    var owner: String?
    @Option(help: ArgumentHelp("Only findings due until this day.", valueName: "yyyy-mm-dd"))
    var due: String?
    @Option(
      help: ArgumentHelp("Write a table for spreadsheets.", valueName: "file"),
      completion: .file(extensions: ["csv"]))
    var csv: String?
    @Option(
      help: ArgumentHelp("Write a calendar of tasks.", valueName: "file"),
      completion: .file(extensions: ["ics"]))
    var ics: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard state == "all" || FollowUp.State(rawValue: state) != nil else {
        throw ValidationError(
          "--state must be open, done, will-not or all, not \(state.printable).")
      }
      try due.checkIsDay()
    }

    func execute(_ console: Console) async throws {
      var job = ListFollowUps()
      job.state = FollowUp.State(rawValue: state)
      (job.place, job.owner, job.due) = (place, owner, due)
      let found = Mutex<[ListedFollowUp]>([])
      _ = try await job.run(in: Workplace(registry: try global.registryForReading(console))) {
        listed in found.withLock { $0.append(listed) }
      }
      let all = found.withLock(\.self)
      let files = FollowUpFiles(
        all.map(\.followUp),
        at: Dictionary(
          all.compactMap(\.place).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
      // Both of them, or none.
      let made = try [(csv, \FollowUpFiles.table), (ics, \.calendar)].compactMap { path, text in
        try path.map { path in
          let file = try AtomicFile(.file(path))
          try file.write(Array(files[keyPath: text].utf8))
          return file
        }
      }
      for file in made { try file.commit() }
      for listed in all {
        if listed.followUp.state == .open { console.note(.notAccepted) }
        console.result(of: listed.result, text: listed.text(console.output))
      }
      if all.isEmpty { console.say("No findings.") }
      for path in [csv, ics].compactMap(\.self) { console.say("wrote \(path.printable)") }
    }
  }

  /// `cliptag audit findings statistics`
  struct Statistics: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "statistics",
      abstract: "Count the findings of all walks by place, kind and walk.",
      discussion: """
        A finding that was opened again counts once for each time. The median is that of the times \
        for which closed findings were open.

        Examples:
          cliptag audit findings statistics
          cliptag audit findings statistics --group place
        """)

    @Option(help: "Only one grouping: place, finding or walk.")
    var group: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if let group, FollowUpStatistics.Grouping(rawValue: group) == nil {
        throw ValidationError("--group must be place, finding or walk, not \(group.printable).")
      }
    }

    func execute(_ console: Console) async throws {
      var job = CountFollowUps()
      if let group = group.flatMap({ FollowUpStatistics.Grouping(rawValue: $0) }) {
        job.groupings = [group]
      }
      let groups = Mutex<[CountFollowUps.Group]>([])
      let count = try await job.run(
        in: Workplace(registry: try global.registryForReading(console), now: { SourceDate.now })
      ) { group in groups.withLock { $0.append(group) } }
      var grouping: FollowUpStatistics.Grouping?
      for group in groups.withLock(\.self) {
        if group.grouping != grouping, !console.json {
          console.result(JSONValue.null, text: "\(console.output.bold(group.grouping.heading))")
        }
        grouping = group.grouping
        console.result(of: group.result, text: group.text)
      }
      if count == 0 { console.say("No findings.") }
    }
  }

  /// `cliptag audit findings close ID…`
  struct Close: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "close",
      abstract: "Close findings that were put right, or that stay as they are.",
      discussion: """
        A finding that was put right is opened again by a later walk that has it; one that stays, \
        with --will-not, is not.

        Examples:
          cliptag audit findings close f-5c1de30a6e2b94f07a88 --note "hung up again"
          cliptag audit findings close f-5c1de30a6e2b94f07a88 --will-not
        """)
    @Flag(help: "It stays as it is.")
    var willNot = false
    @OptionGroup var change: ChangeOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      try await change.make(willNot ? .willNot : .done, global, console)
    }
  }

  /// `cliptag audit findings assign ID…`
  struct Assign: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "assign",
      abstract: "Give findings an owner, a due date or a note.",
      discussion: """
        An empty owner or due date removes it.

        Example:
          cliptag audit findings assign f-5c1de30a6e2b94f07a88 --due 2026-12-01
        """)
    @OptionGroup var change: ChangeOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard change.owner != nil || change.due != nil || change.note != nil else {
        throw ValidationError("Give --owner, --due or --note.")
      }
    }

    func execute(_ console: Console) async throws {
      try await change.make(.assigned, global, console)
    }
  }

  /// `cliptag audit findings reopen ID…`
  struct Reopen: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "reopen",
      abstract: "Open closed findings again.",
      discussion: """
        Example:
          cliptag audit findings reopen f-5c1de30a6e2b94f07a88 --note "fell down again"
        """)
    @OptionGroup var change: ChangeOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      try await change.make(.reopened, global, console)
    }
  }
}

/// The findings to change, and what their histories say of it.
struct ChangeOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Names of findings, as list prints them.", valueName: "id"))
  var ids: [String]
  @Option(help: ArgumentHelp("The owner from now on.", valueName: "name"))
  var owner: String?
  @Option(help: ArgumentHelp("The due date from now on.", valueName: "yyyy-mm-dd"))
  var due: String?
  @Option(help: ArgumentHelp("A note for the history.", valueName: "text"))
  var note: String?
  @Flag(name: [.long, .customShort("n")], help: "Only show the findings to change.")
  var dryRun = false

  func validate() throws { if due != "" { try due.checkIsDay() } }

  fileprivate func make(
    _ change: ChangeFollowUp.Change, _ global: GlobalOptions, _ console: Console
  ) async throws {
    let workplace = Workplace(
      registry: dryRun ? try global.registryForReading(console) : try global.registryForWriting())
    for id in ids {
      var job = ChangeFollowUp(id, change)
      (job.owner, job.due, job.note, job.dryRun) = (owner, due, note, dryRun)
      await console.reportingFailure(of: id) { [job] in
        let changed = try await job.run(in: workplace)
        let word: ConsoleText = dryRun ? "would change" : "changed"
        console.result(of: changed.result, text: "\(word) \(changed.text(console.output))")
      }
    }
  }
}

extension String? {
  /// Refuses a due date that is no day.
  fileprivate func checkIsDay() throws {
    if let self, !FollowUp.isDay(self) {
      throw InputError.notADay(.due, self).asUsage
    }
  }
}

extension FollowUpStatistics.Grouping {
  fileprivate var heading: ConsoleText {
    switch self {
    case .place: "By place"
    case .finding: "By kind"
    case .walk: "By walk"
    }
  }

  fileprivate var nameless: String {
    switch self {
    case .place: "no known place"
    case .finding, .walk: "opened again by hand"
    }
  }
}

extension CountFollowUps.Group {
  fileprivate var text: ConsoleText {
    func days(_ seconds: Double) -> String {
      seconds < 86_400 ? "less than a day" : Int(bounded: seconds / 86_400).of("day")
    }
    let name = place?.name ?? group.key ?? grouping.nameless
    let facts = [
      "\(group.open) open", "\(group.done) put right",
      group.willNot > 0 ? "\(group.willNot) left" : nil,
      group.medianTime.map { "median \(days($0))" },
      group.oldestTime.map { "oldest open for \(days($0))" },
    ].compactMap(\.self)
    return "  \(name.printable): \(facts.joined(separator: ", "))"
  }
}

extension ListedFollowUp {
  fileprivate func text(_ style: Style) -> ConsoleText {
    let (severity, subject) = (followUp.severity, followUp.subject)
    let label: ConsoleText = "\(severity.rawValue)"
    let facts = [
      place?.name ?? subject.placeID, subject.code?.description ?? subject.payload,
      "opened \(followUp.opened.time.registryTimestamp.prefix(10))",
      followUp.owner.map { "for \($0)" }, followUp.due.map { "due \($0)" },
    ].compactMap { $0?.printable }
    return """
      \(followUp.id)  \(followUp.state.rawValue)  \(severity.colored(label, style)) \
      \(followUp.message.printable) [\(subject.finding)]
        \(facts.joined(separator: ", "))
      """
  }
}
