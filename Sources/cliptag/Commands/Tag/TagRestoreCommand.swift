import CliptagBasics
import ArgumentParser
import Invocation
import Issuing
import Jobs
import NFCReader
import Registry
import TagTypes
import Verifying

/// `cliptag tag restore FILE`
struct TagRestoreCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a dump back on a tag of the same type, and read it back.",
    discussion: """
      Only the data area is written, and the capability container of a tag that has none; of a dump \
      of a Type 4 or Type 5 tag, the message. Lock \
      bits and passwords never are: use tag lock and tag password. The URL in the dump is checked \
      like one that is written.

      Examples:
        cliptag tag restore --dry-run tag.json
        cliptag tag restore tag.json
      """)

  @Argument(
    help: "The dump, made with cliptag tag dump; - for standard input.", completion: .file())
  var file: String
  @Flag(help: "Also write mirror and counter settings back.")
  var configuration = false
  @Flag(help: "Write the UID or counter that the dumped tag showed as if it were stored text.")
  var freezeMirror = false
  @Flag(help: "Restore it although the check does not accept it, or although it is no URL.")
  var unregistered = false
  @Flag(help: "Replace data on the tag that is not ours.")
  var overwrite = false
  @Flag(name: [.long, .customShort("n")], help: "Only say which pages would change.")
  var dryRun = false
  @OptionGroup var reader: ReaderOptions
  @OptionGroup var password: TagPasswordOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try InputFile.checkStandardInputIsSingle([
      ("the dump", file), ("--password-file", password.passwordFile),
    ])
  }

  func execute(_ console: Console) async throws {
    let bytes = try InputFile.bytes(of: file, limit: TagDumpFile.maximumSize)
    let dump: SavedTag
    do {
      dump = try SavedTag(reading: bytes)
    } catch {
      throw Failure(describing: error, source: file)
    }
    let registry =
      dryRun ? try global.registryForReading(console) : try global.registryForWriting()
    let check = InvocationCheck(directory: registry, engine: matching.matching)
    let issuer = TagIssuer(
      ledger: CodeLedger(registry: registry, who: registry.who), check: check)
    let refusal = try await reader.withTag(console) { tag, name -> IssueRefusal? in
      let channel = try await password.open(tag, console)
      let restoration: TagIssuer.Restoration
      do {
        restoration = try await issuer.planRestore(
          dump, on: channel,
          options: RestoreOptions(
            restoresConfiguration: configuration, freezesMirror: freezeMirror),
          unregistered: unregistered, overwriting: overwrite)
      } catch let refusal as IssueRefusal {
        return refusal
      }
      for note in restoration.sentences { console.say("note: \(note)") }
      let outcome =
        dryRun ? nil : try await issuer.executeRestore(restoration, on: channel, reader: name)
      console.result(
        try json(restoration, outcome, reader: name), text: text(restoration, outcome))
      return nil
    }
    if let refusal {
      console.show(VerifiedCode(source: file, verification: refusal.verification))
      console.say("Nothing was written. Correct the registry, or add --unregistered.")
    }
  }

  private func json(
    _ restoration: TagIssuer.Restoration, _ outcome: TagIssuer.RestoreOutcome?, reader: String
  ) throws -> JSONValue {
    let plan = restoration.plan.write
    return try .object(
      [
        ("type", "restore"), ("reader", .string(reader)), ("source", .string(file)),
        ("uid", .string(plan.tag.uid.hexadecimal)), ("tagType", .string(plan.tag.name)),
        ("dumpedUID", JSONValue(restoration.dumpedUID?.hexadecimal)),
        ("url", JSONValue(restoration.approval?.verification.payload)),
        ("pagesWritten", .integer(outcome?.report.pagesWritten ?? 0)),
        ("alreadyCorrect", .bool(plan.isAlreadyCorrect)), ("verified", .bool(outcome != nil)),
        ("notes", .array(restoration.sentences.map(JSONValue.string))),
        ("code", JSONValue(outcome?.code?.description)),
      ] + JSONValue(encoding: dryRun ? TagRehearsal(plan) : .none).members)
  }

  private func text(
    _ restoration: TagIssuer.Restoration, _ outcome: TagIssuer.RestoreOutcome?
  ) -> ConsoleText {
    guard let outcome else { return restoration.plan.write.text }
    let tag = outcome.report.tag
    let work =
      outcome.report.wasAlreadyCorrect
      ? "already right, nothing written"
      : "\(outcome.report.work), read back, equal"
    return """
      restored \(file)
        to        \(tag.name) \(tag.uid.hexadecimal) (\(work))
        holds     \(restoration.approval?.verification.payload.printable ?? "no URL")
        code      \(outcome.code?.description ?? "none")
      """
  }
}

extension TagIssuer.Restoration {
  /// The notes for the user about the restoration.
  fileprivate var sentences: [String] {
    var sentences = plan.notes.map(\.sentence)
    if let dumpedUID {
      sentences.append(
        "the dump is of tag \(dumpedUID.hexadecimal)"
          + (isOnDumpedTag ? ", which carries this URL by the registry; now both do" : ""))
    }
    return sentences
  }
}

extension RestorePlan.Note {
  fileprivate var sentence: String {
    switch self {
    case .locksLeft: "lock bits of the dump are not set; tag lock sets them"
    case .passwordLeft(let page):
      "the dumped tag had a password from page \(page) on; tag password sets one"
    case .configurationLeft:
      "mirror and counter settings stay as they are; --configuration takes those of the dump"
    case .containerLeft: "page 3 (capability container) differs in the dump and is not copied"
    case .mirrorFrozen(let mirror):
      "what the dumped tag showed from page \(mirror.page) on is now stored text"
    case .placeholders(let mirror):
      "zeros lie below the mirror from page \(mirror.page) on; the tag shows its own digits there"
    case .messageFrozen:
      "what the dumped tag mirrored into its message (UID, counter, MAC) is now stored text"
    case .zerosUnderMirror:
      "zeros lie where the tag mirrors its UID, counter and MAC; it shows its own there"
    }
  }
}
