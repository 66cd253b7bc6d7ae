import LoopbackServer
import Testing
import WebFetching

/// The host that the servers' certificates are for.
let host = "fruta.example.com"

extension LoopbackServer {
  /// A fetcher that finds this server wherever it looks, and trusts its authority alone.
  func fetcher(
    at port: Port = .good, hosts: [String] = [host, "www.example.com"],
    _ change: (inout WebFetcher.Policy) -> Void = { _ in }
  ) throws -> WebFetcher {
    var policy = WebFetcher.Policy()
    policy.certificateAuthorities = authorities
    policy.proxy = .direct
    // Only tests of time-outs change these: a slow machine must not be what they find.
    policy.connectTimeout = .seconds(300)
    policy.stallTimeout = .seconds(300)
    policy.totalTimeout = .seconds(600)
    for host in hosts {
      policy.endpoints[host] = .init(address: "127.0.0.1", port: try self.port(port))
    }
    change(&policy)
    return WebFetcher(policy)
  }
}

/// Runs a server with one answer, at `https://fruta.example.com/file`.
func withAnswer(
  _ answer: LoopbackServer.Answer, body: @escaping @Sendable (LoopbackServer) async throws -> Void
) async throws {
  try await LoopbackServer.run(["\(host)/file": answer], body: body)
}

/// What a request fails with.
func failure(
  of fetcher: WebFetcher, _ url: String = "https://\(host)/file"
) async throws -> WebFetchError {
  try await #require(throws: WebFetchError.self) {
    _ = try await fetcher.fetch(WebRequest(url))
  }
}
