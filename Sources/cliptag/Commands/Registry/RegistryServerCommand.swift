import Jobs
import ArgumentParser
import Invocation
import Registry

extension RegistryCommand {
  /// `cliptag registry init`
  struct Init: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a registry, on a server with the roles of those who work with it.",
      discussion: """
        On a server of PostgreSQL the tables belong to the role DATABASE_owner, in which nobody logs \
        in. Logins get one of two roles: DATABASE_station issues and records, and can neither alter \
        history nor switch guards off; DATABASE_reader only looks things up and checks. Give a login \
        its role with GRANT, and its password in a file that PGPASSFILE names. A registry that is \
        there keeps what it holds, its roles get their rights once more, and every login begins a new \
        chain of the record: do so with a copy that was restored or started elsewhere.

        Examples:
          createdb shops
          cliptag registry init postgresql://db.example.com/shops
          psql shops -c 'CREATE ROLE anna LOGIN; GRANT shops_station TO anna'
        """)

    @Argument(
      help: ArgumentHelp(
        "A server's address, or a file (default: --registry).", valueName: "registry"))
    var place: String?
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) throws {
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
          "  owner     \(setup.owner.printable), in which nobody logs in",
          "  stations  GRANT \"\(setup.station.printable)\" TO their logins",
          "  readers   GRANT \"\(setup.reader.printable)\" TO theirs, such as that of CI",
        ].asLines)
    }
  }

  /// `cliptag registry upgrade`
  struct Upgrade: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Bring a registry of an older format up to date.",
      discussion: """
        A registry on a server is brought up to date by its owner, with this command, once all its \
        stations have the cliptag that needs it: an older one refuses a newer format. A file is also \
        brought up to date by whichever command opens it. All steps are one transaction; with \
        --dry-run each is taken and none is kept.

        Examples:
          cliptag registry upgrade --dry-run postgresql://db.example.com/shops
          cliptag registry upgrade postgresql://db.example.com/shops
        """)

    @Argument(
      help: ArgumentHelp(
        "A server's address, or a file (default: --registry).", valueName: "registry"))
    var place: String?
    @Flag(name: [.long, .customShort("n")], help: "Only try it, and say what would be done.")
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
        : "\(dryRun ? "would bring" : "brought") \(name) from format \(upgrade.from) to \(upgrade.to)"
      console.result(
        of: RegistryUpgradeResult(upgrade, of: location, isRehearsal: dryRun),
        text: ([head] + upgrade.steps.map { "  \($0)" }).asLines)
    }
  }

  /// `cliptag registry move FILE URL`
  struct Move: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take everything from a registry file into a database of PostgreSQL.",
      discussion: """
        Clips, experiences, places, codes with their record, counters, batches under way and walks \
        with their pictures are copied in one transaction, and the record is verified before and \
        after. Until that is done, whoever writes to the database waits; a note says beforehand about \
        how long. The database has to be empty, or to have an empty registry; the login has to be the \
        owner's or a superuser's. The file stays as it is: take it out of use. What somebody adds to \
        it all the same comes over with code merge and audit merge.

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
    @Flag(name: [.long, .customShort("n")], help: "Only say what would be moved.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard RegistryLocation.named(server).isOnServer else {
        throw ValidationError(
          "A registry moves to a server, such as postgresql://db.example.com/shops; got "
            + "\(RegistryLocation.named(server)).")
      }
    }

    func execute(_ console: Console) throws {
      let target = RegistryLocation.named(server)
      let report = try target.takeAll(
        of: .file(file), dryRun: dryRun, busyTimeout: .seconds(global.registryWait),
        announcing: { held in
          console.say(
            "note: whoever writes to \(target.description.printable) waits until all is there: "
              + "\(held.entries) entries, about \(held.minutesToTake) min")
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
      abstract: "Make a registry file for the field, where no server is.",
      discussion: """
        The file holds the clips, experiences, places, codes and their record, counters and trusted \
        keys; walks and batches stay on the server. Whoever works with the file begins a chain of \
        their own. Back from the field, code merge and audit merge bring in what was done.

        Examples:
          cliptag registry checkout field.sqlite
          cliptag audit --registry field.sqlite wall.jpg --place cupertino
          cliptag audit merge field.sqlite
        """)

    @Argument(
      help: ArgumentHelp("The file to make.", valueName: "file"),
      completion: .file(extensions: ["sqlite"]))
    var file: String
    @Flag(name: [.long, .customShort("n")], help: "Only say what it would hold.")
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
