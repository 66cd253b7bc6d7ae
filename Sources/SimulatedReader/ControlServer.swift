import Glibc

/// The thread behind a ``ControlChannel``: accepts clients and answers their lines.
final class ControlServer: Sendable {
  /// The longest line that is looked at, in bytes.
  static let longestLine = 1024
  private static let mostClients = 16

  private let listener: Int32
  private let wake: Int32
  private let reader: SimulatedReader

  init(listener: Int32, wake: Int32, reader: SimulatedReader) {
    self.listener = listener
    self.wake = wake
    self.reader = reader
  }

  deinit {
    close(listener)
    close(wake)
  }

  /// Serves until the other end of `wake` is closed.
  func serve() {
    var clients: [Client] = []
    defer {
      for client in clients { close(client.descriptor) }
    }
    while true {
      var polled = ([wake, listener] + clients.map(\.descriptor)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { return }
      guard polled[0].revents == 0 else { return }
      for index in clients.indices where polled[index + 2].revents != 0 { serve(&clients[index]) }
      for client in clients where client.isGone { close(client.descriptor) }
      clients.removeAll(where: \.isGone)
      if polled[1].revents != 0 { accept(&clients) }
    }
  }

  private func accept(_ clients: inout [Client]) {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else { return }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var client = Client(descriptor: descriptor)
    guard clients.count < Self.mostClients else {
      client.send(.refused("too many clients; leave with another first"))
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
      // An empty line says nothing, and so it gets no answer.
      guard line.contains(where: { $0 != " " && $0 != "\t" && $0 != "\r" }) else { continue }
      do throws(SimulatedReaderError) {
        client.send(reader.perform(try SimulatorCommand(parsing: line)))
      } catch {
        client.send(.refused(error))
      }
    }
  }

  /// Somebody at the other end.
  private struct Client {
    let descriptor: Int32
    private(set) var isGone = false
    private var buffer: [UInt8] = []
    /// The line that is coming is too long: the rest of it is dropped.
    private var isTooLong = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The lines that are complete now; `nil` for one that was too long.
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

    /// Answers; a client that does not take its answers is left.
    mutating func send(_ answer: SimulatorAnswer) {
      let line = Array("\(answer)\n".utf8)
      let sent = Glibc.send(descriptor, line, line.count, Int32(MSG_NOSIGNAL))
      if sent != line.count { isGone = true }
    }
  }
}
