import LoopbackServer
import Testing
@testable import WebFetching

@Suite("Redirects")
struct RedirectTests {
  private let answers: [String: LoopbackServer.Answer] = [
    "\(host)/same": .init(301, ["Location": "/file"]),
    "\(host)/cross": .init(302, ["Location": "https://www.example.com/file"]),
    "\(host)/insecure": .init(307, ["Location": "http://\(host)/file"]),
    "\(host)/loop": .init(302, ["Location": "loop"]),
    "\(host)/user": .init(302, ["Location": "https://user@\(host)/file"]),
    "\(host)/other": .init(302, ["Location": "gopher://\(host)/file"]),
    "\(host)/see": .init(303, ["Location": "/echo"]),
    "\(host)/keep": .init(308, ["Location": "/echo"]),
    "\(host)/away": .init(308, ["Location": "https://www.example.com/echo"]),
    "\(host)/nowhere": .init(302),
    "*/file": .init(body: "here"), "*/echo": .init(how: .echo),
  ]

  private func run(_ body: @escaping @Sendable (LoopbackServer) async throws -> Void) async throws {
    try await LoopbackServer.run(answers, body: body)
  }

  @Test("a redirect within the site is followed and told")
  func sameSite() async throws {
    try await run { server in
      let fetcher = try server.fetcher { $0.redirects = .follow(limit: 3, acrossSites: false) }
      let response = try await fetcher.fetch(WebRequest("https://\(host)/same"))
      #expect(response.body == Array("here".utf8))
      #expect(response.url == "https://\(host)/file")
      let hop = WebRedirect(
        status: 301, from: "https://\(host)/same", to: "https://\(host)/file", kind: .sameSite)
      #expect(response.redirects == [hop])
    }
  }

  @Test("without leave to follow, a redirect is an error that tells where it leads")
  func none() async throws {
    try await run { server in
      let error = try await failure(of: try server.fetcher(), "https://\(host)/same")
      #expect(error.code == .redirected)
      #expect(error.redirects.map(\.to) == ["https://\(host)/file"])
    }
  }

  @Test("another host is only followed to where that is allowed")
  func crossSite() async throws {
    try await run { server in
      let strict = try server.fetcher { $0.redirects = .follow(limit: 3, acrossSites: false) }
      let error = try await failure(of: strict, "https://\(host)/cross")
      #expect(error.code == .crossSiteRedirect)
      #expect(error.redirects.map(\.kind) == [.crossSite])
      let open = try server.fetcher { $0.redirects = .follow(limit: 3, acrossSites: true) }
      let response = try await open.fetch(WebRequest("https://\(host)/cross"))
      #expect(response.url == "https://www.example.com/file")
    }
  }

  @Test("another port of the host is another site: what listens there was not asked for")
  func otherPort() async throws {
    let answers: [String: LoopbackServer.Answer] = [
      "\(host)/port": .init(302, ["Location": "https://\(host):8443/file"])
    ]
    try await LoopbackServer.run(answers) { server in
      let strict = try server.fetcher { $0.redirects = .follow(limit: 3, acrossSites: false) }
      let error = try await failure(of: strict, "https://\(host)/port")
      #expect(error.code == .crossSiteRedirect)
    }
  }

  @Test("nothing leads away from HTTPS", arguments: ["insecure", "other"])
  func insecure(path: String) async throws {
    try await run { server in
      let fetcher = try server.fetcher { $0.redirects = .follow(limit: 3, acrossSites: true) }
      let error = try await failure(of: fetcher, "https://\(host)/\(path)")
      #expect(error.code == .insecureRedirect)
      #expect(error.redirects.map(\.kind) == [.insecure])
    }
  }

  @Test("a redirect that names a user is not followed, and is the server's fault")
  func user() async throws {
    try await run { server in
      let fetcher = try server.fetcher { $0.redirects = .follow(limit: 3, acrossSites: true) }
      #expect(try await failure(of: fetcher, "https://\(host)/user").code == .badResponse)
    }
  }

  @Test("a loop ends at the limit, with every redirect told")
  func loop() async throws {
    try await run { server in
      let fetcher = try server.fetcher { $0.redirects = .follow(limit: 3, acrossSites: true) }
      let error = try await failure(of: fetcher, "https://\(host)/loop")
      #expect(error.code == .tooManyRedirects)
      #expect(error.redirects.count == 4)
    }
  }

  @Test("302 without a Location is an answer like others")
  func nowhere() async throws {
    try await run { server in
      let response = try await server.fetcher().fetch(WebRequest("https://\(host)/nowhere"))
      #expect(response.status == 302)
    }
  }

  @Test("303 makes a GET of a POST, 308 repeats it")
  func methods() async throws {
    try await run { server in
      let fetcher = try server.fetcher { $0.redirects = .follow(limit: 3, acrossSites: false) }
      var request = WebRequest(
        "https://\(host)/see", method: "POST", headers: ["Content-Type": "text/plain"], body: [65])
      let seen = try Echo(try await fetcher.fetch(request))
      #expect(seen.method == "GET")
      #expect(seen.body.isEmpty)
      #expect(seen["Content-Type"] == nil)
      request.url = "https://\(host)/keep"
      let kept = try Echo(try await fetcher.fetch(request))
      #expect(kept.method == "POST")
      #expect(Array(kept.body) == [65])
    }
  }

  @Test("what identifies the caller goes to no other host")
  func credentials() async throws {
    try await run { server in
      let fetcher = try server.fetcher { $0.redirects = .follow(limit: 3, acrossSites: true) }
      let headers: HeaderFields = ["authorization": "Bearer x", "Cookie": "a=b", "X-Other": "y"]
      let own = try Echo(
        try await fetcher.fetch(WebRequest("https://\(host)/keep", headers: headers)))
      #expect(own["authorization"] == "Bearer x")
      let away = try Echo(
        try await fetcher.fetch(WebRequest("https://\(host)/away", headers: headers)))
      #expect(away["Host"] == "www.example.com")
      #expect(away["authorization"] == nil)
      #expect(away["Cookie"] == nil)
      #expect(away["X-Other"] == "y")
    }
  }
}
