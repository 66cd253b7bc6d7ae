import Foundation
import LoopbackServer
import Testing

/// `association`, with a server of HTTPS in place of the host and of Apple's network.
extension CommandSuite {
  @Suite("Association") struct AssociationCommandTests {
    private static let host = "fruta.example.com"
    private static let network = "app-site-association.cdn-apple.com"
    private static let wellKnown = "\(host)/.well-known/apple-app-site-association"

    /// Runs `association check` against a server with these answers.
    private static func check(
      _ answers: [String: LoopbackServer.Answer], at port: LoopbackServer.Port = .good,
      _ arguments: String..., body: @escaping @Sendable (Outcome) async throws -> Void
    ) async throws {
      try await LoopbackServer.run(answers, hosts: [host, network]) { server in
        let sandbox = try await Sandbox.withFruta()
        let number = try server.port(port)
        try await body(
          try await sandbox.run(
            ["association", "check", host, "--connect", "127.0.0.1:\(number)"]
              + ["--authorities", server.authorities, "--json"] + arguments))
      }
    }

    private static var sample: String {
      get throws {
        try String(
          contentsOfFile: Repository.path("Samples/fruta/apple-app-site-association"),
          encoding: .utf8)
      }
    }

    @Test("a host's file is fetched, and the clips of the registry are found in it")
    func good() async throws {
      let answer = LoopbackServer.Answer(
        200, ["Content-Type": "application/json"], body: try Self.sample)
      try await Self.check(
        [Self.wellKnown: answer], "--url", "https://fruta.example.com/order/cupertino"
      ) { outcome in
        let line = try #require(try outcome.lines.first)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(line["type"] == "association-report" && line["origin"] == "site")
        #expect(line["url"].text == "https://\(Self.wellKnown)")
        #expect(line["status"] == 200)
        #expect(line["clips"][0]["clip"] == "com.example.fruta.Clip")
        #expect(line["clips"][0]["listed"] == .bool(true))
        // The server's certificate is made for a day.
        #expect(line["findings"].elements.map { $0["code"] } == ["association-certificate-ends"])
        let app = line["links"][0]["apps"][0]
        #expect(app["outcome"] == "matched" && app["rule"] == "components[0]")
      }
    }

    @Test("a host that is excepted from the proxy is not reached at a private address")
    func exceptionFromProxy() async throws {
      let sandbox = try Sandbox()
      let environment = [
        "HTTPS_PROXY": "http://no-such-proxy.invalid:3128", "NO_PROXY": "shop.localhost",
      ]
      func check(_ options: String...) async throws -> String {
        let arguments = ["association", "check", "shop.localhost"] + options
        let outcome = try await sandbox.run(arguments, environment: environment)
        return outcome.output + outcome.errors
      }
      #expect(try await check().contains("no-such-proxy.invalid"))
      #expect(try await !check("--allow-private-addresses").contains("no-such-proxy.invalid"))
    }

    @Test("a clip that is named with its team needs no registry")
    func clipWithTeam() async throws {
      let sandbox = try Sandbox()
      let file = Repository.path("Samples/fruta/apple-app-site-association")
      func check(_ clip: String) async throws -> Outcome {
        try await sandbox.run(
          "association", "check", file, "--host", Self.host, "--clip", clip, "--json")
      }
      let listed = try await check("ABCDE12345.com.example.fruta.Clip")
      #expect(listed.status == 0, "\(listed.output)")
      #expect(try listed.lines[0]["clips"][0]["listed"] == true)
      let other = try await check("ZZZZZ12345.com.example.fruta.Clip")
      #expect(other.status == 1)
      #expect(try other.lines[0]["clips"][0]["listed"] == false)
      #expect(try await check("com.example.fruta.Clip").status != 0, "no team, and no registry")
    }

    @Test("a host without the file is rejected with the code of App Store Connect")
    func missing() async throws {
      try await Self.check([:]) { outcome in
        let line = try #require(try outcome.lines.first)
        #expect(outcome.status == 1)
        #expect(line["verdict"] == "rejected" && line["domainError"] == "BAD_HTTP_RESPONSE")
        #expect(line["clips"][0]["listed"] == .null)
      }
    }

    @Test("a host that accepts no connection is unavailable, and its report is there all the same")
    func unavailable() async throws {
      try await Self.check([:], at: .closed) { outcome in
        #expect(outcome.status == 69)
        let line = try #require(try outcome.lines.first)
        #expect(line["verdict"] == "undecided" && line["domainError"] == "NETWORK_ERROR")
      }
    }

    @Test("Apple's network is asked with --cdn, and its reason for a failure is shown")
    func network() async throws {
      let failure = LoopbackServer.Answer(
        404, ["Apple-Failure-Reason": "SWCERR00101 Bad HTTP Response: 403 Forbidden"])
      try await Self.check(["\(Self.network)/a/v1/\(Self.host)": failure], "--cdn") { outcome in
        let line = try #require(try outcome.lines.first)
        #expect(outcome.status == 1)
        #expect(line["origin"] == "cdn" && line["domainError"] == "BAD_HTTP_RESPONSE")
        #expect(line["cdnFailure"]["number"] == "SWCERR00101")
      }
    }

    @Test("host and network are asked in one run, and an older file at Apple is told as that")
    func both() async throws {
      let now = try Self.sample
      let old = now.replacing("com.example.fruta.Clip", with: "com.example.fruta.Old")
      let answers: [String: LoopbackServer.Answer] = [
        Self.wellKnown: .init(
          200,
          ["Content-Type": "application/json", "Last-Modified": "Fri, 20 Nov 2026 08:49:37 GMT"],
          body: now),
        "\(Self.network)/a/v1/\(Self.host)": .init(200, ["Age": "7260"], body: old),
      ]
      try await Self.check(answers, "--both") { outcome in
        #expect(outcome.status == 1)
        let lines = try outcome.lines
        #expect(lines.map { $0["origin"] } == ["site", "cdn"])
        #expect(lines.map { $0["verdict"] } == ["accepted", "rejected"])
        #expect(lines[0]["comparison"] == .null && lines[0]["age"] == .null)
        #expect(lines[0]["lastModified"] == "2026-11-20T08:49:37Z")
        #expect(lines[1]["age"] == 7260)
        #expect(lines[1]["comparison"]["outcome"] == "stale")
        #expect(lines[1]["comparison"]["differences"].elements.count == 2)
        #expect(lines[1]["findings"].elements.map { $0["code"] }.contains("association-stale"))
      }
    }

    @Test("files that say the same are the same, whatever their bytes")
    func bothSame() async throws {
      let answers: [String: LoopbackServer.Answer] = [
        Self.wellKnown: .init(200, ["Content-Type": "application/json"], body: try Self.sample),
        "\(Self.network)/a/v1/\(Self.host)": .init(
          200, body: try Self.sample.replacing("\n", with: " ")),
      ]
      try await Self.check(answers, "--both") { outcome in
        #expect(outcome.status == 0)
        let lines = try outcome.lines
        #expect(lines.last?["comparison"]["outcome"] == "same")
      }
      let missing = answers.filter { $0.key == Self.wellKnown }
      try await Self.check(missing, "--both") { outcome in
        #expect(outcome.status == 1)
        let lines = try outcome.lines
        #expect(lines.last?["comparison"]["outcome"] == "missing-at-apple")
      }
    }

    @Test("a host with a path is the host, and the file's only place is told")
    func path() async throws {
      let answers: [String: LoopbackServer.Answer] = [
        Self.wellKnown: .init(200, ["Content-Type": "application/json"], body: try Self.sample)
      ]
      try await LoopbackServer.run(answers, hosts: [Self.host]) { server in
        let sandbox = try await Sandbox.withFruta()
        let port = try server.port(.good)
        for input in ["\(Self.host)/menu", "https://\(Self.host)/menu"] {
          let outcome = try await sandbox.run(
            "association", "check", input, "--connect", "127.0.0.1:\(port)", "--authorities",
            server.authorities, "--json")
          #expect(outcome.status == 0, "\(outcome.errors)")
          let findings = try #require(try outcome.lines.first)["findings"].elements
          let told = findings.first { $0["code"] == "association-host-path" }
          #expect(told?["message"].text?.contains("/.well-known/") == true)
        }
        let named = try await sandbox.run(
          "association", "make", "--host", "\(Self.host)/menu", "--json")
        #expect(named.status == 64)
        #expect(named.output.contains("/.well-known/"))
      }
    }

    @Test("authorities that cannot be read are an input that is missing")
    func authorities() async throws {
      try await LoopbackServer.run([:], hosts: [Self.host]) { server in
        let sandbox = try await Sandbox.withFruta()
        let port = try server.port(.good)
        let outcome = try await sandbox.run(
          "association", "check", Self.host, "--authorities", "nowhere.pem", "--connect",
          "127.0.0.1:\(port)", "--json")
        #expect(outcome.status == 66)
        #expect(try outcome.errorCodes == ["authorities-unreadable"])
      }
    }

    @Test("a file that is made is one that the check accepts")
    func made() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run(
        "association", "make", "--host", Self.host, "-o", "made", "--json")
      #expect(made.status == 0)
      #expect(try made.lines.first?["added"][0] == "ABCDE12345.com.example.fruta.Clip")
      let checked = try await sandbox.run("association", "check", "made", "--host", Self.host)
      #expect(checked.status == 0 && checked.errors == "")
      // The file is complete now, so it does not change by a byte.
      let again = try await sandbox.run(
        "association", "make", "--host", Self.host, "--from", "made")
      #expect(again.outputBytes == sandbox.bytes(of: "made"))
    }

    @Test("a dry run makes nothing")
    func dryRun() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run(
        "association", "make", "--host", Self.host, "-o", "made", "--dry-run")
      #expect(outcome.status == 0 && outcome.output.hasPrefix("would write made"))
      #expect(try sandbox.listing() == [])
    }
  }
}
