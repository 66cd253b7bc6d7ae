import LoopbackServer
import Testing
import WebFetching

@Suite("Limits on an answer")
struct LimitTests {
  @Test("a body may be as large as the limit and no larger")
  func bodyLimit() async throws {
    try await withAnswer(.init(body: String(repeating: "x", count: 1000))) { server in
      let enough = try server.fetcher { $0.maximumBodyBytes = 1000 }
      #expect(try await enough.fetch(WebRequest("https://\(host)/file")).body.count == 1000)
      let error = try await failure(of: try server.fetcher { $0.maximumBodyBytes = 999 })
      #expect(error.code == .tooLarge)
      #expect(error.message.contains("999 bytes"))
    }
  }

  @Test("a body without end is cut off at the limit")
  func endless() async throws {
    try await withAnswer(.init(how: .endless)) { server in
      let error = try await failure(of: server.fetcher())
      #expect(error.code == .tooLarge)
    }
  }

  @Test("a small file that unpacks to a large one is cut off at the limit")
  func bomb() async throws {
    try await withAnswer(.init(how: .bomb)) { server in
      let error = try await failure(of: server.fetcher())
      #expect(error.code == .tooLarge)
      let patient = try server.fetcher { $0.maximumBodyBytes = 16 << 20 }
      let response = try await patient.fetch(WebRequest("https://\(host)/file"))
      #expect(response.body.count == 16 << 20)
    }
  }

  @Test("a header of 90 kB is refused")
  func longHeader() async throws {
    try await withAnswer(.init(how: .longHeader)) { server in
      let error = try await failure(of: server.fetcher())
      #expect(error.code == .tooLarge)
      #expect(error.message.contains("header"))
    }
  }

  @Test("an answer that ends before its Content-Length is truncated")
  func truncated() async throws {
    try await withAnswer(.init(body: "{\"applinks\"", how: .cut)) { server in
      let error = try await failure(of: server.fetcher())
      #expect(error.code == .truncated)
      #expect(error.message.contains("11 bytes"))
    }
  }

  @Test("damaged gzip, and what is not HTTP, are bad answers")
  func garbage() async throws {
    let damaged = LoopbackServer.Answer(200, ["Content-Encoding": "gzip"], body: "no gzip")
    let answers = [
      "\(host)/gzip": damaged, "\(host)/text": .init(body: "SSH-2.0-OpenSSH\r\n", how: .raw),
      "\(host)/nothing": .init(how: .raw),
    ]
    try await LoopbackServer.run(answers) { server in
      let fetcher = try server.fetcher()
      #expect(try await failure(of: fetcher, "https://\(host)/gzip").code == .badResponse)
      #expect(try await failure(of: fetcher, "https://\(host)/text").code == .badResponse)
      #expect(try await failure(of: fetcher, "https://\(host)/nothing").code == .connectionLost)
    }
  }

  @Test("a server that never answers runs into the total time-out")
  func never() async throws {
    try await withAnswer(.init(how: .never)) { server in
      let error = try await failure(
        of: server.fetcher { $0.totalTimeout = .milliseconds(300) })
      #expect(error.code == .timedOut)
    }
  }

  @Test("a server that sends a byte now and then runs into the total time-out")
  func drip() async throws {
    try await withAnswer(.init(how: .drip)) { server in
      let error = try await failure(
        of: server.fetcher { $0.totalTimeout = .milliseconds(300) })
      #expect(error.code == .timedOut)
    }
  }

  @Test("a server that stops in the middle runs into the stall time-out")
  func stall() async throws {
    try await withAnswer(.init(body: "half", how: .stall)) { server in
      let error = try await failure(
        of: server.fetcher { $0.stallTimeout = .milliseconds(300) })
      #expect(error.code == .timedOut)
      #expect(error.message.hasPrefix("No data arrived from"))
    }
  }

  @Test("a server that accepts and says nothing runs into the connect time-out")
  func silent() async throws {
    try await LoopbackServer.run([:]) { server in
      let error = try await failure(
        of: server.fetcher(at: .silent) { $0.connectTimeout = .milliseconds(300) })
      #expect(error.code == .timedOut)
    }
  }

  @Test("cancelling the task ends the wait for a server that never answers")
  func cancellation() async throws {
    try await withAnswer(.init(how: .never)) { server in
      let fetcher = try server.fetcher()
      let task = Task { try await fetcher.fetch(WebRequest("https://\(host)/file")) }
      #expect(try await server.request() == "GET \(host)/file")
      task.cancel()
      let error = await #expect(throws: WebFetchError.self) { try await task.value }
      #expect(error?.code == .cancelled)
      // The fetcher serves the next request.
      let response = try await fetcher.fetch(WebRequest("https://\(host)/none"))
      #expect(response.status == 404)
    }
  }

  @Test("a task that is cancelled already asks for nothing")
  func cancelledBefore() async throws {
    try await withAnswer(.init()) { server in
      let fetcher = try server.fetcher()
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await fetcher.fetch(WebRequest("https://\(host)/file"))
      }
      let error = await #expect(throws: WebFetchError.self) { try await task.value }
      #expect(error?.code == .cancelled)
    }
  }
}
