import CliptagBasics
public import ArgumentParser
import Auditing
import Foundation
import Invocation
public import Jobs
import Registry
import TagAuthenticity
import TagTypes

extension CodeCommand {
  /// `cliptag code note ID…`
  struct Note: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "note",
      abstract: "Record events of codes by hand.",
      discussion: """
        Examples:
          cliptag code note c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E --kind packed --dry-run
          cliptag code note c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E --kind installed \\
            --at 37.3230,-122.0322
        """)

    /// The largest picture or dump of which a digest is taken.
    private static let largestFile = 1 << 28

    @Argument(
      help: "Names of codes, as list prints them, or of items, as show does.", completion: .codes)
    var ids: [String]
    @Option(help: "The event: packed, installed, read or replaced.")
    var kind: NoteCode.Kind
    @Option(
      name: .long, parsing: .unconditional,
      help: ArgumentHelp(
        "The position in degrees (WGS 84), for example 37.3230,-122.0322.", valueName: "lat,lon"))
    var at: PositionArgument?
    @Option(
      name: .long, parsing: .unconditional,
      help: ArgumentHelp(
        "The accuracy of --at, in metres.", valueName: "metres"))
    var accuracy: Double?
    @Option(help: ArgumentHelp("The tag's UID, in hexadecimal.", valueName: "uid"))
    var uid: String?
    @Option(
      help: ArgumentHelp(
        "A picture, or a dump of the tag, whose SHA-256 is stored.", valueName: "file"),
      completion: .file())
    var file: String?
    @Option(help: ArgumentHelp("A note for the entry.", valueName: "text"))
    var note: String?
    @Flag(name: [.long, .customShort("n")], help: "Only show the planned entries.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if let accuracy {
        guard at != nil else {
          throw ValidationError("--accuracy needs --at LAT,LON.")
        }
        guard (0...20_100_000).contains(accuracy) else {
          throw ValidationError("--accuracy must be 0 to 20100000 metres, not \(accuracy).")
        }
      }
      if let uid, [UInt8](separatedHexadecimal: uid)?.isEmpty != false {
        throw ValidationError("--uid must be hexadecimal such as 04E10CDA993C80, not \(uid).")
      }
    }

    func execute(_ console: Console) async throws {
      let digest = try file.map {
        try SHA256.digest(of: InputFile.bytes(of: $0, limit: Self.largestFile))
      }
      let workplace = Workplace(
        registry: dryRun
          ? try global.registryForReading(console) : try global.registryForWriting())
      for id in ids {
        var job = NoteCode(id, kind)
        job.position = at?.coordinate
        job.accuracy = accuracy
        job.uid = uid.flatMap { [UInt8](separatedHexadecimal: $0) }
        job.digest = digest
        job.note = note
        job.dryRun = dryRun
        await console.reportingFailure(of: id) {
          console.show(try await job.run(in: workplace), of: job)
        }
      }
    }
  }
}

extension Console {
  /// Reports a failure with one of several inputs, and continues the run.
  func reportingFailure(of name: String, _ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      report(Failure(describing: error, source: name))
    }
  }

  /// Shows what was recorded of a code.
  func show(_ noted: CodeWithHistory, of job: NoteCode) {
    result(
      of: noted.result,
      text:
        "\(job.dryRun ? "would record" : "recorded") \(job.kind.rawValue): \(noted.code.text(noted.items))"
    )
  }
}

extension NoteCode.Kind: ExpressibleByArgument {}

extension CodeCommand {
  /// `cliptag code due`
  struct Due: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "due",
      abstract: "List the codes that need a visit or a removal.",
      discussion: """
        A code must be removed if its experience was deactivated or no longer covers it, or if \
        it was retired and read since. It is due if it was not read at its place for --days; a \
        reading at another or unconfirmed position is listed but does not count. The \
        list is sorted by place; the exit status is 1 if it is not empty.

        Examples:
          cliptag code due
          cliptag code due --days 90 --json
        """)

    @Option(
      help: ArgumentHelp("The number of days between readings of a code.", valueName: "days"))
    var days = 30
    @OptionGroup var matching: MatchingOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard (1...36_500).contains(days) else {
        throw ValidationError("--days must be 1 to 36500, not \(days).")
      }
    }

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      let workplace = Workplace(registry: registry, engine: matching.matching)
      let count = try await console.gathering {
        try await ListDue(afterDays: days).run(in: workplace) { due in
          console.result(of: DueCodeResult(due), text: due.text)
        }
      }
      if count == 0 {
        console.say("No codes are due.")
      } else {
        console.note(.notAccepted)
        console.say("\(count.of("code is", "codes are")) due.")
      }
    }
  }
}

extension DueCode {
  fileprivate var text: ConsoleText {
    let place = code.placeID.map { "at \($0)" } ?? "anywhere"
    return "\(place)  \(reason.rawValue)  \(code.text(items))\n  \(message)"
  }
}
