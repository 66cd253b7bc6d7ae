import CliptagBasics
public import ArgumentParser
import CliptagPlatform
import Jobs
public import SimulatedReader
import Synchronization
import TagTypes

/// `cliptag reader simulate`
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulate a PN532 reader with a tag, for work without hardware.",
    discussion: """
      The first line on standard output is the connection string that libnfc, nfcpy and cliptag \
      open. The reader runs until interrupted and serves one client after another.

      Examples:
        cliptag reader simulate --tag ntag215
        cliptag reader simulate --uid 04E10CDA993C80 --memory simulated.bin
        cliptag reader simulate --memory simulated.bin --fault tear-write=4
        cliptag reader simulate --timing wire --trace trace.txt --counts
        cliptag reader simulate --deck 100 --memory tags --control sim.socket

      A deck is several tags, one after another: a number of blank ones of --tag, counting up \
      from --uid, or a file with one tag per line, KIND [UID] [FILE], and - for a pause. A tag \
      is removed when the host releases or deselects it after a tag command; the next search finds \
      nothing, the one after it the next tag.

      The control channel is a Unix socket that reads lines and answers each: place KIND [UID], \
      remove, back, next, fault TEXT, clear-faults, faults, tag, counts, memory, page N, trace \
      on|off, help, quit. A script has the same lines, each run at the start or on its trigger, \
      such as: after 12 commands: remove (or tag-commands, writes, tags, ms).

      Faults for --fault, which may be repeated:
        refuse-page=N[:TIMES]   a write to page N is refused
        store-wrong=N[:TIMES]   page N keeps a wrong byte
        forget-write=N          the Nth write is acknowledged and not stored
        tear-write=N[:BYTES]    the tag is removed during its Nth write, 0 to 3 bytes or half stored
        mute-after-write=N      the Nth write is done, its acknowledgement lost
        refuse-command=N[:NAK]  the response to the Nth tag command is NAK
        apdu-status=N:WORD      the Nth tag command, an APDU, gets a status word
        mute-command=N          the Nth tag command never reaches the tag
        lose-answer=N           the Nth tag command is done, its answer lost
        damage-answer=N[:CODE]  the same, and the reader reports an error
        garble-answer=N[:BYTE]  the Nth answer has a wrong bit and a right checksum
        short-answer=N[:BYTES]  the Nth answer is cut
        long-answer=N           the Nth answer has a byte too many
        remove-after=N          the tag is gone after N tag commands
        swap-after=N[:UID]      another tag is present after N tag commands
        swap-at-selection=N     another tag is present from the Nth selection on
        neighbour-at-selection=N
                                the Nth selection picks a second tag beside it
        miss-tag=N              the reader's Nth search finds nothing
        busy=N                  the reader ignores its Nth command
        error-frame=N           the reader's Nth answer is an error frame
        drop-response=N         the reader's Nth answer is lost
        corrupt-response=N      the reader's Nth answer arrives broken
        delay-response=N:MS     the reader's Nth answer comes late
        noise=N                 stray bytes come before the reader's Nth answer
        restart-after=N         the reader restarts after N commands
        silent-after=N          the reader stops responding after N commands
        unplug-after=N          the reader is unplugged after N commands
      """)

  @Option(help: "The tag on the reader.")
  var tag: SimulatedTagKind = .ntag215
  @Option(
    help: ArgumentHelp(
      "The tag's UID: seven bytes, or four for a MIFARE Classic.", valueName: "hex"))
  var uid: String?
  @Option(
    help: ArgumentHelp(
      "Store the tag's memory in this file, or load it if the file exists. With --deck, a folder.",
      valueName: "file"),
    completion: .file())
  var memory: String?
  @Option(
    help: ArgumentHelp("Several tags, one after another.", valueName: "number|file"),
    completion: .file())
  var deck: String?
  @Option(
    help: """
      When AUTH0, ACCESS and the mirror of a Type 2 tag follow a write: at-once, or at its \
      next-activation. Products differ, and data sheets leave it open.
      """)
  var configuration: ConfigurationMoment = .atOnce
  @Option(help: ArgumentHelp("A fault; may be repeated.", valueName: "fault"))
  var fault: [String] = []
  @Option(
    help: """
      The delay of answers: none, radio (106 kbit/s and 4.1 ms a page written) or wire \
      (radio and a serial line of 115200 baud).
      """)
  var timing: SimulatedTiming = .none
  @Option(
    help: ArgumentHelp(
      "Write every frame as text, without passwords and keys, to this file; - is standard error.",
      valueName: "file"),
    completion: .file())
  var trace: String?
  @Flag(help: "At the end, print the numbers of exchanges, bytes and milliseconds.")
  var counts = false
  @Option(
    help: ArgumentHelp("Accept commands at this Unix socket.", valueName: "socket"),
    completion: .file())
  var control: String?
  @Option(
    help: ArgumentHelp("Run the script in this file.", valueName: "file"),
    completion: .file())
  var script: String?
  @Option(
    help: ArgumentHelp(
      """
      Simulate a PC/SC reader at this Unix socket, in place of pcscd; programs find it by \
      PCSCLITE_CSOCK_NAME.
      """,
      valueName: "socket"),
    completion: .file())
  var pcsc: String?
  @Option(help: "The PC/SC reader to simulate, with its known behaviour.")
  var model: SimulatedPCSCModel = .acr1252
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let console = global.console
    do {
      let reader = try makeReader()
      let channel: ControlChannel? =
        if let control { try ControlChannel(path: control, reader: reader) } else { nil }
      defer { channel?.close() }
      if global.json {
        console.print(
          of: SimulatedReaderResult(
            reader: reader.connectionString, tag: tag.rawValue, uid: reader.card?.uid.hexadecimal))
      } else {
        print(reader.connectionString)
        flushStandardOutput()
      }
      try await reader.run()
      if counts { console.result(of: reader.counts.result, text: "\(reader.counts)") }
    } catch {
      console.report(Failure(describing: error))
      throw ExitCode(console.exitStatus.rawValue)
    }
  }

  private func makeReader() throws -> SimulatedReader {
    let faults = try fault.map { try Fault(parsing: $0) }
    let script = try script.map { try SimulatorScript(parsing: try Self.text(of: $0)) }
    var cards = try deck.map(makeDeck)
    if configuration == .nextActivation { cards?.delayConfigurations() }
    // Opened last: a command that is wrong leaves a trace of another run alone.
    let output: TraceOutput? = if let trace { try TraceOutput(trace) } else { nil }
    let socket = pcsc.map { PCSCSocket(model, path: $0) }
    if let cards {
      return try SimulatedReader(
        deck: cards, faults: faults, timing: timing, trace: output?.write,
        script: script ?? SimulatorScript(), pcsc: socket)
    }
    let reader = try SimulatedReader(
      tag: try blankTag(), faults: faults, memoryFile: memory, timing: timing,
      trace: output?.write, script: script ?? SimulatorScript(), pcsc: socket)
    try compareUID(of: reader)
    return reader
  }

  private func makeDeck(_ deck: String) throws -> SimulatedDeck {
    if let memory { try Self.makeFolder(memory) }
    if let count = Int(deck) {
      guard (1...100_000).contains(count) else {
        throw Failure(
          "usage", .usage, "A deck must have 1 to 100000 tags, not \(count).",
          hint: "Give a number in that range, or a file.")
      }
      return try SimulatedDeck(tag, count: count, firstUID: try uidBytes(), memoryFolder: memory)
    }
    guard uid == nil else {
      throw Failure(
        "usage", .usage, "--uid and a deck file, which lists the UIDs, exclude each other.",
        hint: "Leave --uid out.")
    }
    return try SimulatedDeck(parsing: try Self.text(of: deck), memoryFolder: memory)
  }

  private static func makeFolder(_ path: String) throws(Failure) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    guard mkdir(path, 0o700) == 0 else {
      throw Failure(
        "cannot-create", .cannotCreate,
        "The folder for the tags' memories cannot be created: "
          + "\(String(cString: strerror(errno))).",
        hint: "With --deck, --memory is a folder; give a writable one.", source: path)
    }
  }

  private static func text(of path: String) throws -> String {
    String(decoding: try InputFile.bytes(of: path, limit: 1 << 24), as: UTF8.self)
  }

  /// A memory file brings its own UID; another one asked for is a mistake worth a word.
  private func compareUID(of reader: SimulatedReader) throws(Failure) {
    guard let uid, let held = reader.card?.uid, [UInt8](separatedHexadecimal: uid) != held else {
      return
    }
    throw Failure(
      "uid-differs", .usage, "The memory file contains tag \(held.hexadecimal), not \(uid).",
      hint: "Leave --uid out, or give another memory file.", source: memory)
  }

  private func blankTag() throws -> (any SimulatedCard)? {
    let card = try tag.card(uid: try uidBytes())
    return configuration == .atOnce ? card : card?.delayingConfiguration()
  }

  private func uidBytes() throws(Failure) -> [UInt8]? {
    guard let uid else { return nil }
    guard let bytes = [UInt8](separatedHexadecimal: uid) else {
      throw Failure(
        "malformed-uid", .usage, "\(uid) is not hexadecimal.",
        hint: "Give hexadecimal digits, for example --uid 04E10CDA993C80.")
    }
    return bytes
  }
}

extension ReaderCounts {
  fileprivate var result: ReaderCountsResult {
    ReaderCountsResult(
      exchanges: exchanges, tagCommands: tagCommands, writes: writes, bytesFromHost: bytesFromHost,
      bytesToHost: bytesToHost, lineTime: lineTime, radioTime: radioTime, waitingTime: waitingTime,
      modelledTime: modelledTime)
  }
}

/// The moment from which the configuration of a simulated Type 2 tag acts.
enum ConfigurationMoment: String, CaseIterable, ExpressibleByArgument {
  case atOnce = "at-once"
  case nextActivation = "next-activation"
}

extension SimulatedTiming: ExpressibleByArgument {}
extension SimulatedTagKind: ExpressibleByArgument {}
extension SimulatedPCSCModel: ExpressibleByArgument {}

/// The output for the frames of a simulated reader, one line each, as they happen.
final class TraceOutput: Sendable {
  private let descriptor: Int32
  private let path: String
  private let hasFailed = Mutex(false)

  /// Opens a trace, which holds passwords and keys as they are sent: only its owner can read it,
  /// and a symbolic link is not followed.
  ///
  /// - Parameter path: A file, which is begun anew; `-` for standard error.
  /// - Throws: ``Failure`` when the file cannot be created, or belongs to another user.
  init(_ path: String) throws(Failure) {
    self.path = path
    if path == "-" {
      descriptor = STDERR_FILENO
    } else {
      descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw Self.failure(
          path, errno == ELOOP ? "it is a symbolic link" : String(cString: strerror(errno)))
      }
      var status = stat()
      let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      // Only the owner of an older file may make it private.
      guard !isFile || (fchmod(descriptor, 0o600) == 0 && ftruncate(descriptor, 0) == 0) else {
        let reason = String(cString: strerror(errno))
        close(descriptor)
        throw Self.failure(path, reason)
      }
    }
  }

  private static func failure(_ path: String, _ reason: String) -> Failure {
    Failure(
      "cannot-create", .cannotCreate, "The trace cannot be created: \(reason).",
      hint: "Give a file in a writable folder, or - for standard error.", source: path)
  }

  deinit {
    if descriptor != STDERR_FILENO { close(descriptor) }
  }

  /// Writes one line. A trace that cannot be written is given up, with a word on standard error;
  /// the reader goes on.
  func write(_ entry: TraceEntry) {
    hasFailed.withLock { hasFailed in
      guard !hasFailed else { return }
      let line = Array("\(entry)\n".utf8)
      guard
        line.withUnsafeBytes({ CliptagPlatform.write(descriptor, $0.baseAddress, $0.count) })
          != line.count
      else { return }
      hasFailed = true
      let reason = errno == 0 ? "it is full" : String(cString: strerror(errno))
      let text: ConsoleText = "the trace ends here: \(path) cannot be written: \(reason)\n"
      _ = text.rendered.withCString { CliptagPlatform.write(STDERR_FILENO, $0, strlen($0)) }
    }
  }
}
