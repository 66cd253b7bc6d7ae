import Jobs
import CliptagBasics
import ArgumentParser
import Auditing
import CodeScanning
import Invocation
import Pictures
import Registry
import Verifying

/// `cliptag pack verify PLACE [FILE…]`
struct PackVerifyCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare the contents of a parcel with its packing list.",
    discussion: """
      Pictures of the parcel are read as by scan, tags as by tag read, and - reads the texts of \
      printed codes from standard input, one a line, as from a hand scanner. A printed code \
      and a tag with the same URL are two codes. Missing, foreign, duplicate, retired and \
      misplaced codes are listed; the exit status is 0 only if the parcel is complete, with nothing \
      else.

      Tags are read until --timeout seconds pass without one, --count is reached, or Ctrl-C.

      Examples:
        cliptag pack verify cupertino posters/*.png
        cliptag pack verify cupertino wall.jpg --tags --timeout 1
        cliptag pack verify cupertino - < urls.txt
      """)

  @Argument(help: "The place, by its id.", completion: .places)
  var place: String
  @Argument(
    help: ArgumentHelp(
      "Pictures and documents; - for texts on standard input.", valueName: "file"),
    completion: .file(extensions: PictureFormat.fileExtensions))
  var files: [String] = []
  @Flag(
    name: .shortAndLong,
    help: "Also read the pictures in folders and their subfolders.")
  var recursive = false
  @Flag(help: "Read tags one after another; implied by --reader.")
  var tags = false
  @Option(help: ArgumentHelp("Stop after this number of tags.", valueName: "number"))
  var count: Int?
  @Option(
    help: ArgumentHelp(
      "The permitted copies of each printed code, as on sheets of labels.", valueName: "number"))
  var copies = 1
  @OptionGroup(title: "The reader") var reader: ReaderOptions
  @OptionGroup(title: "The pictures") var scanning: ScannerOptions
  @OptionGroup(title: "The pictures") var isolation: IsolationOptions
  @OptionGroup var global: GlobalOptions

  private var readsTags: Bool { tags || reader.reader != nil }

  func validate() throws {
    guard !files.isEmpty || readsTags else {
      throw ValidationError("Give pictures of the parcel, - for texts, or --tags for a reader.")
    }
    guard files.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("Standard input is read once: give - once.")
    }
    guard copies >= 1 else {
      throw ValidationError("--copies must be at least 1, not \(copies).")
    }
    if let count, count < 1 { throw ValidationError("--count must be at least 1, not \(count).") }
    if count != nil, !readsTags { throw ValidationError("--count needs --tags.") }
  }

  func execute(_ console: Console) async throws {
    let registry = try global.registryForReading(console)
    var job = VerifyParcel(place)
    job.copies = copies
    var output = ParcelOutput(
      check: try job.check(in: Workplace(registry: registry)), console: console)
    var verifier = output.check.verifier
    verifier.options.scanner = scanning.scanner
    verifier.options.isolation = isolation.process(isUsual: true, scanning.arguments)
    let inputs = PictureInput.named(files.filter { $0 != "-" }, recursive: recursive, console)
    for await seen in verifier.observations(of: inputs) { output.show(seen) }
    if files.contains("-"), !Task.isCancelled { try await readLines(verifier, &output) }
    if readsTags, !Task.isCancelled {
      try await console.readTags(on: reader.tagReader, count: count, through: verifier) {
        output.show($0)
      }
    }
    try output.finish()
  }

  private func readLines(_ verifier: Verifier, _ output: inout ParcelOutput) async throws {
    var lines = InputLines()
    while let bytes = try lines.next() {
      guard !bytes.isEmpty else { continue }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        output.console.report(
          Failure(
            "not-utf8", .malformedInput, "A line is not UTF-8 text.",
            hint: "Set the scanner to UTF-8; the other lines are still compared.",
            source: "-"))
        continue
      }
      output.show(
        await verifier.observe(.print, on: .qr, source: "standard input", payload: { text }))
    }
  }
}

/// Shows what is observed in a parcel, and sums up what is missing.
struct ParcelOutput {
  private(set) var check: ParcelCheck
  let console: Console

  mutating func show(_ seen: CodeObservation) {
    do throws(RegistryError) {
      for answer in try check.take(seen) {
        if !answer.findings.isEmpty { console.note(.notAccepted) }
        console.result(of: ParcelItemResult(answer), text: answer.text)
      }
    } catch {
      console.report(Failure(describing: error))
    }
    if let failure = seen.failure {
      return console.report(Failure(describing: failure, source: seen.source))
    }
    for symbol in seen.unread { show(symbol, at: seen.source.onPage(seen.page)) }
    console.sayWhatWasLeft(seen)
    if case .nothingFound = seen.end { console.report(seen.nothingFound()) }
  }

  private func show(_ symbol: UnreadSymbol, at place: String) {
    console.note(.notAccepted)
    console.result(
      of: ParcelItemResult(unread: symbol.sentence, at: place),
      text: "UNREAD    \(place): \(symbol.sentence)")
  }

  /// Prints the missing items and the sum.
  func finish() throws {
    for item in check.missing {
      console.note(.notAccepted)
      console.result(of: ParcelItemResult(missing: item), text: "MISSING   \(item.text)")
    }
    for (item, count) in check.incomplete {
      console.note(.notAccepted)
      let result = ParcelItemResult(incomplete: item, count)
      console.result(
        of: result,
        text: "INCOMPLETE \(item.text)\n  \(count.seen) of \(count.pieces) seen: "
          + "\(item.items.map { "\($0.name)  \($0.words.printable)" }.joined(separator: "; "))")
    }
    let unrecorded = try check.unrecordedCount()
    let isComplete = check.isComplete && console.exitStatus == .done
    let next =
      isComplete
      ? "run cliptag pack \(check.list.place.id) --record"
      : "complete the parcel before you record it"
    var findings =
      unrecorded == 0
      ? []
      : [
        Finding(
          .parcelNotPacked, .note,
          "\(unrecorded) of the codes read \(unrecorded == 1 ? "was" : "were") not recorded as "
            + "packed; \(next).")
      ]
    let apart = check.apart.map(\.code.id.description)
    if !apart.isEmpty {
      findings.append(
        Finding(
          .parcelReadApart, .note,
          "The prints of \(apart.joined(separator: ", ")) were counted over separate pictures or scans: "
            + "make sure that no print was read twice, or read them in one picture."))
    }
    let words =
      isComplete
      ? "complete, without extra codes"
      : "\(check.missing.count) missing, "
        + (check.incomplete.isEmpty ? "" : "\(check.incomplete.count) incomplete, ")
        + "\(check.troubleCount) that do not belong"
    console.result(
      of: ParcelResult(check, isComplete: isComplete, findings: findings),
      text: """
        \(check.list.place.name) (\(check.list.place.id)): \(check.readCount) of \
        \(check.list.summary); \(words)
        """
          + findings.map(\.lineBelow).joined())
  }
}

extension ParcelCheck.Answer {
  /// The lines for people.
  fileprivate var text: ConsoleText {
    // Prints of one code are alike: each is in.
    let isIn = result == .expected || result == .again && read.tag == nil
    let words = isIn ? "in" : result.rawValue
    let payload =
      read.verification.payload.isEmpty ? "(no URL)" : read.verification.payload.printable
    let carrier = read.tag.map { "tag \($0.uid)" } ?? read.place
    let count = count.map { $0.pieces > 1 ? "  \($0.seen) of \($0.pieces)" : "" } ?? ""
    return "\(words.uppercased().padding(to: 9)) \(payload)  \(carrier)\(count)"
      + findings.map(\.lineBelow).joined()
  }
}

extension Finding {
  /// The line below what it is about.
  fileprivate var lineBelow: ConsoleText {
    "\n  \(severity.rawValue.padding(to: 8))  \(message) [\(code)]"
  }
}
