import Foundation
import SimulatedReader
import TagTypes
import Testing

/// The command's verdicts on the genuineness of a tag and its message.
extension CommandSuite {
  @Suite("Authenticity") struct AuthenticityTests {
    /// NXP AN12196, section 4.4: made by tag 04DE5F1EACC040 at counter 61, with keys of zeros.
    private static let message = "?e=EF963FF7828658A599F3041510671E88&c=94EED9EE65337086"
    private static let keys = Repository.path("Samples/fruta/keys.yaml")

    private func verdict(_ outcome: Outcome) throws -> JSON {
      try #require(try outcome.lines("verification").first)["verdict"]
    }

    private func findings(_ outcome: Outcome) throws -> [String] {
      try outcome.lines("verification").flatMap { $0["findings"].elements.map { $0["code"] } }
        .compactMap(\.text)
    }

    @Test("check compares and uses nothing up, unless it is told to")
    func check() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = Fruta.cupertino + Self.message
      for _ in 0..<2 {
        let seen = try await sandbox.run("check", url, "--keys", sandbox.keys, "--json")
        #expect(seen.status == 0)
        #expect(try findings(seen) == ["sun-valid"])
      }
      let used = try await sandbox.run("check", url, "--keys", sandbox.keys, "--json", "--consume")
      #expect(used.status == 0)
      let line = try #require(try used.lines.first)["secureMessage"]
      line.expectKeys(["result", "uid", "counter", "lastCounter", "fileData"])
      #expect(line["uid"] == "04DE5F1EACC040" && line["counter"] == 61)
      for arguments in [[], ["--consume"]] {
        let copied = try await sandbox.run(
          ["check", url, "--keys", sandbox.keys, "--json"] + arguments)
        #expect(copied.status == 1)
        #expect(try verdict(copied) == "rejected")
        #expect(try findings(copied) == ["sun-replayed"])
      }
    }

    @Test("scan uses a message up, unless it is told not to")
    func scan() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.run("qr", Fruta.cupertino + Self.message, "-o", "copy.png")
      let arguments = ["scan", "copy.png", "--no-location", "--keys", try sandbox.keys, "--json"]
      for _ in 0..<2 {
        #expect(try await sandbox.run(arguments + ["--no-consume"]).status == 0)
      }
      #expect(try await sandbox.run(arguments).status == 0)
      let second = try await sandbox.run(arguments)
      #expect(second.status == 1)
      #expect(try findings(second).contains("sun-replayed"))
    }

    @Test("of several processes that are shown the same message exactly one accepts it")
    func race() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = Fruta.cupertino + Self.message
      let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try await sandbox.run("check", url, "--keys", sandbox.keys, "--consume", "--quiet")
              .status
          }
        }
        return try await group.reduce(into: [Int32]()) { $0.append($1) }
      }
      #expect(statuses.sorted() == [0, 1, 1, 1])
    }

    @Test("a message on the wrong tag is rejected, and a missing one too")
    func tagRead() async throws {
      let sandbox = try await Sandbox.withFruta()
      let copied = try SimulatedReader.holding {
        $0.hold(uri: "fruta.example.com/order/cupertino" + Self.message)
      }
      let wrong = try await sandbox.tag(
        "read", "--no-location", "--keys", sandbox.keys, "--json", on: copied)
      #expect(wrong.status == 1)
      #expect(try findings(wrong).contains("sun-wrong-tag"))
      let bare = try SimulatedReader.holding { $0.hold(uri: "fruta.example.com/order/cupertino") }
      let missing = try await sandbox.tag(
        "read", "--no-location", "--keys", sandbox.keys, "--json", on: bare)
      #expect(missing.status == 1)
      #expect(try findings(missing).contains("sun-missing"))
      #expect(try await sandbox.tag("read", "--no-location", on: bare).status == 0)
    }

    @Test("each tap of a tag that makes messages is accepted; what it said before is a copy")
    func tapping() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: try SimulatedTagKind.ntag424SUN.card())
      var payloads: [String] = []
      for reading in 1...2 {
        let tap = try await sandbox.tag(
          "read", "--no-location", "--keys", sandbox.keys, "--check-originality", "--json",
          on: reader)
        #expect(tap.status == 0, "\(tap.output)")
        #expect(try findings(tap).contains("sun-valid"))
        let line = try #require(try tap.lines("verification").first)
        #expect(line["tag"]["originality"] == "genuine")
        #expect(line["secureMessage"]["uid"] == line["tag"]["uid"])
        #expect(line["secureMessage"]["lastCounter"] == (reading == 1 ? .null : 1))
        payloads.append(try #require(line["payload"].text))
      }
      #expect(Set(payloads).count == 2)
      for payload in payloads {
        let copied = try await sandbox.run("check", payload, "--keys", sandbox.keys, "--json")
        #expect(copied.status == 1)
        #expect(try findings(copied) == ["sun-replayed"])
      }
      // A chip with the same UID and keys whose counter begins anew, as one that plays messages
      // back.
      let replaying = try SimulatedReader(tag: try SimulatedTagKind.ntag424SUN.card())
      let replayed = try await sandbox.tag(
        "read", "--no-location", "--keys", sandbox.keys, "--json", on: replaying)
      #expect(replayed.status == 1)
      #expect(try findings(replayed).contains("sun-replayed"))
      #expect(try verdict(replayed) == "rejected")
    }

    @Test("without --consume a tap leaves the counter where it was")
    func tappingWithoutConsuming() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: try SimulatedTagKind.ntag424SUN.card())
      let tap = try await sandbox.tag(
        "read", "--no-location", "--keys", sandbox.keys, "--no-consume", on: reader)
      #expect(tap.status == 0)
      #expect(try await sandbox.run("registry", "counters").output == "")
    }

    @Test(
      "the key file is found by option, environment and usual place, and is refused when others may read it"
    )
    func whereKeysAre() async throws {
      let sandbox = try await Sandbox.withFruta()
      let text = try String(contentsOfFile: Self.keys, encoding: .utf8)
      let home = sandbox.root + "/home/.config/cliptag"
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      try text.write(toFile: home + "/keys.yaml", atomically: true, encoding: .utf8)
      let files = FileManager.default
      try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: home + "/keys.yaml")
      let open = try await sandbox.run("check", Fruta.cupertino)
      #expect(open.status == 78, "a key that others may read is no secret")
      #expect(open.errors.contains("chmod 600"))
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: home + "/keys.yaml")
      let closed = try await sandbox.run("check", Fruta.cupertino)
      #expect(closed.status == 1 && closed.errors == "")

      try sandbox.write("messages: []\n", to: "none.yaml")
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: sandbox.path("none.yaml"))
      let named = try await sandbox.run(
        "check", Fruta.cupertino, environment: ["CLIPTAG_KEYS": sandbox.path("none.yaml")])
      #expect(named.status == 0, "the environment goes before the usual place")
      let option = try await sandbox.run(
        "check", Fruta.cupertino, "--keys", sandbox.keys,
        environment: ["CLIPTAG_KEYS": sandbox.path("none.yaml")])
      #expect(option.status == 1, "the option goes before the environment")
      let piped = try await sandbox.run(
        "check", Fruta.cupertino, "--keys", "-", stdin: Array(text.utf8))
      #expect(piped.status == 1)
    }

    @Test(
      "a missing key file is status 66, a malformed one 65 with every line, and no key is shown")
    func badKeyFiles() async throws {
      let sandbox = try await Sandbox.withFruta()
      let missing = try await sandbox.run("check", Fruta.cupertino, "--keys", "nowhere.yaml")
      #expect(missing.status == 66)
      try sandbox.write(
        "messages:\n  - prefix: https://a.example.com/\n    piccData: e\n    mac: c\n"
          + "    metaReadKey: \"DEADBEEF\"\n    fileReadKey: DEADBEEF00\n", to: "keys.yaml")
      let bad = try await sandbox.run("check", Fruta.cupertino, "--keys", "keys.yaml", "--json")
      #expect(bad.status == 65)
      #expect(try bad.lines.map { $0["line"] } == [5, 6])
      #expect(!(bad.output + bad.errors).contains("DEADBEEF"))
    }

    @Test("keys are in no output, however much is asked for, and in no registry")
    func keysStaySecret() async throws {
      let sandbox = try await Sandbox.withFruta()
      let secret = "0F1E2D3C4B5A69788796A5B4C3D2E1F0"
      let text = try String(contentsOfFile: Self.keys, encoding: .utf8)
        .replacing("00000000000000000000000000000000", with: secret)
      try sandbox.write(text, to: "keys.yaml")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: sandbox.path("keys.yaml"))
      for url in [Fruta.cupertino, Fruta.cupertino + Self.message] {
        for form in ["--json", "--verbose"] {
          let outcome = try await sandbox.run(
            "check", url, "--keys", "keys.yaml", "--consume", form)
          #expect(outcome.status == 1)
          #expect(!(outcome.output + outcome.errors).uppercased().contains(secret))
        }
      }
      let export = try await sandbox.run("registry", "export", "-")
      #expect(export.status == 0 && !export.output.contains("04DE5F1EACC040"))
    }

    @Test("a genuine tag is told so by info, by read when asked, and is written")
    func genuine() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(.ntag215)
      let info = try await sandbox.tag("info", "--json", on: reader)
      #expect(try #require(try info.lines.first)["tag"]["originality"] == "genuine")
      let write = try await sandbox.tag(
        "write", Fruta.cupertino, "--check-originality", "--json", on: reader)
      #expect(write.status == 0)
      #expect(try #require(try write.lines.first)["originality"] == "genuine")
      let read = try await sandbox.tag(
        "read", "--no-location", "--check-originality", "--json", on: reader)
      #expect(read.status == 0)
      #expect(try #require(try read.lines.first)["tag"]["originality"] == "genuine")
      let unasked = try await sandbox.tag("read", "--no-location", "--json", on: reader)
      #expect(try #require(try unasked.lines.first)["tag"]["originality"] == .null)
    }

    @Test("a counterfeit is rejected, and is not written by whoever asks for genuine tags")
    func counterfeit() async throws {
      let sandbox = try await Sandbox.withFruta()
      let uid: [UInt8] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]
      let reader = try SimulatedReader(tag: try SimulatedTag(.ntag215, uid: uid))
      let before = reader.memory
      for arguments in [[], ["--dry-run"]] {
        let write = try await sandbox.run(
          ["tag", "write", Fruta.cupertino, "--check-originality", "--json", "--reader"]
            + [reader.connectionString] + arguments)
        #expect(write.status == 1)
        #expect(try write.errorCodes == ["not-genuine"])
        #expect(reader.memory == before)
      }
      #expect(try await sandbox.run("code", "list", "--all").output == "")
      let info = try await sandbox.tag("info", on: reader)
      #expect(info.status == 0 && info.output.contains("SIGNATURE NOT VERIFIED"))
      // The maker that the chip states is not shown as a fact beside that.
      #expect(!info.output.contains("chip by NXP") && info.output.contains("maker unproven"))
      let facts = try await sandbox.tag("info", "--json", on: reader)
      let details = try #require(try facts.lines.first)["details"]
      #expect(details["vendor"] == .null && details["version"] == "0004040201001103")
      #expect(try await sandbox.tag("write", Fruta.cupertino, on: reader).status == 0)
      let read = try await sandbox.tag(
        "read", "--no-location", "--check-originality", "--json", on: reader)
      #expect(read.status == 1)
      #expect(try findings(read).contains("not-genuine"))
    }

    @Test("a tag without a signature is undecided when asked for, and not written")
    func notCheckable() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(.ultralight)
      let write = try await sandbox.tag(
        "write", Fruta.cupertino, "--check-originality", "--json", on: reader)
      #expect(write.status == 1)
      #expect(try write.errorCodes == ["originality-unknown"])
      #expect(try await sandbox.tag("write", Fruta.cupertino, on: reader).status == 0)
      let read = try await sandbox.tag(
        "read", "--no-location", "--check-originality", "--json", on: reader)
      #expect(read.status == 1)
      #expect(try verdict(read) == "undecided")
    }
  }
}
