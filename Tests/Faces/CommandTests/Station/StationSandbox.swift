import CliptagBasics
import Foundation
import SimulatedReader
import Subprocess
import TagTypes
import Testing

/// A station that runs in a sandbox, and its first client.
final class RunningStation {
  let sandbox: Sandbox
  /// The first visitor's session.
  let client: StationClient
  /// The link as it was printed.
  let link: String
  /// The output before the link.
  let notes: [String]
  private let running: RunningCommand

  fileprivate init(_ running: RunningCommand, in sandbox: Sandbox) async throws {
    self.running = running
    self.sandbox = sandbox
    (notes, link) = try await Self.firstLink(running)
    client = try await StationClient(link: link)
  }

  private static func firstLink(
    _ running: RunningCommand
  ) async throws -> (notes: [String], link: String) {
    var notes: [String] = []
    while let line = try await running.line() {
      guard line.hasPrefix("{") else {
        notes.append(line)
        continue
      }
      return (notes, try #require(try JSON(parsing: line)["url"].text, "\(line)"))
    }
    throw LoopbackHTTP.Trouble(description: "the station ended without a link")
  }

  /// The link that was printed because the one before was used.
  func nextLink() async throws -> String {
    let words = "another browser: "
    while let line = try await running.line() {
      if line.hasPrefix(words) { return String(line.dropFirst(words.count)) }
    }
    throw LoopbackHTTP.Trouble(description: "the station ended without another link")
  }

  /// The station's process.
  private var process: String {
    get throws {
      try #require(
        sandbox.processes().first {
          let words = FileManager.default.contents(atPath: "/proc/\($0)/cmdline") ?? Data()
          return words.starts(with: Data("cliptag\0station\0".utf8))
        })
    }
  }

  /// The most memory that it ever had, in bytes.
  var peakMemory: Int {
    get throws {
      let status = try String(contentsOfFile: "/proc/\(try process)/status", encoding: .utf8)
      let kibibytes = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/)?.1)
      return try #require(Int(kibibytes)) << 10
    }
  }

  /// The time that processors spent on it.
  var processorTime: Duration {
    get throws {
      let stat = try String(contentsOfFile: "/proc/\(try process)/stat", encoding: .utf8)
      // Behind the name in brackets, which may hold anything: fields 14 and 15 of proc(5).
      let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
      try #require(fields.count > 12)
      let ticks = try #require(Int(fields[11])) + #require(Int(fields[12]))
      return .seconds(Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK))))
    }
  }

  /// Stops it or lets it go on, as a busy or sleeping computer does.
  func send(_ signal: Signal) throws { try running.send(signal) }

  /// Ends it at once, as a crash does, and waits until it is gone.
  func kill() async throws {
    try running.send(.kill)
    _ = try await running.remainingLines()
  }
}

extension Sandbox {
  /// Runs a station while `body` uses it, and ends it.
  @discardableResult
  func station(
    _ options: String..., port: String? = "0", on reader: SimulatedReader? = nil,
    environment: [String: String] = [:],
    body: @escaping @Sendable (RunningStation) async throws -> Void
  ) async throws -> Outcome {
    try await station(options, port: port, on: reader, environment: environment, body: body)
  }

  /// Runs a station while `body` uses it, and ends it.
  ///
  /// - Parameter port: The port that it is given: any, so that stations of other tests are not in
  ///   its way.
  @discardableResult
  func station(
    _ options: [String], port: String? = "0", on reader: SimulatedReader? = nil,
    environment: [String: String] = [:],
    body: @escaping @Sendable (RunningStation) async throws -> Void
  ) async throws -> Outcome {
    let reader = reader.map { ["--reader", $0.connectionString] } ?? []
    // Links after the first come on standard error, which is wanted line by line, too.
    return try await startShell(
      "exec cliptag station --json \"$@\" 2>&1",
      options + (port.map { ["--port", $0] } ?? []) + reader, environment: environment
    ) { running in
      do {
        try await body(try await RunningStation(running, in: self))
      } catch {
        try? running.send(.kill)
        throw error
      }
      try? running.send(.resume)
      // A station that was killed accepts no requests.
      try? running.send(.terminate)
      _ = try await running.remainingLines()
    }
  }
}

/// A program that talks to a station, with a separate session.
struct StationClient: Sendable {
  let http: LoopbackHTTP
  let session: String

  var port: UInt16 { http.port }

  /// Opens a link.
  init(link: String) async throws {
    let answer: LoopbackHTTP.Answer
    (http, answer) = try await Self.open(link, at: "/api/session")
    try #require(answer.status == 200, "\(answer.text)")
    session = try #require(try answer.json["session"].text)
  }

  /// Sends a link's token.
  static func open(
    _ link: String, at path: String
  ) async throws -> (http: LoopbackHTTP, answer: LoopbackHTTP.Answer) {
    let parts = try #require(URLComponents(string: link))
    let http = LoopbackHTTP(port: UInt16(try #require(parts.port)))
    let token = try #require(parts.queryItems?.first { $0.name == "token" }?.value)
    let answer = try await http.send(
      "POST", path, headers: ["Content-Type": "application/json"],
      body: Array(#"{"token":"\#(token)"}"#.utf8))
    return (http, answer)
  }

  /// The headers of its requests.
  var own: [String: String] { ["Authorization": "Bearer \(session)"] }

  func send(
    _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8] = []
  ) async throws -> LoopbackHTTP.Answer {
    try await http.send(method, path, headers: own.merging(headers) { $1 }, body: body)
  }

  /// Asks for JSON.
  func get(_ path: String) async throws -> JSON { try await send("GET", path).json }

  /// Asks for a page, as a browser without JavaScript does.
  func page(_ path: String, language: String = "en") async throws -> LoopbackHTTP.Answer {
    try await send("GET", path, headers: ["Accept": "text/html", "Accept-Language": language])
  }

  /// Sends JSON; the answer has to be one of a command.
  @discardableResult
  func post(
    _ path: String, _ body: [String: JSON] = [:], job: String? = nil
  ) async throws -> JSON {
    let bytes = try JSONEncoder().encode(JSON.object(body))
    var headers = ["Content-Type": "application/json"]
    headers["X-Job"] = job
    return try await send("POST", path, headers: headers, body: Array(bytes)).json
  }

  /// Sends a file.
  func upload(_ path: String, _ bytes: [UInt8], type: String = "image/jpeg") async throws -> JSON {
    try await send("POST", path, headers: ["Content-Type": type], body: bytes).json
  }

  /// Opens a window.
  func events() async throws -> EventStream { try await EventStream(http, headers: own) }

  /// Begins a batch.
  @discardableResult
  func start(_ batch: String, csv: String? = nil, _ options: [String: JSON] = [:]) async throws
    -> JSON
  {
    var body: [String: JSON] = ["batch": .string(batch), "options": .object(options)]
    if let csv { body["csv"] = .string(csv) }
    let answer = try await post("/api/batches/start", body)
    try #require(answer["status"] == 0, "\(answer)")
    return answer
  }
}

/// The parts of a session that a browser keeps: a cookie, and the secret that its pages send.
struct BrowserSession: Sendable {
  let cookie: [String: String]
  let page: [String: String]
  let view: String

  /// Opens a link, as its page does.
  init(link: String) async throws {
    let (_, answer) = try await StationClient.open(link, at: "/open")
    try #require(answer.status == 200, "\(answer.text)")
    let header = try #require(answer.header("set-cookie"))
    cookie = ["Cookie": String(header.prefix { $0 != ";" })]
    page = ["X-CSRF-Token": try #require(try answer.json["page"].text)]
    view = try #require(try answer.json["view"].text)
  }

  /// The headers of its page's requests.
  var headers: [String: String] { cookie.merging(page) { $1 } }
}

extension JSON: Encodable {
  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null, .absent: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .number(let number): try value.encode(number)
    case .string(let text): try value.encode(text)
    case .array(let elements): try value.encode(elements)
    case .object(let members): try value.encode(members)
    }
  }

  /// The objects of a type among a command's results.
  func results(_ type: String) -> [JSON] {
    self["results"].elements.filter { $0["type"].text == type }
  }

  /// The code of the first failure of an answer.
  var failure: String? { results("error").first?["code"].text }
}

/// Tables of a restaurant and their tags.
enum Tables {
  static func url(_ row: Int) -> String { "\(Fruta.cupertino)/table/\(row)" }

  static func csv(_ rows: Int) -> String {
    "url,label\n" + (1...rows).map { "\(url($0)),Table \($0)\n" }.joined()
  }

  static func uid(_ number: UInt8) -> String { [4, 1, 2, 3, 4, 5, number].hexadecimal }

  static func tag(_ number: UInt8) throws -> SimulatedTag {
    try SimulatedTag(.ntag213, uid: [4, 1, 2, 3, 4, 5, number])
  }

  /// Returns a reader on which one tag after another is laid, as by a person at the bench.
  static func deck(_ count: Int, faults: [Fault] = []) throws -> SimulatedReader {
    try SimulatedReader(
      deck: SimulatedDeck(.ntag213, count: count, firstUID: [4, 1, 2, 3, 4, 5, 1]), faults: faults)
  }
}
