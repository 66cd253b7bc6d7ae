import CliptagBasics
import Dispatch
import TagTypes

/// One NFC reader, driven through libnfc or through PC/SC.
///
/// All blocking calls run on the reader's serial queue. A reader locks its port against other
/// programs until it is closed or released.
///
/// ```swift
/// let reader = try await NFCReader.open()
/// let tag = try await reader.waitForTag(timeout: .seconds(10))
/// let pages = try await tag.exchange([0x30, 0x00])
/// await reader.close()
/// ```
public actor NFCReader {
  /// The connection string with which the reader was opened.
  public nonisolated let connectionString: String
  /// The chip in the reader and its firmware version, such as `PN532 v1.6`; the connection string
  /// if libnfc does not report them.
  public internal(set) var name: String

  nonisolated let executor: ReaderExecutor
  /// The time limit for one call to a library without time-outs.
  nonisolated let limit: CallLimit
  /// The reader's serial queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let clock: any Clock<Duration>
  /// The open device; `nil` before opening and after closing.
  var device: (any ReaderDevice)?
  /// The parameters with which the reader was opened, for reopening it.
  var origin: Origin?
  /// The number of tags returned so far; only the last one may be used.
  var selection = 0
  /// A Boolean value that indicates whether the last tag is selected in the chip.
  var isSelected = false
  /// The technologies that the chip answered with a failure; they are not requested again.
  var unsupported: Set<OtherTechnology> = []

  /// The parameters for opening a reader.
  struct Origin {
    let library: NFCLibrary
    let system: SystemView
    let pcsc: PCSCCalls
    /// The recorder of what passes; `nil` for none.
    let recorder: SessionRecorder?
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
    // The closure keeps the executor alive while a job of a reader without other references runs.
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }

  /// Runs `work` on the queue after all previously submitted work.
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

import CliptagPlatform

extension NFCReader {
  /// Opens a reader.
  ///
  /// Blocks no thread of the cooperative pool. Takes 0.1 to 0.3 s; a silent serial port takes about
  /// 3 s to fail. Cancelling the task does not shorten this.
  ///
  /// - Parameters:
  ///   - connectionString: A libnfc connection string such as `pn532_uart:/dev/ttyUSB0`, or
  ///     `pcsc:NAME` with a part of the name of a PC/SC reader. If `nil`, the value of
  ///     `CLIPTAG_READER`, else of `LIBNFC_DEVICE`; if both are unset or empty, the first reader
  ///     that libnfc finds without writing to serial ports, else the only PC/SC reader.
  ///   - answerTimeout: The longest time for one response of a PC/SC reader or of the smart card
  ///     service, after which the reader is given up; libnfc has its own time-outs.
  ///   - clock: The clock of this reader's time-outs.
  /// - Throws: ``NFCReaderError``: `.libraryMissing` if libnfc is not installed, `.noReader` if
  ///   there is no reader or it does not open, `.readerBusy` if another process holds it,
  ///   `.readerFailed` if it opened and then rejected its settings. Nothing stays open or locked.
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
      // libnfc takes precedence; a PC/SC reader is used if it is the only one.
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
    try await reader.connect(
      Origin(library: library, system: system, pcsc: pcsc, recorder: SessionRecorder.current))
    return reader
  }

  /// Keeps libnfc silent on standard error, unless `LIBNFC_LOG_LEVEL` is set already, and prevents
  /// it from writing to every serial port in search of a reader, whatever its configuration.
  ///
  /// libnfc reads both settings from the environment, which no other thread may read or change at
  /// the same time: call this once, at the start of `main`, before any other thread runs. Otherwise
  /// the first reader that opens calls it.
  public static func silenceLibrary() {
    setenv("LIBNFC_LOG_LEVEL", "0", 0)
    setenv("LIBNFC_INTRUSIVE_SCAN", "no", 1)
  }

  private func connect(_ origin: Origin) throws(NFCReaderError) {
    self.origin = origin
    if let name = PCSCName(connectionString) {
      let calls = origin.recorder.map { origin.pcsc.recorded(by: $0) } ?? origin.pcsc
      device = try PCSCReaders.open(name, connectionString, calls)
      self.name = device?.chip() ?? connectionString
      origin.recorder?.opened(self.name, layer: .apdu)
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
    // libnfc reports a missing node on standard error, even if silenced. For an existing node, only
    // the driver knows whether it is usable.
    if lock == nil, let path = connection.path, system.node(path) == nil,
      let failure = OpenFailure.unusableNode(connection, system: system)
    {
      throw failure
    }
    // On a serial line, one response lost during the chip's setup is not a failure.
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
          .readerFailed, "the reader \(connectionString) cannot be configured: \(error)",
          hint: "unplug it and plug it in again", connectionString: connectionString,
          status: error)
      }
    }
    guard let device else {
      if let failure = OpenFailure.driverMissing(connection, calls: library.calls) { throw failure }
      throw OpenFailure.silent(connection, system: system)
    }
    name = device.chip() ?? connectionString
    if let recorder = origin.recorder {
      recorder.opened("\(name), \(connection.driver)", layer: .chipFrame)
      self.device = RecordingDevice(device, recorder)
    }
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

  /// Closes a USB reader and reopens it, which helps a reader that has lost synchronisation with
  /// libnfc ("Wrong reply", "Command Code verification failed").
  ///
  /// - Returns: `true` if it is open again. Otherwise the reader stays closed.
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

  /// Releases the tag, switches the field off and frees the port. A closed reader stays closed, and
  /// its tags no longer answer. Closing twice is harmless.
  ///
  /// Waits for a call in progress, then takes some milliseconds; up to about 3 s if the reader no
  /// longer answers. A reader that is released without this call closes itself a little later.
  public func close() async {
    device?.close()
    device = nil
    isSelected = false
  }
}
