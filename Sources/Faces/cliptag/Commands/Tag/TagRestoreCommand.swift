import CliptagBasics
import ArgumentParser
import Invocation
import Issuing
import Jobs
import Registry
import TagTypes
import Verifying

/// `cliptag tag restore FILE`
struct TagRestoreCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore a dump to a tag of the same type, and read it back.",
    discussion: """
      Only the data area is written, and the capability container of a tag without one; from a dump \
      of a Type 4 or Type 5 tag, the message. Lock \
      bits and passwords are not: use tag lock and tag password. The URL in the dump is checked \
      as by tag write.

      Examples:
        cliptag tag restore --dry-run tag.json
        cliptag tag restore tag.json
      """)

  @Argument(
    help: "The dump, made with cliptag tag dump; - for standard input.", completion: .file())
  var file: String
  @Flag(help: "Also restore mirror and counter settings.")
  var configuration = false
  @Flag(help: "Store the mirrored UID or counter of the dump as text.")
  var freezeMirror = false
  @Flag(help: "Restore it even if the check does not accept it, or if it is not a URL.")
  var unregistered = false
  @Flag(help: "Replace foreign data on the tag.")
  var overwrite = false
  @Flag(name: [.long, .customShort("n")], help: "Only show the pages to change.")
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
    var job = RestoreTag(NamedTagDump(dump, named: file))
    job.options = RestoreOptions(
      restoresConfiguration: configuration, freezesMirror: freezeMirror)
    job.unregistered = unregistered
    job.overwrite = overwrite
    job.dryRun = dryRun
    job.access = try password.access(console)
    var workplace = try global.workplace(matching, isRehearsal: dryRun, console)
    workplace.reader = reader.tagReader
    do {
      let restored = try await job.run(in: workplace) { console.show($0) }
      console.result(of: restored.result, text: text(restored.restoration, restored.outcome))
    } catch let refusal as IssueRefusal {
      console.show(VerifiedCode(source: file, verification: refusal.verification))
      console.say("Nothing was written. Correct the registry, or add --unregistered.")
    }
  }

  private func text(
    _ restoration: TagIssuer.Restoration, _ outcome: TagIssuer.RestoreOutcome?
  ) -> ConsoleText {
    guard let outcome else { return restoration.plan.write.text }
    let tag = outcome.report.tag
    let work =
      outcome.report.wasAlreadyCorrect
      ? "already correct, nothing written"
      : "\(outcome.report.work), read back, equal"
    return """
      restored \(file)
        to        \(tag.name) \(tag.uid.hexadecimal) (\(work))
        holds     \(restoration.approval?.verification.payload.printable ?? "no URL")
        code      \(outcome.code?.description ?? "none")
      """
  }
}
