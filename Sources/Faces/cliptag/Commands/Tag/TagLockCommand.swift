import CliptagBasics
import ArgumentParser
import Invocation
import Issuing
import Jobs
import TagTypes
import Verifying

/// `cliptag tag lock`
struct TagLockCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Permanently lock the tag against writing.",
    discussion: """
      The tag is read and checked first; one that the check does not accept is not locked. Then \
      its configuration, capability container, dynamic and static lock bits are set, read back, \
      and verified by writes that the tag must refuse. The lock is permanent. On a terminal it \
      requires a confirmation. If the tag is removed, run the same command again.

      An NTAG 424 DNA that tag provision made ready is locked with the same key file: its message \
      is verified, then nobody, not even with its keys, can write its URL or the places of its \
      messages, or change these rights. What remains possible with key 0 is to change keys, after \
      which the messages of the tag are those of another key.

      Examples:
        cliptag tag lock --dry-run
        cliptag tag lock
        cliptag tag lock --yes --reader pn532_uart:/dev/ttyUSB0
        cliptag tag lock --keys tag-keys.yaml --dry-run
      """)

  @Flag(help: "Lock the tag even if the check does not accept its URL.")
  var unregistered = false
  @Flag(help: "Do not prompt on the terminal.")
  var yes = false
  @Flag(name: [.long, .customShort("n")], help: "Only show the pages to change.")
  var dryRun = false
  @OptionGroup var reader: ReaderOptions
  @OptionGroup var password: TagPasswordOptions
  @OptionGroup var keys: KeyFileOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try InputFile.checkStandardInputIsSingle([
      ("--password-file", password.passwordFile), ("--keys", keys.keys),
    ])
  }

  func execute(_ console: Console) async throws {
    var job = LockTag()
    job.unregistered = unregistered
    job.dryRun = dryRun
    job.access = try password.access(console)
    job.keys = try keys.read(console)
    if !yes, !global.json, Prompt.isPossible { job.consent = Self.isConfirmed }
    var workplace = try global.workplace(matching, isRehearsal: dryRun, console)
    workplace.reader = reader.tagReader
    do {
      if let locked = try await job.run(in: workplace, reporting: { console.show($0) }) {
        console.result(of: locked.result, text: locked.text)
      } else {
        console.note(.notAccepted)
        console.say("Nothing was locked.")
      }
    } catch let refusal as LockRefusal {
      console.show(refusal.code)
      console.note(.notAccepted)
      let isUnreadable = refusal.code.carrierFindings.contains { $0.severity == .error }
      console.say(
        isUnreadable
          ? "Nothing was locked. Write the tag again, or use another one."
          : "Nothing was locked. Write the tag again or correct the registry, or add --unregistered."
      )
    }
  }

  @Sendable private static func isConfirmed(_ job: TagProtector.LockJob) throws -> Bool {
    try Prompt.confirm(
      """
      \(job.plan.tag.name) \(job.plan.tag.uid.hexadecimal) contains
        \(job.url.printable)
      Lock it permanently? This cannot be undone\(job.plan.tag.type4?.takesLockKeys == true ? ", not even with its keys" : "").
      """)
  }
}

extension [LockPlan.Step] {
  /// The irreversible effects, a line each. Blocks that keep their bytes are in the plan above.
  var irreversibleLines: [String] {
    let blocks = filter { $0.purpose == .lockBlock }.count
    return filter { $0.purpose != .lockBlock }.map { "  cannot be undone: \($0.irreversible)" }
      + (blocks == 0
        ? []
        : ["  cannot be undone: \(blocks == 1 ? "1 block is" : "\(blocks) blocks are") locked"])
  }
}

extension LockPlan.Step {
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
      return "\(name): already locked; only a write that it must refuse would be tested"
    }
    return
      ([
        "\(name): \(plan.tag.pieces(plan.pageCount)) would be written with "
          + "\(plan.steps.count.of("write")) in at most \(plan.expectedExchanges.of("exchange")); "
          + "nothing was written",
        "  holds    \(url.printable)",
      ] + plan.steps.map(\.text) + plan.steps.irreversibleLines)
      .asLines
  }
}

extension LockTag.Locked {
  /// The result of the lock, for people.
  var text: ConsoleText {
    guard let outcome else { return job.text }
    let report = outcome.report
    let work =
      report.wasAlreadyLocked
      ? "locked before, nothing written"
      : "\(report.tag.pieces(report.pagesWritten)) written, read back"
    let tag = job.plan.tag
    let pages = report.refusedPages.map(String.init).joined(separator: ", ")
    let place =
      tag.type4 == nil
      ? "\(tag.pieceName) \(pages)"
      : "offset \(pages)" + (tag.type4?.takesLockKeys == true ? ", also with key 0," : "")
    return """
      permanently locked \(job.plan.tag.name) \(job.plan.tag.uid.hexadecimal) (\(work))
        holds     \(job.url.printable)
        proof     writes to \(place) were refused
        code      \(outcome.code)
      """
  }
}

/// A number of pages in words.
func pageCount(_ count: Int) -> String { count == 1 ? "1 page" : "\(count) pages" }
