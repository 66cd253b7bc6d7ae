import CliptagBasics
import Jobs
import ArgumentParser
import Invocation
import Registry

extension RegistryCommand {
  /// `cliptag registry backup FILE`
  struct Backup: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "backup",
      abstract: "Copy the registry while in use.",
      discussion: """
        The copy contains all data: clips, experiences, places, codes with their record, walks with \
        their pictures, counters. Only its owner can read it, and no file is overwritten. It does \
        not continue a chain of the record: see registry restore.

        Examples:
          cliptag registry backup registry-2026-11-23.sqlite
        """)

    @Argument(
      help: ArgumentHelp("The copy to make.", valueName: "file"),
      completion: .file(extensions: ["sqlite"]))
    var file: String
    @Flag(name: [.long, .customShort("n")], help: "Only show the planned copy.")
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
      commandName: "restore",
      abstract: "Restore the registry from a copy, and begin a new chain of the record.",
      discussion: """
        The record in the copy must be intact. The previous registry is kept beside it under a name \
        with the time. Others may have entries that this registry wrote after the copy was \
        made; to avoid a fork of the chain, the next entry begins a new one. To recover the entries \
        of the old file, use code merge. While another command has the registry open, \
        the restore is refused.

        Examples:
          cliptag registry restore --dry-run registry-2026-11-23.sqlite
          cliptag registry restore registry-2026-11-23.sqlite
        """)

    @Argument(
      help: ArgumentHelp("The copy, made by registry backup or otherwise.", valueName: "file"),
      completion: .file(extensions: ["sqlite"]))
    var file: String
    @Flag(name: [.long, .customShort("n")], help: "Only show the planned restore.")
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
            "  left      \(report.entriesLeft.of("entry is", "entries are")) only in the old file; "
              + "recover \(report.entriesLeft == 1 ? "it" : "them") with cliptag code merge")
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
    "\(counts.clips.of("clip")), \(counts.experiences.of("experience")), "
      + "\(counts.places.of("place")), \(counts.codes.of("code")), "
      + "\(entries.of("entry", "entries")) of \(heads.count.of("recorder"))"
  }
}
