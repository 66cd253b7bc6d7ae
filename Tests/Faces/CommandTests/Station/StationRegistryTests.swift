import Foundation
import GRDB
import Testing

/// The registry of a station: opened once, and again when something else is at its place.
extension CommandSuite {
  @Suite("Station: registry") struct StationRegistryTests {
    @Test("requests share the registry that the station opened, and do not look through it again")
    func shared() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.run("qr", Fruta.cupertino, "-o", "a.svg")
      try await sandbox.station { station in
        let client = station.client
        let codes = try await client.get("/api/codes").results("code")
        let code = try #require(codes.first?["code"].text)
        // A trigger goes, and SQLite does not hear of it: an opened registry stays as it was read.
        try await DatabaseQueue(path: sandbox.registry).writeWithoutTransaction {
          try $0.execute(
            sql: """
              PRAGMA writable_schema = ON;
              DELETE FROM sqlite_master WHERE name = 'code_entry_is_not_changed';
              """)
          try #require($0.changesCount == 1)
        }
        #expect(try await sandbox.run("place", "list").status == 78)
        #expect(try await client.get("/api/places").results("place").count == 2)
        let noted = try await client.post("/api/codes/\(code)/note", ["kind": "installed"])
        #expect(noted["status"] == 0, "\(noted)")
      }
    }

    @Test("a file that takes the registry's place is read and changed by the next request")
    func replaced() async throws {
      let sandbox = try await Sandbox.withFruta()
      for name in ["registry.sqlite", "other.sqlite"] {
        try await sandbox.run(
          "qr", Fruta.cupertino, "-o", "\(name).svg", "--unregistered", "--registry",
          sandbox.path(name))
      }
      try await sandbox.station { station in
        let client = station.client
        let before = try await client.get("/api/codes").results("code").first?["code"].text
        let folder = URL(filePath: sandbox.registry).deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names where name.hasPrefix("registry.sqlite") {
          try FileManager.default.moveItem(
            at: folder.appending(path: name), to: folder.appending(path: "away-" + name))
        }
        let nothing = try await client.get("/api/codes")
        #expect(nothing["status"] == 0 && nothing.results("code").isEmpty, "\(nothing)")
        try FileManager.default.moveItem(
          atPath: sandbox.path("other.sqlite"), toPath: sandbox.registry)
        let after = try #require(
          try await client.get("/api/codes").results("code").first?["code"].text)
        #expect(after != before)
        let noted = try await client.post("/api/codes/\(after)/note", ["kind": "installed"])
        #expect(noted["status"] == 0, "\(noted)")
      }
      let shown = try await sandbox.run("code", "list", "--json")
      let code = try #require(try shown.lines.first?["code"].text)
      #expect(try await sandbox.run("code", "show", code).output.contains("installed"))
    }

    @Test("a registry that a newer cliptag has upgraded meanwhile is refused")
    func upgraded() async throws {
      let sandbox = try await Sandbox.withFruta()
      let version = try await DatabaseQueue(path: sandbox.registry).read {
        try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0
      }
      try await sandbox.station { station in
        func setVersion(_ version: Int) async throws {
          try await DatabaseQueue(path: sandbox.registry).writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA user_version = \(version)")
          }
        }
        let client = station.client
        #expect(try await client.get("/api/places")["status"] == 0)
        try await setVersion(version + 1)
        let refused = try await client.get("/api/places")
        #expect(refused.results("error").first?["code"] == "registry-newer", "\(refused)")
        try await setVersion(version)
        #expect(try await client.get("/api/places")["status"] == 0)
      }
    }
  }
}
