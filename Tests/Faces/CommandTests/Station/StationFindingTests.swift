import Foundation
import Testing

/// Findings at the station: they are kept, assigned, closed, and opened from paper.
extension CommandSuite {
  @Suite("Station: findings") struct StationFindingTests {
    /// Runs a station with a walk that did not see the code in Cupertino.
    private static func scene(
      _ options: String..., body: @escaping @Sendable (RunningStation) async throws -> Void
    ) async throws {
      let sandbox = try await Sandbox.withFruta()
      for (url, name) in [(Fruta.cupertino, "c"), (Fruta.sanFrancisco, "s")] {
        let made = try await sandbox.run("qr", url, "-o", "\(name).png", "--quiet")
        try #require(made.status == 0, "\(made.errors)")
      }
      try await sandbox.station(options) { station in
        _ = try await station.client.upload(
          "/api/walks/picture?name=Spring&place=cupertino",
          try #require(sandbox.bytes(of: "s.png")), type: "image/png")
        try await body(station)
      }
    }

    @Test("the findings of a walk are kept when a person asks for it, and changed with a history")
    func life() async throws {
      try await Self.scene { station in
        let client = station.client
        try await client.post("/api/who", ["by": "Ada"])
        let found = try await client.get("/api/walks/report?name=Spring").results("audit-finding")
        let names = Set(found.compactMap { $0["followUp"].text })
        #expect(names.count == 2, "\(found)")
        #expect(try await client.get("/api/findings").results("follow-up").isEmpty)
        let kept = try await client.post("/api/findings", ["walk": "Spring"])
        #expect(Set(kept.results("follow-up").compactMap { $0["id"].text }) == names)
        let again = try await client.post("/api/findings", ["walk": "Spring"])
        #expect(again.results("follow-up").isEmpty)
        let open = try await client.get("/api/findings?place=cupertino").results("follow-up")
        let id = try #require(open.first?["id"].text)
        let changed = try await client.post(
          "/api/findings/\(id)", ["change": "assigned", "owner": "Al", "due": "2026-12-01"])
        #expect(changed.results("follow-up").first?["owner"] == "Al", "\(changed)")
        #expect(try await client.get("/api/findings?owner=Al").results("follow-up").count == 1)
        let closed = try await client.post(
          "/api/findings/\(id)", ["change": "will-not", "note": "agreed"])
        let entry = closed.results("follow-up").first?["history"].elements.last
        #expect(
          entry?["who"] == "Ada" && entry?["note"] == "agreed" && entry?["kind"] == "will-not")
        #expect(try await client.get("/api/findings").results("follow-up").count == 1)
        #expect(try await client.get("/api/findings?state=all").results("follow-up").count == 2)
        let counted = try await client.get("/api/findings/statistics")
        #expect(counted.results("finding-statistics").count == 4, "\(counted)")
      }
    }

    @Test("a finding that is closed before it was kept is kept first")
    func early() async throws {
      try await Self.scene { station in
        let client = station.client
        let found = try await client.get("/api/walks/report?name=Spring").results("audit-finding")
        let id = try #require(found.first?["followUp"].text)
        let unknown = try await client.send(
          "POST", "/api/findings/\(id)", headers: ["Content-Type": "application/json"],
          body: Array(#"{"change":"done"}"#.utf8))
        #expect(unknown.status == 404, "\(unknown.text)")
        let closed = try await client.post(
          "/api/findings/\(id)", ["change": "done", "walk": "Spring"])
        #expect(closed.results("follow-up").first?["state"] == "done", "\(closed)")
      }
    }

    @Test("a state, a change and a day that are none are refused")
    func mistakes() async throws {
      try await Self.scene { station in
        let client = station.client
        #expect(try await client.send("GET", "/api/findings?state=x").status == 400)
        _ = try await client.post("/api/findings", ["walk": "Spring"])
        let id = try #require(
          try await client.get("/api/findings").results("follow-up").first?["id"].text)
        for body in [#"{"change":"x"}"#, #"{"change":"assigned","due":"2026-02-30"}"#, "{}"] {
          let answer = try await client.send(
            "POST", "/api/findings/\(id)", headers: ["Content-Type": "application/json"],
            body: Array(body.utf8))
          #expect(answer.status == 400, "\(body): \(answer.text)")
        }
      }
    }

    @Test("the report links to the station's page of a finding, also without JavaScript")
    func page() async throws {
      try await Self.scene { station in
        let client = station.client
        let page = try await client.page("/walks/report.html?name=Spring").text
        #expect(page.contains("/findings?finding=f-"), "\(page.suffix(2_000))")
        _ = try await client.post("/api/findings", ["walk": "Spring"])
        let plain = try await client.page("/findings").text
        #expect(plain.contains("Fruta Cupertino"), "\(plain.suffix(2_000))")
      }
    }
  }
}
