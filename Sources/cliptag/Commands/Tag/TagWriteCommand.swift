import AppClipCodes
import Basics
import ArgumentParser
import Invocation
import Issuing
import NDEF
import NFCReader
import Registry
import TagTypes
import Verifying

/// `cliptag tag write URL`
struct TagWriteCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "write",
    abstract: "Write an invocation URL to the tag, read it back and record it.",
    discussion: """
      The URL is checked first. Pages are written in an order that leaves the old message, none, \
      or the new one if the tag is pulled away; the same command again then finishes the job.

      In place of {uid} an NTAG shows its own UID to every phone, in place of {counter} how often \
      it was read, both as hexadecimal digits; together they are written {uid}x{counter}. The URL \
      is then checked and recorded with the tag's UID, and zeros for the counter.

      The tag inside an App Clip Code carries the same URL as the code around it: name the code, on \
      record or as Apple's file, and its URL is written.

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

  @Argument(help: "The invocation URL; the tag fills in {uid}, {counter} or {uid}x{counter}.")
  var url: TagURLArgument?
  @Option(
    help: ArgumentHelp(
      "The App Clip Code around the tag: its name on record, or the SVG file; its URL is written.",
      valueName: "code|file"),
    completion: .file(extensions: ["svg"]))
  var appClipCode: AppClipCodeChoice?
  @Option(
    help: ArgumentHelp(
      "The package of the application that Android shall open, in a second record.",
      discussion: "iPhones read the first record, which stays the URL.", valueName: "package"),
    transform: { name in
      guard let record = AndroidApplicationRecord(packageName: name) else {
        throw ValidationError(
          "\(name.printable) is no package's name; one looks like com.example.fruta.")
      }
      return record
    })
  var androidPackage: AndroidApplicationRecord?
  @OptionGroup var approvals: ApprovalOptions
  @Flag(help: "Replace data on the tag that is not ours.")
  var overwrite = false
  @Flag(help: "Lock the tag for good after the write was verified; see tag lock.")
  var lock = false
  @Flag(name: [.long, .customShort("n")], help: "Only say which pages would change.")
  var dryRun = false
  @OptionGroup var originality: OriginalityOptions
  @OptionGroup var reader: ReaderOptions
  @OptionGroup var password: TagPasswordOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard url != nil || appClipCode != nil else {
      throw ValidationError("Name the URL, or with --app-clip-code the code around the tag.")
    }
    if let url, let problem = url.problem {
      throw ValidationError("\(url.text.printable): \(problem.message); \(problem.hint).")
    }
    guard url?.template == nil || androidPackage == nil else {
      throw ValidationError(
        "A tag that fills in {uid} or {counter} carries the URL alone: leave --android-package out."
      )
    }
    guard appClipCode != .automatic else {
      throw ValidationError("--app-clip-code takes the name of a code or a file here.")
    }
    guard url?.template == nil || appClipCode == nil else {
      throw ValidationError(
        "The tag inside an App Clip Code carries the code's own URL: leave {uid} and {counter} out."
      )
    }
  }

  /// The App Clip Code around the tag, which has to agree with the URL where both are named.
  private func surrounding(_ registry: any RegistryStore) throws -> AppClipCodeFile? {
    guard let appClipCode else { return nil }
    let issuer = Issuer(registry: registry, who: registry.who, engine: matching.matching)
    return try issuer.appClipCode(
      appClipCode, carrying: url?.text, options: AppClipCode.Options(allowsOwnColours: true))
  }

  func execute(_ console: Console) async throws {
    try await console.showingRefusal { try await write(console) }
  }

  private func write(_ console: Console) async throws {
    let registry =
      dryRun ? try global.registryForReading(console) : try global.registryForWriting()
    let check = InvocationCheck(directory: registry, engine: matching.matching)
    let template = url?.template
    let surrounding = try surrounding(registry)
    let url = url?.text ?? surrounding?.code.payload ?? ""
    if let kind = surrounding?.code.badge?.kind, kind != .nfc {
      console.say(
        "\(console.error.yellow("warning:")) the badge of the App Clip Code shows a camera: one around"
          + " a tag shows a phone")
    }
    // The payload of a template is known only with the tag.
    let given = template == nil ? try console.approved(url, check, approvals) : nil
    let ledger = CodeLedger(registry: registry, who: registry.who)
    let issuer = TagIssuer(ledger: ledger, check: check)
    let protector = TagProtector(ledger: ledger, check: check)
    let answer = try await reader.withTag(console) { tag, name -> (JSONValue, ConsoleText)? in
      let filled = template?.filled(uid: tag.target.uid)
      let approval = try given ?? console.approved(filled ?? url, check, approvals)
      let channel = try await password.open(tag, console)
      let plan = try await issuer.plan(
        approval, filling: template, with: androidPackage, on: channel, overwriting: overwrite)
      if originality.checkOriginality { try await plan.tag.requireGenuine(over: channel) }
      // A tag that cannot be locked is not written either.
      let locks = lock ? try await protector.lockSteps(on: channel) : []
      guard !dryRun else {
        return (
          json(plan, approval, nil, locks, surrounding, reader: name), plan.text(thenLocking: locks)
        )
      }
      let outcome = try await issuer.execute(plan, for: approval, on: channel, reader: name)
      if plan.startsCounting {
        console.say("note: from now on the tag counts how often it is read")
      }
      if surrounding != nil, plan.tag.type5 == nil {
        console.say(
          "note: Apple asks for a tag of Type 5 inside an App Clip Code; this is \(plan.tag.name)")
      }
      let text = text(of: outcome, approval)
      guard lock else {
        return (json(plan, approval, outcome, [], surrounding, reader: name), text)
      }
      do {
        let job = try await protector.planLock(
          on: channel, source: name, unregistered: approvals.unregistered)
        console.warn(job.plan.notes)
        let locked = try await protector.execute(
          job, on: channel, reader: name, code: outcome.code)
        return (
          json(plan, approval, outcome, [], surrounding, isLocked: true, reader: name),
          "\(text)\n\(locked.text(of: job))"
        )
      } catch {
        // The write is valid regardless of the result of the lock.
        console.result(
          json(plan, approval, outcome, [], surrounding, isLocked: false, reader: name), text: text)
        throw error
      }
    }
    if let answer { console.result(answer.0, text: answer.1) }
  }

  private func json(
    _ plan: WritePlan, _ approval: Approval, _ outcome: TagIssuer.Outcome?,
    _ locks: [LockPlan.Step], _ surrounding: AppClipCodeFile?, isLocked: Bool? = nil,
    reader: String
  ) -> JSONValue {
    .object(
      [
        ("type", "write"), ("reader", .string(reader)),
        ("uid", .string(plan.tag.uid.hexadecimal)), ("tagType", .string(plan.tag.name)),
        ("url", .string(approval.verification.payload)), ("bytes", .integer(plan.message.count)),
        ("pagesWritten", .integer(outcome?.report.pagesWritten ?? 0)),
        ("alreadyCorrect", .bool(plan.isAlreadyCorrect)), ("verified", .bool(outcome != nil)),
        ("locked", .bool(isLocked ?? (outcome?.report.tag ?? plan.tag).isLocked)),
        ("code", JSONValue(outcome?.code.description)),
        ("fieldCycled", JSONValue(outcome?.report.fieldCycled)),
        ("originality", originality.checkOriginality ? "genuine" : .null),
        ("mirror", JSONValue(plan.mirror?.kind.placeholder)),
        ("appClipCode", JSONValue(surrounding?.id?.description)),
        ("findings", .array(approval.verification.findings.map(\.json))),
      ] + plan.dryRunMembers(dryRun, thenLocking: locks))
  }

  private func text(of outcome: TagIssuer.Outcome, _ approval: Approval) -> ConsoleText {
    let report = outcome.report
    let work =
      report.wasAlreadyCorrect
      ? "already right, nothing written"
      : "\(report.work), read back\(report.caveat), equal"
    return """
      wrote \(approval.verification.payload.printable)
        to        \(report.tag.name) \(report.tag.uid.hexadecimal) (\(work))
        code      \(outcome.code)
      """
  }
}

extension WriteReport {
  /// The value of `fieldCycled`: whether the field was off before reading back, if pages were
  /// written.
  var fieldCycled: Bool? { wasAlreadyCorrect ? nil : wasReadAfterFieldCycle }

  /// The amount of written memory, in words.
  var work: String { "\(tag.pieces(pagesWritten)) written" }

  /// The limits of reading back, in words; usually empty.
  var caveat: String {
    fieldCycled == false ? " without switching the field off, for its UID is random" : ""
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
  /// Returns the members that a dry run adds to the JSON of a write.
  func dryRunMembers(
    _ dryRun: Bool, thenLocking locks: [LockPlan.Step] = []
  ) -> [(String, JSONValue)] {
    guard dryRun else {
      return [
        ("dryRun", .bool(false)), ("plan", .null), ("exchanges", .null), ("irreversible", .null),
      ]
    }
    return [
      ("dryRun", .bool(true)),
      (
        "plan",
        .array(
          steps.map { step in
            .object([
              ("page", JSONValue(step.page)), ("offset", JSONValue(step.offset)),
              ("purpose", .string("\(step.purpose)")),
              ("before", .string(step.before.hexadecimal)),
              ("after", .string(step.after.hexadecimal)),
            ])
          } + locks.map(\.json))
      ),
      ("exchanges", .integer(expectedExchanges)),
      ("irreversible", .array((irreversible + locks.map(\.irreversible)).map(JSONValue.string))),
    ]
  }

  /// Returns the output of a dry run of a write and a lock for people.
  fileprivate func text(thenLocking locks: [LockPlan.Step]) -> ConsoleText {
    guard !locks.isEmpty else { return text }
    let pages = tag.pieces(Set(locks.map(\.place)).count)
    let steps = locks.map(\.text) + locks.map { "  cannot be undone: \($0.irreversible)" }
    return """
      \(text)
      then \(pages) with locks would be written for good, with \(locks.count) writes, and the locks \
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
    let notes = startsCounting ? ["  the tag would count how often it is read"] : []
    let warnings = irreversible.map { "  cannot be undone: \($0)" }
    let count = Set(steps.map(\.place)).count
    let writes = steps.count == count ? "" : " with \(steps.count) writes"
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
