import ArgumentParser
import Deployment
import Registry
import TagTypes

/// How a batch's file is read.
struct BatchFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What stands between fields: one character, or tab (default: as the header has it).",
      valueName: "character"))
  var separator: SeparatorArgument?
  @Flag(help: "Take a file in which several rows have the same URL.")
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

/// Which tags are taken, on which reader.
struct BatchTagOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Take only tags of this product, for example ntag215.", valueName: "kind"))
  var type: String?
  @Flag(help: "Replace data on tags that is not ours.")
  var overwrite = false
  @Flag(help: "Take tags that carry another code, which is retired, or that were given up.")
  var reuse = false
  @Flag(help: "Write rows although the check does not accept their URLs.")
  var unregistered = false
  @Flag(help: "Lock each tag for good after its write was verified; see tag lock.")
  var lock = false
  @Flag(help: "Take only tags whose originality signature is genuine.")
  var requireGenuine = false
  @Flag(
    name: .customLong("no-originality"), help: "Do not read the tags' originality signatures.")
  var ignoresOriginality = false
  @Option(
    help: ArgumentHelp(
      "The reader, as a libnfc connection string (default: $LIBNFC_DEVICE, else the first found).",
      valueName: "connstring"))
  var reader: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to wait for each tag (default: for ever).", valueName: "seconds"))
  var timeout: Double?

  func validate() throws {
    if let type, !Tag.productNames.contains(where: { $0.lowercased() == type.lowercased() }) {
      throw ValidationError(
        "--type takes one of \(Tag.productNames.joined(separator: ", ")); got \(type.printable).")
    }
    if let timeout, !(0...86_400).contains(timeout) {
      throw ValidationError("--timeout takes seconds from 0 to 86400; got \(timeout).")
    }
    guard !(requireGenuine && ignoresOriginality) else {
      throw ValidationError("--require-genuine and --no-originality exclude each other.")
    }
  }

  func options(limit: Int?) -> TagBatch.Options {
    var options = TagBatch.Options()
    options.type = type
    options.overwrites = overwrite
    options.reuses = reuse
    options.unregistered = unregistered
    options.requiresGenuine = requireGenuine
    options.readsSignature = !ignoresOriginality
    options.locks = lock
    options.limit = limit
    options.timeout = timeout.map { .seconds($0) }
    return options
  }
}

/// Which rows are worked on, and decisions about single rows.
struct BatchRowOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after this many rows; 0 only records decisions.", valueName: "rows"))
  var limit: Int?
  @Option(
    help: ArgumentHelp(
      "This row needs no tag; may be repeated.", valueName: "row"))
  var skip: [Int] = []
  @Option(
    help: ArgumentHelp(
      "This row needs a tag again; the one it had is given up. May be repeated.", valueName: "row"))
  var redo: [Int] = []
  @Flag(help: "Give up half-written tags that do not come back; their rows get others.")
  var skipTorn = false
  @Option(help: ArgumentHelp("Why, for the ledger.", valueName: "text"))
  var reason: String?

  /// Whether decisions about rows are asked for.
  var changesRows: Bool { !skip.isEmpty || !redo.isEmpty || skipTorn }

  func validate() throws {
    if let limit, limit < 0 {
      throw ValidationError("--limit takes a number from 0; got \(limit).")
    }
    guard changesRows || reason == nil else {
      throw ValidationError("--reason says why for --skip, --redo or --skip-torn: add one of them.")
    }
  }

  /// Records the decisions.
  func apply(to batch: TagBatch, _ console: Console) async throws {
    guard changesRows else { return }
    var decisions = TagBatch.Decisions()
    decisions.redo = redo
    decisions.skip = skip
    decisions.givesUpTorn = skipTorn
    decisions.reason = reason
    for row in try await batch.record(decisions) { console.say("\(row.title) needs another tag") }
  }
}
