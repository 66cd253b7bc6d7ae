import CliptagBasics
import ArgumentParser
import Foundation
import Glibc
import Invocation
import Issuing
import Jobs
import NFCReader
import Registry
import TagTypes

/// `cliptag tag password …`
struct TagPasswordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "password",
    abstract: "Set, change or remove the password of a tag.",
    discussion: """
      A password that guards writing is the way to keep a tag changeable for you alone. The \
      capability container is not touched, so phones go on reading the tag.
      """,
    subcommands: [Set.self, Change.self, Remove.self])

  /// `cliptag tag password set`
  struct Set: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put a password in force on a tag that has none.",
      discussion: """
        The password is written and tried before it guards anything. Afterwards a guarded page \
        has to refuse a write without it. On a terminal the password is asked for, twice.

        Examples:
          cliptag tag password set --password-file tag.password --dry-run
          cliptag tag password set --password-file tag.password
        """)
    @OptionGroup var rule: PasswordRuleOptions
    @OptionGroup var job: TagPasswordJob

    var global: GlobalOptions { job.global }

    func execute(_ console: Console) async throws {
      let password = try job.password.needed(console, isNew: true)
      // A tag that an interrupted run armed already takes the password.
      try await job.run(.set, with: password, console) { channel in
        let tag = try await Tag.identify(over: channel, includingConfiguration: true)
        return try await tag.planPassword(
          password, rule.rule(over: tag.usualPasswordRule), over: channel)
      }
    }
  }

  /// `cliptag tag password change`
  struct Change: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put another password in force.",
      discussion: """
        What the password guards stays as it is unless it is named. While the password is \
        exchanged the tag has none; pulled away then, it is open, and the same command again \
        finishes the job.

        Examples:
          cliptag tag password change --password-file tag.password \\
            --new-password-file new.password
        """)
    @Option(
      help: ArgumentHelp(
        "The file with the new password.",
        discussion: "Without it: $CLIPTAG_NEW_TAG_PASSWORD, else it is asked for on the terminal.",
        valueName: "file"),
      completion: .file())
    var newPasswordFile: String?
    @OptionGroup var rule: PasswordRuleOptions
    @OptionGroup var job: TagPasswordJob

    var global: GlobalOptions { job.global }

    func validate() throws {
      try InputFile.checkStandardInputIsSingle([
        ("--password-file", job.password.passwordFile), ("--new-password-file", newPasswordFile),
      ])
    }

    func execute(_ console: Console) async throws {
      let old = try job.password.needed(console, isNew: false)
      let new = try TagPasswordSource.new(file: newPasswordFile, console)
      // The old one first: a tag torn in the exchange is open, and one that has the new one already
      // is the rare case that may cost an attempt.
      try await job.run(.change, with: old, orElse: new, console) { channel in
        let tag = try await Tag.identify(over: channel, includingConfiguration: true)
        return try await tag.planPassword(new, rule.rule(over: tag.passwordRule), over: channel)
      }
    }
  }

  /// `cliptag tag password remove`
  struct Remove: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove the password, so that everybody may write.",
      discussion: """
        Example:
          cliptag tag password remove --password-file tag.password
        """)
    @OptionGroup var job: TagPasswordJob

    var global: GlobalOptions { job.global }

    func execute(_ console: Console) async throws {
      let old = try job.password.needed(console, isNew: false)
      try await job.run(.remove, with: old, console) { channel in
        try await Tag.identify(over: channel, includingConfiguration: true)
          .planPasswordRemoval(over: channel)
      }
    }
  }
}

/// The common parts of `tag password set`, `change` and `remove`.
struct TagPasswordJob: ParsableArguments {
  /// The change of the password.
  enum Action: String {
    case set, change, remove

    var event: CodeEvent.Kind {
      switch self {
      case .set: .passwordSet
      case .change: .passwordChanged
      case .remove: .passwordRemoved
      }
    }

    /// The completed change, in words.
    var done: String {
      switch self {
      case .set: "set"
      case .change: "changed"
      case .remove: "removed"
      }
    }
  }

  @Flag(name: [.long, .customShort("n")], help: "Only say which pages would change.")
  var dryRun = false
  @OptionGroup var password: TagPasswordOptions
  @OptionGroup var reader: ReaderOptions
  @OptionGroup var global: GlobalOptions

  /// Gives the tag its present password, makes the plan, and executes it.
  func run(
    _ action: Action, with present: TagPassword, orElse other: TagPassword? = nil,
    _ console: Console,
    plan makePlan: (AuthenticatedChannel<NFCTag>) async throws -> PasswordPlan
  ) async throws {
    let registry =
      dryRun ? try global.registryForReading(console) : try global.registryForWriting()
    let protector = TagProtector(
      ledger: CodeLedger(registry: registry, who: registry.who),
      check: InvocationCheck(directory: registry))
    let answer = try await reader.withTag(console) { tag, name -> (JSONValue, ConsoleText) in
      let channel: AuthenticatedChannel<NFCTag>
      do {
        channel = try await password.open(tag, with: present, orElse: other, console)
      } catch let error as TagError where action == .set && error.code == .tagPassword {
        throw error.advisingChange
      }
      let plan = try await makePlan(channel)
      console.warn(plan.warnings)
      guard !dryRun else {
        return (json(action, plan, nil, reader: name), plan.text)
      }
      let (report, codes) = try await protector.execute(
        plan, action.event, on: channel, reader: name)
      if codes.isEmpty {
        console.say("note: no code of this tag is in the registry, so nothing was recorded")
      }
      return (json(action, plan, (report, codes), reader: name), report.text(action, plan))
    }
    console.result(answer.0, text: answer.1)
  }

  private func json(
    _ action: Action, _ plan: PasswordPlan, _ outcome: (report: PasswordReport, codes: [CodeID])?,
    reader: String
  ) -> JSONValue {
    .object([
      ("type", "password"), ("action", .string(action.rawValue)), ("reader", .string(reader)),
      ("uid", .string(plan.tag.uid.hexadecimal)), ("tagType", .string(plan.tag.name)),
      ("fromPage", JSONValue(plan.rule?.firstPage)),
      ("protect", JSONValue(plan.rule.map { $0.protectsReading ? "read-write" : "write" })),
      ("attemptLimit", JSONValue(plan.rule?.wrongPasswordLimit)),
      ("pagesWritten", .integer(outcome?.report.pagesWritten ?? 0)),
      ("alreadyCorrect", .bool(plan.isAlreadyCorrect)), ("verified", .bool(outcome != nil)),
      ("refusedPage", JSONValue(outcome?.report.refusedPage)),
      ("warnings", .array(plan.warnings.map(JSONValue.string))),
      ("codes", .array((outcome?.codes ?? []).map { .string($0.description) })),
      ("dryRun", .bool(dryRun)),
      ("plan", dryRun ? .array(plan.steps.map(\.json)) : .null),
      ("exchanges", dryRun ? .integer(plan.expectedExchanges) : .null),
    ])
  }
}

extension TagError {
  /// The advice for setting a password on a tag that has another one already.
  fileprivate var advisingChange: TagError {
    TagError(
      code, message,
      hint: "this tag has a password already: if it is this very one, add --try-anyway where the "
        + "tag counts wrong ones; if it is another, use tag password change",
      uid: uid, underlying: underlying)
  }
}

extension PasswordPlan.Step {
  /// The object of a plan; a secret is `null`.
  fileprivate var json: JSONValue {
    .object([
      ("page", JSONValue(page)), ("purpose", .string("\(purpose)")),
      ("before", JSONValue(before?.hexadecimal)), ("after", JSONValue(after?.hexadecimal)),
    ])
  }
}

extension PasswordPlan {
  /// A number of pages, or of commands where there are none, in words.
  fileprivate func stepCount(_ count: Int) -> String {
    tag.type2 == nil ? (count == 1 ? "1 command" : "\(count) commands") : pageCount(count)
  }

  /// The output of a dry run for people.
  fileprivate var text: ConsoleText {
    let name = "\(tag.name) \(tag.uid.hexadecimal)"
    guard !isAlreadyCorrect else { return "\(name): nothing to change" }
    let pages = steps.map { step in
      let bytes =
        step.after.map { "\(step.before?.hexadecimal ?? "") -> \($0.hexadecimal)" }
        ?? "secret".padding(to: 20)
      let place = step.page.map { "page \($0)" } ?? "command"
      return "  \(place.padding(to: 8)) \(bytes)  \(step.purpose)"
    }
    return
      ([
        "\(name): \(stepCount(steps.count)) would be written in at most \(expectedExchanges) "
          + "exchanges; nothing was written"
      ] + pages).asLines
  }
}

extension Tag {
  /// The last page or block.
  fileprivate var lastPiece: Int { (type2?.layout.pageCount ?? type5?.blockCount ?? 1) - 1 }
}

extension PasswordReport {
  /// Returns the result for people.
  fileprivate func text(_ action: TagPasswordJob.Action, _ plan: PasswordPlan) -> ConsoleText {
    let work =
      wasAlreadyCorrect
      ? "in force before, nothing written" : "\(plan.stepCount(pagesWritten)) written"
    var lines = ["password \(action.done) on \(tag.name) \(tag.uid.hexadecimal) (\(work))"]
    if let rule = plan.rule {
      lines.append(
        "  guards    \(tag.pieceName)s \(rule.firstPage) to \(tag.lastPiece) against "
          + (rule.protectsReading ? "reading and writing" : "writing"))
      if rule.wrongPasswordLimit > 0 {
        lines.append(
          "  limit     \(rule.wrongPasswordLimit) wrong passwords in a row, then closed for good")
      }
    }
    if let refusedPage {
      lines.append("  proof     \(tag.pieceName) \(refusedPage) refused a write without it")
    }
    return lines.asLines
  }
}

/// The password of a tag that has one. It is never an argument, because other users see those.
struct TagPasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file with the tag's password: 8 hexadecimal digits, or 8, a colon, and 4 for PACK (* for any).",
      discussion: """
        Without it: $CLIPTAG_TAG_PASSWORD. For password set it is the one that the tag shall have. A \
        tag without a password is not given any.
        """,
      valueName: "file"),
    completion: .file())
  var passwordFile: String?
  @Flag(help: "Ask for the tag's password on the terminal.")
  var askPassword = false
  @Flag(
    help: """
      Try the password even on a tag that counts wrong ones, which closes for good when there are \
      too many.
      """)
  var tryAnyway = false

  func validate() throws {
    if askPassword, passwordFile != nil {
      throw ValidationError("--ask-password and --password-file exclude each other.")
    }
  }

  /// Returns the password that was given in one of the three ways; `nil` if none was.
  ///
  /// - Throws: ``Failure`` when it cannot be read or is not a password. The text is never quoted.
  func given(_ console: Console) throws -> TagPassword? {
    if askPassword { return try TagPasswordSource.prompt("Password of the tag").password(console) }
    if let passwordFile { return try TagPasswordSource.file(passwordFile).password(console) }
    let name = "CLIPTAG_TAG_PASSWORD"
    guard ProcessInfo.processInfo.environment[name, default: ""].isEmpty == false else {
      return nil
    }
    return try TagPasswordSource.environment(name).password(console)
  }

  /// The access of a job.
  ///
  /// - Throws: The errors of ``given(_:)``.
  func access(_ console: Console) throws -> TagAccess {
    TagAccess(password: try given(console), risksAttempts: tryAnyway)
  }

  /// Opens the tag with its password, if it has one.
  func open(_ tag: NFCTag, _ console: Console) async throws -> AuthenticatedChannel<NFCTag> {
    try await access(console).open(tag) { console.show($0) }
  }

  /// The tag, with a password given to it if it has one.
  ///
  /// - Parameter other: A password to try where the first is refused, as far as that is safe.
  func open(
    _ tag: NFCTag, with password: TagPassword, orElse other: TagPassword? = nil, _ console: Console
  ) async throws -> AuthenticatedChannel<NFCTag> {
    let channel = try await AuthenticatedChannel.open(
      tag, with: password, orElse: other, riskingAttempts: tryAnyway)
    console.show(.authenticated(channel.isAuthenticated))
    return channel
  }
}

extension TagPasswordOptions {
  /// Returns the given password, else the one typed on the terminal, a new one twice.
  func needed(_ console: Console, isNew: Bool) throws -> TagPassword {
    if let password = isNew && askPassword ? nil : try given(console) {
      return isNew ? try password.withAcknowledgement(passwordFile) : password
    }
    return isNew
      ? try TagPasswordSource.promptTwice("New password of the tag", console)
      : try TagPasswordSource.prompt("Password of the tag").password(console)
  }
}

/// Sources of a password.
enum TagPasswordSource {
  case file(String)
  case environment(String)
  case prompt(String)

  /// Reads the password.
  ///
  /// - Throws: ``Failure``; it never quotes what was read.
  func password(_ console: Console) throws -> TagPassword {
    switch self {
    case .file(let path):
      let bytes = try InputFile.bytes(of: path, limit: 4096)
      guard let password = TagPassword(String(decoding: bytes, as: UTF8.self)) else {
        throw malformed("\(path == "-" ? "standard input" : path) does", .malformedInput, path)
      }
      try InputFile.refuseOpenSecret(path)
      return password
    case .environment(let name):
      guard let password = TagPassword(ProcessInfo.processInfo.environment[name, default: ""])
      else { throw malformed("$\(name) does", .badSetting, nil) }
      return password
    case .prompt(let question):
      guard Prompt.isPossible else {
        throw Failure(
          "no-terminal", .usage, "There is no terminal to ask for a password.",
          hint:
            "Put it into a file that only you can read, and name that file with --password-file.")
      }
      guard let password = TagPassword(try Prompt.secret(ConsoleText(question))) else {
        throw malformed("What was typed does", .malformedInput, nil)
      }
      return password
    }
  }

  /// The new password of a tag: from a file, from `$CLIPTAG_NEW_TAG_PASSWORD`, or from the
  /// terminal.
  static func new(file: String?, _ console: Console) throws -> TagPassword {
    if let file { return try Self.file(file).password(console).withAcknowledgement(file) }
    let name = "CLIPTAG_NEW_TAG_PASSWORD"
    guard ProcessInfo.processInfo.environment[name, default: ""].isEmpty else {
      return try Self.environment(name).password(console).withAcknowledgement(nil)
    }
    return try promptTwice("New password of the tag", console)
  }

  /// Asks twice, because the input is not shown.
  static func promptTwice(_ question: String, _ console: Console) throws -> TagPassword {
    let password = try Self.prompt(question).password(console).withAcknowledgement(nil)
    guard try Self.prompt("Once more").password(console) == password else {
      throw Failure(
        "malformed-password", .malformedInput, "The two passwords differ.",
        hint: "Run the command again and type the same password twice.")
    }
    return password
  }

  private func malformed(_ what: String, _ status: ExitStatus, _ source: String?) -> Failure {
    Failure(
      "malformed-password", status, "\(what) not hold a tag's password.",
      hint:
        "A password is 8 hexadecimal digits; with its PACK, a colon and 4 more, or a * where nobody "
        + "knows it.",
      source: source)
  }
}

extension TagPassword {
  /// The password, if its PACK is known: one that shall be set needs it.
  fileprivate func withAcknowledgement(_ source: String?) throws -> TagPassword {
    guard knowsAcknowledgement else {
      throw Failure(
        "malformed-password", .malformedInput,
        "A new password needs its PACK, and this one has a *.",
        hint: "Write 4 hexadecimal digits behind the colon, or leave the colon out for 0000.",
        source: source)
    }
    return self
  }
}

/// Options for the protection by a password.
struct PasswordRuleOptions: ParsableArguments {
  /// The operations that need the password.
  enum Guarded: String, ExpressibleByArgument, CaseIterable {
    case write
    case readWrite = "read-write"
  }

  @Option(
    help: ArgumentHelp(
      "The first page that needs the password; unless named, set takes 4 (of a Type 5 tag block 0) and change leaves it.",
      valueName: "page"))
  var fromPage: Int?
  @Option(
    help: """
      What needs the password: write, or read-write, which no phone can read; unless named, set takes \
      write and change leaves it.
      """)
  var protect: Guarded?
  @Option(
    help: ArgumentHelp(
      """
      After how many wrong passwords in a row the guarded pages are closed FOR GOOD, 1 to 7; 0 for \
      never. Unless named, set takes 0 and change leaves it.
      """, valueName: "count"))
  var attemptLimit: Int?

  func validate() throws {
    if let attemptLimit, !(0...7).contains(attemptLimit) {
      throw ValidationError("--attempt-limit takes 0 to 7; got \(attemptLimit).")
    }
    if let fromPage, !(0...255).contains(fromPage) {
      throw ValidationError("--from-page takes a page of the tag; got \(fromPage).")
    }
  }

  /// The rule, as far as it was named; the rest is as in `present`.
  func rule(over present: PasswordRule?) -> PasswordRule? {
    guard fromPage != nil || protect != nil || attemptLimit != nil || present != nil else {
      return nil
    }
    var rule = present ?? PasswordRule()
    if let fromPage { rule.firstPage = fromPage }
    if let protect { rule.protectsReading = protect == .readWrite }
    if let attemptLimit { rule.wrongPasswordLimit = attemptLimit }
    return rule
  }
}
