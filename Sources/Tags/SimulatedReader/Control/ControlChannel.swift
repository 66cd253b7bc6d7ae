import CliptagPlatform
import Synchronization

/// A Unix socket over which people (`socat - UNIX-CONNECT:PATH`) and programs control a running
/// ``SimulatedReader/SimulatedReader``.
///
/// Each line is a ``SimulatorCommand``, and each gets a reply of one line: `ok`, `ok` with the
/// requested value, or `error` with the reason. A client may send any number of lines and leave at
/// any time; up to sixteen clients may be connected at once. A line longer than 1024 bytes is
/// refused, and a line that ends because its client leaves is not executed. Only the user who runs
/// the reader may connect.
public final class ControlChannel: Sendable {
  /// The path of the socket.
  public let path: String
  private let thread: ServiceThread
  private let isClosed = Mutex(false)

  /// Opens the channel and serves it until it is released, closed, or the reader quits.
  ///
  /// - Parameters:
  ///   - path: The path at which the socket is created. A socket that no process serves any more is
  ///     replaced.
  ///   - reader: The reader to control. The channel retains it only while it serves.
  /// - Throws: `.noControlChannel` if the path is too long, is another type of file, or another
  ///   reader serves it.
  public init(path: String, reader: SimulatedReader) throws(SimulatedReaderError) {
    self.path = path
    let thread = try ServiceThread()
    let server = ControlServer(
      listener: try ControlSocket.listen(at: path), thread: thread, reader: reader)
    // Not before the socket is ours: a channel that is released removes it.
    self.thread = thread
    try thread.start { server.serve() }
  }

  deinit { close() }

  /// Closes the channel; the socket is removed at once, and its clients are disconnected soon
  /// after.
  public func close() {
    isClosed.withLock { isClosed in
      guard !isClosed else { return }
      isClosed = true
      unlink(path)
      thread.stop()
    }
  }
}

/// The system calls for the socket.
enum ControlSocket {
  /// Listens at a path, replacing a socket that no process serves any more.
  static func listen(at path: String) throws(SimulatedReaderError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard !path.isEmpty, path.utf8.count < room else {
      throw unavailable(path, "a socket's path has at most \(room - 1) bytes")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try clear(path, address)
    let descriptor = socket(
      AF_UNIX,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw unavailable(path, systemMessage(errno)) }
    guard call(bind, descriptor, address) == 0 else {
      let failure = errno
      close(descriptor)
      throw unavailable(path, systemMessage(failure))
    }
    chmod(path, 0o600)
    guard CliptagPlatform.listen(descriptor, 8) == 0 else {
      let failure = errno
      close(descriptor)
      unlink(path)
      throw unavailable(path, systemMessage(failure))
    }
    return descriptor
  }

  /// Clears the path: a socket without a server is removed; anything else stays and is an error.
  private static func clear(_ path: String, _ address: sockaddr_un) throws(SimulatedReaderError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw unavailable(path, "the path exists and is not a socket")
    }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard probe >= 0 else { throw unavailable(path, systemMessage(errno)) }
    defer { close(probe) }
    guard call(connect, probe, address) != 0, errno == ECONNREFUSED else {
      throw unavailable(path, "another reader uses it")
    }
    unlink(path)
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32,
    _ address: sockaddr_un
  ) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  static func unavailable(_ path: String, _ reason: String) -> SimulatedReaderError {
    SimulatedReaderError(
      .noControlChannel, "The control channel \(path) cannot be opened: \(reason).",
      hint: "Give an unused path in a writable folder.", path: path)
  }
}

/// The server behind a ``ControlChannel``: accepts clients and answers their lines.
final class ControlServer: Sendable {
  /// The longest accepted line, in bytes.
  static let longestLine = 1024
  private static let mostClients = 16

  private let listener: Int32
  private let thread: ServiceThread
  private let reader: SimulatedReader

  init(listener: Int32, thread: ServiceThread, reader: SimulatedReader) {
    self.listener = listener
    self.thread = thread
    self.reader = reader
  }

  deinit { close(listener) }

  /// Serves until the thread is stopped.
  func serve() {
    var clients: [Client] = []
    defer {
      for client in clients { close(client.descriptor) }
    }
    while true {
      let isReady = thread.wait(for: [listener] + clients.map(\.descriptor))
      guard !thread.isStopping else { return }
      for index in clients.indices where isReady[index + 1] { serve(&clients[index]) }
      for client in clients where client.isGone { close(client.descriptor) }
      clients.removeAll(where: \.isGone)
      if isReady[0] { accept(&clients) }
    }
  }

  private func accept(_ clients: inout [Client]) {
    let descriptor = CliptagPlatform.accept(listener, nil, nil)
    guard descriptor >= 0 else { return }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var client = Client(descriptor: descriptor)
    guard clients.count < Self.mostClients else {
      client.send(.refused("too many clients; disconnect another one first"))
      close(descriptor)
      return
    }
    clients.append(client)
  }

  private func serve(_ client: inout Client) {
    for line in client.takeLines() where !client.isGone {
      guard let line else {
        client.send(.refused("a line has at most \(Self.longestLine) bytes"))
        continue
      }
      // An empty line gets no reply.
      guard line.contains(where: { $0 != " " && $0 != "\t" && $0 != "\r" }) else { continue }
      do throws(SimulatedReaderError) {
        client.send(reader.perform(try SimulatorCommand(parsing: line)))
      } catch {
        client.send(.refused(error))
      }
    }
  }

  /// A connected client.
  private struct Client {
    let descriptor: Int32
    private(set) var isGone = false
    private var buffer: [UInt8] = []
    /// A Boolean value that indicates whether the incoming line is too long, so that its rest is
    /// dropped.
    private var isTooLong = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Returns the complete lines; `nil` for a line that was too long.
    mutating func takeLines() -> [String?] {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else {
        isGone = count == 0 || (errno != EAGAIN && errno != EINTR)
        return []
      }
      var lines: [String?] = []
      for byte in bytes[..<count] {
        if byte == 0x0A {
          lines.append(isTooLong ? nil : String(decoding: buffer, as: UTF8.self))
          buffer = []
          isTooLong = false
        } else if buffer.count < ControlServer.longestLine {
          buffer.append(byte)
        } else {
          isTooLong = true
        }
      }
      return lines
    }

    /// Sends a reply; a client that does not take its replies is dropped.
    mutating func send(_ answer: SimulatorAnswer) {
      let line = Array("\(answer)\n".utf8)
      let sent = CliptagPlatform.send(descriptor, line, line.count, Int32(MSG_NOSIGNAL))
      if sent != line.count { isGone = true }
    }
  }
}
