import Foundation
import Testing

/// Walks at the station: pictures are added, findings are shown, and corrected.
extension CommandSuite {
  @Suite("Station: walks") struct StationWalkTests {
    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      for (url, name) in [
        (Fruta.cupertino, "c1"), (Fruta.cupertino + "/table/2", "c2"), (Fruta.sanFrancisco, "s1"),
      ] {
        let made = try await sandbox.run("qr", url, "-o", "\(name).png", "--quiet")
        try #require(made.status == 0, "\(made.errors)")
      }
      return sandbox
    }

    private static func add(
      _ name: String, _ query: String, to station: RunningStation
    ) async throws -> JSON {
      try await station.client.upload(
        "/api/walks/picture?\(query)&file=\(name).png",
        try #require(station.sandbox.bytes(of: "\(name).png")), type: "image/png")
    }

    @Test("a picture that is added is a stop, and what is wrong there is reported with the picture")
    func found() async throws {
      try await Self.scene().station { station in
        let client = station.client
        try await client.post("/api/who", ["by": "Ada"])
        let here = "name=Autumn+2026&place=cupertino&at=37.3230,-122.0322&accuracy=5"
        let right = try await Self.add("c1", here, to: station)
        #expect(right.results("verification").map { $0["verdict"] } == ["accepted"], "\(right)")
        let wrong = try await Self.add("s1", here, to: station)
        #expect(wrong["status"] == 1)
        let walks = try await client.get("/api/walks").results("walk")
        #expect(walks.map { $0["name"] } == ["Autumn 2026"])
        #expect(walks.first?["who"] == "Ada" && walks.first?["stops"] == 2, "\(walks)")
        let report = try await client.get("/api/walks/report?name=Autumn%202026")
        let findings = report.results("audit-finding")
        let codes = findings.compactMap { $0["finding"]["code"].text }
        #expect(Set(codes) == ["wrong-place", "missing-code"], "\(codes)")
        let summary = try #require(report.results("audit-report").first)
        #expect(summary["stops"] == 2 && summary["wrong"] == 1)
        // The picture of the finding is the one that was taken.
        let finding = try #require(findings.first { $0["finding"]["code"] == "wrong-place" })
        let picture = try await client.send("GET", try #require(finding["picture"].text))
        #expect(picture.status == 200 && picture.header("content-type") == "image/jpeg")
        #expect(picture.bytes.prefix(2) == [0xFF, 0xD8])
        #expect(finding["corners"].elements.count == 4)
        #expect(
          findings.filter { $0["finding"]["code"] == "missing-code" }.allSatisfy {
            $0["picture"].text == nil
          })
        let map = try await client.send("GET", try #require(report["map"].text))
        #expect(map.status == 200 && map.text.contains("<svg"))
      }
    }

    @Test(
      "a position, an accuracy and a place that are none are refused, and nothing is read",
      arguments: ["/api/check/picture?", "/api/walks/picture?name=Spring&", "/api/codes?"])
    func queries(path: String) async throws {
      let long = String(repeating: "p", count: 101)
      let queries =
        path == "/api/codes?"
        ? ["place=a%2Fb", "place=%07", "place=\(long)"]
        : [
          "at=here", "at=37.3", "at=91,0", "at=nan,0", "at=37.3230,-122.0322&accuracy=-1",
          "at=37.3230,-122.0322&accuracy=nan", "at=37.3230,-122.0322&accuracy=far",
          "at=37.3230,-122.0322&accuracy=20100001",
        ] + (path.contains("walks") ? ["place=a%2Fb", "place=%07", "place=\(long)"] : [])
      try await Sandbox.withFruta().station { station in
        for query in queries {
          let answer = try await station.client.send(
            path == "/api/codes?" ? "GET" : "POST", path + query,
            headers: ["Content-Type": "image/png"], body: Array("none".utf8))
          #expect(answer.status == 400, "\(query): \(answer.text)")
          #expect(try answer.json.failure == "malformed-request", "\(query): \(answer.text)")
        }
        #expect(try await station.client.get("/api/walks").results("walk").isEmpty)
      }
    }

    @Test("the report is a page that runs nothing and loads nothing, and a PDF")
    func documents() async throws {
      try await Self.scene().station { station in
        let client = station.client
        let name = "%3Cscript%3Ealert(1)%3C%2Fscript%3E"
        _ = try await Self.add("s1", "name=\(name)&place=cupertino", to: station)
        let page = try await client.page("/walks/report.html?name=\(name)")
        #expect(page.status == 200)
        #expect(!page.text.contains("<script"))
        let policy = try #require(page.header("content-security-policy"))
        #expect(policy.contains("default-src 'none'") && !policy.contains("script-src"))
        let pdf = try await client.send("GET", "/walks/report.pdf?name=\(name)")
        #expect(pdf.text.hasPrefix("%PDF-"))
        let unknown = try await client.send("GET", "/walks/report.pdf?name=Nobody")
        #expect(unknown.status == 404)
        let table = try await client.page("/walk?name=\(name)").text
        #expect(!table.contains("<script>alert"))
        #expect(table.contains("&lt;script&gt;alert(1)"), "the table names it")
      }
    }

    @Test("a finding is put right by a note in its code's history, with who noted it")
    func note() async throws {
      let sandbox = try await Self.scene()
      try await sandbox.station { station in
        let client = station.client
        try await client.post("/api/who", ["by": "Ada"])
        let code = try #require(
          try await client.get("/api/codes?place=cupertino").results("code").first?["code"].text)
        let noted = try await client.post(
          "/api/codes/\(code)/note", ["kind": "replaced", "note": "new sign, <b>old</b> one torn"])
        #expect(noted["status"] == 0, "\(noted)")
        let shown = try await sandbox.run("code", "show", code, "--json")
        let entry = try #require(
          try shown.lines("code").first?["history"].elements.first { $0["kind"] == "replaced" },
          "\(shown.output)")
        #expect(
          entry["who"] == "Ada" && entry["details"]["note"] == "new sign, <b>old</b> one torn")
        let kind = try await client.post("/api/codes/\(code)/note", ["kind": "--help"])
        #expect(kind["status"] == 64, "\(kind)")
        let unknown = try await client.post("/api/codes/c-0/note", ["kind": "read"])
        #expect(unknown["status"] != 0 && unknown.failure != nil)
      }
    }

    @Test("what looks like an option of the command is only a name")
    func options() async throws {
      try await Self.scene().station { station in
        let answer = try await Self.add(
          "c1", "name=--registry%3D%2Ftmp%2Fx&place=--help", to: station)
        #expect(answer.failure != nil, "there is no such place: \(answer)")
        _ = try await Self.add("c1", "name=--help&place=cupertino", to: station)
        let walks = try await station.client.get("/api/walks").results("walk")
        #expect(walks.contains { $0["name"] == "--help" }, "\(walks)")
      }
    }
  }
}
