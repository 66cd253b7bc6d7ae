import Foundation
import SimulatedReader
import TagTypes
import Testing

/// The command on simulated tags that are no plain NTAG.
extension CommandSuite {
  @Suite("Kinds of tags") struct SimulatedKindTests {
    private func reader(_ kind: SimulatedTagKind) throws -> SimulatedReader {
      try SimulatedReader(tag: try kind.card())
    }

    @Test("an NTAG 424 DNA's message is new at each reading, its counter one more")
    func secureMessages() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try reader(.ntag424SUN)
      for counter in 1...2 {
        let seen = try await sandbox.tag(
          "read", "--no-location", "--keys", sandbox.keys, "--json",
          on: reader)
        #expect(seen.status == 0)
        let message = try #require(try seen.lines("verification").first)["secureMessage"]
        #expect(message["counter"] == .number(Double(counter)))
        #expect(message["uid"] == "0463474AA26A80")
      }
    }

    @Test("a tag with a random UID is written, and is not called a fake for want of the true UID")
    func randomUID() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try reader(.ntag424RandomUID)
      let written = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(written.status == 0)
      let info = try await sandbox.tag("info", "--json", on: reader)
      #expect(try #require(try info.lines.first)["tag"]["originality"] == "not-checkable")
    }

    @Test(
      "a URL is written to every kind that takes one, and read back",
      arguments: SimulatedTagKind.allCases.filter {
        // These two are simulated as they are delivered, and take no message so.
        ![.ntag223, .ultralightAES].contains($0)
          && ($0.layout != nil || $0.type4Product != nil && $0 != .ntag424SUN || $0 == .type2)
      })
    func written(kind: SimulatedTagKind) async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try reader(kind)
      let written = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(written.status == 0, "\(written.errors)")
      let read = try await sandbox.tag("read", "--no-location", "--json", on: reader)
      #expect(
        try #require(try read.lines("verification").first)["payload"].text == Fruta.cupertino)
    }

    @Test(
      "a kind that iPhones or this reader cannot read is named and left alone",
      arguments: [
        (.classic1k, "MIFARE Classic"), (.classic4k, "MIFARE Classic"), (.felica, "FeliCa"),
        (.jewel, "Type 1"), (.typeb, "type B"),
      ] as [(SimulatedTagKind, String)])
    func refused(kind: SimulatedTagKind, name: String) async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try reader(kind)
      let before = reader.card?.memory
      let outcome = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      let error = try #require(try outcome.lines("error").first)
      #expect(error["code"] == "tag-unsupported")
      #expect(error["message"].text?.contains(name) == true)
      #expect(reader.card?.memory == before)
    }
  }
}
