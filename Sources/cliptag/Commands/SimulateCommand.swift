public import ArgumentParser
public import SimulatedReader
import TagTypes

/// `cliptag reader simulate`
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Be a PN532 reader with a tag on it, for work without hardware.",
    discussion: """
      The first line on standard output is the connection string that libnfc, nfcpy and cliptag \
      open. The reader runs until it is interrupted and serves one client after another.

      Examples:
        cliptag reader simulate --tag ntag215
        cliptag reader simulate --uid 04E10CDA993C80 --memory simulated.bin
        cliptag reader simulate --memory simulated.bin --fault tear-write=4
        cliptag reader simulate --timing wire --trace trace.txt --counts

      Faults, each at a chosen moment, any number of times --fault:
        refuse-page=N[:TIMES]   a write to page N is refused
        store-wrong=N[:TIMES]   page N keeps a wrong byte
        remove-after=N          the tag is gone after N tag commands
        swap-after=N[:UID]      another tag lies there after N tag commands
        tear-write=N[:half]     the tag leaves during its Nth write
        drop-response=N         the reader's Nth answer is lost
        corrupt-response=N      the reader's Nth answer arrives broken
        unplug-after=N          the reader is unplugged after N commands
      """)

  @Option(help: "What lies on the reader.")
  var tag: SimulatedTagKind = .ntag215
  @Option(
    help: ArgumentHelp(
      "The tag's UID: seven bytes, or four for a MIFARE Classic.", valueName: "hex"))
  var uid: String?
  @Option(
    help: ArgumentHelp(
      "Keep the tag's memory in this file; taken from it if it exists.", valueName: "file"),
    completion: .file())
  var memory: String?
  @Option(help: ArgumentHelp("Something that goes wrong; may be repeated.", valueName: "fault"))
  var fault: [String] = []
  @Option(
    help: """
      How late answers come: none (at once), radio (106 kbit/s and 4.1 ms a page written) or wire \
      (that and a serial line of 115200 baud).
      """)
  var timing: SimulatedTiming = .none
  @Option(
    help: ArgumentHelp(
      "Write every frame in words to this file; - is standard error.", valueName: "file"),
    completion: .file())
  var trace: String?
  @Flag(help: "At the end, print how many exchanges, bytes and milliseconds there were.")
  var counts = false
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let console = global.console
    do {
      let output: TraceOutput? = if let trace { try TraceOutput(trace) } else { nil }
      let reader = try SimulatedReader(
        tag: try blankTag(), faults: try fault.map { try Fault(parsing: $0) }, memoryFile: memory,
        timing: timing, trace: output?.write)
      try compareUID(of: reader)
      if global.json {
        console.print(
          .object([
            ("type", "reader"), ("reader", .string(reader.connectionString)),
            ("tag", .string(tag.rawValue)), ("uid", JSONValue(reader.card?.uid.hexadecimal)),
          ]))
      } else {
        print(reader.connectionString)
        flushStandardOutput()
      }
      try await reader.run()
      if counts { console.result(reader.counts.json, text: "\(reader.counts)") }
    } catch {
      console.report(Failure(describing: error))
      throw ExitCode(console.exitStatus.rawValue)
    }
  }

  /// A memory file brings its own UID; another one asked for is a mistake worth a word.
  private func compareUID(of reader: SimulatedReader) throws(Failure) {
    guard let uid, let held = reader.card?.uid, [UInt8](hexadecimal: uid) != held else { return }
    throw Failure(
      "uid-differs", .usage, "The memory file holds tag \(held.hexadecimal), not \(uid).",
      hint: "Leave --uid out, or name another memory file.", source: memory)
  }

  private func blankTag() throws -> (any SimulatedCard)? {
    guard let uid else { return try tag.card() }
    guard let bytes = [UInt8](hexadecimal: uid) else {
      throw Failure(
        "malformed-uid", .usage, "\(uid) is not hexadecimal.",
        hint: "Give hexadecimal digits, for example --uid 04E10CDA993C80.")
    }
    return try tag.card(uid: bytes)
  }
}

extension ReaderCounts {
  fileprivate var json: JSONValue {
    .object([
      ("type", "counts"), ("exchanges", .integer(exchanges)),
      ("tagCommands", .integer(tagCommands)), ("writes", .integer(writes)),
      ("bytesFromHost", .integer(bytesFromHost)), ("bytesToHost", .integer(bytesToHost)),
      ("lineMilliseconds", .number(lineTime / .milliseconds(1))),
      ("radioMilliseconds", .number(radioTime / .milliseconds(1))),
      ("waitingMilliseconds", .number(waitingTime / .milliseconds(1))),
      ("modelledMilliseconds", .number(modelledMilliseconds)),
    ])
  }
}

extension SimulatedTiming: ExpressibleByArgument {}
extension SimulatedTagKind: ExpressibleByArgument {}
