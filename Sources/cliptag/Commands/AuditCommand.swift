import ArgumentParser

/// `cliptag audit …`
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Walk by what hangs out there, and report what is wrong.",
    discussion: """
      Without a subcommand, what is read is added to a walk; audit walk --help shows its options. \
      Nothing needs a network. Each stop is kept before it is shown, so after a crash the same \
      command goes on; pictures that are in the walk already are left out.

      Examples:
        cliptag audit wall.jpg --place cupertino
        cliptag audit report -o walk.html
      """,
    subcommands: [
      AuditWalkCommand.self, AuditListCommand.self, AuditReportCommand.self, AuditMergeCommand.self,
    ],
    defaultSubcommand: AuditWalkCommand.self)
}
