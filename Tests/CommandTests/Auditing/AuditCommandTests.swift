import Foundation
import SimulatedReader
import SimulatedReceivers
import Testing

/// Walks from the command's side: several laptops, crashes, receivers.
extension CommandSuite {
  @Suite("Walks") struct AuditCommandTests {
    /// A registry with a printed code for each of three tables in Cupertino and one in San Francisco.
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

    @Test("the walks of two laptops come together, in any order and as often as one likes")
    func laptops() async throws {
      let office = try await Self.scene()
      for (copy, pictures) in [("north", ["c1.png", "c2.png"]), ("south", ["c2.png", "s1.png"])] {
        // Nobody has it open, so the one file is all of it.
        try FileManager.default.copyItem(
          atPath: office.registry, toPath: office.path("\(copy).sqlite"))
        let walked = try await office.run(
          ["audit", "--name", "Autumn", "--place", "cupertino", "--quiet", "--registry"]
            + ["\(copy).sqlite"] + pictures)
        #expect(walked.status == (copy == "north" ? 0 : 1), "\(walked.errors)")
      }
      for files in [["south.sqlite", "north.sqlite"], ["north.sqlite", "south.sqlite"]] {
        let merged = try await office.run(["audit", "merge", "--json"] + files)
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

    @Test("a copy of a tag's own message is found where it hangs")
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
