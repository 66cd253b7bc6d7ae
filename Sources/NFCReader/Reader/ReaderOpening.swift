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
  ///   - connectionString: A libnfc connection string such as `pn532_uart:/dev/ttyUSB0`. When nil,
  ///     the value of `LIBNFC_DEVICE`; when that is unset or empty, the first reader libnfc finds
  ///     without writing to serial ports.
  ///   - clock: Measures the time-outs of this reader.
  /// - Throws: ``NFCReaderError``: `.libraryMissing` when libnfc is not installed, `.noReader` when
  ///   there is no reader or it does not open,
  ///   `.readerBusy` when another process holds it, `.readerFailed` when it opened and then did
  ///   not take its settings. Nothing stays open or locked.
  public static func open(
    _ connectionString: String? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async throws(NFCReaderError) -> NFCReader {
    try await open(connectionString, library: .shared, system: .live, clock: clock)
  }

  static func open(
    _ connectionString: String?, library: NFCLibrary, system: SystemView,
    clock: any Clock<Duration>
  ) async throws(NFCReaderError) -> NFCReader {
    if let reason = library.calls.trouble() { throw OpenFailure.libraryMissing(reason) }
    let executor = ReaderExecutor()
    let wanted = await executor.run {
      connectionString ?? system.preferredReader ?? library.devices().first
    }
    guard let wanted else { throw OpenFailure.nothingFound(system: system) }
    let reader = NFCReader(connectionString: wanted, executor: executor, clock: clock)
    try await reader.connect(library: library, system: system)
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

  private func connect(library: NFCLibrary, system: SystemView) throws(NFCReaderError) {
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
      do throws(NFCStatus) {
        device = try library.open(connection, system: system).map { handle in
          ReaderDevice(
            calls: library.calls, handle: handle, lock: lock, executor: executor,
            connection: connection)
        }
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
    guard let device else { throw OpenFailure.silent(connection, system: system) }
    name = device.chip() ?? connectionString
    origin = Origin(library: library, system: system)
  }

  /// Closes a USB reader and opens it anew, which is what helps one that has fallen out of step with
  /// libnfc ("Wrong reply", "Command Code verification failed").
  ///
  /// - Returns: Whether it is open again. If not, the reader stays closed.
  func reopen() -> Bool {
    guard let origin, device?.isUSB == true else { return false }
    device?.close()
    device = nil
    isSelected = false
    do {
      try connect(library: origin.library, system: origin.system)
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

/// Finds the reason for a failed opening that libnfc does not give.
enum OpenFailure {
  /// libnfc is not there.
  static func libraryMissing(_ reason: String) -> NFCReaderError {
    NFCReaderError(
      .libraryMissing, "libnfc cannot be used: \(reason)",
      hint: "install it (Debian: apt-get install libnfc6) and run the command again")
  }

  /// No reader was named and none was found.
  static func nothingFound(system: SystemView) -> NFCReaderError {
    let problems = ReaderDoctor(system: system).checkUSB().filter { $0.verdict == .problem }
    if let problem = problems.first {
      return NFCReaderError(
        .noReader, "no reader opens: \(problem.finding)", hint: problem.hint)
    }
    let ports = system.serialCandidates
    let hint =
      ports.isEmpty
      ? "plug a reader in, or say export LIBNFC_DEVICE=pn532_uart:/dev/ttyUSB0 with the port of yours"
      : "if one is behind \(ports.joined(separator: " or ")), say export "
        + "LIBNFC_DEVICE=pn532_uart:\(ports[0]) first"
    return NFCReaderError(.noReader, "no reader was found", hint: hint)
  }

  /// The serial port did not open or is locked.
  static func port(
    _ failure: PortLock.Failure, connection: ReaderConnection, system: SystemView
  ) -> NFCReaderError {
    let path = connection.path ?? connection.text
    switch failure {
    case .held:
      return busy(path, system.lockHolder(of: path), connection)
    case .tooManyFiles:
      return NFCReaderError(
        .noReader, "too many files are open in this process for libnfc to work safely",
        hint: "close some, or open the reader first", connectionString: connection.text)
    case .notATerminal, .unopened:
      if let failure = unusableNode(connection, system: system) { return failure }
      guard case .unopened(let code) = failure else {
        return NFCReaderError(
          .noReader, "\(path) is not a serial port",
          hint: "name the port of the reader, such as /dev/ttyUSB0",
          connectionString: connection.text)
      }
      guard !PortLock.isBusy(code) else {
        return busy(path, system.users(of: path).first, connection)
      }
      return NFCReaderError(
        .noReader, "\(path) does not open: \(PortLock.sentence(code))",
        hint: "plug the reader in again, or name its present port",
        connectionString: connection.text)
    }
  }

  /// libnfc did not open the reader.
  static func silent(_ connection: ReaderConnection, system: SystemView) -> NFCReaderError {
    guard let path = connection.path else {
      let problem = ReaderDoctor(system: system).checkUSB().first { $0.verdict == .problem }
      return NFCReaderError(
        .noReader,
        "the reader \(connection.text) does not open"
          + (problem.map { ": \($0.finding)" } ?? ""),
        hint: problem?.hint
          ?? "unplug it and plug it in again; see that libnfc supports it",
        connectionString: connection.text)
    }
    if let failure = unusableNode(connection, system: system) { return failure }
    let users = system.users(of: path)
    return NFCReaderError(
      .noReader,
      "nothing on \(path) answers as the driver \(connection.driver) expects"
        + (users.isEmpty ? "" : "; it is also open in \(PortHolder.list(users))"),
      hint: "see that a reader is connected there and set to this interface"
        + (connection.driver == "pn532_uart"
          ? "; one that another program left at another speed is found by reader doctor --repair"
          : ""),
      connectionString: connection.text)
  }

  private static func busy(
    _ path: String, _ holder: PortHolder?, _ connection: ReaderConnection
  ) -> NFCReaderError {
    NFCReaderError(
      .readerBusy, "\(path) is in use by \(holder?.description ?? "another program")",
      hint: "end that program, or use another reader", connectionString: connection.text)
  }

  /// What is wrong with the device node itself; who holds it is told otherwise.
  static func unusableNode(
    _ connection: ReaderConnection, system: SystemView
  ) -> NFCReaderError? {
    let checks = connection.path.map { ReaderDoctor(system: system).checkNode($0) } ?? []
    let problem = checks.first { $0.verdict == .problem && $0.subject != .holder }
    return problem.map {
      NFCReaderError(
        .noReader, $0.finding, hint: $0.hint, connectionString: connection.text)
    }
  }
}
