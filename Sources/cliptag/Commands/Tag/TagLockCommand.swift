import Basics
import ArgumentParser
import Invocation
import Issuing
import NFCReader
import Registry
import TagTypes
import Verifying

/// `cliptag tag lock`
struct TagLockCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock the tag against writing, for good.",
    discussion: """
      The tag is read and checked first; one that the check does not accept is not locked. Then \
      its configuration, capability container, dynamic and static lock bits are set, read back, \
      and proven by writes that the tag has to refuse. This can never be undone. On a terminal it \
      asks before it begins. If the tag is pulled away, the same command again finishes the job.

      Examples:
        cliptag tag lock --dry-run
        cliptag tag lock
        cliptag tag lock --yes --reader pn532_uart:/dev/ttyUSB0
      """)

  @Flag(help: "Lock in what the tag holds although the check does not accept it.")
  var unregistered = false
  @Flag(help: "Do not ask on the terminal.")
  var yes = false
  @Flag(name: [.long, .customShort("n")], help: "Only say which pages would change.")
  var dryRun = false
  @OptionGroup var reader: ReaderOptions
  @OptionGroup var password: TagPasswordOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  private enum Answer {
    case result(JSONValue, ConsoleText)
    case refused(LockRefusal)
    case declined
  }

  func execute(_ console: Console) async throws {
    let registry =
      dryRun ? try global.registryForReading(console) : try global.registryForWriting()
    let protector = TagProtector(
      ledger: CodeLedger(registry: registry, who: registry.who),
      check: InvocationCheck(directory: registry, engine: matching.matching))
    let answer = try await reader.withTag(console) { tag, name -> Answer in
      let channel = try await password.open(tag, console)
      let job: TagProtector.LockJob
      do {
        job = try await protector.planLock(on: channel, source: name, unregistered: unregistered)
      } catch let refusal as LockRefusal {
        return .refused(refusal)
      }
      console.warn(job.plan.notes)
      if dryRun { return .result(json(job, nil, reader: name), job.text) }
      guard try isConfirmed(job, console) else { return .declined }
      let outcome = try await protector.execute(job, on: channel, reader: name)
      return .result(json(job, outcome, reader: name), outcome.text(of: job))
    }
    switch answer {
    case .result(let json, let text): console.result(json, text: text)
    case .refused(let refusal):
      console.show(refusal.code)
      console.note(.notAccepted)
      let isUnreadable = refusal.code.carrierFindings.contains { $0.severity == .error }
      console.say(
        isUnreadable
          ? "Nothing was locked. Write the tag anew, or use another one."
          : "Nothing was locked. Write the tag anew or correct the registry, or add --unregistered."
      )
    case .declined:
      console.note(.notAccepted)
      console.say("Nothing was locked.")
    }
  }

  private func isConfirmed(_ job: TagProtector.LockJob, _ console: Console) throws -> Bool {
    guard !yes, !global.json, Prompt.isPossible, !job.plan.isAlreadyLocked else { return true }
    return try Prompt.confirm(
      """
      \(job.plan.tag.name) \(job.plan.tag.uid.hexadecimal) holds
        \(job.url.printable)
      Lock it for good? This can never be undone.
      """)
  }

  private func json(
    _ job: TagProtector.LockJob, _ outcome: TagProtector.LockOutcome?, reader: String
  ) -> JSONValue {
    let plan = job.plan
    let members: [(String, JSONValue)] = [
      ("type", "lock"), ("reader", .string(reader)), ("uid", .string(plan.tag.uid.hexadecimal)),
      ("tagType", .string(plan.tag.name)), ("url", .string(job.url)),
      ("pagesWritten", .integer(outcome?.report.pagesWritten ?? 0)),
      ("alreadyLocked", .bool(plan.isAlreadyLocked)), ("verified", .bool(outcome != nil)),
      ("locked", .bool(outcome != nil || plan.isAlreadyLocked)),
      ("refusedPages", .array((outcome?.report.refusedPages ?? []).map(JSONValue.integer))),
      ("notes", .array(plan.notes.map(JSONValue.string))),
      ("code", JSONValue(outcome?.code.description)), ("dryRun", .bool(dryRun)),
    ]
    guard dryRun else {
      return .object(members + [("plan", .null), ("exchanges", .null), ("irreversible", .null)])
    }
    return .object(
      members + [
        ("plan", .array(plan.steps.map(\.json))), ("exchanges", .integer(plan.expectedExchanges)),
        ("irreversible", .array(plan.irreversible.map(JSONValue.string))),
      ])
  }
}

extension LockPlan.Step {
  /// The object of a plan.
  var json: JSONValue {
    .object([
      ("page", JSONValue(place.page)), ("purpose", .string("\(purpose)")),
      ("before", .string(before.hexadecimal)), ("after", .string(after.hexadecimal)),
    ])
  }

  /// The line of a plan.
  var text: String {
    "  \("\(place)".padding(to: 8)) \(before.hexadecimal) -> \(after.hexadecimal)  \(purpose)"
  }
}

extension TagProtector.LockJob {
  /// The output of a dry run for people.
  fileprivate var text: ConsoleText {
    let name = "\(plan.tag.name) \(plan.tag.uid.hexadecimal)"
    guard !plan.isAlreadyLocked else {
      return "\(name): locked already; only a write that it has to refuse would be tried"
    }
    return
      ([
        "\(name): \(plan.tag.pieces(plan.pageCount)) would be written with "
          + "\(plan.steps.count) writes in at most \(plan.expectedExchanges) exchanges; nothing was "
          + "written",
        "  holds    \(url.printable)",
      ] + plan.steps.map(\.text) + plan.irreversible.map { "  cannot be undone: \($0)" })
      .asLines
  }
}

extension TagProtector.LockOutcome {
  /// Returns the result of the lock, for people.
  func text(of job: TagProtector.LockJob) -> ConsoleText {
    let work =
      report.wasAlreadyLocked
      ? "locked before, nothing written"
      : "\(report.tag.pieces(report.pagesWritten)) written, read back"
    let pages = report.refusedPages.map(String.init).joined(separator: ", ")
    return """
      locked \(job.plan.tag.name) \(job.plan.tag.uid.hexadecimal) for good (\(work))
        holds     \(job.url.printable)
        proof     writes to \(job.plan.tag.type4 == nil ? job.plan.tag.pieceName : "offset") \(pages) were refused
        code      \(code)
      """
  }
}

extension Console {
  /// Prints warnings for people.
  func warn(_ warnings: [String]) {
    for warning in warnings { say("\(error.yellow("warning:")) \(warning)") }
  }
}

/// A number of pages in words.
func pageCount(_ count: Int) -> String { count == 1 ? "1 page" : "\(count) pages" }
