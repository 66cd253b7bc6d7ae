import Glibc

/// The two ends of a pseudo-terminal, and word of when a client closes it.
///
/// The client's end is held open here too, so that a client's close is no hang-up, and it is raw, so
/// that nothing echoes before the client has set its own mode. What a client leaves behind, the
/// terminal keeps as long as this end is open: see ``tidy()``.
///
/// Not copyable: one owner closes the descriptors.
struct PseudoTerminal: ~Copyable, Sendable {
  /// The path that clients open.
  let path: String
  /// The reader's end; non-blocking.
  let descriptor: Int32
  /// Becomes readable when a client that could write closes the terminal. Our own hold is read-only
  /// and so goes unnoticed, as does `stty`, which nfcpy runs in the middle of a session.
  let closeWatch: Int32
  private let hold: Int32

  /// Opens a pseudo-terminal without making it anybody's controlling terminal.
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
    // The writable descriptor goes before the watch comes: its close is no client's.
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

  /// Makes the terminal ready for the next client: drops what the last one left unread and its
  /// claim to exclusive use, which would shut the next one out, and makes it raw again.
  func tidy() {
    tcflush(hold, TCIFLUSH)
    _ = ioctl(hold, UInt(TIOCNXCL), 0)
    var mode = termios()
    // The next client may be here already and have set a raw mode of its own, which stays.
    guard tcgetattr(hold, &mode) == 0, mode.c_lflag & tcflag_t(ECHO | ICANON) != 0 else { return }
    cfmakeraw(&mode)
    tcsetattr(hold, TCSANOW, &mode)
  }

  /// Whether a client has closed the terminal since the last call.
  func hasBeenClosed() -> Bool {
    var events = [UInt8](repeating: 0, count: 1024)
    var hasEvents = false
    while read(closeWatch, &events, events.count) > 0 { hasEvents = true }
    return hasEvents
  }

  /// What the client has sent and nobody has taken yet; empty when there is nothing.
  func receive() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? Array(bytes[0..<count]) : []
  }

  /// Sends bytes to the client. What a client that never reads has no room for is lost, as on a
  /// serial line.
  func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  private static func unavailable(_ verb: String, _ error: Int32) -> SimulatedReaderError {
    SimulatedReaderError(
      .noPseudoTerminal, "A pseudo-terminal could not be \(verb): \(systemMessage(error)).",
      hint:
        "Check that /dev/pts is mounted and that fs.inotify.max_user_instances is not used up.",
      systemError: error)
  }
}
