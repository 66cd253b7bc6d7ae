import ArgumentParser
import Deployment
import Foundation
import Registry

/// `cliptag audit merge FILE…`
struct AuditMergeCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Take in the walks of other laptops.",
    discussion: """
      The union of all walks, with their pictures, and of all histories of codes: what is here \
      already is not counted twice, and doing it again changes nothing. A registry file is taken in \
      whole or not at all.

      Examples:
        cliptag audit merge --dry-run field/registry.sqlite
        cliptag audit merge field/registry.sqlite
      """)

  @Argument(
    help: ArgumentHelp("Registry files of other laptops.", valueName: "file"),
    completion: .file(extensions: ["sqlite"]))
  var files: [String]
  @Flag(name: [.long, .customShort("n")], help: "Only say what would change.")
  var dryRun = false
  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    // Nothing is created to say what would change.
    let present = try global.registryForReading(dryRun ? console : nil)
    let registry: any RegistryStore =
      dryRun && present.schemaVersion == 0
      ? try RegistryLocation.memory.open() : try global.registryForWriting()
    for file in files {
      console.attempt(file) {
        // A registry that is not there yet is an empty one to whoever looks things up; here somebody
        // mistyped a name.
        _ = try CodeCommand.Merge.isDatabase(file)
        let other = try RegistryLocation.file(file).open(for: .lookUp)
        let report = try registry.mergeWalks(from: other, name: file, dryRun: dryRun)
        console.result(report.json(file, dryRun), text: report.text(file, dryRun))
      }
    }
  }
}

extension WalkMergeReport {
  fileprivate func json(_ file: String, _ dryRun: Bool) -> JSONValue {
    .object(
      [
        ("type", "audit-merge"), ("source", .string(file)), ("dryRun", .bool(dryRun)),
        ("walks", .integer(walks)), ("knownWalks", .integer(knownWalks)),
        ("stops", .integer(stops)), ("knownStops", .integer(knownStops)),
      ] + record.members)
  }

  fileprivate func text(_ file: String, _ dryRun: Bool) -> String {
    let added = dryRun ? "would add" : "added"
    return """
      \(file): \(added) \(walks) walks and \(stops) stops (\(knownStops) were here), \
      \(record.added) entries (\(record.known) were here), \(record.codes) codes
      """
  }
}
