import CliptagBasics
import Foundation
import SimulatedReader
import TagTypes
import Testing

/// Batches as the station writes them: one tag after another, announced to every window.
extension CommandSuite {
  @Suite("Station: batches") struct StationBatchTests {
    /// Returns the phases of a run, each once while it stays the same, up to one of them.
    private static func phases(
      _ events: EventStream, until last: String
    ) async throws -> [(phase: String, row: Int?)] {
      var phases: [(phase: String, row: Int?)] = []
      while true {
        let now = try await events.next()
        let phase = now["phase"].text ?? ""
        let row = now["row"]["number"].number.map { Int($0) }
        if phases.last?.phase != phase || phases.last?.row != row { phases.append((phase, row)) }
        if phase == last { return phases }
      }
    }

    @Test(
      "each tag is waited for, read, written and done, and its row is on record with who worked")
    func written() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try Tables.deck(3)
      try await sandbox.station(on: reader) { station in
        let client = station.client
        try await client.post("/api/who", ["by": "Ada"])
        let events = try await client.events()
        _ = try await events.phase("idle")
        try await client.start("tables", csv: Tables.csv(3))
        let phases = try await Self.phases(events, until: "finished")
        let ofOneTag = ["waiting", "reading", "writing", "done"]
        #expect(
          phases.map(\.phase)
            == Array([["opening"], ofOneTag, ofOneTag, ofOneTag, ["finished"]].joined()))
        #expect(phases.filter { $0.phase == "done" }.map(\.row) == [1, 2, 3])
        let now = try await client.get("/api/now")
        #expect(now["counts"]["done"] == 3 && now["counts"]["pending"] == 0)
        #expect(now["finished"] == 3)
        #expect(now["recent"].elements.map { $0["type"] } == ["write", "write", "write"])
        #expect(now["recent"][0]["label"] == "Table 3")
        let rows = try await client.get("/api/batches/tables/rows")
        #expect(rows["total"] == 3)
        #expect(rows["results"].elements.map { $0["state"] } == ["done", "done", "done"])
        #expect(rows["results"].elements.map { $0["who"] } == ["Ada", "Ada", "Ada"])
        #expect(rows["results"].elements.map { $0["uid"].text } == (1...3).map { Tables.uid($0) })
      }
      let codes = try await sandbox.run("code", "list", "--json")
      #expect(try codes.lines("code").count == 3)
      let id = try #require(try codes.lines("code").first?["code"].text)
      let shown = try await sandbox.run("code", "show", id, "--json")
      #expect(shown.output.contains(#""Ada""#), "\(shown.output)")
    }

    @Test("two windows are told the same states in the same order")
    func twoWindows() async throws {
      let reader = try Tables.deck(2)
      try await Sandbox.withFruta().station(on: reader) { station in
        let (left, right) = (try await station.client.events(), try await station.client.events())
        // The second window belongs to another browser.
        let other = try await StationClient(link: try await station.nextLink())
        let third = try await other.events()
        for events in [left, right, third] { _ = try await events.phase("idle") }
        try await station.client.start("tables", csv: Tables.csv(2))
        var told: [[JSON]] = []
        for events in [left, right, third] {
          var states: [JSON] = []
          repeat {
            states.append(try await events.next())
          } while states.last?["phase"] != "finished"
          told.append(states)
        }
        #expect(told[0] == told[1] && told[1] == told[2])
        let numbers = told[0].compactMap { $0["sequence"].number }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
      }
    }

    @Test(
      "a row that is skipped is left out with its reason, and one that is redone is written again")
    func skippedAndRedone() async throws {
      let reader = try SimulatedReader(tag: nil)
      try await Sandbox.withFruta().station(on: reader) { station in
        let client = station.client
        let events = try await client.events()
        try await client.start("tables", csv: Tables.csv(3))
        _ = try await events.phase("waiting", row: 1)
        let skip = try await client.post(
          "/api/batch/skip", ["batch": "tables", "row": 1, "reason": "the table is broken"])
        #expect(skip["status"] == 0, "\(skip)")
        _ = try await events.phase("waiting", row: 2)
        reader.replaceTag(with: try Tables.tag(2))
        _ = try await events.phase("done", row: 2)
        reader.replaceTag(with: nil)
        _ = try await events.phase("waiting", row: 3)
        let redo = try await client.post(
          "/api/batch/redo", ["batch": "tables", "row": 2, "reason": "it fell off"])
        #expect(redo["status"] == 0, "\(redo)")
        let waiting = try await events.phase("waiting", row: 2)
        #expect(waiting["counts"]["skipped"] == 1 && waiting["counts"]["pending"] == 2)
        reader.replaceTag(with: try Tables.tag(12))
        _ = try await events.phase("done", row: 2)
        reader.replaceTag(with: nil)
        _ = try await events.phase("waiting", row: 3)
        reader.replaceTag(with: try Tables.tag(3))
        _ = try await events.phase("finished")
        let rows = try await client.get("/api/batches/tables/rows")["results"].elements
        #expect(rows.map { $0["state"] } == ["skipped", "done", "done"])
        #expect(rows[0]["reason"] == "the table is broken")
        #expect(rows[1]["uid"].text == Tables.uid(12))
        let not = try await client.post("/api/batch/skip", ["batch": "tables", "row": 2])
        #expect(not["status"] != 0 && not.failure != nil, "\(not)")
      }
    }

    @Test("a batch that is stopped goes on with its next row")
    func stopped() async throws {
      let reader = try SimulatedReader(tag: try Tables.tag(1))
      try await Sandbox.withFruta().station(on: reader) { station in
        let client = station.client
        let events = try await client.events()
        try await client.start("tables", csv: Tables.csv(2))
        _ = try await events.phase("done", row: 1)
        reader.replaceTag(with: nil)
        _ = try await events.phase("waiting", row: 2)
        let busy = try await client.post(
          "/api/batches/start", ["batch": "others", "csv": .string(Tables.csv(1))])
        #expect(busy.failure == "station-busy", "\(busy)")
        let check = try await client.post("/api/check/tags", ["on": true])
        #expect(check.failure == "station-busy", "\(check)")
        let other = try await client.post("/api/batch/stop", ["batch": "others"])
        #expect(other.failure == "not-found", "the one that runs goes on: \(other)")
        #expect(try await client.get("/api/now")["phase"] == "waiting")
        let listedNext = try await client.get("/api/batches").results("batch").first?["next"]
        #expect(listedNext == 2)
        try await client.post("/api/batch/stop", ["batch": "tables"])
        _ = try await events.phase("stopped")
        reader.replaceTag(with: try Tables.tag(2))
        let listed = try await client.get("/api/batches").results("batch")
        #expect(listed.count == 1, "the other is not on record")
        #expect(
          listed.first?["pending"] == 1 && listed.first?["done"] == 1,
          "nothing was written: \(listed)")
        try await client.start("tables")
        _ = try await events.phase("done", row: 2)
        _ = try await events.phase("finished")
        reader.replaceTag(with: nil)
        // The reader is free again.
        try await client.start("others", csv: "url\n\(Tables.url(9))\n")
        _ = try await events.phase("waiting", row: 1)
      }
    }

    @Test(
      "a tag with other content, one in use and one that is locked are refused, and stay as they are"
    )
    func refused() async throws {
      let reader = try SimulatedReader(tag: nil)
      try await Sandbox.withFruta().station(on: reader) { station in
        let client = station.client
        let events = try await client.events()
        try await client.start("tables", csv: Tables.csv(2))
        _ = try await events.phase("waiting", row: 1)
        var foreign = try Tables.tag(9)
        foreign.hold(uri: "elsewhere.example.net/")
        reader.replaceTag(with: foreign)
        let refused = try await events.phase("refused")
        #expect(refused["failure"]["code"] == "foreign-data", "\(refused)")
        #expect(refused["failure"]["hint"].text?.isEmpty == false)
        #expect(refused["uid"].text == Tables.uid(9))
        #expect(reader.memory == foreign.memory)
        reader.replaceTag(with: nil)
        _ = try await events.phase("waiting", row: 1)
        reader.replaceTag(with: try Tables.tag(1))
        _ = try await events.phase("done", row: 1)
        let written = try #require(reader.tag)
        reader.replaceTag(with: nil)
        _ = try await events.phase("waiting", row: 2)
        // That of a row that is done.
        reader.replaceTag(with: written)
        let right = try await events.next {
          ["already-done", "refused"].contains($0["phase"].text)
        }
        #expect(right["phase"] == "already-done" && right["row"]["number"] == 1, "\(right)")
        #expect(reader.memory == written.memory)
        reader.replaceTag(with: nil)
        _ = try await events.phase("waiting", row: 2)
        reader.replaceTag(with: try SimulatedTagKind.felica.card())
        #expect(try await events.phase("refused")["failure"]["code"] == "tag-unsupported")
        // The refusal remains readable as long as the card is present, and disappears with it.
        #expect(try await client.get("/api/now")["phase"] == "refused")
        reader.replaceTag(with: nil)
        _ = try await events.phase("waiting", row: 2)
        let rows = try await client.get("/api/batches/tables/rows?state=done")
        #expect(rows["total"] == 1)
      }
    }

    @Test("a tag of another type than was asked for is refused")
    func wrongType() async throws {
      let reader = try SimulatedReader(tag: try Tables.tag(1))
      try await Sandbox.withFruta().station(on: reader) { station in
        let events = try await station.client.events()
        try await station.client.start("tables", csv: Tables.csv(1), ["type": "ntag215"])
        let refused = try await events.phase("refused")
        #expect(refused["failure"]["code"].text?.isEmpty == false, "\(refused)")
        #expect(reader.memory == (try Tables.tag(1)).memory)
      }
    }

    @Test("a tag that left half written is waited for, and finished when it comes back")
    func torn() async throws {
      let reader = try SimulatedReader(tag: try Tables.tag(1), faults: [.tearWrite(4)])
      try await Sandbox.withFruta().station(on: reader) { station in
        let client = station.client
        let events = try await client.events()
        try await client.start("tables", csv: Tables.csv(1))
        let torn = try await events.phase("torn", row: 1)
        #expect(torn["failure"]["code"] == "torn-write")
        #expect(torn["uid"].text == Tables.uid(1))
        let rows = try await client.get("/api/batches/tables/rows")["results"].elements
        #expect(rows.map { $0["uid"].text } == [Tables.uid(1)])
        reader.replaceTag(with: reader.tag)
        let done = try await events.phase("done", row: 1)
        #expect(done["uid"].text == Tables.uid(1))
        _ = try await events.phase("finished")
      }
    }

    @Test("what a torn tag was for is given to another tag once it is given up")
    func givenUp() async throws {
      let reader = try SimulatedReader(tag: try Tables.tag(1), faults: [.tearWrite(4)])
      try await Sandbox.withFruta().station(on: reader) { station in
        let client = station.client
        let events = try await client.events()
        try await client.start("tables", csv: Tables.csv(1))
        _ = try await events.phase("torn")
        reader.replaceTag(with: nil)
        let given = try await client.post(
          "/api/batch/give-up-torn", ["batch": "tables", "reason": "it was thrown away"])
        #expect(given["status"] == 0, "\(given)")
        _ = try await events.phase("waiting", row: 1)
        reader.replaceTag(with: try Tables.tag(2))
        #expect(try await events.phase("done", row: 1)["uid"].text == Tables.uid(2))
      }
    }

    @Test("a reader that is pulled out is waited for, and the batch goes on with its row")
    func pulledOut() async throws {
      let sandbox = try await Sandbox.withFruta()
      let port = sandbox.path("reader")
      let before = try SimulatedReader(tag: try Tables.tag(1))
      try FileManager.default.createSymbolicLink(
        atPath: port, withDestinationPath: before.devicePath)
      try await sandbox.station("--reader", "pn532_uart:\(port)") { station in
        let events = try await station.client.events()
        try await station.client.start("tables", csv: Tables.csv(2))
        _ = try await events.phase("done", row: 1)
        before.stop()
        let lost = try await events.phase("reader-lost")
        #expect(lost["failure"]["code"].text?.isEmpty == false, "\(lost)")
        #expect(lost["batch"] == "tables" && lost["counts"]["done"] == 1)
        let after = try SimulatedReader(tag: try Tables.tag(2))
        try FileManager.default.removeItem(atPath: port)
        try FileManager.default.createSymbolicLink(
          atPath: port, withDestinationPath: after.devicePath)
        _ = try await events.phase("done", row: 2)
        _ = try await events.phase("finished")
        let rows = try await station.client.get("/api/batches/tables/rows")["results"].elements
        #expect(rows.map { $0["uid"].text } == [Tables.uid(1), Tables.uid(2)])
        after.stop()
      }
    }

    @Test(
      "a station that was killed goes on, when it is started again, with the same batch and row")
    func killed() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: try Tables.tag(1))
      let killed = try await sandbox.station(on: reader) { station in
        let events = try await station.client.events()
        try await station.client.start("tables", csv: Tables.csv(3))
        _ = try await events.phase("done", row: 1)
        reader.replaceTag(with: nil)
        _ = try await events.phase("waiting", row: 2)
        try await station.kill()
      }
      #expect(killed.status == 128 + 9)
      try await sandbox.station(on: reader) { station in
        let client = station.client
        let batch = try #require(try await client.get("/api/batches").results("batch").first)
        #expect(batch["batch"] == "tables" && batch["done"] == 1 && batch["pending"] == 2)
        let events = try await client.events()
        try await client.start("tables")
        _ = try await events.phase("waiting", row: 2)
        reader.replaceTag(with: try Tables.tag(2))
        _ = try await events.phase("done", row: 2)
      }
    }

    @Test("a batch that locks goes on locking after a kill, without being told again")
    func killedLocking() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: try Tables.tag(1))
      try await sandbox.station(on: reader) { station in
        let events = try await station.client.events()
        try await station.client.start(
          "tables", csv: Tables.csv(2), ["lock": true, "type": "ntag213", "strict": true])
        #expect(try await events.phase("done", row: 1)["row"]["locked"] == true)
        reader.replaceTag(with: nil)
        _ = try await events.phase("waiting", row: 2)
        try await station.kill()
      }
      try await sandbox.station(on: reader) { station in
        let client = station.client
        let batch = try #require(try await client.get("/api/batches").results("batch").first)
        #expect(
          batch["options"]
            == .object([
              "lock": true, "setPassword": false, "overwrite": false, "reuse": false,
              "unregistered": false, "strict": true, "requireGenuine": false, "type": "ntag213",
              "provision": false,
            ]))
        let events = try await client.events()
        try await client.start("tables")
        #expect(try await events.phase("waiting", row: 2)["locks"] == true)
        reader.replaceTag(with: try Tables.tag(2))
        #expect(try await events.phase("done", row: 2)["row"]["locked"] == true)
      }
    }

    @Test("a value of the query that means nothing is refused, and torn is a state of rows")
    func queries() async throws {
      let reader = try SimulatedReader(tag: try Tables.tag(1), faults: [.tearWrite(4)])
      try await Sandbox.withFruta().station(on: reader) { station in
        let client = station.client
        let events = try await client.events()
        try await client.start("tables", csv: Tables.csv(2))
        _ = try await events.phase("torn", row: 1)
        let torn = try await client.get("/api/batches/tables/rows?state=torn")
        #expect(torn["total"] == 1 && torn["results"][0]["row"] == 1, "\(torn)")
        for query in ["state=half", "limit=many", "limit=0", "limit=1001", "offset=-1"] {
          let answer = try await client.send("GET", "/api/batches/tables/rows?" + query)
          #expect(answer.status == 400, "\(query): \(answer.text)")
        }
        #expect(try await client.send("GET", "/api/codes?limit=x").status == 400)
      }
    }

    @Test("a row that is objected to counts once")
    func objectionsOnce() async throws {
      try await Sandbox.withFruta().station(on: SimulatedReader(tag: nil)) { station in
        let csv =
          "url,place\n\(Tables.url(1)),\nhttps://elsewhere.example/1,\n\(Tables.url(2)),nowhere\n"
        let review = try await station.client.post(
          "/api/batches/review", ["batch": "t", "csv": .string(csv)])
        #expect(review["objections"] == 2, "\(review)")
      }
    }

    @Test("a batch that sets a password is not continued without it")
    func passwordAgain() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      try await sandbox.station(on: reader) { station in
        let events = try await station.client.events()
        try await station.client.start(
          "tables", csv: Tables.csv(1), ["setPassword": true, "password": "A1B2C3D4:0102"])
        _ = try await events.phase("waiting", row: 1)
      }
      try await sandbox.station(on: reader) { station in
        let again = try await station.client.post("/api/batches/start", ["batch": "tables"])
        #expect(again.failure == "malformed-password")
      }
    }

    @Test("a batch that makes tags ready is not continued by the station, which has no keys")
    func provisioned() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(Tables.csv(1), to: "tables.csv")
      try sandbox.write(ProvisionTests.file(ProvisionTests.keys), to: "keys.yaml")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: sandbox.path("keys.yaml"))
      let begun = try await sandbox.run(
        "tag", "batch", "tables.csv", "--provision", "--keys", "keys.yaml", "--limit", "0")
      #expect(begun.status == 0, "\(begun.errors)")
      try await sandbox.station(on: SimulatedReader(tag: nil)) { station in
        let again = try await station.client.post("/api/batches/start", ["batch": "tables"])
        #expect(again.failure == "provisioning-keys", "\(again)")
        let listed = try await station.client.get("/api/batches").results("batch").first
        #expect(listed?["options"]["provision"] == true)
      }
    }

    @Test(
      "killed in the middle of a tag, the next run finishes that tag for its row",
      arguments: [14, 24, 30, 36])
    func killedWriting(commands: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: try Tables.tag(1))
      try await sandbox.station(on: reader) { station in
        try await station.client.start("tables", csv: Tables.csv(1))
        try await until { reader.commandCount >= commands }
        try await station.kill()
      }
      try await sandbox.station(on: reader) { station in
        let events = try await station.client.events()
        try await station.client.start("tables")
        _ = try await events.phase("finished")
        let rows = try await station.client.get("/api/batches/tables/rows")["results"].elements
        #expect(rows.map { $0["state"] } == ["done"] && rows[0]["uid"].text == Tables.uid(1))
        #expect(try await station.client.get("/api/codes").results("code").count == 1)
      }
    }

    @Test("everything that speaks against a file is told by line before the first tag")
    func objections() async throws {
      let reader = try SimulatedReader(tag: try Tables.tag(1))
      try await Sandbox.withFruta().station(on: reader) { station in
        let client = station.client
        let good = try await client.post(
          "/api/batches/review", ["batch": "tables", "csv": .string(Tables.csv(2))])
        let batch = try #require(good.results("batch").first)
        #expect(batch["rows"] == 2 && batch["dryRun"] == true)
        #expect(good["rows"].elements.map { $0["state"] } == ["new", "new"])
        #expect(try await client.get("/api/batches")["results"].elements.isEmpty, "nothing is kept")

        let csv = "url,label\n\(Tables.url(1)),\"a\" b\n,c\nhttp://fruta.example.com/order/1,d\n"
        let bad = try await client.post(
          "/api/batches/review", ["batch": "bad", "csv": .string(csv)])
        #expect(bad["status"] == 65)
        #expect(bad.results("error").map { $0["line"] } == [2, 3])
        #expect(bad.results("verification").map { $0["source"] } == ["bad.csv:4:1"])
        let objected = bad["rows"].elements.filter { $0["objection"].text != nil }
        #expect(objected.map { $0["line"] } == [4], "\(bad["rows"])")
        let refused = try await client.post(
          "/api/batches/start", ["batch": "bad", "csv": .string(csv)])
        #expect(refused["status"] == 65)
        let unnamed = try await client.post(
          "/api/batches/start", ["batch": "", "csv": .string(Tables.csv(1))])
        #expect(unnamed["status"] == 64, "\(unnamed)")
        #expect(try await client.get("/api/now")["mode"] == "idle")
        #expect(reader.commandCount == 0)
      }
    }

    @Test("a batch that locks says so before, and a tag of it is locked when it is done")
    func locked() async throws {
      let reader = try Tables.deck(1)
      try await Sandbox.withFruta().station(on: reader) { station in
        let client = station.client
        let review = try await client.post(
          "/api/batches/review",
          ["batch": "tables", "csv": .string(Tables.csv(1)), "options": .object(["lock": true])])
        #expect(review["status"] == 0, "\(review)")
        let events = try await client.events()
        try await client.start("tables", csv: Tables.csv(1), ["lock": true])
        #expect(try await events.phase("waiting")["locks"] == true)
        let done = try await events.phase("done")
        #expect(done["row"]["locked"] == true, "\(done)")
        _ = try await events.phase("finished")
        let rows = try await client.get("/api/batches/tables/rows")["results"].elements
        #expect(rows[0]["locked"] == true)
      }
    }

    @Test("a password is put in force, and is in no answer, no event and no file")
    func password() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try Tables.deck(1)
      try await sandbox.station(on: reader) { station in
        let client = station.client
        let without = try await client.post(
          "/api/batches/start",
          ["batch": "t", "csv": .string(Tables.csv(1)), "options": .object(["setPassword": true])])
        #expect(without.failure == "malformed-password", "\(without)")
        let wrong = try await client.post(
          "/api/batches/start",
          [
            "batch": "t", "csv": .string(Tables.csv(1)),
            "options": .object(["setPassword": true, "password": "A1B2C3"]),
          ])
        #expect(wrong.failure == "malformed-password" && !"\(wrong)".contains("A1B2C3"))
        let events = try await client.events()
        try await client.start(
          "tables", csv: Tables.csv(1), ["setPassword": true, "password": "A1B2C3D4:0102"])
        #expect(try await events.phase("done")["setsPassword"] == true)
        _ = try await events.phase("finished")
        #expect(!"\(events.heard)".contains("A1B2C3D4"))
        #expect(!"\(try await client.get("/api/batches/tables/rows"))".contains("A1B2C3D4"))
      }
      let folder = try await sandbox.shell("grep -rl A1B2C3D4 \"$1\" || true", sandbox.root)
      #expect(folder.output == "")
      let tag = try await sandbox.tag("write", Tables.url(9), "--overwrite", "--json", on: reader)
      // The reader is empty behind the deck.
      #expect(tag.status != 0)
    }

    @Test("a file of ten thousand rows is looked through, and its first rows are shown")
    func tenThousand() async throws {
      try await Sandbox.withFruta().station { station in
        let client = station.client
        let review = try await client.post(
          "/api/batches/review", ["batch": "large", "csv": .string(Tables.csv(10_000))])
        #expect(review["status"] == 0, "\(review["results"])")
        #expect(review.results("batch").first?["rows"] == 10_000)
        #expect(review["rowCount"] == 10_000)
        #expect(review["rows"].elements.count == 500)
      }
    }

    @Test("names that would be markup are text in every table, whatever they hold")
    func hostileNames() async throws {
      let names = [
        "<img src=x onerror=alert(1)>", "</td></table><script>alert(1)</script>", "\"' onclick=x ",
        String(repeating: "Donaudampfschiff", count: 12), "שולחן 7 ‮evil", "{{csrf}} {{w:brand}}",
        "a\u{0007}b\u{001B}[31m", "&lt;b&gt;",
      ]
      let csv =
        "url,label\n"
        + names.enumerated().map { index, name in
          "\(Tables.url(index + 1)),\"\(name.replacing("\"", with: "\"\""))\"\n"
        }.joined()
      let sandbox = try await Sandbox.withFruta()
      let reader = try Tables.deck(1)
      try await sandbox.station(on: reader) { station in
        let client = station.client
        let batch = "<svg onload=alert(1)>&é‮"
        try await client.post("/api/who", ["by": "<b>Ada</b>"])
        let review = try await client.post(
          "/api/batches/review", ["batch": .string(batch), "csv": .string(csv)])
        #expect(review["rows"].elements.count == names.count, "\(review)")
        let events = try await client.events()
        let started = try await client.post(
          "/api/batches/start", ["batch": .string(batch), "csv": .string(csv)])
        guard started["status"] == 0 else {
          // A name that no terminal shows may be refused whole.
          #expect(started.failure != nil, "\(started)")
          return
        }
        _ = try await events.phase("waiting", row: 2)
        for path in ["/", "/batch", "/print"] {
          let page = try await client.page(path).text
          #expect(!page.contains("<svg onload"), "\(path)")
          #expect(!page.contains("<b>Ada"), "\(path)")
          #expect(!page.contains("<img src=x"), "\(path)")
          #expect(!page.contains("<script>alert"), "\(path)")
          if path == "/" { #expect(page.contains("&lt;svg onload=alert(1)&gt;&amp;é"), "\(page)") }
        }
        let escaped = try #require(
          batch.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let rows = try await client.get("/api/batches/\(escaped)/rows")["results"].elements
        #expect(rows.map { $0["label"].text } == names)
        let report = try await client.send("GET", "/api/batches/\(escaped)/report.csv")
        #expect(report.header("content-disposition")?.hasPrefix("attachment; ") == true)
        #expect(report.headers.filter { $0.name == "content-disposition" }.count == 1)
      }
    }
  }
}
