import CliptagBasics
import ArgumentParser
import Invocation
import Issuing
import Jobs
import NFCReader
import Registry
import TagTypes
import Verifying

/// `cliptag tag batch CSV`
struct TagBatchCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Write many tags, one after another, with a persistent ledger.",
    discussion: """
      The first line of the CSV file has its columns: url, and optionally label (shown before \
      each tag), place, and uid (the specific tag of the row). The whole file is checked \
      before the first tag is written. Each tag is written, read back and recorded; remove it \
      and put the next one on the reader. After Ctrl-C or a power failure, the same command \
      continues, and completes a half-written tag when it is on the reader again. \
      Several stations may run the same command on one registry.

      Each tag replaces {uid} or {counter} in a url with its values; see tag write.

      With --lock each tag is permanently locked after it was read back; a \
      tag that cannot be locked is not written either. With --set-password each gets the password \
      of --password-file instead, as by tag password set; without it that password only opens tags \
      that have it.

      With --provision each tag is an NTAG 424 DNA that is made ready with the keys of --keys, as by \
      tag provision; with --lock it is locked then, too.

      Examples:
        cliptag tag batch Samples/fruta/tables.csv --dry-run
        cliptag tag batch Samples/fruta/tables.csv --limit 1 --reuse \\
          --reader pn532_uart:/dev/ttyUSB0
        cliptag tag batch Samples/fruta/tables.csv --lock --dry-run
        cliptag tag batch Samples/fruta/tables.csv --set-password --dry-run
        cliptag tag batch Samples/fruta/tables.csv --provision --keys tag-keys.yaml \\
          --dry-run
        cliptag tag batch Samples/fruta/tables.csv --status --report done.csv
      """)

  @Argument(help: "The CSV file; - for standard input.", completion: .file(extensions: ["csv"]))
  var csv: String
  @Option(help: ArgumentHelp("The batch's name (default: the file's).", valueName: "name"))
  var batch: String?
  @Flag(help: "Only show the progress of the batch.")
  var status = false
  @Flag(name: [.long, .customShort("n")], help: "Only check the file and show the planned work.")
  var dryRun = false
  @Option(
    help: ArgumentHelp("Write the result of every row to this CSV file.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var report: String?
  @OptionGroup(title: "The file") var file: BatchFileOptions
  @OptionGroup(title: "The tags") var tags: BatchTagOptions
  @OptionGroup(title: "The rows") var rows: BatchRowOptions
  @OptionGroup var password: TagPasswordOptions
  @OptionGroup var keys: KeyFileOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try InputFile.checkStandardInputIsSingle([
      ("the rows", csv), ("--password-file", password.passwordFile), ("--keys", keys.keys),
    ])
    guard csv != "-" || batch != nil else {
      throw ValidationError("Standard input has no name: add --batch NAME.")
    }
    guard !name.isEmpty else { throw ValidationError("--batch needs a name.") }
    guard !(status || dryRun) || !rows.changesRows else {
      throw ValidationError(
        "--status and --dry-run change nothing: leave --skip, --redo and --skip-torn out.")
    }
    guard !dryRun || report == nil else {
      throw ValidationError("--dry-run writes no file: leave --report out, or use --status.")
    }
    guard tags.provision || keys.keys == nil else {
      throw ValidationError("--keys needs --provision.")
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
    // A report that cannot be written is better reported before the first tag than after the last.
    if let report, report != "-" { try AtomicFile.checkPlace(report) }
    var job = RunBatch(name)
    job.options = tags.options(limit: rows.limit)
    job.options.risksAttempts = password.tryAnyway
    job.decisions = rows.decisions
    job.dryRun = dryRun
    guard !status else { return try showStatus(of: job, console) }
    job.file = BatchFile(
      try InputFile.bytes(of: csv, limit: BatchFile.largestByteCount),
      separator: file.separator?.byte, allowsDuplicates: file.allowDuplicates)
    if tags.provision { job.keys = try keys.required(console) }
    var workplace = try global.workplace(matching, isRehearsal: dryRun, console)
    workplace.reader = TagReader(tags.reader)
    // A problem with the password is better reported before the first tag, too.
    job.options.password =
      dryRun
      ? nil
      : tags.setPassword
        ? try password.needed(console, isNew: true) : try password.given(console)
    let output = BatchOutput(job, console: console)
    do {
      let finished = try await job.run(in: workplace) { output.show($0) }
      if dryRun { return show(finished, of: job, console) }
      try finish(finished, output, in: workplace, console)
    } catch let refused as RunBatch.Refused {
      console.show(refused, source: csv)
    } catch let ended as RunBatch.Ended {
      try finish(ended.output, output, in: workplace, console)
      guard let refusal = ended.underlying as? IssueRefusal else {
        throw ended.underlying is CancellationError
          ? ended.underlying : Failure(describing: ended.underlying, source: ended.reader)
      }
      console.show(VerifiedCode(source: csv, verification: refusal.verification))
      console.say("The registry has changed since the check of the file. Correct it, and continue.")
    }
  }

  private func showStatus(of job: RunBatch, _ console: Console) throws {
    let workplace = try global.workplace(matching, isRehearsal: true, console)
    do {
      try finish(
        try job.status(in: workplace), BatchOutput(job, console: console), in: workplace, console)
    } catch is RunBatch.NotBegun {
      throw Failure(
        "not-found", .noInput, "The registry has no batch \(name).",
        hint: "Begin it without --status, or give another with --batch.", source: csv)
    }
  }

  /// Prints the planned work.
  private func show(_ planned: RunBatch.Output, of job: RunBatch, _ console: Console) {
    let wanted = planned.counts.remaining + planned.newRowCount
    let them = wanted == 1 ? "it" : "them"
    let work = tags.provision ? "make ready" : "write"
    let lock =
      tags.lock
      ? " and permanently lock \(them)"
      : tags.setPassword ? " and protect \(them) with the password" : ""
    console.result(
      of: planned.result,
      text: """
        batch \(name): \(rowCount(job.file?.orders.count ?? 0)) checked, \(planned.newRowCount) of them \
        new, \(planned.counts[.done]) done
        would \(work) \(wanted == 1 ? "1 tag" : "\(wanted) tags")\(lock); nothing was written
        """)
  }

  /// Prints the progress of the batch, and writes the report if one is wanted.
  private func finish(
    _ finished: RunBatch.Output, _ output: BatchOutput, in workplace: Workplace, _ console: Console
  ) throws {
    if report != "-" { output.show(finished, isStatus: status) }
    guard let report else { return }
    let bytes = Array(try RunBatch(name).batch(in: workplace).report().text.utf8)
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

/// Options for reading a batch's file.
struct BatchFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The field separator: one character, or tab (default: from the header).",
      valueName: "character"))
  var separator: SeparatorArgument?
  @Flag(help: "Accept several rows with the same URL.")
  var allowDuplicates = false
}

/// One ASCII character, or the word `tab`.
struct SeparatorArgument: ExpressibleByArgument, Sendable {
  let byte: UInt8

  init?(argument: String) {
    if argument == "tab" || argument == "\\t" {
      byte = UInt8(ascii: "\t")
      return
    }
    guard argument.utf8.count == 1, let byte = argument.utf8.first, byte != UInt8(ascii: "\""),
      byte == UInt8(ascii: "\t") || (0x20...0x7E).contains(byte)
    else { return nil }
    self.byte = byte
  }
}

/// Options for the tags that are taken, and for the reader.
struct BatchTagOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Accept only tags of this product, for example ntag215.", valueName: "kind"))
  var type: String?
  @Flag(help: "Replace foreign data on tags.")
  var overwrite = false
  @Flag(help: "Accept abandoned tags, and tags with another code, which is retired.")
  var reuse = false
  @OptionGroup var approvals: ApprovalOptions
  @Flag(help: "Permanently lock each tag after its write was verified; see tag lock.")
  var lock = false
  @Flag(
    help: """
      Set the password of --password-file on each tag after its write was verified; see tag \
      password.
      """)
  var setPassword = false
  @Flag(
    help: """
      Make each tag ready, an NTAG 424 DNA, with the keys of --keys and a URL with messages; see tag \
      provision.
      """)
  var provision = false
  @Flag(
    help: """
      Accept only tags with a genuine originality signature. It is constant: a chip that copies it \
      and the UID passes.
      """)
  var requireGenuine = false
  @Flag(
    name: .customLong("no-originality"), help: "Do not read the tags' originality signatures.")
  var ignoresOriginality = false
  @Option(
    help: ArgumentHelp(
      """
      The reader, as a libnfc connection string, or pcsc: and a part of a PC/SC reader's name \
      (default: $CLIPTAG_READER or $LIBNFC_DEVICE, else the first found).
      """,
      valueName: "connstring"))
  var reader: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The time limit for each tag (default: none).", valueName: "seconds"))
  var timeout: Double?

  func validate() throws {
    do {
      try options(limit: nil).validate()
    } catch {
      throw error.asUsage
    }
    if let timeout, !(0...86_400).contains(timeout) {
      throw ValidationError("--timeout must be 0 to 86400 seconds, not \(timeout).")
    }
  }

  func options(limit: Int?) -> TagBatch.Options {
    var options = TagBatch.Options()
    options.type = type
    options.overwrites = overwrite
    options.reuses = reuse
    options.unregistered = approvals.unregistered
    options.refusesWarnings = approvals.strict
    options.requiresGenuine = requireGenuine
    options.readsSignature = !ignoresOriginality
    options.locks = lock
    options.setsPassword = setPassword
    options.provisions = provision
    options.limit = limit
    options.timeout = timeout.map { .seconds($0) }
    return options
  }
}

/// Options for the rows to work on, and decisions about single rows.
struct BatchRowOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after these rows; 0 only records decisions.", valueName: "rows"))
  var limit: Int?
  @Option(
    help: ArgumentHelp(
      "Skip this row; may be repeated.", valueName: "row"))
  var skip: [Int] = []
  @Option(
    help: ArgumentHelp(
      "Redo this row with another tag and abandon the old one; may be repeated.", valueName: "row"))
  var redo: [Int] = []
  @Flag(help: "Abandon half-written tags that do not return; their rows get others.")
  var skipTorn = false
  @Option(help: ArgumentHelp("The reason, for the ledger.", valueName: "text"))
  var reason: String?

  /// Whether decisions about rows are asked for.
  var changesRows: Bool { !skip.isEmpty || !redo.isEmpty || skipTorn }

  func validate() throws {
    if let limit, limit < 0 {
      throw ValidationError("--limit must be at least 0, not \(limit).")
    }
    guard changesRows || reason == nil else {
      throw ValidationError("--reason needs --skip, --redo or --skip-torn.")
    }
  }

  /// The decisions about rows.
  var decisions: TagBatch.Decisions {
    var decisions = TagBatch.Decisions()
    decisions.redo = redo
    decisions.skip = skip
    decisions.givesUpTorn = skipTorn
    decisions.reason = reason
    return decisions
  }
}
