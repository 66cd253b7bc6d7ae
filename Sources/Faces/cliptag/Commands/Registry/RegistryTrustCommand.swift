import CliptagBasics
import Jobs
import ArgumentParser
import Foundation
import Invocation
import Registry
import TagAuthenticity

extension RegistryCommand {
  /// `cliptag registry trust`
  struct Trust: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trust",
      abstract: "Manage the trusted keys of checkpoints.",
      subcommands: [Add.self, List.self, Remove.self], defaultSubcommand: List.self)

    /// `cliptag registry trust add KEY --name NAME`
    struct Add: ConsoleCommand {
      static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Trust a key: merges accept entries that its checkpoints cover.",
        discussion: """
          Get the key from its owner directly, or compare its fingerprint with them. The owner of the \
          private half can add entries about any code to this registry.

          Example:
            cliptag registry trust add record.key.pub --name "Field laptop"
          """)
      @Argument(
        help: ArgumentHelp(
          "The public key: Ed25519, SubjectPublicKeyInfo in PEM.", valueName: "key"),
        completion: .file(extensions: ["pub", "pem"]))
      var key: String
      @Option(help: "The name of the key's owner.")
      var name: String
      @Flag(name: [.long, .customShort("n")], help: "Only show the planned change.")
      var dryRun = false
      @OptionGroup var global: GlobalOptions

      func execute(_ console: Console) async throws {
        let key = try InputFile.publicKey(key)
        let registry =
          dryRun ? try global.registryForReading(console) : try global.registryForWriting()
        let trusted =
          dryRun
          ? try registry.newTrust(in: key, named: name, at: Date(), by: registry.who)
          : try registry.trust(key, named: name, at: Date(), by: registry.who)
        trusted.show(dryRun ? "would trust " : "trusted ", dryRun: dryRun, console)
      }
    }

    /// `cliptag registry trust list`
    struct List: ConsoleCommand {
      static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the trusted keys.",
        discussion: "Example:\n  cliptag registry trust list")
      @OptionGroup var global: GlobalOptions

      func execute(_ console: Console) async throws {
        let keys = try global.registryForReading(console).trustedKeys()
        for key in keys { key.show("", dryRun: false, console) }
        if keys.isEmpty { console.say("No key is trusted.") }
      }
    }

    /// `cliptag registry trust remove NAME…`
    struct Remove: ConsoleCommand {
      static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove trusted keys; merged entries remain.",
        discussion: "Example:\n  cliptag registry trust remove \"Field laptop\" --dry-run")
      @Argument(help: "Names of keys, as list prints them.", completion: .trustedKeys)
      var names: [String]
      @Flag(name: [.long, .customShort("n")], help: "Only show the removal.")
      var dryRun = false
      @OptionGroup var global: GlobalOptions

      func execute(_ console: Console) async throws {
        let registry =
          dryRun ? try global.registryForReading(console) : try global.registryForWriting()
        for name in names {
          console.attempt(name) {
            let keys = try registry.trustedKeys()
            guard let key = keys.first(where: { $0.name == name }) else {
              throw Failure.notFound(
                "trusted key", name, similar: keys.map(\.name).meant(by: name),
                see: "cliptag registry trust list")
            }
            if !dryRun { try registry.removeTrust(inKeyNamed: key.name) }
            key.show(dryRun ? "would remove " : "removed ", dryRun: dryRun, console)
          }
        }
      }
    }
  }
}

extension TrustedKey {
  fileprivate func show(_ done: String, dryRun: Bool, _ console: Console) {
    console.result(
      of: TrustedKeyResult(self, isRehearsal: dryRun),
      text: """
        \(done)\(name.printable)  SHA-256 \(fingerprint)  by \(who.printable) \
        \(added.registryTimestamp)
        """)
  }
}
