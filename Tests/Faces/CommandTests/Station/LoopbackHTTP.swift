import CliptagPlatform
import Foundation
import Synchronization

/// HTTP/1.1 over a plain socket, so that a request may have the contents of a hostile one.
struct LoopbackHTTP: Sendable {
  let port: UInt16

  /// An answer of a server.
  struct Answer: Sendable {
    let status: Int
    /// Names in small letters, as often as they came.
    let headers: [(name: String, value: String)]
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var json: JSON { get throws { try JSON(parsing: text) } }
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
  }

  struct Trouble: Error, CustomStringConvertible {
    let description: String
  }

  /// Sends a request and reads the whole answer.
  ///
  /// - Parameter headers: Those that it carries besides the usual ones; a `Host` takes the place of
  ///   the usual one.
  func send(
    _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8] = []
  ) async throws -> Answer {
    let request = request(method, path, headers, body)
    let answer = try await onThread { [port] in
      let socket = try LoopbackSocket(port: port)
      try socket.write(request)
      return try socket.answer()
    }
    try StationDocument.check(method, path, answer)
    return answer
  }

  func request(
    _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]
  ) -> [UInt8] {
    var all = headers
    if all["Host"] == nil { all["Host"] = "127.0.0.1:\(port)" }
    if !body.isEmpty || method != "GET", all["Content-Length"] == nil {
      all["Content-Length"] = "\(body.count)"
    }
    // An empty value means that the header is absent.
    let lines = all.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map {
      "\($0): \($1)\r\n"
    }.joined()
    return Array("\(method) \(path) HTTP/1.1\r\nConnection: close\r\n\(lines)\r\n".utf8) + body
  }
}

/// Runs blocking work on a separate thread.
func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

/// A connection to this computer. A peer that is silent for long ends it with an error.
final class LoopbackSocket: Sendable {
  private let descriptor: Int32
  private let buffer = Mutex<[UInt8]>([])
  /// The longest silence, in seconds.
  private static let patience = 180

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      throw LoopbackHTTP.Trouble(description: "no connection to port \(port): errno \(errno)")
    }
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    for direction in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, direction, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit { close(descriptor) }

  /// Sends a request's head that announces a body, and a part of that body.
  static func unfinished(
    _ path: String, announcing size: Int, sending sent: Int = 0, to http: LoopbackHTTP,
    headers: [String: String] = [:]
  ) async throws -> LoopbackSocket {
    let all = headers.merging(["Content-Length": "\(size)"]) { $1 }
    let request =
      http.request("POST", path, all, []) + [UInt8](repeating: UInt8(ascii: "a"), count: sent)
    return try await onThread {
      let socket = try LoopbackSocket(port: http.port)
      try socket.write(request)
      return socket
    }
  }

  /// Begins as many requests of one session, each with a part of its body.
  static func unfinished(
    _ count: Int, _ path: String, announcing size: Int, sending sent: Int = 0,
    to client: StationClient
  ) async throws -> [LoopbackSocket] {
    var sockets: [LoopbackSocket] = []
    for _ in 0..<count {
      sockets.append(
        try await unfinished(
          path, announcing: size, sending: sent, to: client.http, headers: client.own))
    }
    return sockets
  }

  /// Begins as many requests, and further ones until a probe is refused.
  ///
  /// The station knows the requests before when it refuses one. On a slow machine the first of them
  /// reach their deadline before, and others take their places.
  static func unfinished(
    _ count: Int, _ path: String, announcing size: Int, sending sent: Int = 0,
    to client: StationClient, untilRefused isRefused: () async throws -> Bool
  ) async throws -> [LoopbackSocket] {
    var sockets = try await unfinished(
      count, path, announcing: size, sending: sent, to: client)
    while try await !isRefused() {
      guard sockets.count < 5 * count else {
        throw LoopbackHTTP.Trouble(description: "\(sockets.count) requests, and none was refused")
      }
      sockets += try await unfinished(1, path, announcing: size, sending: sent, to: client)
    }
    return sockets
  }

  /// Ends the connection; its reader reaches the end.
  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  func write(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        CliptagPlatform.send(
          descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      // A server that refuses a body need not read it: its answer is there.
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Further bytes; `nil` at the end.
  private func more() throws -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var count = recv(descriptor, &bytes, bytes.count, 0)
    // A signal that another test's program sends ends a wait with a time limit, too.
    while count < 0, errno == EINTR { count = recv(descriptor, &bytes, bytes.count, 0) }
    if count < 0, errno == ECONNRESET { return nil }
    guard count >= 0 else {
      throw LoopbackHTTP.Trouble(description: "nothing came for long: errno \(errno)")
    }
    return count == 0 ? nil : Array(bytes.prefix(count))
  }

  /// A line without its end; `nil` at the end of the connection.
  func line() throws -> String? {
    while true {
      let line: String? = buffer.withLock { buffer in
        guard let end = buffer.firstIndex(of: 10) else { return nil }
        let line = buffer[..<end].filter { $0 != 13 }
        buffer.removeFirst(end + 1)
        return String(decoding: line, as: UTF8.self)
      }
      if let line { return line }
      guard let more = try more() else { return nil }
      buffer.withLock { $0 += more }
    }
  }

  private func exactly(_ count: Int) throws -> [UInt8] {
    while buffer.withLock({ $0.count }) < count {
      guard let more = try more() else {
        throw LoopbackHTTP.Trouble(description: "the answer was cut off")
      }
      buffer.withLock { $0 += more }
    }
    return buffer.withLock { buffer in
      defer { buffer.removeFirst(count) }
      return Array(buffer.prefix(count))
    }
  }

  /// The answer's status and headers.
  func head() throws -> (status: Int, headers: [(name: String, value: String)]) {
    guard let first = try line(), first.hasPrefix("HTTP/1.1 "),
      let status = Int(first.dropFirst(9).prefix(3))
    else { throw LoopbackHTTP.Trouble(description: "no answer of HTTP came") }
    var headers: [(String, String)] = []
    while let line = try line(), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      headers.append((parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces)))
    }
    return (status, headers)
  }

  func answer() throws -> LoopbackHTTP.Answer {
    let (status, headers) = try head()
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    var bytes: [UInt8] = []
    if header("transfer-encoding") == "chunked" {
      while let chunk = try chunk() { bytes += chunk }
    } else if let length = header("content-length").flatMap({ Int($0) }) {
      bytes = try exactly(length)
    }
    return .init(status: status, headers: headers, bytes: bytes)
  }

  /// A part of a body that comes in parts (RFC 9112, section 7.1); `nil` behind the last.
  func chunk() throws -> [UInt8]? {
    guard let size = try line(), let count = Int(size, radix: 16), count > 0 else { return nil }
    let bytes = try exactly(count)
    _ = try line()
    return bytes
  }
}

/// Server-sent events, as a window hears them.
final class EventStream {
  struct Event: Sendable {
    let name: String
    let value: JSON
  }

  private let socket: LoopbackSocket
  private var events: AsyncStream<Event>.AsyncIterator
  /// The events that came and were passed over, for a test that fails.
  private(set) var heard: [Event] = []
  /// The time limit of a wait: the station sends an event every second, so that the limit is
  /// noticed.
  private let deadline: Deadline

  private final class Deadline: Sendable {
    private let time = Mutex(ContinuousClock.now)
    var isOver: Bool { time.withLock { $0 < .now } }
    func set() { time.withLock { $0 = .now + .seconds(240) } }
  }

  /// Begins to listen; the answer's status is that of a window that was let in.
  init(_ http: LoopbackHTTP, headers: [String: String]) async throws {
    let request = http.request("GET", "/api/events", headers, [])
    let port = http.port
    let socket = try await onThread {
      let socket = try LoopbackSocket(port: port)
      try socket.write(request)
      let (status, _) = try socket.head()
      guard status == 200 else {
        throw LoopbackHTTP.Trouble(description: "the events were refused with \(status)")
      }
      return socket
    }
    self.socket = socket
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    events = stream.makeAsyncIterator()
    let deadline = Deadline()
    deadline.set()
    self.deadline = deadline
    Thread.detachNewThread {
      var (text, name) = ([UInt8](), "")
      while !deadline.isOver, let chunk = try? socket.chunk() {
        text += chunk
        while let lineEnd = text.firstIndex(of: 10) {
          let line = String(decoding: text[..<lineEnd], as: UTF8.self)
          text.removeFirst(lineEnd + 1)
          if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
          if line.hasPrefix("data: "), let value = try? JSON(parsing: String(line.dropFirst(6))) {
            continuation.yield(Event(name: name, value: value))
          }
        }
      }
      continuation.finish()
    }
  }

  deinit { socket.hangUp() }

  /// Closes the window.
  func end() { socket.hangUp() }

  /// Returns the next event of a name that meets a condition.
  func next(
    _ name: String = "now", where isWanted: (JSON) -> Bool = { _ in true }
  ) async throws -> JSON {
    deadline.set()
    while let event = await events.next() {
      heard.append(event)
      if event.name == "now" { try Schemas.check(event.value, "Now", in: "event") }
      for result in event.value["results"].elements { try Schemas.check(result, in: event.name) }
      if event.name == name, isWanted(event.value) { return event.value }
    }
    throw LoopbackHTTP.Trouble(
      description: "no such event \(name) came, but "
        + heard.suffix(40).map { "\($0.name) \($0.value["phase"].text ?? "")" }.joined(
          separator: ", "))
  }

  /// The next state of a phase.
  func phase(_ phase: String, row: Int? = nil) async throws -> JSON {
    try await next { now in
      now["phase"].text == phase
        && (row == nil || now["row"]["number"].number == row.map(Double.init))
    }
  }
}
