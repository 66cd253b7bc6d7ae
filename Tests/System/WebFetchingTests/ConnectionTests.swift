import CliptagBasics
import CCurl
import CliptagPlatform
import Foundation
import LoopbackServer
import Testing
import WebFetching

@testable import WebFetching

@Suite("Connections that are refused")
struct ConnectionTests {
  @Test(
    "what is wrong with a certificate is told apart",
    arguments: [
      (LoopbackServer.Port.expired, WebFetchError.Code.certificateExpired),
      (.wrongHost, .certificateWrongHost),
      (.selfSigned, .certificateUnknownIssuer),
      (.unknownIssuer, .certificateUnknownIssuer),
      (.plain, .tlsFailed),
      (.closed, .cannotConnect),
    ])
  func refused(port: LoopbackServer.Port, code: WebFetchError.Code) async throws {
    try await withAnswer(.init(body: "secret")) { server in
      let error = try await failure(of: server.fetcher(at: port))
      #expect(error.code == code, "\(error)")
      #expect(error.message.contains(host))
      #expect(error.url == "https://\(host)/file")
    }
  }

  @Test("a certificate for other hosts is shown with the hosts it is for")
  func wrongHost() async throws {
    try await withAnswer(.init()) { server in
      let error = try await failure(of: server.fetcher(at: .wrongHost))
      #expect(error.certificate?.hosts == ["other.example.net"])
    }
  }

  @Test("the certificate of a system's authority is not trusted where another file is named")
  func otherAuthorities() async throws {
    try await withAnswer(.init()) { server in
      let missing = try server.fetcher { $0.certificateAuthorities = "/nonexistent/ca.pem" }
      #expect(try await failure(of: missing).code == .authoritiesUnreadable)
      let system = try server.fetcher { $0.certificateAuthorities = nil }
      let code = try await failure(of: system).code
      #expect([.certificateUnknownIssuer, .authoritiesUnreadable].contains(code))
    }
  }

  @Test("a name that nobody has is told as such")
  func unknownHost() async throws {
    // "invalid" never resolves (RFC 6761, 6.4); resolvers need not ask anyone.
    var policy = WebFetcher.Policy()
    policy.proxy = .direct
    let error = try await failure(of: WebFetcher(policy), "https://fruta.invalid/")
    #expect(error.code == .hostNotFound)
  }

  @Test("a proxy that refuses is told apart from a server that does")
  func refusingProxy() async throws {
    try await withAnswer(.init()) { server in
      let port = try server.port(.closed)
      let fetcher = try server.fetcher {
        $0.proxy = .server("http://no-such-proxy.invalid:\(port)")
      }
      #expect(try await failure(of: fetcher).code == .proxyFailed)
    }
  }

  @Test(
    "only HTTPS is fetched, and only what is a URL",
    arguments: [
      ("http://fruta.example.com/", WebFetchError.Code.notHTTPS),
      ("file:///etc/passwd", .notHTTPS),
      ("ftp://fruta.example.com/", .notHTTPS),
      ("https://user:word@fruta.example.com/", .invalidRequest),
      ("https://", .invalidRequest), ("", .invalidRequest),
      ("https://fruta.example.com/\0", .invalidRequest),
      ("https://fruta.example.com:99999/", .invalidRequest),
      ("https://fruta example.com/", .invalidRequest),
    ])
  func otherSchemes(url: String, code: WebFetchError.Code) async throws {
    #expect(try await failure(of: WebFetcher(), url).code == code)
  }

  @Test("a field cannot smuggle another one in")
  func smuggling() async throws {
    let fetcher = WebFetcher()
    for headers: HeaderFields in [["A": "b\r\nC: d"], ["A\r\nC": "d"], ["A:": "b"], ["": "b"]] {
      let error = await #expect(throws: WebFetchError.self) {
        try await fetcher.fetch(WebRequest("https://\(host)/", headers: headers))
      }
      #expect(error?.code == .invalidRequest)
    }
    let error = await #expect(throws: WebFetchError.self) {
      try await fetcher.fetch(WebRequest("https://\(host)/", method: "GET / HTTP/1.1\r\nX:"))
    }
    #expect(error?.code == .invalidRequest)
  }

  @Test("where libcurl is missing, the error says what to install")
  func missingLibrary() throws {
    #expect(ccurl_try("libcurl.so.4") == nil)
    let reason = try #require(ccurl_try("libcurl-that-is-not-there.so"))
    let error = CurlLibrary.missing(String(cString: reason), url: "https://\(host)/")
    #expect(error.message.contains("libcurl-that-is-not-there.so"))
    #expect(error.hint.contains("apt-get install libcurl4"))
    let other = try #require(ccurl_try("libz.so.1"))
    #expect(String(cString: other).contains("too old"))
  }
}

@Suite("Descriptors")
struct DescriptorTests {
  @Test("a program that is started does not inherit the connections to servers")
  func inheritance() async throws {
    try await withAnswer(.init(body: "whole")) { server in
      let fetcher = try server.fetcher()
      _ = try await fetcher.fetch(WebRequest("https://\(host)/file"))
      // The connection stays open for the next request.
      let connections = Self.connections(to: try server.port(.good))
      try #require(!connections.isEmpty)
      for connection in connections {
        #expect(fcntl(connection, F_GETFD) & FD_CLOEXEC != 0)
      }
      withExtendedLifetime(fetcher) {}
    }
  }

  /// This process's descriptors that are connected to a port of the loopback.
  private static func connections(to port: UInt16) -> [Int32] {
    (0..<Int32(sysconf(Int32(_SC_OPEN_MAX)))).filter { descriptor in
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutableBytes(of: &address) { bytes in
        getpeername(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
      }
      return status == 0 && Int32(address.sin_family) == AF_INET
        && UInt16(bigEndian: address.sin_port) == port
    }
  }
}

@Suite("What a certificate says")
struct CertificateFactsTests {
  @Test(
    "OpenSSL's dates are understood, and what is no date is not",
    arguments: [
      ("Jan  1 00:00:00 1970 GMT", 0.0), ("Nov 22 06:32:36 2026 GMT", 1_795_329_156),
      ("Feb 29 23:59:59 2028 GMT", 1_835_481_599),
      ("Nov 22 06:32:36 2026", nil), ("", nil), ("Foo 22 06:32:36 2026 GMT", nil),
      ("Nov 22 0632 2026 GMT", nil), ("Nov 99 06:32:36 2026 GMT", nil),
    ] as [(String, TimeInterval?)])
  func dates(text: String, seconds: TimeInterval?) {
    #expect(CertificateFacts.date(text[...])?.timeIntervalSince1970 == seconds)
  }

  @Test("only names of hosts are taken for hosts")
  func hosts() {
    let facts = CertificateFacts(lines: [
      "Subject:CN = a",
      "X509v3 Subject Alternative Name:DNS:a.example, IP Address:10.0.0.1, DNS:*.b",
      "no colon",
    ])
    #expect(facts.hosts == ["a.example", "*.b"])
    #expect(facts.subject == "CN = a")
    #expect(facts.validUntil == nil)
  }
}
