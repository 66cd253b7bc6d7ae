import CliptagBasics
import Jobs
import Invocation
import ArgumentParser
import Auditing
import Foundation
import Registry
import Verifying

/// `cliptag audit …`
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Read codes on site, and report their faults.",
    discussion: """
      Without a subcommand, adds readings to a walk; audit walk --help shows its options. \
      No network is needed. Each stop is stored before it is shown, so after a crash the same \
      command continues; pictures already in the walk are skipped, unless their details \
      change.

      Examples:
        cliptag audit wall.jpg --place cupertino
        cliptag audit report -o walk.html
      """,
    subcommands: [
      AuditWalkCommand.self, AuditListCommand.self, AuditReportCommand.self,
      AuditFindingsCommand.self, AuditMergeCommand.self,
    ],
    defaultSubcommand: AuditWalkCommand.self)
}

/// `cliptag audit list`
struct AuditListCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the walks, oldest first, or the state of every place.",
    discussion: """
      Walks of several people may share a name; a report covers all walks of a name. By place, \
      shows the latest visit: its date, and the number of confirmed, faulty and \
      missing.

      Examples:
        cliptag audit list
        cliptag audit list --by-place
      """)
  @Flag(help: "List the places by name, each with the state at its last visit.")
  var byPlace = false
  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    let registry = try global.registryForReading(console)
    guard !byPlace else {
      let places = try WalkReview(of: registry, now: SourceDate.now).places()
      for place in places {
        console.result(of: PlaceStandingResult(place), text: place.text(console.output))
      }
      if places.isEmpty { console.say("No place has a code, and no walk exists.") }
      return
    }
    try await console.showWalks(of: registry)
  }
}

extension Console {
  /// Lists the walks, oldest first.
  func showWalks(of registry: any RegistryStore) async throws {
    let walks = try await registry.read { registry in
      try registry.walks().map { walk throws(RegistryError) in
        (walk: walk, stops: try registry.lastStop(of: walk.id))
      }
    }
    for (walk, stops) in walks {
      result(of: WalkResult(walk, stops: stops), text: walk.text(stops: stops))
    }
    if walks.isEmpty { say("No walks.") }
  }
}

extension Walk {
  fileprivate func text(stops: Int) -> String {
    "\(name.printable)  by \(who.printable)  from \(started.registryTimestamp), "
      + stops.of("stop")
  }
}

extension PlaceStanding {
  fileprivate func text(_ style: Style) -> ConsoleText {
    let name: ConsoleText = "\(style.bold("\(place.name.printable) (\(place.id))"))"
    guard let lastVisit, let walk else {
      return "\(name)\n  never visited, \(expected.of("code"))"
    }
    func part(_ count: Int, _ word: String) -> ConsoleText? {
      count > 0 ? ", \(style.red("\(count) \(word)"))" : nil
    }
    var troubles: ConsoleText = sum.unconfirmed > 0 ? ", \(sum.unconfirmed) not confirmed" : ""
    for trouble in [
      part(sum.wrong, "wrong"), part(sum.missing, "missing"), part(sum.dead, "dead"),
      part(otherWrong, otherWrong == 1 ? "other thing wrong" : "other things wrong"),
    ] { if let trouble { troubles += trouble } }
    let day = String(lastVisit.registryTimestamp.prefix(10))
    return
      "\(name)\n  last visited \(day) (“\(walk.printable)”): \(sum.confirmed) of \(sum.all) fine"
      + troubles
  }
}

/// `cliptag audit merge FILE…`
struct AuditMergeCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the walks of other registries.",
    discussion: """
      Creates the union of all walks, with their pictures, and of all histories of codes: known \
      entries are not added twice, and a repeated merge changes nothing. A registry file is merged \
      completely or not at all. Places and batches are not merged, but listed.

      New entries in histories are merged only up to a checkpoint signed by a trusted key, as \
      with cliptag code merge, or with --accept-unsigned. Walks are not signed: merge files \
      from trusted people only.

      Examples:
        cliptag audit merge --dry-run --accept-unsigned field/registry.sqlite
        cliptag audit merge --accept-unsigned field/registry.sqlite
      """)

  @Argument(
    help: ArgumentHelp("Other registry files.", valueName: "file"),
    completion: .file(extensions: ["sqlite"]))
  var files: [String]
  @OptionGroup var trust: TrustOptions
  @Flag(name: [.long, .customShort("n")], help: "Only show the changes.")
  var dryRun = false
  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    let trust = try trust.trust()
    // Nothing is created to say what would change.
    let present = try global.registryForReading(dryRun ? console : nil)
    let registry: any RegistryStore =
      dryRun && present.schemaVersion == 0
      ? try RegistryLocation.memory.open() : try global.registryForWriting()
    for file in files {
      console.attempt(file) {
        // A missing registry counts as empty for lookups; here it means a mistyped name.
        _ = try CodeCommand.Merge.isDatabase(file)
        let other = try RegistryLocation.file(file).open(for: .lookUp)
        let report = try registry.mergeWalks(
          from: other, name: file, trusting: trust, dryRun: dryRun)
        var left = try registry.unmerged(from: other)
        left.walks = 0
        report.record.warn(of: file, console)
        console.result(
          of: MergeResult(report, source: file, leaving: left, isRehearsal: dryRun),
          text: report.text(file, dryRun))
        report.record.tell(file, left, console)
      }
    }
  }
}

extension WalkMergeReport {
  fileprivate func text(_ file: String, _ dryRun: Bool) -> String {
    let added = dryRun ? "would add" : "added"
    return """
      \(file): \(added) \(walks.of("walk")) and \(stops.of("stop")) \
      (\(knownStops.of("was", "were")) here), \(record.added.of("entry", "entries")) \
      (\(record.known.of("was", "were")) here), \(record.codes.of("code"))\
      \(followUps == 0 ? "" : ", \(followUps.of("entry", "entries")) of findings to follow up")
      """
  }
}
