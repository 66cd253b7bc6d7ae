import Foundation
import LoopbackServer
import Testing

/// `registry pull`, with a server of HTTPS in place of App Store Connect.
extension CommandSuite {
  @Suite("App Store Connect") struct ConnectCommandTests {
    private static let host = "api.appstoreconnect.apple.com"

    /// The sample's answers by path.
    private static func answers() throws -> [String: LoopbackServer.Answer] {
      let folder = Repository.path("Samples/fruta/app-store-connect")
      var answers: [String: LoopbackServer.Answer] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let body = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        // Neither identifiers nor types have hyphens, but for those of bundles.
        let path = name.dropLast(".json".count).replacing("bb-clip", with: "bb_clip")
          .replacing("-", with: "/").replacing("bb_clip", with: "bb-clip")
        answers["\(host)/v1/\(path == "builds/1234567890" ? "builds" : path)"] = .init(body: body)
      }
      return answers
    }

    /// Runs `registry` with a key and a server.
    private static func run(
      _ answers: [String: LoopbackServer.Answer], _ arguments: String..., mode: String = "600",
      body: @escaping @Sendable (Sandbox, Outcome) async throws -> Void
    ) async throws {
      try await LoopbackServer.run(answers, hosts: [host]) { server in
        let sandbox = try await Sandbox.withFruta()
        let made = try await sandbox.shell(
          "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey_AB12.p8 "
            + "&& chmod \(mode) AuthKey_AB12.p8")
        try #require(made.status == 0)
        let number = try server.port(.good)
        let outcome = try await sandbox.run(
          ["registry"] + arguments
            + ["--app", "1234567890", "--key", "AuthKey_AB12.p8", "--issuer", "5724-6542"]
            + ["--connect", "127.0.0.1:\(number)", "--authorities", server.authorities, "--json"])
        let key = try String(contentsOfFile: sandbox.path("AuthKey_AB12.p8"), encoding: .utf8)
        for line in key.split(separator: "\n") where line.count > 20 {
          #expect(!(outcome.output + outcome.errors).contains(line), "the key is nobody's business")
        }
        #expect(!(outcome.output + outcome.errors).contains("eyJ"), "nor is a token")
        try await body(sandbox, outcome)
      }
    }

    @Test("a pull from the network saves answers that a later pull takes instead")
    func save() async throws {
      try await Self.run(try Self.answers(), "pull", "--save", "answers") { sandbox, outcome in
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors == "")
        let line = try #require(try outcome.lines.first)
        #expect(line["experiences"]["added"] == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.path("answers"))
        #expect(names.count == 9)
        for name in names {
          let saved = try String(contentsOfFile: sandbox.path("answers/\(name)"), encoding: .utf8)
          #expect(!saved.contains("eyJ"))
        }
        let again = try await sandbox.run("registry", "diff", "--from", "answers")
        #expect(again.status == 0)
      }
    }

    @Test("a key that others can read is refused")
    func openKey() async throws {
      try await Self.run(try Self.answers(), "pull", "--dry-run", mode: "644") { _, outcome in
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("chmod 600"))
      }
    }

    @Test("a failure in the middle changes nothing and saves nothing")
    func allOrNothing() async throws {
      var answers = try Self.answers()
      let last = "\(Self.host)/v1/buildBundles/bb-clip/appClipDomainCacheStatus"
      answers[last] = .init(403, body: #"{"errors":[{"status":"403","code":"FORBIDDEN_ERROR"}]}"#)
      try await Self.run(answers, "pull", "--save", "answers") { sandbox, outcome in
        let line = try #require(try outcome.lines.first)
        #expect(outcome.status == 78)
        #expect(line["code"] == "connect-forbidden")
        #expect(!FileManager.default.fileExists(atPath: sandbox.path("answers")))
        let list = try await sandbox.run("experience", "list", "--json")
        #expect(list.output.contains("/order1") && !list.output.contains("/menu"))
      }
    }

    @Test("a push is sent with --yes, and not at all where nobody can be asked")
    func push() async throws {
      var answers = try Self.answers()
      let path = "PATCH \(Self.host)/v1/appClipAdvancedExperiences/e0000002"
      answers[path] = .init(
        body: #"{"data":{"type":"appClipAdvancedExperiences","id":"e0000002"}}"#)
      try await Self.run(answers, "push") { _, outcome in
        let line = try #require(try outcome.lines.first)
        #expect(outcome.status == 64)
        #expect(line["code"] == "not-confirmed")
      }
      try await Self.run(answers, "push", "--yes") { _, outcome in
        let lines = try outcome.lines
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(lines.count == 1)
        #expect(lines.first?["sent"] == .bool(true))
      }
      answers[path] = .init(
        409, body: #"{"errors":[{"status":"409","code":"ENTITY_ERROR","detail":"Too long."}]}"#)
      try await Self.run(answers, "push", "--yes") { _, outcome in
        let lines = try outcome.lines
        #expect(outcome.status == 1)
        #expect(lines.first?["sent"] == .bool(false))
        #expect(lines.last?["code"] == "connect-refused")
        #expect(outcome.errors.contains("0 of 1 request was done"))
      }
    }

    @Test("a key that App Store Connect does not know is a wrong setting, with what to check")
    func unauthorized() async throws {
      try await Self.run(
        ["*/v1/apps/1234567890/appClips": .init(401, body: "{}")], "diff"
      ) { _, outcome in
        let line = try #require(try outcome.lines.first)
        #expect(outcome.status == 78)
        #expect(line["code"] == "connect-unauthorized")
      }
    }
  }
}
