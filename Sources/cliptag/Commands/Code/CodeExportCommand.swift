import Jobs
import CliptagBasics
import ArgumentParser
import Auditing
import Foundation
import Glibc
import Invocation
import Issuing
import Registry

extension CodeCommand {
  /// `cliptag code export`
  struct Export: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the record of codes as a table, or as a log with its hashes.",
      discussion: """
        csv is for spreadsheets (RFC 4180, UTF-8): a field that one would take for a formula gets an \
        apostrophe in front. jsonl is the log: code verify --log checks it, code merge takes it in. The \
        log carries the last counters of copy-proof tags too, and neither walks, places nor batches.

        Examples:
          cliptag code export -o record.csv
          cliptag code export -o record.jsonl
          cliptag code export --format jsonl > copy.jsonl
        """)

    /// The format of the record.
    enum Format: String, ExpressibleByArgument, CaseIterable { case csv, jsonl }

    @Option(help: "csv or jsonl; without it by the file's ending, else csv.")
    var format: Format?
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("Where it goes; standard output without it.", valueName: "file"),
      completion: .file(extensions: ["csv", "jsonl"]))
    var output: String?
    @Flag(name: [.long, .customShort("n")], help: "Only say what would be written.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let ending = output.map { ($0 as NSString).pathExtension.lowercased() } ?? ""
      let format = format ?? Format(rawValue: ending) ?? .csv
      let registry = try global.registryForReading(console)
      guard let output, output != "-" else {
        try await console.gathering {
          _ = try Self.write(registry, as: format) { if !dryRun { console.write($0) } }
        }
        return
      }
      let count: Int
      if dryRun {
        count = try Self.write(registry, as: format) { _ in }
      } else {
        let sink = try AtomicFile(.file(output))
        count = try Self.write(registry, as: format) { try sink.write($0) }
        try sink.commit()
      }
      console.result(
        of: RecordExportResult(
          output: output, format: format.rawValue, entries: count, isRehearsal: dryRun),
        text: "\(dryRun ? "would write" : "wrote") \(output): \(count) entries")
    }

    private static func write(
      _ registry: any RegistryStore, as format: Format, to sink: ([UInt8]) throws -> Void
    ) throws -> Int {
      switch format {
      case .csv:
        return try RecordTable(of: registry).write { try sink(Array($0.utf8)) }
      case .jsonl:
        var trouble: (any Error)?
        do {
          return try registry.forEachLogLine { line throws(RegistryError) in
            do {
              try sink(line)
            } catch {
              trouble = error
              throw RegistryError(.failed, "The log cannot be written.", hint: "Try again.")
            }
          }
        } catch {
          throw trouble ?? error
        }
      }
    }
  }

  /// `cliptag code merge FILE…`
  struct Merge: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take in what other registries recorded of codes.",
      discussion: """
        The union of all records: codes that only the other has are added, what is here already is \
        not counted twice, and doing it again changes nothing. A file is taken in whole or not at \
        all, and only when its entries are as they were made. A message of a copy-proof tag that was \
        used up there is a copy here afterwards. Places, walks and batches are not merged: it says \
        what stays behind.

        Whoever has a file can write it anew with right hashes, so new entries of others are taken \
        only up to a checkpoint that was signed by a key which cliptag registry trust add took in. \
        With --accept-unsigned nobody vouches for them.

        Examples:
          cliptag code merge --checkpoint record.checkpoint record.jsonl
          cliptag code merge --dry-run --accept-unsigned record.jsonl
        """)

    @Argument(
      help: ArgumentHelp(
        "Logs that code export wrote, or registry files; - for a log on standard input.",
        valueName: "file"),
      completion: .file(extensions: ["jsonl", "sqlite"]))
    var files: [String]
    @OptionGroup var trust: TrustOptions
    @Flag(
      help: """
        Take what follows a fork in a chain of its own: the way out after a registry file was put \
        back over itself.
        """)
    var retellForks = false
    @Flag(name: [.long, .customShort("n")], help: "Only say what would change.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      try InputFile.checkStandardInputIsSingle(
        files.map { ("two of the files", $0) }
          + trust.checkpoint.map { ("--checkpoint and a file", $0) })
    }

    func execute(_ console: Console) async throws {
      // Nothing is created to say what would change.
      let present = try global.registryForReading(dryRun ? console : nil)
      let registry: any RegistryStore =
        dryRun && present.schemaVersion == 0
        ? try RegistryLocation.memory.open() : try global.registryForWriting()
      let trust = try trust.trust()
      for file in files {
        console.attempt(file) {
          let other =
            try Self.isDatabase(file)
            ? try RegistryLocation.file(file).open(for: .lookUp) : nil
          let report =
            if let other {
              try registry.merge(
                other, name: file, trusting: trust, retellingForks: retellForks, dryRun: dryRun)
            } else {
              try registry.merge(
                RecordLog(path: file), name: file, trusting: trust, retellingForks: retellForks,
                dryRun: dryRun)
            }
          let left = try other.map { try registry.unmerged(from: $0) }
          report.warn(of: file, console)
          console.result(
            of: MergeResult(report, source: file, leaving: left, isRehearsal: dryRun),
            text: report.text(file, dryRun))
          report.tell(file, left, console)
        }
      }
    }

    /// Whether a file is a database, by its first bytes.
    static func isDatabase(_ path: String) throws -> Bool {
      if path == "-" { return false }
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Failure.unreadable(path, errno) }
      defer { close(descriptor) }
      let mark = Array("SQLite format 3".utf8)
      var start = [UInt8](repeating: 0, count: mark.count)
      guard read(descriptor, &start, start.count) >= 0 else {
        throw Failure.unreadable(path, errno)
      }
      return start == mark
    }
  }
}

/// Options that select the records that are taken in.
struct TrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A checkpoint of the record as it is in the file, signed by a trusted key; may be repeated.",
      valueName: "file"),
    completion: .file())
  var checkpoint: [String] = []
  @Flag(
    help: "Take entries of others that nobody signed: whoever wrote the file may have made them up."
  )
  var acceptUnsigned = false

  func validate() throws {
    if acceptUnsigned, !checkpoint.isEmpty {
      throw ValidationError(
        "With --accept-unsigned no --checkpoint is looked at: give one of both.")
    }
  }

  /// Returns the trust that the options describe, with the checkpoints' files read.
  func trust() throws -> MergeTrust {
    if acceptUnsigned { return .everybody }
    return .checkpoints(
      try checkpoint.map {
        SignedCheckpoint(
          try InputFile.bytes(of: $0, limit: Registry.Checkpoint.maximumByteCount), name: $0)
      })
  }
}

extension MergeReport {
  /// Warns of records without a trusted signature.
  func warn(of file: String, _ console: Console) {
    guard unsigned > 0 else { return }
    console.say(
      "note: \(file.printable): nobody who is trusted signed for the \(unsigned) new entries")
  }

  /// Prints the end of both results: raised counters, unknown places, and the things that were not
  /// merged.
  func tell(_ file: String, _ left: UnmergedThings?, _ console: Console) {
    for counter in counters {
      console.detail("\(file): tag \(counter.uid) is at counter \(counter.counter) now")
    }
    for place in unknownPlaces.prefix(Self.mostPlaces) {
      let codes = place.codes == 1 ? "1 code belongs" : "\(place.codes) codes belong"
      console.say(
        """
        note: \(file): \(codes) to the place “\(place.id)”, which this registry does not know: \
        bring it in with registry export there and registry import here
        """)
    }
    if unknownPlaces.count > Self.mostPlaces {
      console.say(
        "note: \(file): codes of \(unknownPlaces.count - Self.mostPlaces) more places that are not here"
      )
    }
    if let left, !left.isEmpty {
      console.say("note: \(file): not merged: \(left.words)")
    }
  }

  /// The largest number of places that are listed one by one.
  private static let mostPlaces = 10

  fileprivate func text(_ file: String, _ dryRun: Bool) -> String {
    let raised =
      counters.isEmpty
      ? "" : "; counters of \(counters.count == 1 ? "1 tag" : "\(counters.count) tags") raised"
    let again = retold > 0 ? "; \(retold) told again behind a fork" : ""
    return """
      \(file): \(dryRun ? "would add" : "added") \(added) entries (\(known) were here), \
      \(codes) codes; \(retired) more retired\(raised)\(again)
      """
  }
}

extension UnmergedThings {
  fileprivate var words: String {
    [
      (walks, "walk", "take them with audit merge"),
      (places, "place", "take them with registry export there and registry import here"),
      (batches, "batch", "go on with them where they were begun"),
    ].filter { $0.0 > 0 }.map { number, name, how in
      let plural = name == "batch" ? "batches" : "\(name)s"
      return "\(number) \(number == 1 ? name : plural) (\(how))"
    }.joined(separator: ", ")
  }
}
