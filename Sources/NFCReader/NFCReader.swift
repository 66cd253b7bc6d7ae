import Dispatch
import TagTypes

/// One NFC reader, driven through libnfc or through PC/SC.
///
/// Everything that blocks runs on a serial queue of the reader's own. A reader holds its port
/// against other programs until it is closed or forgotten.
///
/// ```swift
/// let reader = try await NFCReader.open()
/// let tag = try await reader.waitForTag(timeout: .seconds(10))
/// let pages = try await tag.exchange([0x30, 0x00])
/// await reader.close()
/// ```
public actor NFCReader {
  /// The connection string the reader was opened with.
  public nonisolated let connectionString: String
  /// The chip in the reader and its firmware version, such as `PN532 v1.6`; the connection string
  /// when libnfc does not say.
  public internal(set) var name: String

  nonisolated let executor: ReaderExecutor
  /// How long one call to a library without time-outs may take.
  nonisolated let limit: CallLimit
  /// The reader's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let clock: any Clock<Duration>
  /// Nil before opening and after closing.
  var device: (any ReaderDevice)?
  /// What the reader was opened with, to open it anew.
  var origin: Origin?
  /// Counts the tags that were handed out; only the last one may be used.
  var selection = 0
  /// Whether the chip has the last tag selected.
  var isSelected = false
  /// Technologies to which the chip has answered with a failure; they are not asked for again.
  var unsupported: Set<OtherTechnology> = []

  /// What opening a reader needs.
  struct Origin {
    let library: NFCLibrary
    let system: SystemView
    let pcsc: PCSCCalls
  }

  init(
    connectionString: String, executor: ReaderExecutor, limit: CallLimit, clock: any Clock<Duration>
  ) {
    self.connectionString = connectionString
    self.name = connectionString
    self.executor = executor
    self.limit = limit
    self.clock = clock
  }
}

/// The serial queue on which one reader's blocking calls run.
///
/// libnfc blocks for up to seconds; on the cooperative pool, which has one thread per core, two
/// readers could stop every task of the process.
final class ReaderExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "NFCReader")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The closure keeps the executor alive while a job of an otherwise forgotten reader runs.
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }

  /// Runs `work` on the queue after everything that was put there before.
  func submit(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  /// Runs `work` on the queue and waits for its result without blocking the caller's thread.
  func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      submit { continuation.resume(returning: work()) }
    }
  }
}

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension NFCReader {
  /// Opens a reader.
  ///
  /// Blocks no thread of the cooperative pool. Takes 0.1 to 0.3 s; a serial port where nothing
  /// answers takes about 3 s to fail. Cancelling the task does not cut this short.
  ///
  /// - Parameters:
  ///   - connectionString: A libnfc connection string such as `pn532_uart:/dev/ttyUSB0`, or
  ///     `pcsc:NAME` with a part of the name of a PC/SC reader. When nil, the value of
  ///     `CLIPTAG_READER`, else of `LIBNFC_DEVICE`; when both are unset or empty, the first reader
  ///     libnfc finds without writing to serial ports, else the only PC/SC reader.
  ///   - answerTimeout: The longest time for one answer of a PC/SC reader or of the smart card service,
  ///     after which the reader is given up; libnfc has time-outs of its own.
  ///   - clock: Measures the time-outs of this reader.
  /// - Throws: ``NFCReaderError``: `.libraryMissing` when libnfc is not installed, `.noReader` when
  ///   there is no reader or it does not open,
  ///   `.readerBusy` when another process holds it, `.readerFailed` when it opened and then did
  ///   not take its settings. Nothing stays open or locked.
  public static func open(
    _ connectionString: String? = nil, answerTimeout: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(NFCReaderError) -> NFCReader {
    var pcsc = PCSCCalls.system
    pcsc.limit = CallLimit(answerTimeout)
    return try await open(
      connectionString, library: .shared, system: .live, pcsc: pcsc, clock: clock)
  }

  static func open(
    _ connectionString: String?, library: NFCLibrary, system: SystemView,
    pcsc: PCSCCalls = .system, clock: any Clock<Duration>
  ) async throws(NFCReaderError) -> NFCReader {
    let executor = ReaderExecutor()
    let named = connectionString ?? system.preferredReader
    let wanted = await executor.run { () -> String? in
      // libnfc comes first; a PC/SC reader is taken when it is the only one.
      if let named { return named }
      if library.calls.trouble() == nil, let found = library.devices().first { return found }
      return PCSCReaders.names(pcsc).only.map(PCSCName.connectionString)
    }
    guard let wanted else {
      if let reason = library.calls.trouble() { throw OpenFailure.libraryMissing(reason) }
      throw OpenFailure.nothingFound(
        system: system,
        pcsc: await executor.run {
          PCSCReaders.names(pcsc)
        })
    }
    if PCSCName(wanted) == nil, let reason = library.calls.trouble() {
      throw OpenFailure.libraryMissing(reason)
    }
    let reader = NFCReader(
      connectionString: wanted, executor: executor, limit: pcsc.limit, clock: clock)
    try await reader.connect(Origin(library: library, system: system, pcsc: pcsc))
    return reader
  }

  /// Keeps libnfc silent on standard error, unless `LIBNFC_LOG_LEVEL` is set already, and keeps it
  /// from writing to every serial port in search of a reader, whatever its configuration says.
  ///
  /// libnfc reads both from the environment, which nobody else may read or change while it is set:
  /// call this once, first thing in `main`, before any other thread runs. Without it the first
  /// reader that opens does the same.
  public static func silenceLibrary() {
    setenv("LIBNFC_LOG_LEVEL", "0", 0)
    setenv("LIBNFC_INTRUSIVE_SCAN", "no", 1)
  }

  private func connect(_ origin: Origin) throws(NFCReaderError) {
    self.origin = origin
    if let name = PCSCName(connectionString) {
      device = try PCSCReaders.open(name, connectionString, origin.pcsc)
      self.name = device?.chip() ?? connectionString
      return
    }
    let (library, system) = (origin.library, origin.system)
    let connection = try ReaderConnection(parsing: connectionString)
    StandardStreams.occupy()
    var lock: PortLock?
    if let path = connection.serialPath {
      do throws(PortLock.Failure) {
        lock = try PortLock(path: path)
      } catch {
        throw OpenFailure.port(error, connection: connection, system: system)
      }
    }
    // libnfc complains about a missing node on standard error, silenced or not. Whether one that is
    // there may be used only its driver can tell.
    if lock == nil, let path = connection.path, system.node(path) == nil,
      let failure = OpenFailure.unusableNode(connection, system: system)
    {
      throw failure
    }
    // One lost answer while the chip is set up is not worth a failure on a serial line.
    for isLast in connection.serialPath == nil ? [true] : [false, true] {
      do throws(DeviceFailure) {
        device = try Self.opened(connection, origin, lock, executor)
        try device?.prepare()
        break
      } catch {
        device?.close()
        device = nil
        guard isLast else { continue }
        throw NFCReaderError(
          .readerFailed, "the reader \(connectionString) cannot be set up: \(error)",
          hint: "unplug it and plug it in again", connectionString: connectionString,
          status: error)
      }
    }
    guard let device else {
      if let failure = OpenFailure.driverMissing(connection, calls: library.calls) { throw failure }
      throw OpenFailure.silent(connection, system: system)
    }
    name = device.chip() ?? connectionString
  }

  private static func opened(
    _ connection: ReaderConnection, _ origin: Origin, _ lock: PortLock?, _ executor: ReaderExecutor
  ) throws(DeviceFailure) -> LibNFCDevice? {
    do throws(NFCStatus) {
      return try origin.library.open(connection, system: origin.system).map { handle in
        LibNFCDevice(
          calls: origin.library.calls, handle: handle, lock: lock, executor: executor,
          connection: connection)
      }
    } catch {
      throw .libnfc(error)
    }
  }

  /// Closes a reader on USB and opens it anew, which is what helps one that has fallen out of step with
  /// libnfc ("Wrong reply", "Command Code verification failed").
  ///
  /// - Returns: Whether it is open again. If not, the reader stays closed.
  func reopen() -> Bool {
    guard let origin, device?.mayReopen == true else { return false }
    device?.close()
    device = nil
    isSelected = false
    do {
      try connect(origin)
      return true
    } catch {
      return false
    }
  }

  /// Lets the tag go, switches the field off and frees the port. A closed reader stays closed, and
  /// its tags answer nothing any more. Closing twice is harmless.
  ///
  /// Waits for a call that is under way, then takes some milliseconds; up to about 3 s when the
  /// reader no longer answers. A reader that is forgotten without this closes itself a little
  /// later.
  public func close() async {
    device?.close()
    device = nil
    isSelected = false
  }
}
