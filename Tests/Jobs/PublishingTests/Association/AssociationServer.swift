import Foundation
import LoopbackServer
import WebFetching

@testable import Publishing

/// The host whose file is asked for, and where its file may be.
let associationHost = "fruta.example.com"
let wellKnownFile = "\(associationHost)/.well-known/apple-app-site-association"
let rootFile = "\(associationHost)/apple-app-site-association"

/// Runs a server that is the host, another one, and Apple's network.
func withAssociationServer(
  _ answers: [String: LoopbackServer.Answer],
  body: @escaping @Sendable (LoopbackServer) async throws -> Void
) async throws {
  try await LoopbackServer.run(
    answers, hosts: [associationHost, "*.example.com", AssociationFetcher.cdnHost], body: body)
}

extension LoopbackServer {
  /// A fetcher that finds this server wherever it looks.
  ///
  /// - Parameter daysAgo: In what past the fetcher believes to live: the certificates are made
  ///   now, for a day.
  func associationFetcher(
    at port: Port = .good, daysAgo: Double = 20,
    _ change: (inout WebFetcher.Policy) -> Void = { _ in }
  ) throws -> AssociationFetcher {
    var policy = AssociationFetcher.standardPolicy
    policy.certificateAuthorities = authorities
    policy.proxy = .direct
    // Only tests of time-outs change these: a slow machine must not be what they find.
    policy.connectTimeout = .seconds(300)
    policy.stallTimeout = .seconds(300)
    policy.totalTimeout = .seconds(600)
    for host in [associationHost, "www.example.com", AssociationFetcher.cdnHost] {
      policy.endpoints[host] = .init(address: "127.0.0.1", port: try self.port(port))
    }
    change(&policy)
    return AssociationFetcher(policy) { Date(timeIntervalSinceNow: -86_400 * daysAgo) }
  }
}
