import LoopbackServer
import Testing
import WebFetching

@Suite("Addresses of this computer and of private networks")
struct PrivateAddressTests {
  private static let fetcher = WebFetcher(
    {
      var policy = WebFetcher.Policy()
      policy.proxy = .direct
      return policy
    }())

  @Test(
    "none is connected to unless that was asked for, however it is written",
    arguments: [
      "127.0.0.1", "127.1.2.3", "localhost", "0.0.0.0", "10.0.0.1", "100.64.0.1", "169.254.169.254",
      "172.16.0.1", "172.31.255.255", "192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255",
      "2130706433", "0x7f000001", "[::1]", "[::]", "[fe80::1]", "[fc00::1]", "[fd12:3456::1]",
      "[ff02::1]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[::192.168.0.1]",
      "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]",
    ])
  func refused(address: String) async throws {
    let error = try await failure(of: Self.fetcher, "https://\(address)/file")
    #expect(error.code == .privateAddress, "\(error)")
  }

  @Test("who allows them, or names the address, is let through")
  func allowed() async throws {
    try await withAnswer(.init(body: "here")) { server in
      let named = try await server.fetcher().fetch(WebRequest("https://\(host)/file"))
      #expect(named.body == Array("here".utf8))
      let port = try server.port(.good)
      let refused = try server.fetcher(hosts: [])
      #expect(
        try await failure(of: refused, "https://localhost:\(port)/file").code == .privateAddress)
      let open = try server.fetcher(hosts: []) { $0.allowsPrivateAddresses = true }
      // The server's certificate is for another host: it was connected to.
      #expect(
        try await failure(of: open, "https://localhost:\(port)/file").code == .certificateWrongHost)
    }
  }
}
