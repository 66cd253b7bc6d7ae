public import ArgumentParser
import Deployment
import NFCReader
public import SimulatedReader
import TagTypes

/// `cliptag reader …`
struct ReaderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reader",
    abstract: "NFC readers: which there are, why one does not open, and a simulated one.",
    subcommands: [List.self, SimulateCommand.self, Doctor.self])

  /// `cliptag reader list`
  struct List: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "List readers, and serial ports that may have one.",
      discussion: """
        Nothing is sent to a serial port unless --probe is given, because something else may be \
        connected there.

        Examples:
          cliptag reader list
          cliptag reader list --probe
        """)
    @Flag(help: "Open each one in turn and ask its name; about 3 s where nothing answers.")
    var probe = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let readers = await NFCReader.discover(probing: probe)
      for reader in readers { console.result(reader.json, text: reader.text) }
      if readers.isEmpty {
        console.report(
          Failure(
            "no-reader", .unavailable, "No NFC reader was found.",
            hint: "Plug one in and run cliptag reader doctor, or try cliptag reader simulate."))
      }
    }
  }

  /// `cliptag reader doctor`
  struct Doctor: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say why a reader does not open.",
      discussion: """
        Examples:
          cliptag reader doctor
          cliptag reader doctor --reader pn532_uart:/dev/ttyUSB0
        """)
    @Option(
      help: ArgumentHelp(
        "The reader, as a libnfc connection string (default: $LIBNFC_DEVICE, else the first).",
        valueName: "connstring"))
    var reader: String?
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let checks = await NFCReader.examine(reader)
      for check in checks { console.result(check.json, text: check.text(console.output)) }
      // A problem beside a reader that opens all the same is no reason to fail.
      if checks.contains(where: { $0.subject == .opening && $0.verdict == .problem }) {
        console.note(.unavailable)
      }
    }
  }
}

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

  @Option(help: "What lies on the reader: ntag213, ntag215, ntag216, ultralight or none.")
  var tag: SimulatedTagKind = .ntag215
  @Option(help: ArgumentHelp("The tag's UID, seven bytes.", valueName: "hex"))
  var uid: String?
  @Option(
    help: ArgumentHelp(
      "Keep the tag's memory in this file; taken from it if it exists.", valueName: "file"),
    completion: .file())
  var memory: String?
  @Option(help: ArgumentHelp("Something that goes wrong; may be repeated.", valueName: "fault"))
  var fault: [String] = []
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let console = global.console
    do {
      let reader = try SimulatedReader(
        tag: try blankTag(), faults: try fault.map { try Fault(parsing: $0) }, memoryFile: memory)
      try compareUID(of: reader)
      if global.json {
        console.print(
          .object([
            ("type", "reader"), ("reader", .string(reader.connectionString)),
            ("tag", .string(tag.rawValue)), ("uid", JSONValue(reader.tag?.uid.hexadecimal)),
          ]))
      } else {
        print(reader.connectionString)
        flushStandardOutput()
      }
      try await reader.run()
    } catch {
      console.report(Failure(describing: error))
      throw ExitCode(console.exitStatus.rawValue)
    }
  }

  /// A memory file brings its own UID; another one asked for is a mistake worth a word.
  private func compareUID(of reader: SimulatedReader) throws(Failure) {
    guard let uid, let held = reader.tag?.uid, [UInt8](hexadecimal: uid) != held else { return }
    throw Failure(
      "uid-differs", .usage, "The memory file holds tag \(held.hexadecimal), not \(uid).",
      hint: "Leave --uid out, or name another memory file.", source: memory)
  }

  private func blankTag() throws -> SimulatedTag? {
    guard let layout = tag.layout else { return nil }
    guard let uid else { return try SimulatedTag(layout) }
    guard let bytes = [UInt8](hexadecimal: uid) else {
      throw Failure(
        "malformed-uid", .usage, "\(uid) is not hexadecimal.",
        hint: "Give seven bytes, for example --uid 04E10CDA993C80.")
    }
    return try SimulatedTag(layout, uid: bytes)
  }
}

extension SimulatedTagKind: ExpressibleByArgument {}

extension FoundReader {
  fileprivate var json: JSONValue {
    var name = JSONValue.null
    var reason = JSONValue.null
    switch answer {
    case .notAsked: break
    case .opened(let found): name = .string(found)
    case .failed(let error): reason = .string(error.message)
    }
    return .object([
      ("type", "reader"), ("reader", .string(connectionString)),
      ("foundBy", .string(source.rawValue)), ("name", name), ("error", reason),
    ])
  }

  fileprivate var text: String {
    switch answer {
    case .opened(let name): "\(connectionString)  \(name)"
    case .failed(let error): "\(connectionString)  does not open: \(error.message)"
    case .notAsked where source == .serialPort:
      "\(connectionString)  a serial port; --probe asks what is there"
    case .notAsked: connectionString
    }
  }
}

extension ReaderCheck {
  fileprivate var json: JSONValue {
    .object([
      ("type", "check"), ("subject", .string(subject.rawValue)),
      ("verdict", .string(verdict.rawValue)), ("finding", .string(finding)),
      ("remedy", JSONValue(remedy)),
    ])
  }

  fileprivate func text(_ style: Style) -> String {
    let label = verdict.rawValue.padding(to: 8)
    let mark =
      switch verdict {
      case .fine: style.green(label)
      case .note: style.dim(label)
      case .problem: style.red(label)
      }
    let advice = remedy.map { "\n         next: \($0)" } ?? ""
    return "\(mark) \(subject.rawValue): \(finding)\(advice)"
  }
}
