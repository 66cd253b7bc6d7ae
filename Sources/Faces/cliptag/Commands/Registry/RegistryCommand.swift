import Jobs
import CliptagBasics
import ArgumentParser
import Foundation
import Invocation
import Issuing
import Publishing
import Registry

/// `cliptag registry …`
struct RegistryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "registry",
    abstract: "Import, export, check and synchronise the registry.",
    subcommands: [
      Import.self, Export.self, Lint.self, Diff.self, Pull.self, Push.self, Counters.self,
      Backup.self, Restore.self, Trust.self, Init.self, Upgrade.self, Move.self, Checkout.self,
      SQL.self,
      Activity.self, Keys.self,
    ])

  /// `cliptag registry import FILE…`
  struct Import: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Import clips, experiences and places from YAML or JSON files.",
      discussion: """
        New items are added, and items with the same key (clip, link, place id) are updated from the \
        file. Values that the file leaves out of a clip or an experience remain, and are listed; \
        --replace removes them, and --replace-all also removes items that are not in the file. A \
        file with an error changes nothing, and every error in it is reported with its line. Imports \
        of over 5,000 items are committed in pieces, so that others can write in between: a run \
        that was interrupted is completed by the same command.

        Examples:
          cliptag registry import Samples/fruta/registry.yaml
          cliptag registry import --dry-run Samples/city/registry.yaml
        """)

    @Argument(
      help: ArgumentHelp(
        "YAML or JSON by its extension; - for YAML or JSON on standard input.",
        valueName: "file"),
      completion: .file(extensions: ["yaml", "yml", "json"]))
    var files: [String]

    @Flag(help: "Remove values that the file leaves out of its clips and experiences.")
    var replace = false

    @Flag(help: "Also remove items not in the file. Issued codes and their history remain.")
    var replaceAll = false

    @Flag(name: [.long, .customShort("n")], help: "Only show the changes.")
    var dryRun = false

    @Flag(help: "Do not prompt on the terminal before --replace-all.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if replaceAll, files.count > 1 {
        throw ValidationError("--replace-all accepts one file: each would remove the previous one.")
      }
    }

    func execute(_ console: Console) async throws {
      for file in files {
        do {
          try bring(file, console)
        } catch let error as RegistryError {
          for failure in Failure.all(of: error, source: file) { console.report(failure) }
        } catch let failure as Failure {
          console.report(failure)
        }
      }
    }

    private func bring(_ file: String, _ console: Console) throws {
      let bytes = try InputFile.bytes(of: file, limit: RegistryDocument.maximumSize)
      let format: RegistryDocument.Format =
        file == "-" ? .yaml : try RegistryDocument.Format(requiredOf: file)
      // The registry is opened for changes only once the file is known to be good.
      let present = try global.registryForReading(dryRun ? console : nil)
      var job = ImportRegistry(Data(bytes), as: format, named: file)
      job.mode = replaceAll ? .replaceAll : replace ? .replace : .keep
      job.dryRun = dryRun
      let reading = try job.read(over: present)
      for warning in reading.warnings { console.say("warning: \(file):\(warning)") }
      guard
        try Prompt.isAgreed(
          {
            var trial = job
            trial.dryRun = true
            let report = try trial.apply(reading, to: present).text(file, true)
            return "\(report)\nRemove what the file does not name?"
          }(), isGiven: yes || dryRun || !replaceAll, console)
      else { return }
      let made = try job.apply(
        reading, to: dryRun ? present : try global.registryForWriting())
      console.result(of: made.result, text: made.text(file, dryRun))
    }
  }

  /// `cliptag registry export FILE`
  struct Export: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write clips, experiences and places to a YAML or JSON file.",
      discussion: """
        Examples:
          cliptag registry export registry.yaml
          cliptag registry export - > registry.yaml
        """)

    @Argument(
      help: ArgumentHelp(
        "YAML or JSON by its extension; - for YAML on standard output.", valueName: "file"),
      completion: .file(extensions: ["yaml", "yml", "json"]))
    var file: String

    @Flag(name: [.long, .customShort("n")], help: "Only show the planned output.")
    var dryRun = false

    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let format: RegistryDocument.Format =
        file == "-" ? .yaml : try RegistryDocument.Format(requiredOf: file)
      let document = try global.registryForReview(console).document()
      let bytes = Array(document.text(as: format).utf8)
      if file == "-" {
        console.write(bytes)
        return
      }
      if !dryRun { try AtomicFile(path: file, bytes: bytes).commit() }
      console.result(
        of: RegistryExportResult(document, output: file, isRehearsal: dryRun),
        text: """
          \(dryRun ? "would write" : "wrote") \(file): \(document.sizes)
          """)
    }
  }

  /// `cliptag registry check`
  struct Lint: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Check the whole registry for faults.",
      discussion: """
        Finds similar links (/order1 and /order10), places so close that a \
        swapped code would pass, redundant experiences, links on hosts that \
        no clip claims, clips that share links or an app, links without a place where the clip \
        requests one, values that App Store Connect would reject, and codes in use that open \
        nothing. Requires a registry.

        With --against, also codes in use that were accepted by an older file. \
        With --routes, also registered links and issued codes that no route of the app accepts: \
        a file with one pattern a line, such as /order/{place}, /menu/* or /rent?scooter_id.

        Examples:
          cliptag registry check
          cliptag registry check --against Samples/fruta/registry.yaml
          cliptag registry check --routes Samples/fruta/routes.txt
        """)

    @Option(
      help: ArgumentHelp("An older registry file to compare with.", valueName: "file"),
      completion: .file(extensions: ["yaml", "yml", "json"]))
    var against: String?
    @Option(
      help: ArgumentHelp("The app's routes, one pattern a line.", valueName: "file"),
      completion: .file())
    var routes: String?
    @Option(
      help: ArgumentHelp(
        "The clip whose app has the routes; links and codes of other clips are left out.",
        valueName: "bundle"))
    var clip: String?
    @OptionGroup var matching: MatchingOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if clip != nil, routes == nil {
        throw ValidationError("--clip needs --routes.")
      }
    }

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReview(console)
      let review = try RegistryReview(of: registry)
      let document = review.document
      var findings = document.findings()
      findings += try review.codesOfUnknownPlaces(engine: matching.matching)
      let old = try against.map { against in
        try RegistryDocument.read(
          Data(try InputFile.bytes(of: against, limit: RegistryDocument.maximumSize)),
          as: try RegistryDocument.Format(requiredOf: against), name: against,
          knownPlaces: Set(document.places.map(\.id))
        ).document
      }
      findings += try review.orphans(against: old, engine: matching.matching)
      if let routes {
        let table = try Self.routes(in: routes)
        if let clip, !document.clips.contains(where: { $0.bundleID == clip }) {
          throw Failure(
            "unknown-clip", .usage, "The registry has no clip \(clip).",
            hint: "Give one of: \(document.clips.map(\.bundleID).joined(separator: ", ")).")
        }
        if clip == nil, Set(document.clips.map(\.appBundleID)).count > 1 {
          console.say(
            "note: the registry has clips of several apps; give the clip of the routes with --clip")
        }
        findings += try review.unhandled(by: table, of: clip)
      }
      await console.gathering {
        for finding in findings {
          let label: ConsoleText = "\(finding.severity.rawValue.padding(to: 8))"
          console.result(
            of: RegistryFindingResult(finding),
            text: """
              \(finding.severity.colored(label, console.output)) \
              \(finding.message) [\(finding.code)]
              """)
        }
      }
      console.say(
        "\(document.sizes): \(findings.isEmpty ? "no findings" : findings.count.of("finding"))")
      if findings.contains(where: { $0.severity == .error }) { console.note(.notAccepted) }
    }

    private static func routes(in path: String) throws -> RouteTable {
      let bytes = try InputFile.bytes(of: path, limit: 1 << 20)
      do throws(RouteTable.Problem) {
        return try RouteTable(reading: String(decoding: bytes, as: UTF8.self))
      } catch {
        throw Failure(
          "malformed-routes", .malformedInput, "\(path), line \(error.line): \(error.message)",
          hint: "Write one pattern a line, such as /order/{place} or /menu/*.", source: path,
          at: .init(line: error.line))
      }
    }
  }
}

extension RegistryDocument {
  /// The numbers of its things, for display.
  fileprivate var sizes: String {
    [clips.count.of("clip"), experiences.count.of("experience"), places.count.of("place")]
      .joined(separator: ", ")
  }
}

extension RegistryDocument.Format {
  /// The format of a file by its ending.
  init(requiredOf path: String) throws {
    guard let format = RegistryDocument.Format(path: path) else {
      throw Failure(
        "unknown-format", .usage, "\(path) ends in neither .yaml, .yml nor .json.",
        hint: "Give the file one of these extensions, such as \(path.withEnding("yaml")).",
        source: path)
    }
    self = format
  }
}

extension ImportRegistry.Output {
  fileprivate func text(_ file: String, _ dryRun: Bool) -> ConsoleText {
    guard !orphans.isEmpty else { return report.text(file, dryRun) }
    let count =
      "\(orphans.count.of("code")) in use \(dryRun ? "would open" : "open") nothing any more"
    let shown = orphans.prefix(10).map { "    \($0.message)" }
    let rest = orphans.count - shown.count
    let more = rest > 0 ? ["    and \(rest) more; registry check names each"] : []
    return "\(report.text(file, dryRun))\n\((["  \(count):"] + shown + more).asLines)"
  }
}

extension ImportReport {
  func text(_ file: String, _ dryRun: Bool, done: String = "imported") -> ConsoleText {
    func words(_ name: String, _ tally: Tally) -> String {
      let parts = [
        (tally.added, "added"), (tally.changed, "changed"), (tally.removed, "removed"),
        (tally.unchanged, "unchanged"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return "  \(name.padding(to: 12)) \(parts.isEmpty ? "none" : parts.joined(separator: ", "))"
    }
    return
      ([
        dryRun ? "\(file): this would change (nothing was changed)" : "\(file): \(done)",
        words("clips", clips), words("experiences", experiences), words("places", places),
      ]
      + lines("kept", kept, "not in the file; --replace drops it")
      + lines("dropped", dropped, "not in the file")).asLines
  }

  /// Returns a line for each thing, with the facts that a file does not state; of many the first.
  private func lines(_ name: String, _ left: [UnstatedFacts], _ why: String) -> [String] {
    let shown = 10
    var lines = left.prefix(shown).map { facts in
      "  \(name.padding(to: 12)) \(facts.key): \(facts.fields.joined(separator: ", ")) (\(why))"
    }
    if left.count > shown {
      lines.append("  \(name.padding(to: 12)) and values of \(left.count - shown) more")
    }
    return lines
  }
}
