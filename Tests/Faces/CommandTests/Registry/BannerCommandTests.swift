import Foundation
import LoopbackServer
import Testing

/// `banner`, with a server of HTTPS in place of the page's host.
extension CommandSuite {
  @Suite("Banner") struct BannerCommandTests {
    private static let host = "fruta.example.com"
    private static let image =
      "<meta property='og:image' content='https://fruta.example.com/fruta.png'>"
    private static let tag =
      image + "<meta name='apple-itunes-app' content='app-id=1234567890, "
      + "app-clip-bundle-id=com.example.fruta.Clip'>"

    private static func check(
      _ answers: [String: LoopbackServer.Answer], _ url: String,
      body: @escaping @Sendable (Outcome, JSON) async throws -> Void
    ) async throws {
      try await LoopbackServer.run(answers, hosts: [host]) { server in
        let sandbox = try await Sandbox.withFruta()
        let port = try server.port(.good)
        let outcome = try await sandbox.run(
          "banner", url, "--connect", "127.0.0.1:\(port)", "--authorities", server.authorities,
          "--json")
        try await body(outcome, try #require(try outcome.lines.first))
      }
    }

    @Test("a page is fetched, after redirects, and its URL is looked up")
    func good() async throws {
      let answers: [String: LoopbackServer.Answer] = [
        "\(Self.host)/": .init(302, ["Location": "/order/cupertino"]),
        "\(Self.host)/order/cupertino": .init(
          200, ["Content-Type": "text/html; charset=utf-8"], body: Self.tag),
      ]
      try await Self.check(answers, "https://\(Self.host)/") { outcome, line in
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(line["type"] == "banner-report" && line["verdict"] == "accepted")
        #expect(line["url"].text == Fruta.cupertino)
        #expect(line["banner"]["clip"] == "com.example.fruta.Clip")
        #expect(line["experience"]["kind"] == "advanced")
      }
    }

    @Test("an error page is none, and what it holds is told all the same")
    func error() async throws {
      let answers: [String: LoopbackServer.Answer] = [
        "\(Self.host)/": .init(500, ["Content-Type": "text/plain"], body: "no")
      ]
      try await Self.check(answers, "https://\(Self.host)/") { outcome, line in
        #expect(outcome.status == 1 && line["status"] == 500)
        #expect(
          line["findings"].elements.map { $0["code"] }
            == ["banner-page", "banner-page", "banner-missing"])
      }
    }

    @Test("a page on a host without the clip, and one that no experience covers, are told")
    func lookup() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(Self.tag, to: "page.html")
      let foreign = try await sandbox.run(
        "banner", "page.html", "--url", "https://rewards.example.com/join", "--json")
      #expect(foreign.status == 1)
      #expect(try foreign.lines.first?["findings"][0]["code"] == "unassociated-host")
      let covered = try await sandbox.run(
        "banner", "page.html", "--url", "https://fruta.example.com/about", "--json")
      #expect(covered.status == 0)
      #expect(try covered.lines.first?["experience"]["kind"] == "default")
      try sandbox.write(
        Self.tag.replacing("fruta.Clip", with: "fruta.rewards.Clip"), to: "rewards.html")
      let bare = try await sandbox.run(
        "banner", "rewards.html", "--url", "https://rewards.example.com/terms", "--json")
      #expect(bare.status == 0)
      #expect(try bare.lines.first?["experience"]["kind"] == "default")
    }

    @Test("links in Messages need an og:image, with an https URL")
    func image() async throws {
      let sandbox = try await Sandbox.withFruta()
      for (image, isTold) in [
        (Self.image, false), (Self.image.replacing("https:", with: "http:"), true),
        (Self.image.replacing("https://fruta.example.com/fruta.png", with: ""), true), ("", true),
      ] {
        try sandbox.write(Self.tag.replacing(Self.image, with: image), to: "page.html")
        let outcome = try await sandbox.run("banner", "page.html", "--json")
        #expect(outcome.status == 0, "a warning at most")
        let codes = try #require(try outcome.lines.first)["findings"].elements.map { $0["code"] }
        #expect(codes == (isTold ? ["banner-no-image"] : []), "\(image)")
      }
    }

    @Test("a clip that is named needs no registry, to check and to make a tag")
    func withoutRegistry() async throws {
      let sandbox = try Sandbox()
      try sandbox.write(Self.tag, to: "page.html")
      for clip in ["com.example.fruta.Clip", "ABCDE12345.com.example.fruta.Clip"] {
        let checked = try await sandbox.run("banner", "page.html", "--clip", clip, "--json")
        #expect(checked.status == 0 && checked.errors == "", "\(checked.errors)")
        #expect(try checked.lines.first?["findings"] == .array([]))
        let made = try await sandbox.run(
          "banner", "--make", "--clip", clip, "--app-id", "1234567890")
        #expect(made.output.contains("app-clip-bundle-id=com.example.fruta.Clip"))
      }
      let other = try await sandbox.run(
        "banner", "page.html", "--clip", "com.example.rewards.Clip", "--json")
      #expect(other.status == 1)
      #expect(try other.lines.first?["findings"][0]["code"] == "banner-other-clip")
      let known = try await Sandbox.withFruta()
      let typo = try await known.run("banner", "--make", "--clip", "com.example.frutta.Clip")
      #expect(typo.status == 64, "a registry with other clips knows better")
    }

    @Test("a server that does not answer is unavailable")
    func unavailable() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await LoopbackServer.run([:], hosts: [Self.host]) { server in
        let port = try server.port(.closed)
        let outcome = try await sandbox.run(
          "banner", "https://\(Self.host)/", "--connect", "127.0.0.1:\(port)", "--json")
        #expect(outcome.status == 69)
        #expect(try outcome.errorCodes == ["cannot-connect"])
      }
    }
  }
}
