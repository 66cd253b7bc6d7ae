import Foundation
import SimulatedReader
import TagTypes
import Testing

/// The objects of the contract: every key, always, with the right type.
extension CommandSuite {
  @Suite("JSON") struct JSONContractTests {
    static let verificationKeys = [
      "type", "source", "carrier", "payload", "url", "verdict", "state", "experience", "place",
      "location", "findings", "symbol", "tag",
    ]

    @Test("a payload checked without a position is silent about location, symbol and tag")
    func check() async throws {
      let sandbox = try await Sandbox.withFruta()
      let line = try #require(try await sandbox.run("check", Fruta.cupertino, "--json").lines.first)
      line.expectKeys(Self.verificationKeys)
      #expect(line["type"] == "verification")
      #expect(line["carrier"] == "url")
      #expect(line["payload"].text == Fruta.cupertino)
      #expect(line["url"].text == Fruta.cupertino)
      #expect(line["verdict"] == "accepted")
      #expect(line["state"] == "ok")
      #expect(
        line["experience"]
          == .object([
            "kind": "advanced", "link": "https://fruta.example.com/order", "title": "Fruta",
            "subtitle": "Order a smoothie", "action": "OPEN", "clip": "com.example.fruta.Clip",
          ]))
      #expect(line["place"] == .object(["id": "cupertino", "name": "Fruta Cupertino"]))
      for key in ["location", "symbol", "tag"] { #expect(line[key] == .null) }
      #expect(line["findings"] == .array([]))
    }

    @Test("a default experience has no link")
    func defaultExperience() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run("check", "https://fruta.example.com/about", "--json")
      let experience = try #require(try outcome.lines.first)["experience"]
      #expect(experience["kind"] == "default")
      #expect(experience["link"] == .null)
      experience.expectKeys(["kind", "link", "title", "subtitle", "action", "clip"])
    }

    @Test("what is not known is null, and the keys are there all the same")
    func malformed() async throws {
      let sandbox = try await Sandbox.withFruta()
      for payload in ["", "not a url", "http://fruta.example.com/", "https://"] {
        let outcome = try await sandbox.run("check", "--json", "--", payload)
        let line = try #require(try outcome.lines.first)
        line.expectKeys(Self.verificationKeys)
        #expect(line["payload"].text == payload)
        #expect(line["verdict"] == "rejected")
        #expect(line["state"] == "malformed")
        for key in ["url", "experience", "place", "location"] { #expect(line[key] == .null) }
        let finding = line["findings"][0]
        finding.expectKeys(["code", "severity", "message"])
        #expect(finding["severity"] == "error")
      }
    }

    @Test("every state has its name and its verdict")
    func states() async throws {
      let sandbox = try await Sandbox.withFruta()
      // A registry may lack the default experience, which App Store Connect has of every clip.
      try sandbox.write(
        """
        clips:
          - { clip: com.example.bare.Clip, app: com.example.bare, team: ABCDE12345, domains: [bare.example.com] }
        """, to: "bare.yaml")
      try #require(try await sandbox.run("registry", "import", "bare.yaml").status == 0)
      let table: [(url: String, state: JSON, verdict: JSON)] = [
        (Fruta.cupertino, "ok", "accepted"),
        ("https://fruta.example.com/about", "default-only", "undecided"),
        ("https://bare.example.com/", "orphan", "rejected"),
        ("https://elsewhere.example.net/", "unregistered", "rejected"),
        ("https://fruta.example.com/summer", "inactive", "rejected"),
        ("https://fruta.example.com/order10", "ambiguous", "undecided"),
        ("ftp://fruta.example.com/order", "malformed", "rejected"),
      ]
      let outcome = try await sandbox.run(["check", "--json"] + table.map(\.url))
      #expect(outcome.status == 1)
      let lines = try outcome.lines
      #expect(lines.count == table.count)
      for (line, row) in zip(lines, table) {
        #expect(line["payload"].text == row.url)
        #expect(line["state"] == row.state)
        #expect(line["verdict"] == row.verdict)
      }
    }

    @Test("a location has its result and its metres")
    func locations() async throws {
      let sandbox = try await Sandbox.withFruta()
      let table: [(arguments: [String], result: JSON, status: Int32)] = [
        ([Fruta.cupertino, "--at", "37.3231,-122.0322", "--accuracy", "8"], "inside", 0),
        ([Fruta.cupertino, "--at", Fruta.inSanFrancisco], "outside", 1),
        ([Fruta.cupertino, "--at", Fruta.inCupertino, "--accuracy", "101"], "undecided", 1),
        (["https://fruta.example.com/order/nowhere", "--at", Fruta.inCupertino], "noPlace", 1),
        ([Fruta.cupertino, "--no-location"], "waived", 0),
      ]
      for (arguments, result, status) in table {
        let outcome = try await sandbox.run(["check", "--json"] + arguments)
        let location = try #require(try outcome.lines.first)["location"]
        location.expectKeys(["result", "distance", "radius", "accuracy"])
        #expect(location["result"] == result)
        #expect(outcome.status == status, "\(arguments)")
      }
      let near = try await sandbox.run(
        "check", "--json", Fruta.cupertino, "--at", "37.3231,-122.0322", "--accuracy", "8")
      let location = try #require(try near.lines.first)["location"]
      #expect((11.0...11.2).contains(try #require(location["distance"].number)))
      #expect(location["radius"] == 100)
      #expect(location["accuracy"] == 8)
    }

    @Test("an issued file says its sizes in millimetres, and scanning it says its symbol")
    func issueAndScan() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.png", "--json")
      let issue = try #require(try made.lines.first)
      issue.expectKeys([
        "type", "output", "url", "version", "errorCorrection", "moduleSize", "width", "verified",
        "code",
      ])
      #expect(issue["type"] == "issue")
      #expect(issue["output"] == "a.png")
      #expect(issue["url"].text == Fruta.cupertino)
      #expect(issue["version"] == 3)
      #expect(issue["verified"] == true)
      #expect(issue["code"].text?.wholeMatch(of: /c-[0-9A-HJKMNP-TV-Z]{26}/) != nil)
      let width = try #require(issue["width"].number)
      let module = try #require(issue["moduleSize"].number)
      #expect(abs(width - module * 37) < 0.05, "29 modules and a quiet zone of 4 on each side")

      let scan = try await sandbox.run("scan", "a.png", "--at", Fruta.inCupertino, "--json")
      #expect(scan.status == 0)
      let line = try #require(try scan.lines.first)
      line.expectKeys(Self.verificationKeys)
      #expect(line["source"] == "a.png")
      #expect(line["carrier"] == "qr")
      line["symbol"].expectKeys(["kind", "version", "errorCorrection", "corners"])
      #expect(line["symbol"]["kind"] == "qr")
      #expect(line["symbol"]["version"] == issue["version"])
      #expect(line["symbol"]["errorCorrection"] == issue["errorCorrection"])
      let corners = line["symbol"]["corners"].elements
      #expect(corners.count == 4 && corners.allSatisfy { $0.elements.count == 2 })
      #expect(line["tag"] == .null)
    }

    @Test("a code that was read needs its place confirmed, in every way it can be")
    func readingNeedsAPosition() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.run("qr", Fruta.cupertino, "-o", "a.png")
      try await sandbox.run("qr", "https://rewards.example.com/join", "-o", "free.png")
      let table: [(arguments: [String], verdict: JSON, result: JSON)] = [
        (["a.png", "--at", Fruta.inCupertino], "accepted", "inside"),
        (["a.png", "--no-location"], "accepted", "waived"),
        (["a.png", "--at", Fruta.inSanFrancisco], "rejected", "outside"),
        (["a.png", "--at", Fruta.inCupertino, "--accuracy", "101"], "undecided", "undecided"),
        (["a.png"], "undecided", "noPosition"),
      ]
      for (arguments, verdict, result) in table {
        let outcome = try await sandbox.run(["scan", "--json"] + arguments)
        let line = try #require(try outcome.lines.first)
        #expect(line["verdict"] == verdict)
        #expect(line["location"]["result"] == result)
        #expect(outcome.status == (verdict == "accepted" ? 0 : 1))
      }
      let free = try await sandbox.run("scan", "free.png", "--json")
      #expect(free.status == 0, "a clip that asks for no confirmation needs none")
    }

    @Test("a tag written and read says its facts; UIDs are upper-case hexadecimal")
    func tag() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(.ntag215)
      let write = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      let line = try #require(try write.lines.first)
      line.expectKeys([
        "type", "reader", "uid", "tagType", "url", "bytes", "pagesWritten", "alreadyCorrect",
        "verified", "locked", "code", "fieldCycled",
      ])
      #expect(line["type"] == "write")
      #expect(line["fieldCycled"] == true)
      #expect(line["reader"].text == reader.connectionString)
      #expect(line["uid"] == "04E10CDA993C80")
      #expect(line["tagType"] == "NTAG215")
      #expect(line["url"].text == Fruta.cupertino)
      #expect(line["bytes"] == 38)
      #expect(line["alreadyCorrect"] == false)
      #expect(line["verified"] == true)
      #expect(line["locked"] == false)
      #expect(try #require(line["pagesWritten"].number) > 9)

      let again = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      let second = try #require(try again.lines.first)
      #expect(second["alreadyCorrect"] == true)
      #expect(second["pagesWritten"] == 0)
      #expect(second["code"] == line["code"])

      let read = try await sandbox.tag("read", "--at", Fruta.inCupertino, "--json", on: reader)
      let found = try #require(try read.lines.first)
      found.expectKeys(Self.verificationKeys)
      #expect(found["carrier"] == "nfc")
      #expect(found["source"].text == reader.connectionString)
      #expect(found["symbol"] == .null)
      #expect(
        found["tag"]
          == .object([
            "uid": "04E10CDA993C80", "type": "NTAG215", "capacity": 492, "used": 38,
            "locked": false, "passwordProtected": false, "originality": .null,
            "originalityReason": .null,
          ]))
    }

    @Test("an error says its code, its sentence, what to do next and where")
    func error() async throws {
      let sandbox = try await Sandbox.withFruta()
      for arguments in [
        ["scan", "missing.png"], ["tag", "read", "--reader", "nonsense"], ["check"],
      ] {
        let outcome = try await sandbox.run(arguments + ["--json"])
        let line = try #require(try outcome.lines.first)
        line.expectKeys(["type", "code", "message", "hint", "source"])
        #expect(line["code"].text?.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil)
        #expect(line["message"].text?.isEmpty == false)
        #expect(line["hint"].text?.isEmpty == false)
      }
      let missing = try await sandbox.run("scan", "missing.png", "--json")
      #expect(try missing.lines.first?["source"] == "missing.png")
    }

    @Test("payloads on standard input are answered line by line, as soon as they come")
    func lineByLine() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.start("check", "--json", "-") { running in
        for url in [Fruta.cupertino, "https://elsewhere.example.net/", Fruta.sanFrancisco] {
          try await running.write(url + "\n")
          let line = try JSON(parsing: try #require(try await running.line()))
          #expect(line["payload"].text == url)
          #expect(line["source"] == "-")
        }
        try await running.write("no line end")
        try await running.endInput()
        let rest = try await running.remainingLines()
        #expect(rest.count == 1)
      }
      #expect(outcome.status == 1)
    }

    @Test("a registry that changes while lines are waited for counts from the next line on")
    func changeWhileWaiting() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = "https://fruta.example.com/new"
      let yaml = try String(
        contentsOfFile: Repository.path("Samples/fruta/registry.yaml"), encoding: .utf8)
      try sandbox.write(
        yaml.replacing("fruta.example.com/order1", with: "fruta.example.com/new"), to: "new.yaml")
      _ = try await sandbox.start("check", "--json", "-") { running in
        try await running.write(url + "\n")
        let before = try JSON(parsing: try #require(try await running.line()))
        #expect(before["state"] != "ok")
        let brought = try await sandbox.run("registry", "import", "new.yaml")
        #expect(brought.status == 0)
        try await running.write(url + "\n")
        let after = try JSON(parsing: try #require(try await running.line()))
        #expect(after["state"] == "ok")
        try await running.endInput()
      }
    }

    @Test("text that JSON must escape survives")
    func escapes() async throws {
      let sandbox = try await Sandbox.withFruta()
      let payload = "\"\\\u{8}\u{C}\t\u{1}é日本😀</script>"
      let outcome = try await sandbox.run("check", "--json", "--", payload)
      #expect(try outcome.lines.first?["payload"].text == payload)
    }
  }
}

extension JSON {
  /// Expects at least these keys.
  func expectKeys(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let missing = Set(expected).subtracting(keys)
    #expect(missing.isEmpty, "of \(keys)", sourceLocation: sourceLocation)
  }
}
