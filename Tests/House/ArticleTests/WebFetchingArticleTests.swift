import LoopbackServer
import Testing
import WebFetching

@Suite("What the articles of WebFetching show is true") struct WebFetchingArticleTests {
  /// Lets a policy find the server under the host's name, and trust it alone.
  private static func meet(
    _ server: LoopbackServer, _ port: LoopbackServer.Port = .good,
    by policy: inout WebFetcher.Policy
  ) throws {
    policy.certificateAuthorities = server.authorities
    policy.proxy = .direct
    policy.endpoints["fruta.example.com"] = .init(
      address: "127.0.0.1", port: try server.port(port))
  }

  @Test("an answer is fetched within limits")
  func landingPage() async throws {
    let file = LoopbackServer.Answer(body: "hello")
    try await LoopbackServer.run(["fruta.example.com/file": file]) { server in
      var policy = WebFetcher.Policy()
      policy.maximumBodyBytes = 128 << 10
      policy.totalTimeout = .seconds(30)
      try Self.meet(server, by: &policy)
      let fetcher = WebFetcher(policy)
      let answer = try await fetcher.fetch(WebRequest("https://fruta.example.com/file"))
      print(answer.status, answer.headers["content-type"] ?? "", answer.body.count)
      #expect(answer.status == 200 && answer.body == Array("hello".utf8))
    }
  }

  @Test("a certificate that has ended is told as that")
  func telling() async throws {
    try await LoopbackServer.run([:]) { server in
      var policy = WebFetcher.Policy()
      try Self.meet(server, .expired, by: &policy)
      let fetcher = WebFetcher(policy)
      do throws(WebFetchError) {
        _ = try await fetcher.fetch(WebRequest("https://fruta.example.com/file"))
      } catch {
        print(error.code.rawValue)  // certificate-expired
        print(error.message, error.hint)
      }
      let error = await #expect(throws: WebFetchError.self) {
        _ = try await fetcher.fetch(WebRequest("https://fruta.example.com/file"))
      }
      #expect(error?.code == .certificateExpired)
    }
  }
}
