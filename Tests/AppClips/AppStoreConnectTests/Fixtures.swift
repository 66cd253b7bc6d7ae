import AppStoreConnect
import CCrypto
import LoopbackServer
import Synchronization
import TestSupport
import Testing
import WebFetching

let connectHost = "api.appstoreconnect.apple.com"
/// Where pictures are sent.
let storeHost = "store.example.com"

/// A key that `openssl genpkey` made for these tests; it opens nothing.
let keyFile = """
  -----BEGIN PRIVATE KEY-----
  MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZAFCwruJiAi8FJaa
  JEsgpmVt/RDUUC4Q0+9oRLLB7DmhRANCAARSV/zZCLooiZJ+HXxLkHNvXSH9Fn1Q
  Jgu2a2myNS1u1WJdUw58Z7T7RLgqqMet3vSn3FAtV74zurhh1XPv1zae
  -----END PRIVATE KEY-----
  """

/// Its public half, uncompressed (SEC 1, 2.3.3), as `openssl pkey -text` prints it.
let publicPoint: [UInt8] = [
  0x04, 0x52, 0x57, 0xFC, 0xD9, 0x08, 0xBA, 0x28, 0x89, 0x92, 0x7E, 0x1D, 0x7C, 0x4B,
  0x90, 0x73, 0x6F, 0x5D, 0x21, 0xFD, 0x16, 0x7D, 0x50, 0x26, 0x0B, 0xB6, 0x6B, 0x69,
  0xB2, 0x35, 0x2D, 0x6E, 0xD5, 0x62, 0x5D, 0x53, 0x0E, 0x7C, 0x67, 0xB4, 0xFB, 0x44,
  0xB8, 0x2A, 0xA8, 0xC7, 0xAD, 0xDE, 0xF4, 0xA7, 0xDC, 0x50, 0x2D, 0x57, 0xBE, 0x33,
  0xBA, 0xB8, 0x61, 0xD5, 0x73, 0xEF, 0xD7, 0x36, 0x9E,
]

func testCredentials(issuer: String? = "57246542-96fe-1a63-e053-0824d011072a") throws -> Credentials
{
  try Credentials(
    key: SigningKey(Array(keyFile.utf8)), keyID: "2X9R4HXF34", issuerID: issuer)
}

extension LoopbackServer {
  /// Runs App Store Connect: answers by path, such as `/v1/apps/1`, and by host and path.
  static func connect(
    _ answers: [String: [Answer]], body: @escaping @Sendable (LoopbackServer) async throws -> Void
  ) async throws {
    var byKey: [String: [Answer]] = [:]
    for (key, list) in answers {
      let words = key.split(separator: " ")
      let place = String(words.last ?? "")
      let path = place.hasPrefix("/") ? connectHost + place : place
      byKey[words.count > 1 ? "\(words[0]) \(path)" : path] = list
    }
    try await run(inTurn: byKey, hosts: [connectHost, storeHost], body: body)
  }

  /// A client that finds this server where App Store Connect is.
  func client(
    clock: ManualClock = ManualClock(), patience: ConnectClient.Patience = .init(),
    secondsSince1970: @escaping @Sendable () -> Int = { 1_790_000_000 },
    _ change: (inout WebFetcher.Policy) -> Void = { _ in }
  ) throws -> ConnectClient {
    var policy = ConnectClient.fetching
    policy.certificateAuthorities = authorities
    policy.proxy = .direct
    policy.connectTimeout = .seconds(300)
    policy.stallTimeout = .seconds(300)
    policy.totalTimeout = .seconds(600)
    for host in [connectHost, storeHost] {
      policy.endpoints[host] = .init(address: "127.0.0.1", port: try port(.good))
    }
    change(&policy)
    return ConnectClient(
      try testCredentials(), fetcher: WebFetcher(policy), patience: patience, clock: clock,
      secondsSince1970: secondsSince1970)
  }
}

/// What a request fails with.
func failure(
  of client: ConnectClient, _ request: ConnectRequest = ConnectRequest("/v1/apps/1")
) async throws -> AppStoreConnectError {
  try await #require(throws: AppStoreConnectError.self) { _ = try await client.send(request) }
}
