import CliptagBasics
import AppClipCodes
import ArgumentParser
import Invocation
import Issuing
import Jobs
import NDEF
import TagTypes

/// `cliptag tag write URL`
struct TagWriteCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "write",
    abstract: "Write an invocation URL to the tag, read it back and record it.",
    discussion: """
      The URL is checked first. Pages are written in an order that leaves the old message, none, \
      or the new one if the tag is removed; run the same command again to complete it.

      An NTAG replaces {uid} with its UID and {counter} with the number of its \
      readings, both as hexadecimal digits; write {uid}x{counter} for both. The URL \
      is then checked and recorded with the tag's UID, and zeros for the counter.

      The tag inside an App Clip Code has the same URL as the code around it: give the code, on \
      record or as Apple's file, to write its URL.

      Examples:
        cliptag tag write https://fruta.example.com/order/cupertino
        cliptag tag write --check-originality \\
          https://fruta.example.com/order/cupertino
        cliptag tag write --dry-run https://fruta.example.com/order/cupertino
        cliptag tag write --lock https://fruta.example.com/order/cupertino --dry-run
        cliptag tag write https://fruta.example.com/order/cupertino \\
          --reader pn532_uart:/dev/ttyUSB0
        cliptag tag write 'https://fruta.example.com/order/cupertino?tag={uid}'
        cliptag tag write --app-clip-code table-7.svg
        cliptag tag write https://fruta.example.com/order/cupertino \\
          --android-package com.example.fruta
      """)

  @Argument(
    help: "The invocation URL; the tag fills in {uid}, {counter} or {uid}x{counter}.",
    completion: .urls)
  var url: TagURLArgument?
  @Option(
    help: ArgumentHelp(
      "The App Clip Code around the tag: its name on record, or the SVG file; its URL is written.",
      valueName: "code|file"),
    completion: .file(extensions: ["svg"]))
  var appClipCode: AppClipCodeChoice?
  @Option(
    help: ArgumentHelp(
      "The package of the Android application to open, in a second record.",
      discussion: "iPhones read the first record, which stays the URL.", valueName: "package"),
    transform: { name in
      guard let record = AndroidApplicationRecord(packageName: name) else {
        throw ValidationError(
          "\(name.printable) is not a package name, such as com.example.fruta.")
      }
      return record
    })
  var androidPackage: AndroidApplicationRecord?
  @OptionGroup var approvals: ApprovalOptions
  @Flag(help: "Replace foreign data on the tag.")
  var overwrite = false
  @Flag(help: "Permanently lock the tag after the write was verified; see tag lock.")
  var lock = false
  @Flag(name: [.long, .customShort("n")], help: "Only show the pages to change.")
  var dryRun = false
  @OptionGroup var originality: OriginalityOptions
  @OptionGroup var reader: ReaderOptions
  @OptionGroup var password: TagPasswordOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard url != nil || appClipCode != nil else {
      throw ValidationError("Give the URL, or with --app-clip-code the code around the tag.")
    }
    if let url, let problem = url.problem {
      throw ValidationError("\(url.text.printable): \(problem.message); \(problem.hint).")
    }
    guard url?.template == nil || androidPackage == nil else {
      throw ValidationError(
        "A tag that fills in {uid} or {counter} has only the URL: leave --android-package out."
      )
    }
    guard appClipCode != .automatic else {
      throw ValidationError("--app-clip-code must be the name of a code or a file here.")
    }
    guard url?.template == nil || appClipCode == nil else {
      throw ValidationError(
        "The tag inside an App Clip Code has the code's URL: leave {uid} and {counter} out."
      )
    }
  }

  func execute(_ console: Console) async throws {
    var job = appClipCode.map(WriteTag.init(appClipCode:)) ?? WriteTag(url: "")
    job.url = url?.text
    job.application = androidPackage
    job.unregistered = approvals.unregistered
    job.strict = approvals.strict
    job.overwrite = overwrite
    job.lock = lock
    job.requireGenuine = originality.checkOriginality
    job.dryRun = dryRun
    job.access = try password.access(console)
    var workplace = try global.workplace(matching, isRehearsal: dryRun, console)
    workplace.reader = reader.tagReader
    try await console.showingRefusal { [job, workplace] in
      do {
        show(try await job.run(in: workplace) { console.show($0) }, console)
      } catch let error as WriteTag.NotLocked {
        show(error.written, console)
        throw error.underlying
      }
    }
  }

  private func show(_ written: WriteTag.Output, _ console: Console) {
    console.result(of: written.result, text: text(of: written))
  }

  private func text(of written: WriteTag.Output) -> ConsoleText {
    guard let outcome = written.outcome else {
      return written.plan.text(thenLocking: written.lockSteps)
    }
    let report = outcome.report
    let work =
      report.wasAlreadyCorrect
      ? "already correct, nothing written"
      : "\(report.work), read back\(report.caveat), equal"
    let text: ConsoleText = """
      wrote \(written.result.url.printable)
        to        \(report.tag.name) \(report.tag.uid.hexadecimal) (\(work))
        code      \(outcome.code)
      """
    return written.lock.map { "\(text)\n\($0.text)" } ?? text
  }
}

extension WriteReport {
  /// The amount of written memory, in words.
  var work: String { "\(tag.pieces(pagesWritten)) written" }

  /// The limits of reading back, in words; usually empty.
  var caveat: String {
    fieldCycled == false ? " without turning the field off, because its UID is random" : ""
  }
}

extension Tag {
  /// A number of pages, or on a tag without pages of commands that write, in words.
  func pieces(_ count: Int) -> String {
    let piece = pieceName
    return count == 1 ? "1 \(piece)" : "\(count) \(piece)s"
  }
}

extension WritePlan {
  /// Returns the output of a dry run of a write and a lock for people.
  fileprivate func text(thenLocking locks: [LockPlan.Step]) -> ConsoleText {
    guard !locks.isEmpty else { return text }
    let pages = tag.pieces(Set(locks.map(\.place)).count)
    let steps = locks.map(\.text) + locks.irreversibleLines
    return """
      \(text)
      then \(pages) with locks would be permanently written, with \(locks.count.of("write")), and the locks \
      proven
      \(steps.asLines)
      """
  }

  /// The output of a dry run for people.
  var text: ConsoleText {
    guard !isAlreadyCorrect else { return "\(tag.name) \(tag.uid.hexadecimal): nothing to change" }
    let pages = steps.map { step in
      "  \(step.place.description.padding(to: 8)) \(step.before.hexadecimal) -> "
        + "\(step.after.hexadecimal)  \(step.purpose)"
    }
    let notes = startsCounting ? ["  the tag would count its readings"] : []
    let warnings = irreversible.map { "  cannot be undone: \($0)" }
    let count = Set(steps.map(\.place)).count
    let writes = steps.count == count ? "" : " with \(steps.count.of("write"))"
    return
      ([
        "\(tag.name) \(tag.uid.hexadecimal): \(tag.pieces(count)) would change\(writes), in "
          + "\(expectedExchanges) exchanges; nothing was written"
      ] + pages + notes + warnings).asLines
  }
}

/// The URL of a tag, which may have fields that the tag fills in.
struct TagURLArgument: ExpressibleByArgument, Sendable {
  /// The URL as it was given.
  let text: String
  /// The URL with its fields; `nil` without fields.
  let template: MirrorTemplate?
  /// The reason why its fields are not those of a tag.
  let problem: MirrorTemplate.Problem?

  init?(argument: String) {
    text = argument
    do throws(MirrorTemplate.Problem) {
      template = try MirrorTemplate(argument)
      problem = nil
    } catch {
      template = nil
      problem = error
    }
  }
}
