import Foundation
import SimulatedReader
import Testing

/// Tags that are not of Type 2, over the real libnfc: Type 4 is written like Type 2, MIFARE Classic
/// is named.
extension CommandSuite {
  @Suite("Tags of other kinds") struct OtherTagTests {
    private static let type4Kinds: [(SimulatedTagKind, String)] = [
      (.ntag424, "NTAG 424 DNA"), (.ntag413, "NTAG 413 DNA"), (.desfire, "MIFARE DESFire EV1"),
      (.type4, "Type 4"),
    ]

    /// The NDEF file of a simulated Type 4 tag.
    private func file(on reader: SimulatedReader) -> [UInt8] {
      (reader.card as? SimulatedType4Tag)?.ndefFile ?? []
    }

    @Test("a Type 4 tag is written, found right, read and erased", arguments: type4Kinds)
    func type4(kind: SimulatedTagKind, name: String) async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: try kind.card())
      let write = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(write.status == 0, "\(write.output)\(write.errors)")
      let line = try #require(try write.lines.first)
      #expect(line["tagType"].text == name)
      #expect(line["verified"] == true)
      #expect(line["fieldCycled"] == true)
      #expect(line["alreadyCorrect"] == false)
      let again = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(try again.lines.first?["alreadyCorrect"] == true)
      #expect(try again.lines.first?["code"] == line["code"])
      let read = try await sandbox.tag("read", "--at", Fruta.inCupertino, "--json", on: reader)
      #expect(read.status == 0, "\(read.output)")
      #expect(try read.lines.first?["payload"].text == Fruta.cupertino)
      #expect(try read.lines.first?["tag"]["used"] == 38)
      let erase = try await sandbox.tag("erase", "--json", on: reader)
      #expect(erase.status == 0, "\(erase.output)")
      #expect(file(on: reader).starts(with: [0, 0]))
      let info = try await sandbox.tag("info", "--json", on: reader)
      #expect(try info.lines.first?["content"] == "empty")
    }

    @Test("a dry run names offsets, changes nothing, and counts the exchanges that follow")
    func dryRun() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: try SimulatedTagKind.ntag424.card())
      let before = file(on: reader)
      let dry = try await sandbox.tag("write", Fruta.cupertino, "-n", "--json", on: reader)
      let plan = try #require(try dry.lines.first?["plan"].elements)
      #expect(plan.count == 1)
      #expect(plan.first?["page"] == .null)
      #expect(plan.first?["offset"] == 1)
      #expect(file(on: reader) == before)
      let text = try await sandbox.tag("write", Fruta.cupertino, "-n", on: reader)
      #expect(text.output.contains("1 piece would change"))
      #expect(text.output.contains("offset 1"))
    }

    @Test("a write torn in the middle of its command is finished by the next run")
    func torn() async throws {
      for halfWritten in [false, true] {
        let sandbox = try await Sandbox.withFruta()
        let reader = try SimulatedReader(
          tag: try SimulatedTagKind.ntag424.card(),
          faults: [.tearWrite(1, halfWritten: halfWritten)])
        let outcome = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
        #expect(outcome.status == 74)
        #expect(try outcome.errorCodes == ["torn-write"])
        #expect(try await sandbox.run("code", "list", "--all").output == "")
        let between = try await sandbox.tag("read", "--json", "--no-location", on: reader)
        #expect(between.status == 1, "\(between.output)")
        let again = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
        #expect(again.status == 0, "\(again.output)")
        let read = try await sandbox.tag("read", "--at", Fruta.inCupertino, "--json", on: reader)
        #expect(try read.lines.first?["payload"].text == Fruta.cupertino)
      }
    }

    @Test("a length of two bytes that was torn between them is known for our own, and finished")
    func tornLength() async throws {
      let long = Fruta.cupertino + "?q=" + String(repeating: "0123456789", count: 30)
      for command in [["write", Fruta.cupertino], ["write", long], ["erase"]] {
        let sandbox = try await Sandbox.withFruta()
        let whole = try SimulatedReader(tag: try SimulatedTagKind.desfire.card())
        #expect(try await sandbox.tag("write", long, on: whole).status == 0)
        let memory = (whole.card as? SimulatedType4Tag)?.ndefFile ?? []
        let card = try #require(whole.card)
        // The first byte of the length is what the field had time for.
        let reader = try SimulatedReader(tag: card, faults: [.tearWriteAfter(1, bytes: 1)])
        let short = try await sandbox.run(
          ["tag", "write", Fruta.sanFrancisco, "--json", "--reader", reader.connectionString])
        #expect(try short.errorCodes == ["torn-write"], "\(short.output)")
        let torn = (reader.card as? SimulatedType4Tag)?.ndefFile ?? []
        #expect(torn == [0] + memory.dropFirst(), "the length lost its first byte, nothing else")
        let outcome = try await sandbox.run(
          ["tag"] + command + ["--json", "--reader", reader.connectionString])
        #expect(outcome.status == 0, "\(command): \(outcome.output)")
      }
    }

    @Test("a Type 4 tag swapped at any command before the write is not written")
    func swapped() async throws {
      let sandbox = try await Sandbox.withFruta()
      for count in [1, 5, 8, 10] {
        let reader = try SimulatedReader(
          tag: try SimulatedTagKind.ntag424.card(), faults: [.swapTag(afterCommands: count)])
        let outcome = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
        #expect(outcome.status == 74)
        #expect(try outcome.errorCodes == ["tag-changed"])
        #expect(file(on: reader).starts(with: [0, 0]), "neither holds a message")
      }
    }

    @Test("a byte that is stored wrong is named by its offset, and no wrong URL stays")
    func storedWrong() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(
        tag: try SimulatedTagKind.ntag424.card(), faults: [.storeWrong(page: 9, times: 1)])
      let outcome = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(outcome.status == 74)
      #expect(try outcome.errorCodes == ["verify-failed"])
      #expect(try outcome.lines.last?["offset"] == 9)
      #expect(file(on: reader).starts(with: [0, 0]))
    }

    @Test("a random UID is told, and the write says that the field stayed on")
    func randomUID() async throws {
      let sandbox = try await Sandbox.withFruta()
      var product = SimulatedType4Product.ntag424
      product.usesRandomUID = true
      let reader = try SimulatedReader(tag: try SimulatedType4Tag(product))
      let write = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(write.status == 0, "\(write.output)")
      #expect(try write.lines.first?["fieldCycled"] == false)
      let again = try await sandbox.tag("erase", on: reader)
      #expect(again.output.contains("its UID is random"))
      let info = try await sandbox.tag("info", "--json", on: reader)
      #expect(
        try info.lines.first?["findings"].elements.contains { $0["code"] == "random-uid" } == true)
    }

    @Test("a tag with Secure Unique NFC is written around what it shows, and never under it")
    func secureMessages() async throws {
      let sandbox = try await Sandbox.withFruta()
      let template = Fruta.cupertino + "?e={picc}&c={mac}"
      let zeros = Fruta.cupertino + "?e=" + String(repeating: "0", count: 32)
      let url = zeros + "&c=" + String(repeating: "0", count: 16)
      var tag = try SimulatedType4Tag(.ntag424)
      let isMirrored = tag.mirror(try #require(SimulatedSecureMessages(template: template)))
      #expect(isMirrored)
      let reader = try SimulatedReader(tag: tag)
      let same = try await sandbox.tag("write", url, "--json", on: reader)
      #expect(same.status == 0, "\(same.output)\(same.errors)")
      #expect(try same.lines.last?["alreadyCorrect"] == true)
      let other = url.replacing("order/cupertino", with: "order/cupertina")
      let write = try await sandbox.tag("write", other, "--unregistered", "--json", on: reader)
      #expect(write.status == 0, "\(write.output)\(write.errors)")
      #expect(try write.lines.last?["verified"] == true)
      let stored = file(on: reader)
      #expect(String(decoding: stored, as: UTF8.self).contains("order/cupertina?e=0000"))
      let covered = Fruta.cupertino + "?e=" + String(repeating: "1", count: 32)
      let refused = try await sandbox.tag("write", covered, "--json", on: reader)
      #expect(refused.status == 1)
      #expect(try refused.errorCodes == ["mirrored-text"])
      #expect(file(on: reader) == stored)
    }

    @Test("74: each command names a MIFARE Classic, and that no iPhone reads it")
    func classic() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: try SimulatedTagKind.classic1k.card())
      for command in [
        ["info"], ["read", "--no-location"], ["write", Fruta.sanFrancisco, "--overwrite"],
        ["erase", "--overwrite"], ["lock", "--yes"],
      ] {
        let outcome = try await sandbox.run(
          ["tag"] + command + ["--json", "--reader", reader.connectionString])
        #expect(outcome.status == 74, "\(command): \(outcome.output)")
        #expect(try outcome.errorCodes == ["tag-unsupported"])
        #expect(outcome.output.contains("is MIFARE Classic 1K (SAK 08), which no iPhone reads"))
      }
    }

    @Test("the memory of a Type 5 tag is made, read back and recorded; --dry-run makes nothing")
    func image() async throws {
      let sandbox = try await Sandbox.withFruta()
      let arguments = ["tag", "image", Fruta.cupertino, "--size", "112", "--json"]
      let dry = try await sandbox.run(arguments + ["-o", "a.bin", "-n"])
      #expect(dry.status == 0, "\(dry.output)\(dry.errors)")
      #expect(try sandbox.listing() == [])
      #expect(try dry.lines.first?["code"] == .null)
      let made = try await sandbox.run(arguments + ["-o", "a.bin"])
      let line = try #require(try made.lines.first)
      #expect(line["type"] == "issue")
      #expect(line["tagType"] == "Type 5")
      #expect(line["verified"] == true)
      #expect(line["bytes"] == 38)
      let bytes = try #require(sandbox.bytes(of: "a.bin"))
      #expect(bytes.count == 112)
      #expect(Array(bytes[..<10]) == [0xE1, 0x40, 0x0D, 0x00, 0x03, 0x26, 0xD1, 0x01, 0x22, 0x55])
      let text = try await sandbox.run(arguments + ["-o", "a.txt"])
      #expect(try text.lines.first?["code"] == line["code"])
      let lines = String(decoding: try #require(sandbox.bytes(of: "a.txt")), as: UTF8.self)
      #expect(lines.hasPrefix("E1400D00\n0326D101\n"))
      #expect(try await sandbox.run("code", "list", "--json").lines.count == 1)
    }

    @Test("a Type 5 memory that is refused leaves no file and no record")
    func refusedImage() async throws {
      let sandbox = try await Sandbox.withFruta()
      for (url, size, status, code) in [
        ("https://elsewhere.example.net/", "112", 1, nil),
        (Fruta.cupertino, "32", 64, "tag-too-small"), (Fruta.cupertino, "113", 64, "invalid-size"),
      ] as [(String, String, Int32, String?)] {
        let outcome = try await sandbox.run(
          "tag", "image", url, "-o", "a.bin", "--size", size, "--json")
        #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
        if let code { #expect(try outcome.errorCodes == [code]) }
      }
      #expect(try sandbox.listing() == [])
      #expect(try await sandbox.run("code", "list", "--all").output == "")
    }
  }
}
