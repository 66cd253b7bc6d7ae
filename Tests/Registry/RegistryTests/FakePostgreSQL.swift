import CliptagPlatform
import Foundation
import Synchronization

/// A server with as much of PostgreSQL's protocol (PostgreSQL documentation, chapter 55) as a test
/// needs, which sends what the test specifies. It listens on the loopback interface.
final class FakePostgreSQL: Sendable {
  /// The server's answer to a client's start-up message.
  enum Greeting: Sendable {
    /// The client is let in without a password.
    case welcome
    /// These bytes, and then nothing.
    case bytes([UInt8])
    /// No answer.
    case silence
  }

  let port: UInt16
  private let listener: Int32
  private let greeting: Greeting
  private let answer: @Sendable (_ statements: Int, _ send: ([UInt8]) -> Bool) -> Void
  private let heard = Mutex<[UInt8]>([])

  /// - Parameters:
  ///   - greeting: The response to a client that connects.
  ///   - answer: Answers a group of statements; what it sends is lost if the client has
  ///     disconnected.
  init(
    _ greeting: Greeting = .welcome,
    answer: @escaping @Sendable (_ statements: Int, _ send: ([UInt8]) -> Bool) -> Void = { _, _ in }
  ) throws {
    self.greeting = greeting
    self.answer = answer
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    Thread { [self] in accept() }.start()
  }

  deinit { close(listener) }

  /// Stops listening, so that the threads end.
  func end() { shutdown(listener, Int32(SHUT_RDWR)) }

  func address(_ rest: String = "", login: String = "ada") -> String {
    "postgresql://\(login)@127.0.0.1:\(port)/shop?gssencmode=disable\(rest)"
  }

  /// The types of the messages received.
  var messages: [UInt8] { heard.withLock { $0 } }

  private func accept() {
    while true {
      let client = CliptagPlatform.accept(listener, nil, nil)
      guard client >= 0 else { return }
      Thread { [self] in
        serve(client)
        close(client)
      }.start()
    }
  }

  private func serve(_ client: Int32) {
    func send(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          CliptagPlatform.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    func receive(_ count: Int) -> [UInt8]? {
      var bytes: [UInt8] = []
      while bytes.count < count {
        var part = [UInt8](repeating: 0, count: count - bytes.count)
        let got = recv(client, &part, part.count, 0)
        guard got > 0 else { return nil }
        bytes += part.prefix(got)
      }
      return bytes
    }
    func number(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    // Requests for encryption are refused; the start-up message follows.
    while true {
      guard let head = receive(8) else { return }
      guard receive(number(Array(head[0..<4])) - 8) != nil else { return }
      if number(Array(head[4...])) == 196_608 { break }
      guard send([UInt8(ascii: "N")]) else { return }
    }
    switch greeting {
    case .silence: break
    case .bytes(let bytes): _ = send(bytes)
    case .welcome:
      _ = send(
        Self.message("R", Self.int32(0))
          + Self.message("S", Array("server_version\u{0}15.0\u{0}".utf8))
          + Self.message("K", Self.int32(7) + Self.int32(8)) + Self.ready)
    }
    var statements = 0
    while let head = receive(5), let _ = receive(number(Array(head[1...])) - 4) {
      heard.withLock { $0.append(head[0]) }
      if head[0] == UInt8(ascii: "E") { statements += 1 }
      if head[0] == UInt8(ascii: "S") {
        answer(statements, send)
        statements = 0
      }
    }
  }

  // MARK: Messages

  static func message(_ kind: Unicode.Scalar, _ content: [UInt8] = []) -> [UInt8] {
    [UInt8(ascii: kind)] + int32(content.count + 4) + content
  }

  static func int32(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }
  static func int16(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

  static let ready = message("Z", [UInt8(ascii: "I")])
  static let prepared = message("1") + message("2")

  /// Returns the description of a row with one column.
  static func columns(_ name: String, type: Int) -> [UInt8] {
    message(
      "T",
      int16(1) + Array(name.utf8) + [0] + int32(0) + int16(0) + int32(type) + int16(-1 & 0xFFFF)
        + int32(0xFFFF_FFFF) + int16(1))
  }

  static func row(_ value: [UInt8]) -> [UInt8] {
    message("D", int16(1) + int32(value.count) + value)
  }

  static let done = message("C", Array("SELECT 1\u{0}".utf8))

  /// Returns an error message.
  static func error(_ state: String, _ text: String) -> [UInt8] {
    message(
      "E",
      Array("SFATAL\u{0}VFATAL\u{0}C\(state)\u{0}M\(text)\u{0}Fauth.c\u{0}L1\u{0}Rauth\u{0}".utf8)
        + [0])
  }
}
