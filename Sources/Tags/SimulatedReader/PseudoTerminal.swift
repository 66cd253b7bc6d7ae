import CliptagPlatform

/// The two ends of a pseudo-terminal, and a watch that reports when a client closes it.
///
/// The client's end is also held open here, so that a client's close is no hang-up, and it is raw,
/// so that nothing echoes before the client has set its mode. The terminal keeps the state that a
/// client leaves as long as this end is open: see ``tidy()``.
///
/// Not copyable: one owner closes the descriptors.
struct PseudoTerminal: ~Copyable, Sendable {
  /// The path that clients open.
  let path: String
  /// The reader's end; non-blocking.
  let descriptor: Int32
  /// A descriptor that becomes readable when a client with write access closes the terminal. Our
  /// own descriptor is read-only and so goes unnoticed, as does `stty`, which nfcpy runs in the
  /// middle of a session.
  let closeWatch: Int32
  private let hold: Int32

  /// Opens a pseudo-terminal without making it a controlling terminal.
  ///
  /// - Throws: `.noPseudoTerminal`.
  init() throws(SimulatedReaderError) {
    var reader: Int32 = -1
    var client: Int32 = -1
    guard openpty(&reader, &client, nil, nil, nil) == 0 else {
      throw Self.unavailable("opened", errno)
    }
    var name = [CChar](repeating: 0, count: 128)
    let failure = ttyname_r(client, &name, name.count - 1)
    // The writable descriptor is closed before the watch begins, because its close is not a
    // client's.
    close(client)
    guard failure == 0 else {
      close(reader)
      throw Self.unavailable("named", failure)
    }
    let clientPath = name.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    let watch = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard watch >= 0, inotify_add_watch(watch, clientPath, UInt32(IN_CLOSE_WRITE)) >= 0 else {
      let failure = errno
      if watch >= 0 { close(watch) }
      close(reader)
      throw Self.unavailable("watched", failure)
    }
    let held = open(clientPath, O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard held >= 0 else {
      let failure = errno
      close(watch)
      close(reader)
      throw Self.unavailable("held open", failure)
    }
    _ = fcntl(reader, F_SETFD, FD_CLOEXEC)
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
    path = clientPath
    descriptor = reader
    closeWatch = watch
    hold = held
    tidy()
  }

  deinit {
    close(hold)
    close(closeWatch)
    close(descriptor)
  }

  /// Prepares the terminal for the next client: discards unread bytes of the last one, releases its
  /// claim to exclusive use, which would exclude the next one, and makes the terminal raw again.
  func tidy() {
    tcflush(hold, TCIFLUSH)
    _ = ioctl(hold, UInt(TIOCNXCL), 0)
    var mode = termios()
    // The next client may already have set its own raw mode, which stays.
    guard tcgetattr(hold, &mode) == 0, mode.c_lflag & tcflag_t(ECHO | ICANON) != 0 else { return }
    cfmakeraw(&mode)
    tcsetattr(hold, TCSANOW, &mode)
  }

  /// Returns `true` if a client has closed the terminal since the last call.
  func hasBeenClosed() -> Bool {
    var events = [UInt8](repeating: 0, count: 1024)
    var hasEvents = false
    while read(closeWatch, &events, events.count) > 0 { hasEvents = true }
    return hasEvents
  }

  /// Returns the bytes that the client has sent since the last call; may be empty.
  func receive() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? Array(bytes[0..<count]) : []
  }

  /// Sends bytes to the client. Bytes that exceed the buffer of a client that never reads are lost,
  /// as on a serial line.
  func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  private static func unavailable(_ verb: String, _ error: Int32) -> SimulatedReaderError {
    SimulatedReaderError(
      .noPseudoTerminal, "A pseudo-terminal could not be \(verb): \(systemMessage(error)).",
      hint:
        "Check that /dev/pts is mounted and that fs.inotify.max_user_instances is not exhausted.",
      systemError: error)
  }
}
