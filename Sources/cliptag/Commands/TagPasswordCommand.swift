import ArgumentParser
import Deployment
import Invocation
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
        try await TagProtector.type2(over: channel)
          .planPassword(password, rule.rule(over: PasswordRule()), over: channel)
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
        let tag = try await TagProtector.type2(over: channel)
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
        try await TagProtector.type2(over: channel).planPasswordRemoval(over: channel)
      }
    }
  }
}
