import SimulatedReader
import TagTypes
import Testing

/// Locking a tag for good by command, on the simulated reader.
extension CommandSuite {
  @Suite("Locking tags") struct TagLockTests {
    private static func reader(_ faults: Fault...) throws -> SimulatedReader {
      var tag = try SimulatedTag(.ntag213)
      tag.hold(uri: "fruta.example.com/order/cupertino")
      return try SimulatedReader(tag: tag, faults: faults)
    }

    @Test("a lock is proven, recorded, agreed upon by read and info, and repeated without a write")
    func lock() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try Self.reader()
      let lock = try await sandbox.tag("lock", "--json", on: reader)
      #expect(lock.status == 0, "\(lock.output)\(lock.errors)")
      let line = try #require(try lock.lines("lock").first)
      #expect(line["url"].text == Fruta.cupertino)
      #expect(line["pagesWritten"] == 4 && line["alreadyLocked"] == false)
      #expect(line["verified"] == true && line["locked"] == true)
      let memory = reader.memory
      let again = try await sandbox.tag("lock", "--json", on: reader)
      #expect(try again.lines("lock").first?["alreadyLocked"] == true)
      #expect(reader.memory == memory)
      for command in ["read", "info"] {
        let outcome = try await sandbox.run(
          ["tag", command, "--json", "--reader", reader.connectionString])
        #expect(try outcome.lines.first?["tag"]["locked"] == true)
      }
      let write = try await sandbox.tag("write", Fruta.sanFrancisco, "--json", on: reader)
      #expect(write.status == 77)
      let code = try #require(line["code"].text)
      let history = try await sandbox.run("code", "show", code, "--json").lines.first?["history"]
      #expect(history?.elements.filter { $0["kind"] == "locked" }.count == 1)
    }

    @Test("what no phone reads is not locked in, not even on request; read and info say the same")
    func unreadableByPhones() async throws {
      let uri = Array("fruta.example.com/order/cupertino".utf8)
      let message: [UInt8] = [0xD1, 0x01, 0x22, 0x55, 0x04] + uri
      let cases: [(String, [UInt8], UInt8)] = [
        ("malformed-ndef", [0x03, 0x27] + message + [0xFE], 0x00),
        ("malformed-ndef", [0x03, 0x26, 0x51] + message.dropFirst() + [0xFE], 0x00),
        ("reading-denied", [0x03, 0x26] + message + [0xFE], 0x88),
      ]
      for (code, blocks, access) in cases {
        let sandbox = try await Sandbox.withFruta()
        var tag = try SimulatedTag(.ntag215)
        tag.place(blocks, atPage: 4)
        tag.place([0xE1, 0x10, 0x3E, access], atPage: 3)
        let reader = try SimulatedReader(tag: tag)
        let before = reader.memory
        for options in [[], ["--unregistered"], ["--dry-run"]] {
          let lock = try await sandbox.run(
            ["tag", "lock", "--json", "--reader", reader.connectionString] + options)
          #expect(lock.status == 1, "\(code) \(options) \(lock.output)")
          #expect(lock.output.contains(code))
        }
        #expect(reader.memory == before)
        let read = try await sandbox.tag("read", "--no-location", "--json", on: reader)
        #expect(read.status == 1)
        #expect(try read.lines.first?["verdict"].text == "rejected")
        let info = try await sandbox.tag("info", "--json", on: reader)
        for outcome in [read, info] {
          let findings = try #require(try outcome.lines.first?["findings"].elements)
          #expect(
            findings.contains { $0["code"].text == code && $0["severity"].text == "error" },
            "\(code)")
        }
      }
    }

    @Test(
      "a tag that tells no version is locked, with its message or after it, and the locks are proven",
      arguments: [SimulatedTagKind.type2, .ntag203], [true, false])
    func noVersion(kind: SimulatedTagKind, isAtOnce: Bool) async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: try kind.card())
      if isAtOnce {
        let write = try await sandbox.tag(
          "write", Fruta.cupertino, "--lock", "--json", on: reader)
        #expect(write.status == 0, "\(write.output)\(write.errors)")
      } else {
        let write = try await sandbox.tag("write", Fruta.cupertino, on: reader)
        #expect(write.status == 0, "\(write.output)\(write.errors)")
      }
      let lock = try await sandbox.tag("lock", "--json", on: reader)
      #expect(lock.status == 0, "\(lock.output)\(lock.errors)")
      let line = try #require(try lock.lines("lock").first)
      #expect(line["verified"] == true && line["locked"] == true)
      #expect((line["alreadyLocked"] == true) == isAtOnce)
    }

    @Test("a dry run names pages and what cannot be undone, and changes nothing")
    func dryRun() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try Self.reader()
      let before = reader.memory
      let outcome = try await sandbox.tag("lock", "--dry-run", "--json", on: reader)
      #expect(outcome.status == 0)
      let line = try #require(try outcome.lines.first)
      #expect(line["plan"].elements.map { $0["page"] } == [42, 3, 40, 40, 2, 2])
      #expect(line["irreversible"].elements.count == 6 && line["locked"] == false)
      #expect(reader.memory == before)
    }

    @Test("a lock bit that is stored wrongly once is set again before it is frozen")
    func storedWrongly() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(
        .ntag213, faults: .storeWrong(page: 40, times: 1)
      ) { $0.hold(uri: String(Fruta.cupertino.dropFirst("https://".count))) }
      let outcome = try await sandbox.tag("lock", "--json", on: reader)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(Array(reader.memory[160..<163]) == [0xFF, 0x0F, 0x3F])
    }

    @Test("what the check does not accept is not locked in, unless that is asked for")
    func refused() async throws {
      let sandbox = try await Sandbox.withFruta()
      let foreign = try SimulatedReader.holding { $0.hold(uri: "elsewhere.example.net/") }
      let empty = try SimulatedReader.holding()
      for reader in [foreign, empty] {
        let before = reader.memory
        #expect(try await sandbox.tag("lock", "--json", on: reader).status == 1)
        #expect(reader.memory == before)
      }
      let outcome = try await sandbox.tag("lock", "--unregistered", "--json", on: foreign)
      #expect(outcome.status == 0, "\(outcome.output)")
      #expect(try await sandbox.tag("lock", "--unregistered", "--json", on: empty).status == 1)
    }

    @Test("written and locked in one go; a tag that cannot be locked is not written either")
    func writeAndLock() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding()
      let outcome = try await sandbox.tag("write", "--lock", Fruta.cupertino, "--json", on: reader)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      #expect(try outcome.lines.count == 1)
      #expect(try outcome.lines.first?["locked"] == true)
      let again = try await sandbox.tag("write", "--lock", Fruta.cupertino, "--json", on: reader)
      #expect(try again.lines.first?["alreadyCorrect"] == true)
      #expect(try again.lines.first?["locked"] == true)

      let frozen = try SimulatedReader.holding {
        $0.place(Array($0.page(2)[..<2]) + [0x02, 0x00], atPage: 2)
      }
      let before = frozen.memory
      let refusal = try await sandbox.tag("write", "--lock", Fruta.cupertino, "--json", on: frozen)
      #expect(refusal.status == 77)
      #expect(frozen.memory == before)
    }

    @Test("whatever goes wrong, no success is reported and the same command finishes")
    func faults() async throws {
      let faults =
        (1...4).flatMap { [Fault.tearWrite($0), .tearWrite($0, halfWritten: true)] }
        + [4, 8, 12, 16].map { .removeTag(afterCommands: $0) }
        + [.swapTag(afterCommands: 7), .refusePage(40), .unplug(afterCommands: 30)]
      for fault in faults {
        let sandbox = try await Sandbox.withFruta()
        let reader = try Self.reader(fault)
        let outcome = try await sandbox.tag("lock", "--json", on: reader)
        #expect([69, 74].contains(outcome.status), "\(fault): \(outcome.output)")
        #expect(try outcome.lines("lock").isEmpty)
        let next = try SimulatedReader(tag: reader.tag)
        let again = try await sandbox.tag("lock", "--json", on: next)
        #expect(again.status == 0, "\(fault): \(again.output)")
        #expect(try again.lines("lock").first?["locked"] == true)
      }
    }
  }
}
