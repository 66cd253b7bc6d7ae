import ArgumentParser
import Deployment
import Invocation
import NFCReader
import Registry

/// `cliptag tag batch CSV`
struct TagBatchCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Write many tags, one after another, with a ledger that survives everything.",
    discussion: """
      The first line of the CSV file names its columns: url, and if wanted label (shown before \
      each tag), place, and uid (the one tag that the row is for). All of the file is checked \
      before the first tag is touched. Each tag is written, read back and recorded; take it away \
      and lay the next one on the reader. Stop with Ctrl-C, or pull the plug: the same command \
      goes on where it was, and finishes a half-written tag when it lies on the reader again. \
      Several stations may run the same command on one registry.

      With --lock each tag is locked for good after it was read back, which can never be undone; a \
      tag that cannot be locked is not written either.

      Examples:
        cliptag tag batch Samples/fruta/tables.csv --dry-run
        cliptag tag batch Samples/fruta/tables.csv --limit 1 --reuse \\
          --reader pn532_uart:/dev/ttyUSB0
        cliptag tag batch Samples/fruta/tables.csv --lock --dry-run
        cliptag tag batch Samples/fruta/tables.csv --status --report done.csv
      """)

  @Argument(help: "The CSV file; - for standard input.", completion: .file(extensions: ["csv"]))
  var csv: String
  @Option(help: ArgumentHelp("The batch's name (default: the file's).", valueName: "name"))
  var batch: String?
  @Flag(help: "Only say how far the batch has come.")
  var status = false
  @Flag(name: [.long, .customShort("n")], help: "Only check the file and say what would be done.")
  var dryRun = false
  @Option(
    help: ArgumentHelp("Write what became of every row to this CSV file.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var report: String?
  @OptionGroup(title: "The file") var file: BatchFileOptions
  @OptionGroup(title: "The tags") var tags: BatchTagOptions
  @OptionGroup(title: "The rows") var rows: BatchRowOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard csv != "-" || batch != nil else {
      throw ValidationError("Standard input has no name: add --batch NAME.")
    }
    guard !name.isEmpty else { throw ValidationError("--batch takes a name.") }
    guard !(status || dryRun) || !rows.changesRows else {
      throw ValidationError(
        "--status and --dry-run change nothing: leave --skip, --redo and --skip-torn out.")
    }
    guard !dryRun || report == nil else {
      throw ValidationError("--dry-run writes no file: leave --report out, or take --status.")
    }
    guard report != "-" || !global.json else {
      throw ValidationError("--json and --report - both want standard output: name a file.")
    }
  }

  /// The name given, or the file's without folder and ending.
  private var name: String {
    if let batch { return batch }
    let file = csv.split(separator: "/").last.map(String.init) ?? csv
    return file.lowercased().hasSuffix(".csv") ? String(file.dropLast(4)) : file
  }

  func execute(_ console: Console) async throws {
    // A report that cannot be written is better known before the first tag than after the last.
    if let report, report != "-" { try AtomicFile.checkPlace(report) }
    guard !status else { return try showStatus(console) }
    let contents = BatchFile(
      try InputFile.bytes(of: csv, limit: BatchFile.largestByteCount),
      separator: file.separator?.byte, allowsDuplicates: file.allowDuplicates)
    let registry =
      dryRun ? try global.registryForReading(console) : try global.registryForWriting()
    let batch = batch(in: registry, reader: "-")
    guard try console.accept(contents, for: batch, source: csv) else { return }
    guard !dryRun else { return try rehearse(contents, batch, console) }
    let added = try await batch.begin(contents.orders)
    if added > 0 { console.detail("batch \(name): \(added) new rows") }
    try await rows.apply(to: batch, console)
    if try batch.counts().remaining == 0 || rows.limit == 0 {
      try finish(batch, finished: 0, console)
    } else {
      try await run(in: registry, console)
    }
  }

  private func run(in registry: any RegistryStore, _ console: Console) async throws {
    let opened = try await NFCReader.open(tags.reader)
    let chip = await opened.name
    console.detail("reader \(opened.connectionString): \(chip)")
    let batch = batch(in: registry, reader: opened.connectionString)
    let unlocked = tags.lock ? 0 : try batch.counts()[.written]
    if unlocked > 0 {
      console.say("\(rowCount(unlocked)) begun with --lock: without it they end unlocked")
    }
    let output = BatchOutput(batch: name, reader: opened.connectionString, console: console)
    do {
      try await batch.run(on: opened) { output.show($0) }
      await opened.close()
      try finish(batch, finished: output.finished, console)
    } catch {
      await opened.close()
      try finish(batch, finished: output.finished, console)
      guard let refusal = error as? IssueRefusal else {
        throw error is CancellationError
          ? error : Failure(describing: error, source: opened.connectionString)
      }
      console.show(VerifiedCode(source: csv, verification: refusal.verification))
      console.say("The registry has changed since the file was checked. Correct it, and go on.")
    }
  }

  private func batch(in registry: any RegistryStore, reader: String) -> TagBatch {
    TagBatch(
      named: name, in: registry,
      check: InvocationCheck(directory: registry, engine: matching.matching),
      station: BatchStation(reader: reader, who: Operator.name),
      options: tags.options(limit: rows.limit))
  }

  private func showStatus(_ console: Console) throws {
    let batch = batch(in: try global.registryForReading(console), reader: "-")
    guard try batch.exists() else {
      throw Failure(
        "not-found", .noInput, "There is no batch \(name) in the registry.",
        hint: "Begin it without --status, or name another with --batch.", source: csv)
    }
    try finish(batch, finished: nil, console)
  }

  /// Says what would be done, without doing it.
  private func rehearse(_ contents: BatchFile, _ batch: TagBatch, _ console: Console) throws {
    let new = try batch.newRows(contents.orders)
    let known = try batch.counts()
    let wanted = known.remaining + new.count
    let lock = tags.lock ? " and lock \(wanted == 1 ? "it" : "them") for good" : ""
    console.result(
      BatchOutput.summary(name, known, finished: 0, new: new.count, dryRun: true),
      text: """
        batch \(name): \(rowCount(contents.orders.count)) checked, \(new.count) of them new, \
        \(known[.done]) done
        would write \(wanted == 1 ? "1 tag" : "\(wanted) tags")\(lock); nothing was written
        """)
  }

  /// Prints how far the batch has come, and writes the report if one is wanted.
  private func finish(_ batch: TagBatch, finished: Int?, _ console: Console) throws {
    let counts = try batch.counts()
    if report != "-" {
      let notable = try batch.rows(in: [.intended, .written, .skipped])
      console.result(
        BatchOutput.summary(name, counts, finished: finished ?? 0, new: 0, dryRun: false),
        text: BatchOutput.text(name, counts, finished: finished, notable))
    }
    guard let report else { return }
    let bytes = Array(try batch.report().text.utf8)
    if report == "-" {
      console.write(bytes)
    } else {
      try AtomicFile(path: report, bytes: bytes).commit()
      console.say("wrote \(report)")
    }
  }
}

/// A number of rows in words.
func rowCount(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
