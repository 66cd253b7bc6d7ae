import Foundation
import Pictures
import SimulatedReader
import SimulatedReceivers
import Testing

/// Walks with the command: several computers, crashes, receivers.
extension CommandSuite {
  @Suite("Walks") struct AuditCommandTests {
    /// A registry with a printed code for each of three tables in Cupertino and one in San
    /// Francisco.
    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      for (url, name) in [
        (Fruta.cupertino + "/table/1", "c1"), (Fruta.cupertino + "/table/2", "c2"),
        (Fruta.cupertino + "/table/3", "c3"), (Fruta.sanFrancisco, "s1"),
      ] {
        let made = try await sandbox.run("qr", url, "-o", "\(name).png", "--quiet")
        try #require(made.status == 0, "\(made.errors)")
      }
      return sandbox
    }

    private func report(
      _ sandbox: Sandbox, _ arguments: String...
    ) async throws -> (summary: JSON, findings: [JSON]) {
      let outcome = try await sandbox.run(["audit", "report", "--json"] + arguments)
      return (
        try #require(try outcome.lines("audit-report").first), try outcome.lines("audit-finding")
      )
    }

    @Test("a merge of walks counts what was done about their findings")
    func followUps() async throws {
      let office = try await Self.scene()
      try AuditKillTests.copyRegistry(office.registry, to: office.path("field.sqlite"))
      let field = ["--registry", "field.sqlite"]
      _ = try await office.run(["audit", "c1.png", "--place", "cupertino"] + field)
      _ = try await office.run(["audit", "report"] + field)
      let opened = try await office.run(["audit", "findings", "--json"] + field).lines("follow-up")
      #expect(opened.count == 2, "two codes of the place were not seen")
      let merge = ["audit", "merge", "--accept-unsigned", "field.sqlite"]
      let told = try await office.run(merge + ["--dry-run"]).output
      #expect(told.contains("2 entries of findings to follow up"), "\(told)")
      let merged = try await office.run(merge + ["--json"]).lines("audit-merge").first
      #expect(merged?["followUps"] == 2)
      let again = try await office.run(merge + ["--json"]).lines("audit-merge").first
      #expect(again?["followUps"] == 0)
      #expect(try await !office.run(merge).output.contains("findings"))
      #expect(try await office.run("audit", "findings", "--json").lines("follow-up").count == 2)
    }

    @Test("the walks of two laptops come together, in any order and as often as one likes")
    func laptops() async throws {
      let office = try await Self.scene()
      for (copy, pictures) in [("north", ["c1.png", "c2.png"]), ("south", ["c2.png", "s1.png"])] {
        try AuditKillTests.copyRegistry(office.registry, to: office.path("\(copy).sqlite"))
        let walked = try await office.run(
          ["audit", "--name", "Autumn", "--place", "cupertino", "--quiet", "--registry"]
            + ["\(copy).sqlite"] + pictures)
        #expect(walked.status == (copy == "north" ? 0 : 1), "\(walked.errors)")
      }
      for files in [["south.sqlite", "north.sqlite"], ["north.sqlite", "south.sqlite"]] {
        let merged = try await office.run(
          ["audit", "merge", "--accept-unsigned", "--json"] + files)
        #expect(merged.status == 0, "\(merged.output)")
      }
      let missing = try await office.run("audit", "merge", "east.sqlite")
      #expect(missing.status == 66, "a name that was mistyped is no empty registry")
      let again = try await office.run("audit", "merge", "--json", "north.sqlite")
      #expect(try again.lines("audit-merge").first?["stops"] == 0)
      #expect(try again.lines("audit-merge").first?["knownStops"] == 2)
      let (summary, findings) = try await report(office)
      // The picture of table 2 was taken along by both.
      #expect(summary["stops"] == 3 && summary["codes"] == 3)
      #expect(summary["expected"] == 3 && summary["seen"] == 2 && summary["missing"] == 1)
      #expect(
        Set(findings.compactMap { $0["finding"]["code"].text }) == ["missing-code", "wrong-place"])
      let whole = try await office.run("code", "verify")
      #expect(whole.status == 0, "\(whole.output)")
      let shown = try await office.run(
        "code", "list", "--json", "--url", Fruta.cupertino + "/table/2")
      let id = try #require(try shown.lines("code").first?["code"].text)
      let history = try await office.run("code", "show", id, "--json")
      let reads = try history.lines("code").first?["history"].elements
        .filter { $0["kind"] == "read" }
      #expect(reads?.count == 2, "each of the two met it: \(history.output)")
    }

    @Test("the list by place says when each was visited last, and what was fine, wrong and missing")
    func byPlace() async throws {
      let sandbox = try await Self.scene()
      _ = try await sandbox.run(
        "audit", "c1.png", "s1.png", "--place", "cupertino", "--name", "Autumn")
      let listed = try await sandbox.run("audit", "list", "--by-place", "--json")
      let places = try listed.lines("audit-place")
      #expect(places.map { $0["place"]["id"] } == ["cupertino", "san-francisco"])
      #expect(
        ["expected", "confirmed", "wrong", "missing", "unconfirmed"].map { places[0][$0] }
          == [3, 1, 1, 2, 0])
      #expect(places[0]["lastVisited"].text != nil && places[0]["name"] == "Autumn")
      #expect(places[1]["lastVisited"] == .null && places[1]["expected"] == 1)
      let text = try await sandbox.run("audit", "list", "--by-place").output
      #expect(text.contains("(“Autumn”): 1 of 3 fine, 2 missing, 1 other thing wrong"), "\(text)")
      #expect(text.contains("never visited, 1 code"), "\(text)")
    }

    @Test("a sentence about several codes of a walk is said once in its report, with each code")
    func saidOnce() async throws {
      let sandbox = try await Self.scene()
      _ = try await sandbox.run(
        "audit", "c1.png", "c2.png", "c3.png", "--place", "san-francisco", "--name", "Autumn")
      let text = try await sandbox.run("audit", "report").output
      #expect(text.ranges(of: "take it back").count == 1, "\(text)")
      for table in 1...3 { #expect(text.contains("/table/\(table), stop"), "\(text)") }
      let (_, findings) = try await report(sandbox)
      #expect(findings.count { $0["finding"]["code"] == "wrong-place" } == 3)
    }

    @Test("a walk that was cut off goes on with what it has not seen")
    func goesOn() async throws {
      let sandbox = try await Self.scene()
      let cut = try await sandbox.run(
        "audit", "c1.png", "nowhere.png", "--place", "cupertino", "--name", "Autumn")
      #expect(cut.status == 66, "one file is missing, the other was kept")
      let rest = try await sandbox.run(
        "audit", "c1.png", "c2.png", "c3.png", "--place", "cupertino", "--name", "Autumn", "--json")
      #expect(rest.status == 0, "\(rest.output)")
      #expect(try rest.lines("verification").map { $0["stop"] } == [2, 3])
      let unplugged = try await sandbox.run(
        "audit", "--name", "Unplugged", "--reader", "pn532_uart:/dev/nowhere")
      #expect(unplugged.status == 69)
      let (summary, findings) = try await report(sandbox)
      #expect(summary["name"] == "Autumn", "a walk without stops is not the latest")
      #expect(summary["stops"] == 3 && summary["seen"] == 3 && findings.isEmpty)
    }

    @Test("a receiver's position is kept with the stop and with the history")
    func receiver() async throws {
      let sandbox = try await Self.scene()
      let server = try FakeGPSD.inCupertino(
        #""mode":3,"lat":37.3230,"lon":-122.0322,"eph":8"#)
      let walked = try await sandbox.run(
        "audit", "s1.png", "--gpsd", "127.0.0.1:\(server.port)", "--name", "Autumn", "--json")
      #expect(walked.status == 1)
      let (_, findings) = try await report(sandbox)
      let finding = try #require(
        findings.first { $0["finding"]["code"] == "wrong-place" }, "\(findings)")
      #expect(finding["latitude"] == .number(37.323) && finding["accuracy"] == 8)
      let code = try #require(finding["code"].text)
      let history = try await sandbox.run("code", "show", code)
      #expect(history.output.contains("position 37.323,-122.0322"), "\(history.output)")
    }

    @Test("a walk is corrected by the right command on the same photograph")
    func corrected() async throws {
      let sandbox = try await Self.scene()
      func walk(_ position: String...) async throws -> (status: Int32, JSON?) {
        let walked = try await sandbox.run(
          ["audit", "c1.png", "--name", "Autumn", "--json"] + position)
        return (walked.status, try walked.lines("verification").first)
      }
      let wrong = try await walk("--place", "san-francisco")
      #expect(wrong.status == 1 && wrong.1?["stop"] == 1 && wrong.1?["supersedes"] == .null)
      let right = try await walk("--place", "cupertino")
      #expect(right.status == 0 && right.1?["stop"] == 2 && right.1?["supersedes"] == 1)
      let same = try await walk("--place", "cupertino")
      #expect(same.status == 0 && same.1 == nil, "the same command goes on, and adds nothing")
      let (summary, findings) = try await report(sandbox)
      #expect(summary["stops"] == 1 && summary["confirmed"] == 1 && summary["wrong"] == 0)
      #expect(findings.allSatisfy { $0["finding"]["code"] == "missing-code" }, "\(findings)")
      #expect(
        try await sandbox.run("audit", "list", "--json").lines("walk").first?["stops"] == 2,
        "both are kept")
      // The accuracy is given later, and a reading without a position changes nothing.
      #expect(
        try await walk("--at", Fruta.inCupertino, "--accuracy", "90").1?["supersedes"] == 2)
      #expect(try await walk("--at", Fruta.inCupertino, "--accuracy", "5").1?["supersedes"] == 3)
      #expect(try await walk().1 == nil)
      #expect(try await walk("--read-again").1?["supersedes"] == 4)
    }

    @Test("a photograph of an empty wall is a visit, at which the place's codes are missing")
    func emptyWall() async throws {
      let sandbox = try await Self.scene()
      let image = GreyPicture(
        width: 320, height: 240, pixels: [UInt8](repeating: 200, count: 320 * 240))
      try sandbox.write(try JPEGWriter.colour(ColourPicture(image)), to: "wall.jpg")
      let nowhere = try await sandbox.run("audit", "wall.jpg", "--name", "Nowhere")
      #expect(nowhere.status == 2 && nowhere.errors.contains("nothing was stored"))
      for (name, position) in [
        ("Stated", ["--place", "cupertino"]), ("Measured", ["--at", Fruta.inCupertino]),
      ] {
        let walked = try await sandbox.run(["audit", "wall.jpg", "--name", name] + position)
        #expect(walked.status == 2 && walked.errors.contains("visit"), "\(walked.errors)")
        let (summary, _) = try await report(sandbox, name)
        #expect(summary["expected"] == 3 && summary["missing"] == 3 && summary["stops"] == 1)
        #expect(summary["unvisited"].elements.map { $0["id"] } == ["san-francisco"])
      }
    }

    @Test("an empty tag keeps its position, whoever knows it")
    func emptyTag() async throws {
      let sandbox = try await Self.scene()
      let server = try FakeGPSD.inCupertino(
        #""mode":3,"lat":37.3230,"lon":-122.0322,"eph":8"#)
      for (name, position) in [
        ("Given", ["--at", Fruta.inCupertino, "--accuracy", "8"]),
        ("Received", ["--gpsd", "127.0.0.1:\(server.port)"]),
      ] {
        let reader = try SimulatedReader.holding { _ in }
        let walked = try await sandbox.run(
          ["audit", "--name", name, "--count", "1", "--reader", reader.connectionString, "--json"]
            + position)
        #expect(walked.status == 1, "\(walked.errors)")
        let (_, findings) = try await report(sandbox, name)
        let empty = try #require(
          findings.first { $0["finding"]["code"] == "empty-tag" }, "\(findings)")
        #expect(empty["latitude"] == .number(37.323) && empty["accuracy"] == 8, "\(name)")
        #expect(empty["place"]["id"] == "cupertino")
      }
    }

    @Test("who walked is who was named, and each has a walk of their own")
    func walkers() async throws {
      let sandbox = try await Self.scene()
      let audit = ["audit", "--place", "cupertino", "--name", "Autumn"]
      for (picture, by) in [("c1.png", "Ada"), ("c2.png", "Grace"), ("c3.png", "Ada")] {
        #expect(try await sandbox.run(audit + [picture, "--by", by]).status == 0)
      }
      let named = try await sandbox.run(
        audit + ["c2.png"], environment: ["CLIPTAG_BY": "Lin"])
      #expect(named.status == 0)
      let walks = try await sandbox.run("audit", "list", "--json").lines("walk")
      #expect(Set(walks.compactMap { $0["who"].text }) == ["Ada", "Grace", "Lin"])
      #expect(walks.count { $0["stops"].number == 2 } == 1)
      let (summary, _) = try await report(sandbox, "Autumn", "--place", "cupertino")
      #expect(summary["place"]["id"] == "cupertino" && summary["confirmed"] == 3)
      #expect(summary["unvisited"].elements.isEmpty, "the other place is not asked about")
      let nowhere = try await sandbox.run("audit", "report", "Autumn", "--place", "atlantis")
      #expect(nowhere.status == 66 && nowhere.errors.contains("atlantis"))
    }

    @Test("a position that proves nothing makes no code one that hangs where it belongs")
    func unconfirmed() async throws {
      let sandbox = try await Self.scene()
      let walks = [
        ("Poor", ["--at", Fruta.inCupertino, "--accuracy", "70000"]), ("None", []),
        ("Far", ["--at", "37.7749,-122.4194", "--accuracy", "5"]),
      ]
      for (name, position) in walks {
        let walked = try await sandbox.run(["audit", "c1.png", "--name", name] + position)
        #expect(walked.status == 1, "\(walked.errors)")
        let told = try await sandbox.run("audit", "report", name, "--json")
        #expect(told.status == 1)
        let summary = try #require(try told.lines("audit-report").first)
        #expect(summary["confirmed"] == 0, "\(name)")
        #expect(summary["unconfirmed"] == (name == "Far" ? 0 : 1), "\(name)")
      }
    }

    @Test("print and tag of one sign that lead to two shops are found on the spot")
    func sign() async throws {
      let sandbox = try await Self.scene()
      let reader = try SimulatedReader.holding {
        $0.hold(uri: "fruta.example.com/order/san-francisco")
      }
      let walked = try await sandbox.run(
        "audit", "c1.png", "--sign", "door", "--place", "cupertino", "--count", "1", "--json",
        "--reader", reader.connectionString)
      #expect(walked.status == 1)
      let tag = try #require(try walked.lines("verification").last)
      #expect(tag["carrier"] == "nfc" && tag["sign"] == "door")
      let codes = tag["findings"].elements.compactMap { $0["code"].text }
      #expect(Set(codes).isSuperset(of: ["sign-disagrees", "wrong-place", "unissued-code"]))
    }

    @Test("a copy of a tag's own message is found at its place")
    func copiedMessage() async throws {
      let sandbox = try await Self.scene()
      let tapped = try String(
        contentsOfFile: Repository.path("Samples/fruta/tapped.txt"), encoding: .utf8)
      let line = try #require(tapped.split(separator: "\n").first)
      let arguments = [
        "audit", "--lines", "--assume-qr", "--again", "0", "--place", "cupertino", "--json",
        "--keys",
        try sandbox.keys,
      ]
      let lines = Array("\(line)\n\(line)\n".utf8)
      let found = try await sandbox.run(arguments, stdin: lines).lines("verification")
      try #require(found.count == 2, "\(found)")
      let codes = found.map { Set($0["findings"].elements.compactMap { $0["code"].text }) }
      #expect(!codes[0].contains("sun-replayed") && codes[1].contains("sun-replayed"))
      #expect(found[1]["verdict"] == "rejected")
    }

    @Test("what makes no walk is refused before anything is begun")
    func usage() async throws {
      let sandbox = try await Self.scene()
      for arguments in [
        [], ["--print", "x"], ["c1.png", "--print", "x"], ["--tags", "--lines"],
        ["c1.png", "--exif-position", "--at", "1,2"], ["c1.png", "--count", "1"],
        ["--tags", "--exif-position"], ["c1.png", "--name", ""],
      ] as [[String]] {
        let outcome = try await sandbox.run(["audit"] + arguments)
        #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
      }
      let nowhere = try await sandbox.run("audit", "c1.png", "--place", "atlantis")
      #expect(nowhere.status == 66 && nowhere.errors.contains("atlantis"))
      #expect(try await sandbox.run("audit", "list", "--json").lines.isEmpty)
    }
  }
}
