import SimulatedReader
import Subprocess
import TagTypes
import Testing

/// Trouble between the command and a tag: names, pages, statuses, and the completion by the next
/// run.
extension CommandSuite {
  @Suite("Trouble with tags") struct TagTroubleTests {
    @Test("2: no tag before the time-out")
    func noTag() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      for command in [
        ["read"], ["info"], ["write", Fruta.cupertino], ["erase"], ["dump", "t.bin"],
      ] {
        let outcome = try await sandbox.run(
          ["tag"] + command
            + ["--timeout", "0.2", "--json", "--reader", reader.connectionString])
        #expect(outcome.status == 2, "\(command)")
        #expect(try outcome.errorCodes == ["no-tag"])
      }
      #expect(try sandbox.listing() == [])
      #expect(try await sandbox.run("code", "list", "--all").output == "")
    }

    @Test(
      "a half-written message of this very URL is finished; of another it is told and kept",
      arguments: [[UInt8](repeating: 0, count: 38), [], Array("example.c".utf8)])
    func halfWritten(rest: [UInt8]) async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = Fruta.cupertino
      let tail = Array(url.dropFirst("https://".count).utf8)
      let message = [0xD1, 0x01, UInt8(tail.count + 1), 0x55, 0x04] + tail
      // Twelve bytes of it, and zeros, nothing, or something else.
      let isOurs = rest.allSatisfy { $0 == 0 }
      let held = Array(message.prefix(12)) + rest.prefix(message.count - 12)
      let reader = try SimulatedReader.holding { $0.hold(message: held) }
      let before = reader.memory
      let read = try await sandbox.tag("read", "--no-location", "--json", on: reader)
      #expect(read.status == 1)
      let write = try await sandbox.tag("write", url, "--json", on: reader)
      #expect(write.status == (isOurs ? 0 : 1), "\(write.output)")
      if !isOurs {
        #expect(try write.errorCodes == ["foreign-data"])
        #expect(reader.memory == before)
        let bold = try await sandbox.tag("write", url, "--overwrite", on: reader)
        #expect(bold.status == 0)
      }
    }

    @Test(
      "a driver that libnfc does not have is told",
      arguments: ["acr122_pcsc", "foo:bar"])
    func noSuchDriver(name: String) async throws {
      let outcome = try await Sandbox().run(["tag", "info", "--json", "--reader", name])
      #expect(outcome.status == 69)
      #expect(try outcome.errorCodes == ["no-reader"])
      #expect(
        outcome.output.contains("his libnfc has no such driver"), "\(outcome.output)")
    }

    @Test("an empty LIBNFC_DEVICE names no reader")
    func emptyDevice() async throws {
      let outcome = try await Sandbox().shell(
        "cliptag tag info --timeout 0.1", environment: ["LIBNFC_DEVICE": ""])
      #expect(outcome.status != 0)
      #expect(!outcome.errors.contains("\"\""), "\(outcome.errors)")
    }

    @Test("74: a refused page is named, and nothing is recorded")
    func writeRefused() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(faults: .refusePage(9))
      let outcome = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(outcome.status == 74)
      #expect(try outcome.errorCodes == ["write-refused"])
      #expect(try outcome.lines.last?["page"] == 9)
      #expect(try await sandbox.run("code", "list", "--all").output == "")
      try await expectFinished(sandbox, try SimulatedReader(tag: reader.tag))
    }

    @Test("74: a page that keeps something else is named, and the wrong message is withdrawn")
    func verifyFailed() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(faults: .storeWrong(page: 9, times: 1))
      let outcome = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(outcome.status == 74)
      #expect(try outcome.errorCodes == ["verify-failed"])
      #expect(try outcome.lines.last?["page"] == 9)
      let info = try await sandbox.tag("info", "--json", on: reader)
      #expect(try info.lines.first?["content"] == "empty")
      #expect(try await sandbox.run("code", "list", "--all").output == "")
      try await expectFinished(sandbox, reader)
    }

    @Test("74: a torn write says so, and the same command finishes it", arguments: [false, true])
    func tornWrite(halfWritten: Bool) async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(faults: .tearWrite(4, halfWritten: halfWritten))
      let outcome = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(outcome.status == 74)
      #expect(try outcome.errorCodes == ["torn-write"])
      let between = try await sandbox.tag("read", "--json", "--no-location", on: reader)
      #expect(between.status == 1)
      #expect(try between.lines("verification").first?["payload"] == "")
      try await expectFinished(sandbox, reader)
    }

    @Test("74: a tag that leaves before anything is written is lost")
    func tagLost() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(faults: .removeTag(afterCommands: 1))
      let outcome = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(outcome.status == 74)
      #expect(try outcome.errorCodes == ["tag-lost"])
      #expect(reader.memory == (try SimulatedTag(.ntag213)).memory)
      try await expectFinished(sandbox, reader)
    }

    @Test("74: another tag on the reader is noticed, and neither is harmed")
    func tagChanged() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(faults: .swapTag(afterCommands: 9))
      let outcome = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(outcome.status == 74)
      #expect(["tag-changed", "torn-write"].contains(try outcome.errorCodes.first))
      try await expectFinished(sandbox, reader)
    }

    @Test("77: lock bits are respected before anything is written, and reading still works")
    func locked() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding {
        $0.hold(uri: "fruta.example.com/order/san-francisco")
        $0.place(Array($0.page(2)[..<2]) + [0xFF, 0xFF], atPage: 2)
      }
      let before = reader.memory
      for command in [["write", Fruta.cupertino, "--overwrite"], ["erase", "--overwrite"]] {
        let outcome = try await sandbox.run(
          ["tag"] + command + ["--json", "--reader", reader.connectionString])
        #expect(outcome.status == 77, "\(outcome.output)")
        #expect(try outcome.errorCodes == ["tag-locked"])
      }
      #expect(reader.memory == before)
      let read = try await sandbox.tag("read", "--at", Fruta.inSanFrancisco, "--json", on: reader)
      #expect(read.status == 0)
      #expect(try read.lines.first?["tag"]["locked"] == true)
    }

    @Test("77: a password-protected tag is refused, and readable where it may be read")
    func passwordProtected() async throws {
      let sandbox = try await Sandbox.withFruta()
      for readsToo in [false, true] {
        let reader = try SimulatedReader.holding {
          $0.hold(uri: "fruta.example.com/order/san-francisco")
          $0.place([readsToo ? 0x80 : 0x00], atPage: 0x2A)  // ACCESS: PROT
          $0.place([0x04, 0x00, 0x00, 0x04], atPage: 0x29)  // AUTH0: from page 4
        }
        let before = reader.memory
        let write = try await sandbox.tag(
          "write", Fruta.cupertino, "--overwrite", "--json", on: reader)
        #expect(write.status == 77, "\(write.output)")
        #expect(try write.errorCodes == ["tag-password"])
        let read = try await sandbox.tag("read", "--no-location", "--json", on: reader)
        if readsToo {
          #expect(read.status == 77)
          #expect(try read.errorCodes == ["tag-password"])
        } else {
          #expect(read.status == 0)
          #expect(try read.lines.first?["tag"]["passwordProtected"] == true)
        }
        #expect(reader.memory == before)
      }
    }

    @Test("74: a message that does not fit is refused with nothing written")
    func tooSmall() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(.ultralight)
      let before = reader.memory
      let outcome = try await sandbox.tag(
        "write", Fruta.cupertino + "?q=" + String(repeating: "x", count: 60), "--json", on: reader)
      #expect(outcome.status == 74)
      #expect(try outcome.errorCodes == ["tag-too-small"])
      #expect(reader.memory == before)
    }

    @Test("74: a tag that holds something other than NDEF is left alone")
    func notNDEF() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(.ultralight) {
        $0.place([0x12, 0x34, 0x56, 0x78], atPage: 3)
      }
      let before = reader.memory
      for command in [["write", Fruta.cupertino], ["read", "--no-location"]] {
        let outcome = try await sandbox.run(
          ["tag"] + command + ["--json", "--reader", reader.connectionString])
        #expect(outcome.status == 74)
        #expect(try outcome.errorCodes == ["not-ndef"])
      }
      #expect(reader.memory == before)
    }

    @Test("69: a reader unplugged mid-command, and one that lost an answer")
    func unplugged() async throws {
      let sandbox = try await Sandbox.withFruta()
      for fault in [Fault.unplug(afterCommands: 2), .unplug(afterCommands: 9)] {
        let reader = try SimulatedReader.holding(faults: fault)
        let outcome = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
        #expect(outcome.status == 69, "\(fault): \(outcome.output)")
        #expect(try outcome.errorCodes.count == 1)
      }
    }

    @Test("a reader unplugged while pages are written leaves a tag that the next run finishes")
    func unpluggedWhileWriting() async throws {
      let sandbox = try await Sandbox.withFruta()
      let whole = try SimulatedReader.holding()
      try #require(try await sandbox.tag("write", Fruta.cupertino, on: whole).status == 0)
      let other = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(
        faults: .unplug(afterCommands: whole.commandCount * 3 / 4))
      let outcome = try await other.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect([69, 74].contains(outcome.status), "\(outcome.output)")
      #expect(try outcome.errorCodes.count == 1)
      let next = try SimulatedReader(tag: reader.tag)
      try await expectFinished(other, next)
    }

    @Test("69: a port that another process holds is busy, and its holder is named")
    func busy() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      let holder = try await sandbox.start(
        "tag", "read", "--no-location", "--verbose", "--timeout", "60", "--reader",
        reader.connectionString
      ) { running in
        // The first holder has the port once the chip has heard from it.
        try await until { reader.commandCount >= 4 }
        let second = try await sandbox.tag("read", "--no-location", "--json", on: reader)
        #expect(second.status == 69)
        #expect(try second.errorCodes == ["reader-busy"])
        try running.send(.interrupt)
      }
      #expect(holder.status == 130)
    }

    @Test("closed standard streams do not become the reader's port")
    func closedStreams() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding()
      let line = "exec cliptag tag info --json --reader \(reader.connectionString)"
      let closed = try await sandbox.shell("\(line) 0<&- 2>&-")
      #expect(closed.status == 0)
      #expect(try closed.lines.first?["type"] == "tag")
    }

    /// The same command again finishes what was interrupted, and one code is on record.
    private func expectFinished(_ sandbox: Sandbox, _ reader: SimulatedReader) async throws {
      let again = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(again.status == 0, "\(again.output)")
      #expect(try again.lines("write").first?["verified"] == true)
      let read = try await sandbox.tag("read", "--at", Fruta.inCupertino, "--json", on: reader)
      #expect(read.status == 0, "\(read.output)")
      #expect(try read.lines.first?["payload"].text == Fruta.cupertino)
      let codes = try await sandbox.run("code", "list", "--all", "--json")
      #expect(try codes.lines.count == 1)
    }
  }
}
