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
      abstract: "Record by hand what happened to codes.",
      discussion: """
        Examples:
          cliptag code note c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E --kind packed --dry-run
          cliptag code note c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E --kind installed \\
            --at 37.3230,-122.0322
        """)

    /// The largest picture or dump of which a digest is taken.
    private static let largestFile = 1 << 28

    @Argument(help: "Names of codes, as list prints them.")
    var ids: [String]
    @Option(help: "What happened: packed, installed, read or replaced.")
    var kind: NoteCode.Kind
    @Option(
      name: .long, parsing: .unconditional,
      help: ArgumentHelp(
        "Where, in degrees (WGS 84), for example 37.3230,-122.0322.", valueName: "lat,lon"))
    var at: PositionArgument?
    @Option(
      name: .long, parsing: .unconditional,
      help: ArgumentHelp(
        "How far the true position may be from --at, in metres.", valueName: "metres"))
    var accuracy: Double?
    @Option(help: ArgumentHelp("The tag's UID, in hexadecimal.", valueName: "uid"))
    var uid: String?
    @Option(
      help: ArgumentHelp(
        "A picture of it, or a dump of the tag, whose SHA-256 is kept.", valueName: "file"),
      completion: .file())
    var file: String?
    @Option(help: ArgumentHelp("Words to keep with it.", valueName: "text"))
    var note: String?
    @Flag(name: [.long, .customShort("n")], help: "Only say what would be recorded.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if let accuracy {
        guard at != nil else {
          throw ValidationError("--accuracy says how exact --at is: give --at LAT,LON as well.")
        }
        guard (0...20_100_000).contains(accuracy) else {
          throw ValidationError("--accuracy takes metres from 0 to 20100000; got \(accuracy).")
        }
      }
      if let uid, [UInt8](separatedHexadecimal: uid)?.isEmpty != false {
        throw ValidationError("--uid takes hexadecimal such as 04E10CDA993C80; got \(uid).")
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
      text: "\(job.dryRun ? "would record" : "recorded") \(job.kind.rawValue): \(noted.code.text)")
  }
}

extension NoteCode.Kind: ExpressibleByArgument {}

extension CodeCommand {
  /// `cliptag code due`
  struct Due: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the codes that somebody has to go to: unseen for long, or to be taken down.",
      discussion: """
        A code must come down when its experience was deactivated or no longer covers it, or when \
        it was retired and met since. It is due when nobody read it where it hangs for --days; a \
        reading elsewhere, or at a position that confirms nothing, is told but does not count. The \
        list goes place by place; the exit status is 1 when there is anything on it.

        Examples:
          cliptag code due
          cliptag code due --days 90 --json
        """)

    @Option(
      help: ArgumentHelp("After how many days a code should be met again.", valueName: "days"))
    var days = 30
    @OptionGroup var matching: MatchingOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard (1...36_500).contains(days) else {
        throw ValidationError("--days takes a number from 1 to 36500; got \(days).")
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
        console.say("Nothing is due.")
      } else {
        console.note(.notAccepted)
        console.say("\(count) \(count == 1 ? "code is" : "codes are") due.")
      }
    }
  }
}

extension DueCode {
  fileprivate var text: ConsoleText {
    let place = code.placeID.map { "at \($0)" } ?? "anywhere"
    return "\(place)  \(reason.rawValue)  \(code.text)\n  \(message)"
  }
}
