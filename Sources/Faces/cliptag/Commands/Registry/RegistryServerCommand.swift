import CliptagBasics
import Jobs
import ArgumentParser
import Invocation
import Registry

extension RegistryCommand {
  /// `cliptag registry init`
  struct Init: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Create a registry, on a server with its roles.",
      discussion: """
        On a PostgreSQL server the tables belong to the role DATABASE_owner, which has no \
        login. Logins get one of two roles: DATABASE_station issues and records, and can neither alter \
        history nor turn off guards; DATABASE_reader only reads and checks. Give a login \
        its role with GRANT, and its password in the file of PGPASSFILE. An existing registry \
        keeps its data, its roles get their rights again, and every login begins a new \
        chain of the record: run it on a copy that was restored or started elsewhere.

        With --example, only a commented registry file is written: for the business that the \
        options name, to be completed and imported.

        Examples:
          cliptag registry init --example gelato.yaml --business "Gelato Aurora" \\
            --domain gelato.example.com --at-place "Main Street" --at-place Harbour
          createdb shops
          cliptag registry init postgresql://db.example.com/shops
          psql shops -c 'CREATE ROLE anna LOGIN; GRANT shops_station TO anna'
        """)

    @Argument(
      help: ArgumentHelp(
        "A server's address, or a file (default: --registry).", valueName: "registry"))
    var place: String?
    @OptionGroup(title: "Example") var example: ExampleOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if example.file != nil, place != nil {
        throw ValidationError("Give --example FILE or a registry, not both.")
      }
    }

    func execute(_ console: Console) throws {
      if let file = example.file { return try console.write(try example.example(), to: file) }
      let location = place.map { RegistryLocation.named($0) } ?? global.registryLocation
      guard location.isOnServer else {
        let registry = try location.open(createsFolder: place == nil && !global.isRegistryNamed)
        return console.result(
          of: RegistrySetupResult(registry, at: location),
          text: "the registry is \(location.description.printable)")
      }
      let setup = try location.makeOnServer(busyTimeout: .seconds(global.registryWait))
      console.result(
        of: RegistrySetupResult(setup, at: location),
        text: [
          "\(setup.wasThere ? "the registry was there" : "made the registry"): "
            + location.description.printable,
          "  owner     \(setup.owner.printable), without a login",
          "  stations  GRANT \"\(setup.station.printable)\" TO their logins",
          "  readers   GRANT \"\(setup.reader.printable)\" TO theirs, such as that of CI",
        ].asLines)
    }
  }

  /// `cliptag registry upgrade`
  struct Upgrade: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "upgrade",
      abstract: "Upgrade a registry of an older format.",
      discussion: """
        A registry on a server is upgraded by its owner, with this command, after all its \
        stations have the new cliptag: an older one refuses a newer format. A file is also \
        upgraded by every command that opens it. All steps are one transaction; with \
        --dry-run they are rolled back.

        Examples:
          cliptag registry upgrade --dry-run postgresql://db.example.com/shops
          cliptag registry upgrade postgresql://db.example.com/shops
        """)

    @Argument(
      help: ArgumentHelp(
        "A server's address, or a file (default: --registry).", valueName: "registry"))
    var place: String?
    @Flag(name: [.long, .customShort("n")], help: "Only try the upgrade, and show the steps.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) throws {
      let location = place.map { RegistryLocation.named($0) } ?? global.registryLocation
      let upgrade = try location.upgrade(
        isRehearsal: dryRun, busyTimeout: .seconds(global.registryWait))
      let name = location.description.printable
      let head =
        upgrade.steps.isEmpty
        ? "\(name) has the current format \(upgrade.to)"
        : "\(dryRun ? "would upgrade" : "upgraded") \(name) from format \(upgrade.from) to \(upgrade.to)"
      console.result(
        of: RegistryUpgradeResult(upgrade, of: location, isRehearsal: dryRun),
        text: ([head] + upgrade.steps.map { "  \($0)" }).asLines)
    }
  }

  /// `cliptag registry move FILE URL`
  struct Move: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "move",
      abstract: "Move a registry file into a PostgreSQL database.",
      discussion: """
        Clips, experiences, places, codes with their record, counters, batches under way and walks \
        with their pictures are copied in one transaction, and the record is verified before and \
        after. Until then, other writers of the database wait; a note estimates \
        the time. The database must be empty, or have an empty registry; the login must be the \
        owner's or a superuser's. The file is unchanged: stop using it. To transfer later \
        additions, use code merge and audit merge.

        Examples:
          cliptag registry move --dry-run registry.sqlite \\
            postgresql://db.example.com/shops
          cliptag registry move registry.sqlite postgresql://db.example.com/shops
        """)

    @Argument(
      help: ArgumentHelp("The registry file.", valueName: "file"),
      completion: .file(extensions: ["sqlite"]))
    var file: String
    @Argument(help: ArgumentHelp("The server's address.", valueName: "url"))
    var server: String
    @Flag(name: [.long, .customShort("n")], help: "Only show the planned move.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard RegistryLocation.named(server).isOnServer else {
        throw ValidationError(
          "The target must be a server, such as postgresql://db.example.com/shops, not "
            + "\(RegistryLocation.named(server)).")
      }
    }

    func execute(_ console: Console) throws {
      let target = RegistryLocation.named(server)
      let report = try target.takeAll(
        of: .file(file), dryRun: dryRun, busyTimeout: .seconds(global.registryWait),
        announcing: { held in
          console.say(
            "note: other writers of \(target.description.printable) wait until the end: "
              + "\(held.entries.of("entry", "entries")), about \(held.minutesToTake) min")
        })
      console.result(
        of: RegistryCopyResult(
          report, .move, from: file, to: target.description, isRehearsal: dryRun),
        text: "\(dryRun ? "would move" : "moved") \(file.printable) to "
          + "\(target.description.printable): \(report.text)")
    }
  }

  /// `cliptag registry checkout FILE`
  struct Checkout: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "checkout",
      abstract: "Make a registry file for work without the server.",
      discussion: """
        The file holds the clips, experiences, places, codes and their record, counters and trusted \
        keys; walks and batches stay on the server. The file has a separate chain of the \
        record. Merge its entries afterwards with code merge and audit merge.

        Examples:
          cliptag registry checkout field.sqlite
          cliptag audit --registry field.sqlite wall.jpg --place cupertino
          cliptag audit merge field.sqlite
        """)

    @Argument(
      help: ArgumentHelp("The file to make.", valueName: "file"),
      completion: .file(extensions: ["sqlite"]))
    var file: String
    @Flag(name: [.long, .customShort("n")], help: "Only show the planned contents.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) throws {
      let source = global.registryLocation
      let report = try source.checkOut(
        to: file, dryRun: dryRun, busyTimeout: .seconds(global.registryWait))
      console.result(
        of: RegistryCopyResult(
          report, .checkout, from: source.description, to: file, isRehearsal: dryRun),
        text: "\(dryRun ? "would check out" : "checked out") \(source.description.printable) to "
          + "\(file.printable): \(report.text)")
    }
  }
}

extension BackupReport {
  /// The time that a server needs to keep the record and to check it, in whole minutes: some
  /// thousand entries a second near by.
  fileprivate var minutesToTake: Int { entries / (60 * 2000) + 1 }
}
