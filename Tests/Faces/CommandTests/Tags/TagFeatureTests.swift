import SimulatedReader
import TagTypes
import Testing

/// Features of NTAGs beside holding a message, and the costs of a tag in a whole run of the
/// command.
extension CommandSuite {
  @Suite("Tags that fill in their UID, and what they cost") struct TagFeatureTests {
    private static let template = "\(Fruta.cupertino)?t={uid}x{counter}"

    @Test("a phone gets the tag's own UID and counter; the record has zeros for the counter")
    func mirror() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(.ntag215)
      let dry = try await sandbox.tag("write", Self.template, "--dry-run", "--json", on: reader)
      let plan = try #require(try dry.lines.first)
      #expect(plan["plan"].elements.contains { $0["purpose"] == "configure" })
      #expect(plan["irreversible"].elements.isEmpty)
      #expect(reader.memory == (try SimulatedTag(.ntag215)).memory)

      let recorded = "\(Fruta.cupertino)?t=04E10CDA993C80x000000"
      for isRight in [false, true] {
        let written = try await sandbox.tag("write", Self.template, "--json", on: reader)
        #expect(written.status == 0, "\(written.errors)")
        let line = try #require(try written.lines.first)
        #expect(line["url"].text == recorded)
        #expect(line["mirror"] == "{uid}x{counter}")
        #expect(line["alreadyCorrect"] == .bool(isRight))
        #expect(written.errors.contains("counts its readings") == !isRight)
      }
      let read = try await sandbox.tag("read", "--no-location", "--json", on: reader)
      #expect(read.status == 0)
      let payload = try #require(try read.lines.first?["payload"].text)
      #expect(payload.hasPrefix("\(Fruta.cupertino)?t=04E10CDA993C80x00000"))
      #expect(payload != recorded)
      let codes = try await sandbox.run("code", "list", "--json").lines
      #expect(codes.map { $0["url"].text } == [recorded])
    }

    @Test("places that no tag can fill in are wrong usage, and the UID's check decides")
    func refused() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(.ntag215)
      let before = reader.memory
      let wrong = try await sandbox.tag(
        "write", "\(Fruta.cupertino)?u={uid}&n={counter}", on: reader)
      #expect(wrong.status == 64)
      #expect(wrong.errors.contains("{uid}x{counter}"))
      let foreign = try await sandbox.tag(
        "write", "https://elsewhere.example.net/{uid}", "--json", on: reader)
      #expect(foreign.status == 1)
      #expect(
        try foreign.lines.first?["payload"].text == "https://elsewhere.example.net/04E10CDA993C80")
      #expect(reader.memory == before)
      let small = try SimulatedReader.holding(.ultralight)
      let outcome = try await sandbox.tag("write", "\(Fruta.cupertino)?{uid}", "--json", on: small)
      #expect(outcome.status != 0)
    }

    @Test("tag info tells locks, password, mirror and counter, to people and to programs")
    func info() async throws {
      let sandbox = try Sandbox()
      let reader = try SimulatedReader.holding(.ntag215) {
        $0.place([0xFF, 0x48, 0x30, 0x00], atPage: 2)
        $0.place([0x03, 0x00, 0x00, 0xBD], atPage: 0x82)
        $0.place([0x54, 0x00, 0x10, 0x20, 0x53, 0x00, 0x00, 0x00], atPage: 0x83)
      }
      let people = try await sandbox.tag("info", on: reader)
      #expect(people.status == 0, "\(people.errors)")
      for text in [
        "permanently locked: pages 4-5, 16-47; the configuration is permanently locked",
        "needed to write from page 32 on; after 3 wrong ones in a row (AUTHLIM) those pages",
        "mirrors {uid} over its memory from page 16, byte 1 on",
        "504 bytes of user memory on 135 pages, chip by NXP (version 0004040201001103)",
        "496 bytes, writable by all (capability container E1103E00)",
      ] {
        #expect(people.output.contains(text), "\(people.output)")
      }
      let line = try #require(try await sandbox.tag("info", "--json", on: reader).lines.first)
      let details = line["details"]
      #expect(details["version"] == "0004040201001103")
      #expect(details["staticLocks"] == "3000")
      #expect(details["dynamicLocks"] == "030000")
      #expect(details["lockedPages"].elements.count == 34)
      #expect(details["firstProtectedPage"] == 32)
      #expect(details["configuration"]["wrongPasswordLimit"] == 3)
      #expect(details["configuration"]["locked"] == true)
      #expect(details["configuration"]["protectsReading"] == false)
      #expect(details["mirror"]["shows"] == "{uid}")
      #expect(details["counter"] != .null)
      let plain = try SimulatedReader.holding(.ultralight)
      let other = try #require(try await sandbox.tag("info", "--json", on: plain).lines.first)
      #expect(other["details"]["configuration"] == .null)
      #expect(other["details"]["counter"] == .null)
    }

    @Test("a whole run on a new NTAG215 takes 32 commands, 15 of them for the tag")
    func economy() async throws {
      let sandbox = try Sandbox()
      let url = "https://example.com/menu/dinner/item/1234"
      func run(on tag: SimulatedTag, _ url: String) async throws -> (SimulatedTag, Int, Int) {
        let reader = try SimulatedReader(tag: tag)
        let outcome = try await sandbox.tag("write", url, "--unregistered", on: reader)
        try #require(outcome.status == 0, "\(outcome.errors)")
        let frames = reader.exchanges.filter { [0x40, 0x42].contains($0.command[0]) }.count
        return (try #require(reader.tag), reader.commandCount, frames)
      }
      let (written, all, frames) = try await run(on: SimulatedTag(.ntag215), url)
      #expect(frames == 15, "and the selection after the field was off")
      #expect(all == 32, "11 to open, 1 to select, 2 for the field cycle, 3 to close")
      let (right, again, two) = try await run(on: written, url)
      #expect(two == 2)
      #expect(again < all)
      // Three writes: withdrawn, the page that differs, published.
      let (_, _, six) = try await run(
        on: right, "https://example.com/menu/dinner/item/1235")
      #expect(six == 3 + 3)
    }
  }
}
