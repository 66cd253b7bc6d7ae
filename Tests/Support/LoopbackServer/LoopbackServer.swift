import Foundation
import Subprocess
import SystemPackage

/// A server of HTTPS on the loopback that a test starts and that ends with it.
///
/// It is Python's `ssl` with certificates that openssl makes in a temporary folder; the kernel
/// chooses the ports.
package final class LoopbackServer {
  /// What stands behind a port.
  package enum Port: String, Codable, Sendable {
    /// TLS with a certificate of the trusted authority.
    case good
    /// The same with a certificate that ended yesterday.
    case expired
    /// With one that names another host.
    case wrongHost
    /// With one that is signed by itself.
    case selfSigned
    /// With one of an authority that is not trusted.
    case unknownIssuer
    /// HTTP without TLS.
    case plain
    /// Accepts connections and says nothing.
    case silent
    /// A proxy whose every tunnel leads to `good`.
    case proxy
    /// Accepts no connection.
    case closed
  }

  /// How an answer is given.
  package enum Manner: String, Codable, Sendable {
    /// As it should be.
    case whole
    /// The request itself, as JSON.
    case echo
    /// As it should be to whoever shows no token; 403 to others.
    case anonymous
    /// Not at all.
    case never
    /// The header, the body but for its last byte, and then nothing more.
    case stall
    /// The header, then a byte now and then.
    case drip
    /// The header, the body but for its last byte, and the end of the connection.
    case cut
    /// A body without end.
    case endless
    /// 16 MB of zeros in a few kilobytes of gzip.
    case bomb
    /// A header of 90 kB.
    case longHeader
    /// The body alone, whatever it is.
    case raw
  }

  /// One answer.
  package struct Answer: Encodable, Sendable {
    var status: Int
    var headers: [[String]]
    var body: Data
    var how: Manner

    /// Describes an answer.
    package init(
      _ status: Int = 200, _ headers: KeyValuePairs<String, String> = [:], body: String = "",
      how: Manner = .whole
    ) {
      self.status = status
      self.headers = headers.map { [$0.key, $0.value] }
      self.body = Data(body.utf8)
      self.how = how
    }
  }

  private struct Setting: Encodable {
    let hosts: [String]
    let answers: [String: [Answer]]
  }

  private struct Greeting: Decodable {
    let authorities: String
    let ports: [String: UInt16]
  }

  /// The certificate of the trusted authority, a PEM file.
  package let authorities: String
  private let ports: [String: UInt16]
  private var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

  private init(_ lines: SubprocessOutputSequence.StringSequence<UTF8>) async throws {
    self.lines = lines.makeAsyncIterator()
    guard let line = try await self.lines.next() else {
      throw LoopbackServerFailure(reason: "the server did not start")
    }
    let greeting = try JSONDecoder().decode(Greeting.self, from: Data(line.utf8))
    (authorities, ports) = (greeting.authorities, greeting.ports)
  }

  /// Runs a server while `body` runs.
  ///
  /// - Parameters:
  ///   - answers: By `host/path`, where the host may be `*`; everything else is 404.
  ///   - hosts: What the certificates are for.
  package static func run(
    _ answers: [String: Answer], hosts: [String] = ["fruta.example.com", "*.example.com"],
    body: @escaping @Sendable (LoopbackServer) async throws -> Void
  ) async throws {
    try await run(inTurn: answers.mapValues { [$0] }, hosts: hosts, body: body)
  }

  /// Runs a server whose answers change from one request to the next.
  ///
  /// - Parameters:
  ///   - answers: By `METHOD host/path` or `host/path`, with or without the query, the most exact
  ///     first. Each list is given from first to last, and its last answer from then on.
  ///   - hosts: What the certificates are for.
  package static func run(
    inTurn answers: [String: [Answer]], hosts: [String] = ["fruta.example.com", "*.example.com"],
    body: @escaping @Sendable (LoopbackServer) async throws -> Void
  ) async throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "server.py").path
    var setting = try JSONEncoder().encode(Setting(hosts: hosts, answers: answers))
    setting.append(contentsOf: "\n".utf8)
    let line = String(decoding: setting, as: UTF8.self)
    let result = try await Subprocess.run(
      .path("/usr/bin/python3"), arguments: [script], input: .inputWriter, output: .sequence,
      error: .string(limit: 1 << 20)
    ) { execution in
      _ = try await execution.standardInputWriter.write(line, using: UTF8.self)
      let server = try await LoopbackServer(execution.standardOutput.strings())
      try await body(server)
      try await execution.standardInputWriter.finish()
    }
    guard result.terminationStatus.isSuccess else {
      throw LoopbackServerFailure(reason: result.standardError)
    }
  }

  /// The number of a port.
  package func port(_ port: Port) throws -> UInt16 {
    guard let number = ports[port.rawValue] else {
      throw LoopbackServerFailure(reason: "there is no port \(port)")
    }
    return number
  }

  /// The next request, as `METHOD host/path`, once it has come.
  package func request() async throws -> String? { try await lines.next() }
}

/// Why there is no server.
package struct LoopbackServerFailure: Error {
  /// What Python or openssl said.
  package let reason: String
}
