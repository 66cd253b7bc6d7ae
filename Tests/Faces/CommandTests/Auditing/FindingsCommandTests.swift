import Foundation
import Pictures
import Testing

/// Findings of walks with the command: opened, assigned, closed, exported.
extension CommandSuite {
  @Suite("Findings to follow up") struct FindingsCommandTests {
    /// A registry with a printed code in Cupertino, and a walk that did not see it.
    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run("qr", Fruta.cupertino, "-o", "c1.png", "--quiet")
      try #require(made.status == 0, "\(made.errors)")
      let image = GreyPicture(
        width: 320, height: 240, pixels: [UInt8](repeating: 200, count: 320 * 240))
      try sandbox.write(try JPEGWriter.colour(ColourPicture(image)), to: "wall.jpg")
      _ = try await sandbox.run("audit", "wall.jpg", "--place", "cupertino", "--name", "Spring")
      return sandbox
    }

    private func list(_ sandbox: Sandbox, _ options: String...) async throws -> [JSON] {
      try await sandbox.run(["audit", "findings", "list", "--json"] + options).lines("follow-up")
    }

    @Test("a report opens a finding, which is assigned, closed, opened again, and closed by a walk")
    func life() async throws {
      let sandbox = try await Self.scene()
      let none = try await sandbox.run("audit", "findings")
      #expect(none.status == 0 && none.errors.contains("No findings."))
      for _ in 1...2 { _ = try await sandbox.run("audit", "report", "--place", "cupertino") }
      let open = try await list(sandbox)
      try #require(open.count == 1, "\(open)")
      #expect(open[0]["state"] == "open" && open[0]["finding"]["code"] == "missing-code")
      #expect(open[0]["place"]["id"] == "cupertino" && open[0]["history"].elements.count == 1)
      let id = try #require(open[0]["id"].text)
      let shown = try await sandbox.run("audit", "findings")
      #expect(shown.status == 1 && shown.output.contains(id), "\(shown.output)")

      func change(_ verb: String, _ options: String...) async throws -> Int32 {
        try await sandbox.run(["audit", "findings", verb, id] + options).status
      }
      #expect(try await change("assign") == 64)
      #expect(try await change("assign", "--due", "2026-02-30") == 64)
      #expect(try await change("assign", "--owner", "Ada", "--due", "2026-12-01") == 0)
      for (options, count) in [
        (["--owner", "Ada"], 1), (["--owner", "Al"], 0), (["--due", "2026-12-01"], 1),
        (["--due", "2026-11-30"], 0), (["--place", "san-francisco"], 0), (["--state", "done"], 0),
      ] {
        let found = try await sandbox.run(["audit", "findings", "--json"] + options)
        #expect(try found.lines("follow-up").count == count, "\(options)")
      }
      #expect(try await change("close", "--dry-run") == 0)
      #expect(try await change("close", "--note", "hung up", "--by", "Ada") == 0)
      #expect(try await change("close") == 64, "it is closed already")
      let closed = try await list(sandbox, "--state", "done").first?["history"].elements.last
      #expect(closed?["note"] == "hung up" && closed?["who"] == "Ada" && closed?["kind"] == "done")
      #expect(try await change("reopen") == 0)
      #expect(try await change("close", "--will-not") == 0)
      #expect(try await list(sandbox, "--state", "will-not").count == 1)
      #expect(try await change("reopen") == 0)
      let unknown = try await sandbox.run("audit", "findings", "close", "f-0")
      #expect(unknown.status == 66 && unknown.errors.contains("audit findings"))

      _ = try await sandbox.run("audit", "c1.png", "--place", "cupertino", "--name", "Summer")
      let report = try await sandbox.run("audit", "report", "Summer")
      #expect(report.status == 0, "\(report.output)")
      #expect(try await list(sandbox).isEmpty)
      let right = try await list(sandbox, "--state", "all").first
      #expect(right?["state"] == "done" && right?["history"].elements.last?["kind"] == "right")
    }

    @Test("findings are exported as a table and as a calendar of tasks with short lines")
    func files() async throws {
      let sandbox = try await Self.scene()
      _ = try await sandbox.run("audit", "report")
      let id = try #require(try await list(sandbox).first?["id"].text)
      _ = try await sandbox.run(
        "audit", "findings", "assign", id, "--owner", "Ada; Al, Jo", "--due", "2026-12-01")
      let made = try await sandbox.run("audit", "findings", "--csv", "f.csv", "--ics", "f.ics")
      #expect(made.status == 1 && made.errors.contains("wrote f.ics"), "\(made.errors)")
      func lines(_ name: String) throws -> [String] {
        try String(contentsOfFile: sandbox.path(name), encoding: .utf8)
          .components(separatedBy: "\r\n")
      }
      let table = try lines("f.csv")
      #expect(table.count == 3 && table[0].hasPrefix("id,state,severity,finding,place"))
      #expect(table[1].hasPrefix("\(id),open,error,missing-code,cupertino,"), "\(table)")
      let calendar = try lines("f.ics")
      #expect(calendar.first == "BEGIN:VCALENDAR" && calendar.suffix(2) == ["END:VCALENDAR", ""])
      #expect(calendar.allSatisfy { $0.utf8.count <= 75 })
      for line in [
        "BEGIN:VTODO", "UID:\(id)", "DUE;VALUE=DATE:20261201", "STATUS:NEEDS-ACTION", "PRIORITY:1",
        "CONTACT:Ada\\; Al\\, Jo", "END:VTODO",
      ] {
        #expect(calendar.contains(line), "\(line): \(calendar)")
      }
    }

    @Test("new findings are handed to a command once, and again if it failed")
    func notify() async throws {
      let sandbox = try await Self.scene()
      func report(_ command: String) async throws -> Outcome {
        try await sandbox.run("audit", "report", "--json", "--notify", command)
      }
      let failed = try await report("exit 3")
      #expect(failed.status == 69, "\(failed.errors)")
      #expect(try failed.lines("error").map { $0["code"] } == ["notification-failed"])
      #expect(try failed.lines("audit-report").count == 1)
      // A command that reads nothing breaks nothing, and what it prints is no result.
      let taken = try await report("cat > taken.jsonl; echo done")
      #expect(taken.status == 1 && taken.errors.contains("done"), "\(taken.errors)")
      #expect(!taken.output.contains("done\n"))
      let bytes = try #require(sandbox.bytes(of: "taken.jsonl"))
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      #expect(lines.count == 1 && lines[0].contains(#""type":"follow-up""#), "\(lines)")
      #expect(try await report("touch again; exit 4").status == 1)
      #expect(sandbox.bytes(of: "again") == nil, "nothing is new")
      let history = try await list(sandbox).first?["history"].elements
      #expect(history?.last?["handedTo"] == "cat > taken.jsonl; echo done", "\(history ?? [])")
      // One that was closed and is opened again is new.
      let id = try #require(try await list(sandbox).first?["id"].text)
      _ = try await sandbox.run("audit", "findings", "close", id)
      _ = try await sandbox.run("audit", "findings", "reopen", id)
      #expect(try await report("touch again").status == 1)
      #expect(sandbox.bytes(of: "again") != nil)
      #expect(try await report(" ").status == 64)
    }

    @Test("statistics count the findings of all walks by place, kind and walk")
    func statistics() async throws {
      let sandbox = try await Self.scene()
      let none = try await sandbox.run("audit", "findings", "statistics")
      #expect(none.status == 0 && none.errors.contains("No findings."))
      _ = try await sandbox.run("audit", "report")
      let shown = try await sandbox.run("audit", "findings", "statistics")
      #expect(
        shown.output.contains("By walk\n  Spring: 1 open, 0 put right, oldest open for less than"),
        "\(shown.output)")
      _ = try await sandbox.run("audit", "c1.png", "--place", "cupertino", "--name", "Summer")
      _ = try await sandbox.run("audit", "report")
      let counted = try await sandbox.run("audit", "findings", "statistics", "--json")
      let groups = try counted.lines("finding-statistics")
      #expect(groups.map { $0["by"] } == ["place", "finding", "walk"])
      #expect(groups.map { $0["name"] } == ["cupertino", "missing-code", "Spring"])
      #expect(groups.allSatisfy { $0["open"] == 0 && $0["done"] == 1 && $0["medianDays"] == 0 })
      let one = try await sandbox.run(
        "audit", "findings", "statistics", "--group", "walk", "--json")
      #expect(try one.lines("finding-statistics").count == 1)
      #expect(try await sandbox.run("audit", "findings", "statistics", "--group", "x").status == 64)
    }

    @Test(
      "the report has the name, the owner and the due date of a finding, and what was put right")
    func report() async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        "audit", "report", "-o", "a.html", "-o", "a.pdf", "--finding-url",
        "https://t.example/f?x=1&id={id}", "--json")
      let id = try #require(try made.lines("audit-finding").first?["followUp"].text)
      func page(_ name: String) throws -> String {
        String(decoding: try #require(sandbox.bytes(of: name)), as: UTF8.self)
      }
      #expect(try page("a.html").contains("href=\"https://t.example/f?x=1&amp;id=\(id)\""))
      let printed = try await sandbox.run("scan", "a.pdf", "--json").lines("verification")
      #expect(
        printed.map { $0["payload"] } == [.string("https://t.example/f?x=1&id=\(id)")],
        "\(printed)")
      #expect(try await list(sandbox).first?["id"].text == id)
      _ = try await sandbox.run(
        "audit", "findings", "assign", id, "--owner", "Ada", "--due", "2026-12-01")
      _ = try await sandbox.run("audit", "wall.jpg", "--place", "cupertino", "--name", "Summer")
      _ = try await sandbox.run("audit", "report", "-o", "b.html")
      let open = try page("b.html")
      for words in [id, "open since", "for <bdi>Ada</bdi>", "due 2026-12-01"] {
        #expect(open.contains(words), "\(words)")
      }
      #expect(!open.contains("Put right"))
      _ = try await sandbox.run("audit", "c1.png", "--place", "cupertino", "--name", "Autumn")
      _ = try await sandbox.run("audit", "report", "-o", "c.html")
      let right = try page("c.html")
      #expect(right.contains("Put right") && right.contains(id))
      for url in ["t.example/{id}", "ftp://t.example/{id}", "https://t.example/f", "https:///{id}"]
      {
        let refused = try await sandbox.run("audit", "report", "--finding-url", url)
        #expect(refused.status == 64, "\(url)")
      }
    }
  }
}
