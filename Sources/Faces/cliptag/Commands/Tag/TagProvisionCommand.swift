import CliptagBasics
import ArgumentParser
import Invocation
import Jobs

/// `cliptag tag provision URL`
struct TagProvisionCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "provision",
    abstract: "Give an NTAG 424 DNA its keys and a URL with messages, and prove it.",
    discussion: """
      The tag gets the URL, in which it shows its UID, a counter and a MAC at each reading, keys \
      derived from those of the key file and its UID (NXP AN10922), and a file that only key 0 \
      writes. The places of the message are those that the key file names for the URL's prefix; \
      they are added to the URL, unless it has {picc} or {uid} and {counter}, and {mac}. \
      Afterwards it is read as by a phone, and its message is verified and recorded.

      The present keys are found among those of the file, its former ones and the factory's. A \
      tag counts wrong keys, also with --dry-run, and demands pauses after 50; the likely one is \
      given first. A tag with other keys is left as it is. If the tag is removed, run the same \
      command again.

      With --lock the tag is locked for good afterwards; see tag lock.

      Examples:
        cliptag tag provision https://fruta.example.com/order/cupertino \\
          --keys tag-keys.yaml --dry-run
        cliptag tag provision https://fruta.example.com/order/cupertino \\
          --keys tag-keys.yaml
      """)

  @Argument(help: "The invocation URL.", completion: .urls)
  var url: String
  @Flag(help: "Do not prompt on the terminal.")
  var yes = false
  @Flag(help: "Permanently lock the tag once it is ready; see tag lock.")
  var lock = false
  @Flag(help: "Replace foreign data on the tag.")
  var overwrite = false
  @Flag(name: [.long, .customShort("n")], help: "Only show what would be sent, without keys.")
  var dryRun = false
  @OptionGroup var approvals: ApprovalOptions
  @OptionGroup var originality: OriginalityOptions
  @OptionGroup var keys: KeyFileOptions
  @OptionGroup var reader: ReaderOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    var job = ProvisionTag(url: url, keys: try keys.required(console))
    job.unregistered = approvals.unregistered
    job.strict = approvals.strict
    job.overwrite = overwrite
    job.lock = lock
    job.requireGenuine = originality.checkOriginality
    job.dryRun = dryRun
    if !yes, !global.json, Prompt.isPossible { job.consent = Self.isConfirmed }
    var workplace = try global.workplace(matching, isRehearsal: dryRun, console)
    workplace.reader = reader.tagReader
    try await console.showingRefusal { [job, workplace] in
      guard let done = try await job.run(in: workplace, reporting: { console.show($0) }) else {
        console.note(.notAccepted)
        console.say("Nothing was written.")
        return
      }
      if done.isCounterBehind {
        console.warn(
          "the registry knows a higher counter of this tag, so its messages count as copies until "
            + "registry counters --forget \(done.result.uid)")
      }
      console.result(of: done.result, text: done.result.text)
    }
  }

  @Sendable private static func isConfirmed(_ plan: ProvisionResult) throws -> Bool {
    let effects = (plan.irreversible ?? []).map { "  cannot be undone: \($0)" }
    let lines = ["\(plan.tagType) \(plan.uid) gets", "  \(plan.url.printable)"] + effects
    return try Prompt.confirm((lines + ["Go on?"]).asLines)
  }
}

extension ProvisionResult {
  /// The output for people.
  fileprivate var text: ConsoleText {
    guard dryRun else {
      let work =
        alreadyCorrect
        ? "ready before, nothing written" : steps == 1 ? "1 step" : "\(steps) steps"
      return
        ([
          "provisioned \(url.printable)",
          "  on        \(tagType) \(uid) (\(work))",
          "  keys      version \(keyVersion)",
          "  proof     its message with counter \(counter ?? 0) was verified; a write without a key was "
            + "refused",
          "  code      \(code ?? "-")",
        ] + (locked ? ["  locked    for good, also for its keys"] : [])).asLines
    }
    guard let plan, !plan.isEmpty else {
      return "\(tagType) \(uid): ready already; only its message would be verified"
    }
    let lines = plan.map { step in
      let file = step.purpose.hasSuffix("-container") ? "file 01" : "file 02"
      let place = step.key.map { "key \($0)" } ?? file
      let content = step.data ?? "a key of version \(step.keyVersion ?? 0)"
      return "  \(place.padding(to: 8)) \(step.purpose.padding(to: 15)) \(content)"
    }
    return
      (["\(tagType) \(uid): \(plan.count.of("step")) would be done; nothing was written"] + lines
      + (irreversible ?? []).map { "  cannot be undone: \($0)" }).asLines
  }
}
