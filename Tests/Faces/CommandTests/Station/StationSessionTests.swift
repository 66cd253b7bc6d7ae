import Foundation
import Testing

/// Sessions that go on when the station is started again.
extension CommandSuite {
  @Suite("Station: sessions") struct StationSessionTests {
    /// The sessions that a killed station had admitted.
    private struct Visitors: Sendable {
      let program: StationClient
      let browser: BrowserSession
      let reader: [String: String]

      var http: LoopbackHTTP { program.http }

      init(_ station: RunningStation) async throws {
        program = station.client
        browser = try await BrowserSession(link: try await station.nextLink())
        let token = try await station.nextLink().split(separator: "=")[1]
        let opened = try await station.client.http.send(
          "POST", "/open/plain", headers: ["Content-Type": "application/x-www-form-urlencoded"],
          body: Array("token=\(token)".utf8))
        reader = ["Cookie": String(try #require(opened.header("set-cookie")).prefix { $0 != ";" })]
      }

      /// Returns the status of the answer to each.
      func statuses() async throws -> [Int] {
        [
          try await program.send("GET", "/api/station").status,
          try await http.send("GET", "/api/station", headers: browser.headers).status,
          try await http.send("GET", "/files/a/b?view=\(browser.view)", headers: browser.cookie)
            .status,
          try await http.send("GET", "/print", headers: reader).status,
        ]
      }

      static let letIn = [200, 200, 404, 200]
      static let refused = [401, 401, 401, 401]
    }

    /// The files of sessions.
    private func files(_ sandbox: Sandbox) throws -> [URL] {
      try FileManager.default.contentsOfDirectory(
        at: URL(filePath: sandbox.root + "/home/.local/state/cliptag/stations"),
        includingPropertiesForKeys: nil)
    }

    /// Lets visitors in, kills the station, and starts it again at the same port.
    private func restarting(
      _ options: [String] = [], registry: String? = nil,
      between change: (URL) throws -> Void = { _ in },
      _ body: @escaping @Sendable (Visitors, RunningStation) async throws -> Void
    ) async throws {
      let sandbox = try await Sandbox.withFruta()
      let before = Kept()
      try await sandbox.station { station in
        before.visitors = try await Visitors(station)
        try await station.kill()
      }
      let visitors = try #require(before.visitors)
      try change(try #require(try files(sandbox).first))
      let environment = registry.map { ["CLIPTAG_REGISTRY": sandbox.path($0)] } ?? [:]
      try await sandbox.station(
        options, port: "\(visitors.http.port)", environment: environment
      ) { try await body(visitors, $0) }
    }

    private final class Kept: @unchecked Sendable {
      // Written before the closure that reads it begins.
      var visitors: Visitors?
    }

    @Test("a station that was killed knows those whom it let in when it is started again")
    func restart() async throws {
      try await restarting { visitors, station in
        #expect(try await visitors.statuses() == Visitors.letIn)
        // The cookie alone does as little as before.
        let alone = try await visitors.http.send(
          "GET", "/api/station", headers: visitors.browser.cookie)
        #expect(alone.status == 403)
        let used = try await StationClient.open(station.link, at: "/api/session").answer
        #expect(used.status == 401)
      }
    }

    @Test("the file of sessions is the user's alone, and holds no secret that lets anybody in")
    func file() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.station { station in
        let visitors = try await Visitors(station)
        let found = try files(sandbox)
        let file = try #require(found.first)
        #expect(found.count == 1)
        for (path, mode) in [(file.path, 0o600), (file.deletingLastPathComponent().path, 0o700)] {
          let facts = try FileManager.default.attributesOfItem(atPath: path)
          #expect(facts[.posixPermissions] as? Int == mode, "\(path)")
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        let cookies = [visitors.browser.cookie, visitors.reader].map {
          String($0["Cookie"]?.split(separator: "=").last ?? "")
        }
        let secrets =
          [visitors.program.session, visitors.browser.view] + cookies
          + visitors.browser.page.values
        for secret in secrets {
          #expect(!secret.isEmpty && !text.contains(secret))
        }
        let hashes = try JSON(parsing: text)["sessions"].elements.flatMap { session in
          ["key", "page", "view"].compactMap { session[$0].text }
        }
        try #require(hashes.count == 5)
        for hash in hashes {
          let bearer = try await visitors.http.send(
            "GET", "/api/station", headers: ["Authorization": "Bearer \(hash)"])
          #expect(bearer.status == 401)
        }
      }
    }

    @Test("a session that has ended, or one of another registry, is not known after a restart")
    func ended() async throws {
      try await restarting(between: { file in
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacing(/"end":[0-9.]+/, with: "\"end\":1").write(
          to: file, atomically: false, encoding: .utf8)
      }) { visitors, _ in
        let answered = try await visitors.statuses()
        #expect(answered == Visitors.refused)
      }
      try await restarting(registry: "other.sqlite") { visitors, _ in
        let answered = try await visitors.statuses()
        #expect(answered == Visitors.refused)
      }
    }

    @Test("all sessions end when that is asked for, for good")
    func forgotten() async throws {
      let sandbox = try await Sandbox.withFruta()
      let before = Kept()
      try await sandbox.station { before.visitors = try await Visitors($0) }
      let visitors = try #require(before.visitors)
      for options in [["--forget-sessions"], []] {
        try await sandbox.station(options, port: "\(visitors.http.port)") { _ in
          let answered = try await visitors.statuses()
          #expect(answered == Visitors.refused)
        }
      }
    }

    @Test(
      "a file of sessions that others may read, or that is damaged, lets nobody in, and that is said",
      arguments: [true, false])
    func unusable(isOpen: Bool) async throws {
      try await restarting(between: { file in
        if isOpen {
          try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        } else {
          try Data("{".utf8).write(to: file)
        }
      }) { visitors, station in
        let answered = try await visitors.statuses()
        #expect(answered == Visitors.refused)
        #expect(station.notes.contains { $0.contains("is ignored") }, "\(station.notes)")
        // The file is written anew for the next.
        _ = try await BrowserSession(link: try await station.nextLink())
      }
    }

    @Test("a station whose sessions cannot be kept says so, and lets in all the same")
    func unkept() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write("", to: "file")
      try await sandbox.station(environment: ["XDG_STATE_HOME": sandbox.path("file")]) { station in
        #expect(station.notes.contains { $0.contains("Not a directory") }, "\(station.notes)")
        _ = try await BrowserSession(link: try await station.nextLink())
      }
    }

    @Test("what a killed station left of a picture is removed by the next one")
    func swept() async throws {
      let sandbox = try await Sandbox.withFruta()
      let left = sandbox.root + "/tmp/cliptag-scratch-killed"
      try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
      try Data("a".utf8).write(to: URL(filePath: left + "/picture.jpg"))
      try FileManager.default.setAttributes(
        [.modificationDate: Date.now - 3_600], ofItemAtPath: left)
      try await sandbox.station { station in
        let wall = FileManager.default.contents(
          atPath: Repository.path("Samples/pictures/wall.jpg"))
        _ = try await station.client.upload("/api/check/picture", Array(try #require(wall)))
        #expect(!FileManager.default.fileExists(atPath: left))
        // Nothing is left of what was sent, either.
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.root + "/tmp")
        #expect(names.filter { $0.hasPrefix("cliptag-") } == [])
      }
    }
  }
}
