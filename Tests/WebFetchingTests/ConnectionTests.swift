import CCurl
import LoopbackServer
import Testing

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
