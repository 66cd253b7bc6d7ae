import Jobs
import ArgumentParser
import Invocation
import Registry

extension RegistryCommand {
  /// `cliptag registry backup FILE`
  struct Backup: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Copy the registry, while others may use it.",
      discussion: """
        The copy holds everything: clips, experiences, places, codes with their record, walks with \
        their pictures, counters. Only its owner may read it, and nothing is written over. It goes \
        on with no chain of the record: see registry restore.

        Examples:
          cliptag registry backup registry-2026-11-23.sqlite
        """)

    @Argument(
      help: ArgumentHelp("The copy to make.", valueName: "file"),
      completion: .file(extensions: ["sqlite"]))
    var file: String
    @Flag(name: [.long, .customShort("n")], help: "Only say what would be copied.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) throws {
      let report = try global.registryLocation
        .backUp(to: file, dryRun: dryRun)
      console.result(
        of: RegistryCopyResult(report, .backup, to: file, isRehearsal: dryRun),
        text:
          "\(dryRun ? "would copy" : "copied") \(global.registryLocation.description.printable) to "
          + "\(file.printable): \(report.text)")
    }
  }

  /// `cliptag registry restore FILE`
  struct Restore: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put a copy of the registry in its place, and begin a new chain of the record.",
      discussion: """
        The record in the copy has to be whole. What was there before is kept beside it under a name \
        with the time in it. Others may hold entries that this registry wrote after the copy was \
        made; so that the chain is not continued in two ways, the next entry begins a new one. What \
        only the old file has comes back with code merge. While another command has the registry open, \
        nothing is restored.

        Examples:
          cliptag registry restore --dry-run registry-2026-11-23.sqlite
          cliptag registry restore registry-2026-11-23.sqlite
        """)

    @Argument(
      help: ArgumentHelp("The copy, made by registry backup or otherwise.", valueName: "file"),
      completion: .file(extensions: ["sqlite"]))
    var file: String
    @Flag(name: [.long, .customShort("n")], help: "Only say what would happen.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) throws {
      let report = try global.registryLocation
        .restore(from: file, dryRun: dryRun)
      var lines = [
        "\(dryRun ? "would restore" : "restored") \(global.registryLocation.description.printable) from "
          + "\(file.printable): \(report.restored.text)"
      ]
      if let replaced = report.replaced {
        lines.append("  before    \(dryRun ? "would be kept" : "is kept") as \(replaced.printable)")
        if report.entriesLeft > 0 {
          lines.append(
            "  left      \(report.entriesLeft) entries are only in the old file; take them back with "
              + "cliptag code merge")
        }
      }
      console.result(
        of: RegistryCopyResult(
          report, from: file, to: global.registryLocation.description, isRehearsal: dryRun),
        text: lines.asLines)
    }
  }
}

extension BackupReport {
  var text: String {
    "\(counts.clips) clips, \(counts.experiences) experiences, \(counts.places) places, "
      + "\(counts.codes) codes, \(entries) entries of \(heads.count) recorders"
  }
}
