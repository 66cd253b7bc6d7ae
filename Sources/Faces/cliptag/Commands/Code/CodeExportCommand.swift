import CliptagPlatform
import Jobs
import CliptagBasics
import ArgumentParser
import Auditing
import Foundation
import Invocation
import Issuing
import Registry

extension CodeCommand {
  /// `cliptag code export`
  struct Export: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write the record of codes as a table, or as a log with its hashes.",
      discussion: """
        csv is for spreadsheets (RFC 4180, UTF-8): a field that resembles a formula begins with an \
        apostrophe. jsonl is the log: code verify --log checks it, code merge imports it. The \
        log includes the last counters of copy-proof tags, but no walks, places or batches.

        Examples:
          cliptag code export -o record.csv
          cliptag code export -o record.jsonl
          cliptag code export --format jsonl > copy.jsonl
        """)

    /// The format of the record.
    enum Format: String, ExpressibleByArgument, CaseIterable { case csv, jsonl }

    @Option(help: "csv or jsonl (default: by the file's extension, else csv).")
    var format: Format?
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("The output file (default: standard output).", valueName: "file"),
      completion: .file(extensions: ["csv", "jsonl"]))
    var output: String?
    @Flag(name: [.long, .customShort("n")], help: "Only show the planned output.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard format != nil || Self.tables.contains(ending) || Format(rawValue: ending) != nil else {
        let output = output ?? ""
        throw ValidationError(
          "The record is written as csv or jsonl: end the name so, such as "
            + "\(output.withEnding("csv").printable), or add --format; got \(output.printable).")
      }
    }

    /// The endings of files that are tables without a word.
    private static let tables = ["", "txt"]

    private var ending: String {
      output.map { ($0 as NSString).pathExtension.lowercased() } ?? ""
    }

    func execute(_ console: Console) async throws {
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
        text: "\(dryRun ? "would write" : "wrote") \(output): \(count.of("entry", "entries"))")
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
      commandName: "merge",
      abstract: "Merge the records of other registries.",
      discussion: """
        Creates the union of all records: codes of the other record are added, known entries are \
        not added twice, and a repeated merge changes nothing. A file is merged completely or not at \
        all, and only if its entries are unaltered. A message of a copy-proof tag that was \
        consumed there is a copy here afterwards. Places, walks and batches are not merged, but \
        listed.

        A file can be rewritten with valid hashes, so new foreign entries are merged \
        only up to a checkpoint signed by a key that was added with cliptag registry trust add. \
        With --accept-unsigned they are not authenticated.

        Examples:
          cliptag code merge --checkpoint record.checkpoint record.jsonl
          cliptag code merge --dry-run --accept-unsigned record.jsonl
        """)

    @Argument(
      help: ArgumentHelp(
        "Logs from code export, or registry files; - for a log on standard input.",
        valueName: "file"),
      completion: .file(extensions: ["jsonl", "sqlite"]))
    var files: [String]
    @OptionGroup var trust: TrustOptions
    @Flag(
      help: """
        Import the entries after a fork as a separate chain: the repair after a registry file was \
        restored over itself.
        """)
    var retellForks = false
    @Flag(name: [.long, .customShort("n")], help: "Only show the changes.")
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
      "A checkpoint of the file's record, signed by a trusted key; may be repeated.",
      valueName: "file"),
    completion: .file())
  var checkpoint: [String] = []
  @Flag(
    help: "Accept unsigned foreign entries, which may be forged."
  )
  var acceptUnsigned = false

  func validate() throws {
    if acceptUnsigned, !checkpoint.isEmpty {
      throw ValidationError(
        "--accept-unsigned and --checkpoint exclude each other.")
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
      "note: \(file.printable): no trusted key signed the \(unsigned) new entries")
  }

  /// Prints the end of both results: raised counters, unknown places, and the things that were not
  /// merged.
  func tell(_ file: String, _ left: UnmergedThings?, _ console: Console) {
    for counter in counters {
      console.detail("\(file): tag \(counter.uid) is at counter \(counter.counter) now")
    }
    for place in unknownPlaces.prefix(Self.mostPlaces) {
      let codes = place.codes.of("code belongs", "codes belong")
      console.say(
        """
        note: \(file): \(codes) to the place “\(place.id)”, which this registry does not \
        have: transfer it with registry export there and registry import here
        """)
    }
    if unknownPlaces.count > Self.mostPlaces {
      console.say(
        "note: \(file): codes of "
          + (unknownPlaces.count - Self.mostPlaces).of("more unknown place")
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
      ? "" : "; counters of \(counters.count.of("tag")) raised"
    let again = retold > 0 ? "; \(retold) repeated after a fork" : ""
    return """
      \(file): \(dryRun ? "would add" : "added") \(added.of("entry", "entries")) \
      (\(known.of("was", "were")) here), \(codes.of("code")); \(retired) more retired\(raised)\(again)
      """
  }
}

extension UnmergedThings {
  fileprivate var words: String {
    [
      (walks, "walk", "merge them with audit merge"),
      (places, "place", "transfer them with registry export there and registry import here"),
      (batches, "batch", "continue them in their registry"),
    ].filter { $0.0 > 0 }.map { number, name, how in
      let plural = name == "batch" ? "batches" : "\(name)s"
      return "\(number) \(number == 1 ? name : plural) (\(how))"
    }.joined(separator: ", ")
  }
}
