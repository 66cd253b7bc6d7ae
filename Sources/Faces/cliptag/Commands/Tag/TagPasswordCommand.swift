import CliptagBasics
import ArgumentParser
import CliptagPlatform
import Foundation
import Invocation
import Jobs
import TagTypes

/// `cliptag tag password …`
struct TagPasswordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "password",
    abstract: "Set, change or remove the password of a tag.",
    discussion: """
      A password against writing keeps a tag changeable for its owner only. The \
      capability container is unchanged, so phones can still read the tag.
      """,
    subcommands: [Set.self, Change.self, Remove.self])

  /// `cliptag tag password set`
  struct Set: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Set the password of a tag without one.",
      discussion: """
        The password is written and tested before it takes effect. Afterwards a protected page \
        must refuse a write without it. On a terminal, prompts for the password twice.

        Examples:
          cliptag tag password set --password-file tag.password --dry-run
          cliptag tag password set --password-file tag.password
        """)
    @OptionGroup var rule: PasswordRuleOptions
    @OptionGroup var job: TagPasswordJob

    var global: GlobalOptions { job.global }

    func execute(_ console: Console) async throws {
      try await job.run(
        .set(try job.password.needed(console, isNew: true)), under: rule, console)
    }
  }

  /// `cliptag tag password change`
  struct Change: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "change",
      abstract: "Change the password of a tag.",
      discussion: """
        The protected pages are unchanged unless given. During the change, \
        the tag has no password; if it is removed then, run the same command again \
        to complete the change.

        Examples:
          cliptag tag password change --password-file tag.password \\
            --new-password-file new.password
        """)
    @Option(
      help: ArgumentHelp(
        "The file with the new password.",
        discussion: "Default: $CLIPTAG_NEW_TAG_PASSWORD, else a prompt on the terminal.",
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
      try await job.run(.change(from: old, to: new), under: rule, console)
    }
  }

  /// `cliptag tag password remove`
  struct Remove: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove the password of a tag.",
      discussion: """
        Example:
          cliptag tag password remove --password-file tag.password
        """)
    @OptionGroup var job: TagPasswordJob

    var global: GlobalOptions { job.global }

    func execute(_ console: Console) async throws {
      try await job.run(.remove(try job.password.needed(console, isNew: false)), console)
    }
  }
}

/// The common parts of `tag password set`, `change` and `remove`.
struct TagPasswordJob: ParsableArguments {
  @Flag(name: [.long, .customShort("n")], help: "Only show the pages to change.")
  var dryRun = false
  @OptionGroup var password: TagPasswordOptions
  @OptionGroup var reader: ReaderOptions
  @OptionGroup var global: GlobalOptions

  /// Changes the password, and shows what was done.
  func run(
    _ change: ChangeTagPassword.Change, under rule: PasswordRuleOptions? = nil, _ console: Console
  ) async throws {
    var job = ChangeTagPassword(change)
    job.firstPage = rule?.fromPage
    job.protectsReading = rule?.protect.map { $0 == .readWrite }
    job.wrongPasswordLimit = rule?.attemptLimit
    job.risksAttempts = password.tryAnyway
    job.dryRun = dryRun
    var workplace = try global.workplace(isRehearsal: dryRun, console)
    workplace.reader = reader.tagReader
    let changed = try await job.run(in: workplace) { console.show($0) }
    if changed.report != nil, changed.codes.isEmpty {
      console.say("note: no code of this tag is in the registry, so nothing was recorded")
    }
    console.result(
      of: changed.result, text: changed.report?.text(change, changed.plan) ?? changed.plan.text)
  }
}

extension ChangeTagPassword.Change {
  /// The completed change, in words.
  fileprivate var done: String {
    switch self {
    case .set: "set"
    case .change: "changed"
    case .remove: "removed"
    }
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
  fileprivate func text(_ change: ChangeTagPassword.Change, _ plan: PasswordPlan) -> ConsoleText {
    let work =
      wasAlreadyCorrect
      ? "in force before, nothing written" : "\(plan.stepCount(pagesWritten)) written"
    var lines = ["password \(change.done) on \(tag.name) \(tag.uid.hexadecimal) (\(work))"]
    if let rule = plan.rule {
      lines.append(
        "  protects  \(tag.pieceName)s \(rule.firstPage) to \(tag.lastPiece) against "
          + (rule.protectsReading ? "reading and writing" : "writing"))
      if rule.wrongPasswordLimit > 0 {
        lines.append(
          "  limit     \(rule.wrongPasswordLimit) wrong passwords in a row, then locked for good")
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
        Default: $CLIPTAG_TAG_PASSWORD. For password set, the password to set. It is not sent to a \
        tag without a password.
        """,
      valueName: "file"),
    completion: .file())
  var passwordFile: String?
  @Flag(help: "Prompt for the tag's password on the terminal.")
  var askPassword = false
  @Flag(
    help: """
      Try the password even on a tag that counts wrong ones and locks permanently after \
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
          "no-terminal", .usage, "The password prompt needs a terminal.",
          hint:
            "Put it into a file that only you can read, and give that file with --password-file.")
      }
      guard let password = TagPassword(try Prompt.secret(ConsoleText(question))) else {
        throw malformed("The typed text does", .malformedInput, nil)
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
        "A password is 8 hexadecimal digits; with its PACK, a colon and 4 more, or a * for an "
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
        hint: "Write 4 hexadecimal digits after the colon, or leave the colon out for 0000.",
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
      "The first protected page (default: 4 for set, block 0 of a Type 5 tag; unchanged for change).",
      valueName: "page"))
  var fromPage: Int?
  @Option(
    help: """
      The protected access: write, or read-write, which blocks phones (default: \
      write for set, unchanged for change).
      """)
  var protect: Guarded?
  @Option(
    help: ArgumentHelp(
      """
      The wrong passwords in a row that lock the protected pages PERMANENTLY, 1 to 7; 0 for \
      no limit (default: 0 for set, unchanged for change).
      """, valueName: "count"))
  var attemptLimit: Int?

  func validate() throws {
    if let attemptLimit, !(0...7).contains(attemptLimit) {
      throw ValidationError("--attempt-limit must be 0 to 7, not \(attemptLimit).")
    }
    if let fromPage, !(0...255).contains(fromPage) {
      throw ValidationError("--from-page must be a page of the tag, not \(fromPage).")
    }
  }
}
