import Invocation
import LoopbackServer
import Publishing
import Testing
import WebFetching

private let host = associationHost
private let file = "{\"appclips\":{\"apps\":[\"A1B2C3D4E5.com.example.fruta.Clip\"]}}"

/// A file that is served as it should be, or with one difference.
private func served(
  _ body: String = file, type: String = "application/json",
  how: LoopbackServer.Manner = .whole
) -> LoopbackServer.Answer {
  LoopbackServer.Answer(200, ["Content-Type": type], body: body, how: how)
}

extension AssociationAnswer {
  fileprivate var codes: [String] { findings.map(\.finding.code.rawValue) }
  fileprivate var firstMessage: String { findings.first?.finding.message ?? "" }
}

@Suite("Fetching an association file from its host")
struct SiteFetchingTests {
  @Test("a file that is served as documented comes without a word")
  func good() async throws {
    try await withAssociationServer([wellKnownFile: served()]) { server in
      let answer = try await server.associationFetcher().fetchFromSite(host)
      #expect(answer.file == Array(file.utf8))
      #expect(answer.findings == [])
      #expect(answer.domainError == nil)
      #expect(answer.url == "https://\(wellKnownFile)")
      #expect(answer.source == .site)
      #expect(try await server.request() == "GET \(wellKnownFile)")
    }
  }

  @Test(
    "any type but that of JSON is a warning",
    arguments: [
      ("application/json; charset=utf-8", []), ("Application/JSON", []),
      ("application/pkcs7-mime", []),
      ("application/octet-stream", ["association-content-type"]),
      ("text/html", ["association-content-type"]), ("", ["association-content-type"]),
    ] as [(String, [String])])
  func contentType(type: String, codes: [String]) async throws {
    try await withAssociationServer([wellKnownFile: served(type: type)]) { server in
      let answer = try await server.associationFetcher().fetchFromSite(host)
      #expect(answer.codes == codes)
      #expect(answer.findings.allSatisfy { $0.finding.severity == .warning })
      #expect(answer.file != nil)
    }
  }

  @Test("a certificate that ends within two weeks is warned of")
  func certificateEnds() async throws {
    try await withAssociationServer([wellKnownFile: served()]) { server in
      let fetcher = try server.associationFetcher(daysAgo: 5.5)
      let answer = try await fetcher.fetchFromSite(host)
      #expect(answer.codes == ["association-certificate-ends"])
      #expect(answer.firstMessage.contains(" 6 days"))
    }
  }

  @Test("a redirect within the host is followed and warned of")
  func sameSite() async throws {
    let answers: [String: LoopbackServer.Answer] = [
      wellKnownFile: .init(301, ["Location": "/aasa.json"]), "\(host)/aasa.json": served(),
    ]
    try await withAssociationServer(answers) { server in
      let answer = try await server.associationFetcher().fetchFromSite(host)
      #expect(answer.file != nil)
      #expect(answer.url == "https://\(host)/aasa.json")
      #expect(answer.codes == ["association-redirect"])
      #expect(answer.findings[0].finding.severity == .warning)
    }
  }

  @Test(
    "every other redirect has its code of App Store Connect",
    arguments: [
      ("https://www.example.com/aasa.json", DomainErrorCode.crossSiteRedirectsForbidden),
      ("http://\(host)/aasa.json", .insecureRedirectsForbidden),
      ("/.well-known/apple-app-site-association", .tooManyRedirects),
      ("https://name@\(host)/", .badHTTPResponse),
    ])
  func redirects(location: String, code: DomainErrorCode) async throws {
    let answers = [wellKnownFile: LoopbackServer.Answer(302, ["Location": location])]
    try await withAssociationServer(answers) { server in
      let answer = try await server.associationFetcher().fetchFromSite(host)
      #expect(answer.file == nil)
      #expect(answer.domainError == code)
      #expect(answer.findings.map(\.domainError) == [code])
      #expect(answer.codes == ["association-not-fetched"])
    }
  }

  @Test("where /.well-known has no file, the root is looked at and warned of")
  func rootPath() async throws {
    try await withAssociationServer([rootFile: served()]) { server in
      let answer = try await server.associationFetcher().fetchFromSite(host)
      #expect(answer.file == Array(file.utf8))
      #expect(answer.url == "https://\(rootFile)")
      #expect(answer.codes == ["association-root-path"])
      #expect(answer.firstMessage.contains("status 404"))
    }
  }

  @Test("the file in /.well-known goes before that at the root")
  func wellKnownFirst() async throws {
    try await withAssociationServer([wellKnownFile: served("{}"), rootFile: served()]) { server in
      let answer = try await server.associationFetcher().fetchFromSite(host)
      #expect(answer.file == Array("{}".utf8))
    }
  }

  @Test("another status than 200 is a bad answer", arguments: [403, 404, 500])
  func statuses(status: Int) async throws {
    try await withAssociationServer([wellKnownFile: .init(status)]) { server in
      let answer = try await server.associationFetcher().fetchFromSite(host)
      #expect(answer.domainError == .badHTTPResponse)
      #expect(answer.response?.status == status)
      #expect(answer.url == "https://\(wellKnownFile)")
      #expect(answer.firstMessage.contains("status \(status)"))
    }
  }

  @Test(
    "what is wrong with a connection has its code of App Store Connect",
    arguments: [
      (LoopbackServer.Port.expired, DomainErrorCode.tlsError), (.wrongHost, .tlsError),
      (.selfSigned, .tlsError), (.unknownIssuer, .tlsError), (.plain, .tlsError),
      (.closed, .networkError),
    ])
  func connections(port: LoopbackServer.Port, code: DomainErrorCode) async throws {
    try await withAssociationServer([wellKnownFile: served()]) { server in
      let answer = try await server.associationFetcher(at: port).fetchFromSite(host)
      #expect(answer.domainError == code)
      #expect(answer.file == nil)
      #expect(answer.codes == ["association-not-fetched"])
    }
  }

  @Test(
    "what is wrong with an answer has its code of App Store Connect",
    arguments: [
      (LoopbackServer.Manner.never, DomainErrorCode.timeout), (.drip, .timeout),
      (.stall, .timeout), (.cut, .networkErrorTemporary), (.endless, .otherError),
      (.bomb, .otherError), (.raw, .badHTTPResponse),
    ])
  func answers(how: LoopbackServer.Manner, code: DomainErrorCode) async throws {
    try await withAssociationServer([wellKnownFile: served(how: how)]) { server in
      let fetcher = try server.associationFetcher {
        if code == .timeout { $0.totalTimeout = .milliseconds(300) }
      }
      let answer = try await fetcher.fetchFromSite(host)
      #expect(answer.domainError == code, "\(answer.firstMessage)")
      #expect(answer.file == nil)
    }
  }

  @Test("a file over 128 KB is had whole, so that its reader can tell its size")
  func large() async throws {
    let large = String(repeating: " ", count: SiteAssociation.maximumSize) + file
    try await withAssociationServer([wellKnownFile: served(large)]) { server in
      let answer = try await server.associationFetcher().fetchFromSite(host)
      let reading = SiteAssociation.read(try #require(answer.file))
      #expect(reading.findings.map(\.finding.code) == [.associationTooLarge])
    }
  }

  @Test("a name that resolves to nothing is a DNS error of the host")
  func unknownHost() async throws {
    var policy = AssociationFetcher.standardPolicy
    policy.proxy = .direct
    let answer = try await AssociationFetcher(policy).fetchFromSite("fruta.invalid")
    #expect(answer.domainError == .dnsError)
  }

  @Test(
    "what is no host is refused", arguments: ["", "a/b.example", "a@b.example", "10.0.0.1", "x"])
  func noHost(text: String) async throws {
    let site = await #expect(throws: WebFetchError.self) {
      try await AssociationFetcher().fetchFromSite(text)
    }
    #expect(site?.code == .invalidRequest)
    let network = await #expect(throws: WebFetchError.self) {
      try await AssociationFetcher().fetchFromCDN(text)
    }
    #expect(network?.code == .invalidRequest)
  }

  @Test("trouble of this computer is an error, not a fault of the host")
  func ownTrouble() async throws {
    try await withAssociationServer([wellKnownFile: served()]) { server in
      let fetcher = try server.associationFetcher {
        $0.certificateAuthorities = "/nonexistent/ca.pem"
      }
      let error = await #expect(throws: WebFetchError.self) {
        try await fetcher.fetchFromSite(host)
      }
      #expect(error?.code == .authoritiesUnreadable)
    }
  }
}
