import SimulatedReader
import TagTypes
import Testing

/// `tag dump` and `tag restore`: restored data, and refusals before the first write.
extension CommandSuite {
  @Suite("Dump and restore") struct RestoreTests {
    static let other: [UInt8] = [0x04, 0xDB, 0x0B, 0xDA, 0x99, 0x3C, 0x80]

    /// Returns a sandbox with a dump of a tag that was written with a URL of the registry.
    static func dumped(
      as name: String, _ layout: Type2Layout = .ntag215
    ) async throws -> (Sandbox, SimulatedReader) {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: SimulatedTag(layout))
      try #require(try await sandbox.tag("write", Fruta.cupertino, on: reader).status == 0)
      try #require(try await sandbox.tag("dump", name, on: reader).status == 0)
      return (sandbox, reader)
    }

    @Test(
      "a dump brings the URL back to an erased tag, and it is on record",
      arguments: ["json", "bin"])
    func roundTrip(ending: String) async throws {
      let (sandbox, reader) = try await Self.dumped(as: "tag.\(ending)")
      try #require(try await sandbox.tag("erase", on: reader).status == 0)
      let outcome = try await sandbox.tag("restore", "tag.\(ending)", "--json", on: reader)
      #expect(outcome.status == 0, "\(outcome.output)")
      let line = try #require(try outcome.lines("restore").first)
      #expect(line["verified"] == true)
      #expect(line["url"].text == Fruta.cupertino)
      #expect(line["dumpedUID"] == .null)
      let code = try #require(line["code"].text)
      #expect(try await sandbox.run("code", "show", code).status == 0)
      let again = try await sandbox.tag("restore", "tag.\(ending)", "--json", on: reader)
      #expect(try again.lines("restore").first?["alreadyCorrect"] == true)
      #expect(try again.lines("restore").first?["code"].text == code)
    }

    @Test("the message of a Type 4 tag's dump comes back to a tag of its kind, and to no other")
    func files() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: try SimulatedTagKind.ntag424.card())
      try #require(try await sandbox.tag("write", Fruta.cupertino, on: reader).status == 0)
      try #require(try await sandbox.tag("dump", "tag.json", on: reader).status == 0)
      let saved = try await sandbox.run(
        "tag", "read", "--json", "--no-location", "--from-dump", "tag.json")
      #expect(saved.status == 0, "\(saved.output)")
      #expect(try saved.lines.first?["payload"].text == Fruta.cupertino)
      try #require(try await sandbox.tag("erase", on: reader).status == 0)
      let restored = try await sandbox.tag("restore", "tag.json", "--json", on: reader)
      #expect(restored.status == 0, "\(restored.output)")
      let read = try await sandbox.tag("read", "--json", "--no-location", on: reader)
      #expect(try read.lines.first?["payload"].text == Fruta.cupertino)
      let other = try SimulatedReader(tag: try SimulatedTag(.ntag215))
      let before = other.memory
      let refused = try await sandbox.tag("restore", "tag.json", "--json", on: other)
      #expect(try refused.errorCodes == ["dump-mismatch"])
      #expect(other.memory == before)
    }

    @Test("a saved dump is verified as its tag was, without a reader", arguments: ["json", "bin"])
    func readFromDump(ending: String) async throws {
      let (sandbox, reader) = try await Self.dumped(as: "tag.\(ending)")
      let live = try await sandbox.tag("read", "--json", "--no-location", on: reader)
      let saved = try await sandbox.run(
        "tag", "read", "--json", "--no-location", "--from-dump", "tag.\(ending)")
      #expect(saved.status == live.status, "\(saved.errors)")
      let (one, other) = (try #require(try live.lines.first), try #require(try saved.lines.first))
      for member in ["verdict", "payload", "state", "experience", "tag", "findings", "code"] {
        #expect(one[member] == other[member], "\(member)")
      }
      #expect(other["source"].text == "tag.\(ending)")
      let both = try await sandbox.run(
        "tag", "read", "--from-dump", "tag.json", "--check-originality")
      #expect(both.status == 64 && both.errors.contains("cannot prove"))
      try sandbox.write("nothing", to: "bad.json")
      let bad = try await sandbox.run("tag", "read", "--json", "--from-dump", "bad.json")
      #expect(bad.status == 65)
      #expect(try bad.errorCodes == ["malformed-dump"])
    }

    @Test("another tag gets the URL with a word about the first")
    func anotherTag() async throws {
      let (sandbox, _) = try await Self.dumped(as: "tag.json")
      let reader = try SimulatedReader(tag: SimulatedTag(.ntag215, uid: Self.other))
      let outcome = try await sandbox.tag("restore", "tag.json", "--json", on: reader)
      #expect(outcome.status == 0, "\(outcome.output)")
      #expect(outcome.errors.contains("now both have it"))
      #expect(try outcome.lines("restore").first?["dumpedUID"].text == "04E10CDA993C80")
      #expect(reader.memory[..<8] == SimulatedTag.first8(Self.other)[...])
      let codes = try await sandbox.run("code", "list", "--all", "--json")
      #expect(try codes.lines.count == 2)
    }

    @Test("1: a dump of another tag type is refused", arguments: ["tag.json", "tag.bin"])
    func otherType(name: String) async throws {
      let (sandbox, _) = try await Self.dumped(as: name)
      let reader = try SimulatedReader.holding(.ntag213)
      let before = reader.memory
      let outcome = try await sandbox.tag("restore", name, "--json", on: reader)
      #expect(outcome.status == 1)
      #expect(try outcome.errorCodes == ["dump-mismatch"])
      #expect(reader.memory == before)
    }

    @Test("1: a URL that the check does not accept comes back only when asked for")
    func unregistered() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding { $0.hold(uri: "stranger.example.org/") }
      try await sandbox.tag("dump", "tag.json", on: reader)
      let blank = try SimulatedReader.holding()
      let refused = try await sandbox.tag("restore", "tag.json", "--json", on: blank)
      #expect(refused.status == 1)
      #expect(try refused.lines("verification").first?["state"].text == "unregistered")
      #expect(blank.memory == (try SimulatedTag(.ntag213)).memory)
      let asked = try await sandbox.tag("restore", "tag.json", "--unregistered", on: blank)
      #expect(asked.status == 0)
      #expect(Array(blank.memory[16..<160]) == Array(reader.memory[16..<160]))
    }

    @Test("1: data on the tag that is not ours is kept unless told otherwise")
    func foreign() async throws {
      let (sandbox, _) = try await Self.dumped(as: "tag.json", .ntag213)
      let reader = try SimulatedReader.holding { $0.hold(uri: "stranger.example.org/") }
      let before = reader.memory
      let outcome = try await sandbox.tag("restore", "tag.json", "--json", on: reader)
      #expect(outcome.status == 1)
      #expect(try outcome.errorCodes == ["foreign-data"])
      #expect(reader.memory == before)
      let asked = try await sandbox.tag("restore", "tag.json", "--overwrite", on: reader)
      #expect(asked.status == 0)
    }

    @Test("a dry run says what would change and changes nothing")
    func dryRun() async throws {
      let (sandbox, reader) = try await Self.dumped(as: "tag.json")
      try #require(try await sandbox.tag("erase", on: reader).status == 0)
      let before = reader.memory
      let outcome = try await sandbox.tag("restore", "tag.json", "-n", "--json", on: reader)
      #expect(outcome.status == 0)
      let line = try #require(try outcome.lines("restore").first)
      #expect(line["plan"].elements.last?["purpose"] == "publish")
      #expect(reader.memory == before)
    }

    @Test("passwords and locks of a dump are never written, whatever is asked for")
    func secrets() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding {
        $0.hold(uri: "fruta.example.com/order/cupertino")
        $0.place([0x04, 0, 0, 0x10], atPage: 0x29)
        $0.place([0x0F, 0, 0, 0], atPage: 0x28)
      }
      try await sandbox.tag("dump", "tag.json", on: reader)
      let blank = try SimulatedReader.holding()
      let outcome = try await sandbox.tag("restore", "tag.json", "--configuration", on: blank)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("tag lock") && outcome.errors.contains("tag password"))
      #expect(Array(blank.memory[160...]) == Array(try SimulatedTag(.ntag213).memory[160...]))
    }

    @Test("1: text that a mirror showed is refused, and restored with its mirror on request")
    func mirror() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding(.ntag215) {
        $0.place(
          [0x03, 0x2D, 0xD1, 0x01, 0x29, 0x55, 0x04]
            + Array("fruta.example.com/order?u=00000000000000".utf8) + [0xFE], atPage: 4)
        // The digits begin 26 characters behind byte 3 of page 5, at address 49.
        $0.place([0x54, 0, 12, 0xFF], atPage: 0x83)
        $0.fieldOff()
        $0.fieldOn()
      }
      let dump = try await sandbox.tag("dump", "tag.json", "--json", on: reader)
      #expect(try dump.lines.first?["mirror"] == "uid")
      let blank = try SimulatedReader(tag: SimulatedTag(.ntag215, uid: Self.other))
      let refused = try await sandbox.tag("restore", "tag.json", "--json", on: blank)
      #expect(refused.status == 1)
      #expect(try refused.errorCodes == ["mirrored-text"])
      let asked = try await sandbox.tag(
        "restore", "tag.json", "--configuration", "--json", on: blank)
      #expect(asked.status == 0, "\(asked.output)\(asked.errors)")
      let read = try await sandbox.tag("read", "--no-location", "--json", on: blank)
      #expect(try read.lines.first?["payload"].text?.hasSuffix("u=04DB0BDA993C80") == true)
    }

    @Test(
      "65: a file that is no dump, or a damaged one, is refused with what is wrong",
      arguments: [
        ("", "empty"), ("{", "truncated"), ("{\"format\":\"x\"}", "no \"version\""),
        ("hello", "not a multiple of four"), (String(repeating: "a", count: 180), "UID"),
        (
          #"{"format":"cliptag-tag-dump","version":2,"tagType":"N","uid":"01020304","pages":[]}"#,
          "version 2"
        ),
        (
          #"{"format":"cliptag-tag-dump","version":1,"tagType":"N","uid":"01020304","pages":["+1"]}"#,
          "page 0"
        ),
        (
          #"{"format":"cliptag-tag-dump","version":1,"tagType":"N","uid":7,"pages":[]}"#,
          "\"uid\""
        ),
        (
          #"{"format":"cliptag-tag-dump","version":1,"tagType":"N","uid":"01020304","mirror":5,"#
            + #""pages":[null]}"#,
          "\"mirror\""
        ),
        (
          #"{"format":"cliptag-tag-dump","version":1,"tagType":"N","uid":"01020304","#
            + #""unreadablePages":[1],"pages":[null]}"#,
          "\"unreadablePages\""
        ),
      ])
    func damaged(text: String, reason: String) async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(text, to: "tag.json")
      let outcome = try await sandbox.run("tag", "restore", "tag.json", "--json")
      #expect(outcome.status == 65)
      #expect(try outcome.errorCodes == ["malformed-dump"])
      #expect(
        try outcome.lines.first?["message"].text?.contains(reason) == true, "\(outcome.output)")
    }

    @Test("65: a dump that was cut between two pages is told as such", arguments: ["json", "bin"])
    func cut(ending: String) async throws {
      let (sandbox, reader) = try await Self.dumped(as: "tag.\(ending)")
      let name = "tag.\(ending)"
      let whole = try #require(sandbox.bytes(of: name))
      if ending == "bin" {
        try sandbox.write(Array(whole.dropLast(40)), to: name)
      } else {
        var lines = String(decoding: whole, as: UTF8.self).split(separator: "\n")
        lines.removeSubrange(lines.count - 20..<lines.count - 10)
        try sandbox.write(lines.joined(separator: "\n"), to: name)
      }
      let before = reader.memory
      let outcome = try await sandbox.tag("restore", name, "--json", on: reader)
      #expect(outcome.status == 65, "\(outcome.output)")
      #expect(try outcome.errorCodes == ["malformed-dump"])
      #expect(outcome.output.contains("125 pages"), "\(outcome.output)")
      #expect(reader.memory == before)
    }

    @Test("64: a dump and a password cannot both come from standard input")
    func oneStandardInput() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run("tag", "restore", "-", "--password-file", "-")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("both use standard input"), "\(outcome.errors)")
    }

    @Test("74: a tag pulled away during a restore is finished by the same command")
    func torn() async throws {
      let (sandbox, _) = try await Self.dumped(as: "tag.json")
      for halfWritten in [false, true] {
        for write in 1...4 {
          let reader = try SimulatedReader.holding(
            .ntag215, faults: .tearWrite(write, halfWritten: halfWritten))
          let outcome = try await sandbox.tag("restore", "tag.json", "--json", on: reader)
          #expect(outcome.status == 74)
          let again = try await sandbox.tag("restore", "tag.json", "--json", on: reader)
          #expect(again.status == 0, "\(write): \(again.output)")
        }
      }
    }
  }
}

extension SimulatedTag {
  /// The first two pages of a tag with this UID.
  fileprivate static func first8(_ uid: [UInt8]) -> [UInt8] {
    uid[..<3] + [0x88 ^ uid[0] ^ uid[1] ^ uid[2]] + uid[3...]
  }
}
