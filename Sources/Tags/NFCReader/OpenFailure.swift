import CliptagBasics

/// Determines the reason for a failed opening, which libnfc does not report.
enum OpenFailure {
  /// The error for a missing libnfc.
  static func libraryMissing(_ reason: String) -> NFCReaderError {
    NFCReaderError(
      .libraryMissing, "libnfc cannot be used: \(reason)",
      hint: "install it (Debian: apt-get install libnfc6) and run the command again")
  }

  /// The error if no reader was named and none was found.
  ///
  /// - Parameter pcsc: The names of PC/SC readers, of which none could be chosen.
  static func nothingFound(system: SystemView, pcsc: [String] = []) -> NFCReaderError {
    if !pcsc.isEmpty {
      return NFCReaderError(
        .noReader, "there are \(pcsc.count) PC/SC readers, and none was selected",
        hint: "select one: \(pcsc.map(PCSCName.connectionString).joined(separator: ", or "))")
    }
    let problems = ReaderDoctor(system: system).checkUSB().filter { $0.verdict == .problem }
    if let problem = problems.first {
      return NFCReaderError(
        .noReader, "no reader opens: \(problem.finding)", hint: problem.advice)
    }
    let ports = system.serialCandidates
    let hint: Hint =
      ports.isEmpty
      ? "plug a reader in, or run export LIBNFC_DEVICE=pn532_uart:/dev/ttyUSB0 with its port"
      : "if one is on \(ports.joined(separator: " or ")), run export "
        + "LIBNFC_DEVICE=pn532_uart:\(ports[0]) first"
    return NFCReaderError(.noReader, "no reader was found", hint: hint)
  }

  /// The error for a serial port that did not open or is locked.
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
          hint: "give the port of the reader, such as /dev/ttyUSB0",
          connectionString: connection.text)
      }
      guard !PortLock.isBusy(code) else {
        return busy(path, system.users(of: path).first, connection)
      }
      return NFCReaderError(
        .noReader, "\(path) does not open: \(PortLock.sentence(code))",
        hint: "plug the reader in again, or give its current port",
        connectionString: connection.text)
    }
  }

  /// The error for a driver that libnfc lacks. Returns `nil` if libnfc has the driver, or if that
  /// is unknown for a driver known here.
  static func driverMissing(
    _ connection: ReaderConnection, calls: LibNFCCalls
  ) -> NFCReaderError? {
    // The name `usb` means any of the drivers that find their reader on USB.
    guard connection.driver != "usb" else { return nil }
    let hasDriver = calls.hasDriver(connection.driver)
    guard hasDriver == false || hasDriver == nil && !connection.isPN53x else { return nil }
    let isPCSC = connection.driver.hasSuffix("pcsc")
    return NFCReaderError(
      .noReader,
      hasDriver == false
        ? "this libnfc has no such driver: \(connection.driver)"
        : "the reader \(connection.text) does not open; this libnfc may have no such driver",
      hint: isPCSC
        ? "use cliptag's PC/SC, and write a part of the reader's name after pcsc:, such as "
          + "pcsc:ACR122"
        : "write it like pn532_uart:/dev/ttyUSB0, with the driver of your reader",
      connectionString: connection.text)
  }

  /// The error for a reader that libnfc did not open.
  static func silent(_ connection: ReaderConnection, system: SystemView) -> NFCReaderError {
    guard let path = connection.path else {
      let problem = ReaderDoctor(system: system).checkUSB().first { $0.verdict == .problem }
      return NFCReaderError(
        .noReader,
        "the reader \(connection.text) does not open"
          + (problem.map { ": \($0.finding)" } ?? ""),
        hint: problem?.advice
          ?? "unplug it and plug it in again; check that libnfc supports it",
        connectionString: connection.text)
    }
    if let failure = unusableNode(connection, system: system) { return failure }
    let users = system.users(of: path)
    return NFCReaderError(
      .noReader,
      "no device on \(path) responds to the driver \(connection.driver)"
        + (users.isEmpty ? "" : "; it is also open in \(PortHolder.list(users))"),
      hint: "check that a reader is connected there and set to this interface"
        + (connection.driver == "pn532_uart"
          ? "; if another program left it at another speed, \(.repairSpeed)"
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

  /// The error for a fault of the device node itself, except for its holder.
  static func unusableNode(
    _ connection: ReaderConnection, system: SystemView
  ) -> NFCReaderError? {
    let checks = connection.path.map { ReaderDoctor(system: system).checkNode($0) } ?? []
    let problem = checks.first { $0.verdict == .problem && $0.subject != .holder }
    return problem.map {
      NFCReaderError(
        .noReader, $0.finding, hint: $0.advice, connectionString: connection.text)
    }
  }
}
