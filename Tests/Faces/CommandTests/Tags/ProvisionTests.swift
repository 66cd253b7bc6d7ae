import Foundation
import NDEF
import SimulatedReader
import TagTypes
import Testing

/// `tag provision` by command, on the simulated reader.
extension CommandSuite {
  @Suite("Provisioning") struct ProvisionTests {
    static let keys = ["1F", "2F", "3F"].map { String(repeating: $0, count: 16) }

    static func file(_ keys: [String], former: [String] = [], version: Int = 1) -> String {
      """
      messages:
        - prefix: https://fruta.example.com/order
          piccData: e
          mac: c
          masterKey: "\(keys[0])"
          fileReadKey: "\(keys[1])"
          metaReadKey: "\(keys[2])"
          diversify: "3042F5"
          keyVersion: \(version)

      """
        + (former.isEmpty
          ? ""
          : """
              former:
                - masterKey: "\(former[0])"
                  fileReadKey: "\(former[1])"
                  metaReadKey: "\(former[2])"
                  diversify: "3042F5"

          """)
    }

    private static func sandbox() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      let others = ["4F", "5F", "6F"].map { String(repeating: $0, count: 16) }
      for (name, text) in [
        ("a.yaml", file(keys)), ("b.yaml", file(others, former: keys, version: 2)),
        ("c.yaml", file(others)),
      ] {
        try sandbox.write(text, to: name)
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: sandbox.path(name))
      }
      return sandbox
    }

    private static func provision(
      _ sandbox: Sandbox, _ arguments: String..., on reader: SimulatedReader
    ) async throws -> Outcome {
      let outcome = try await sandbox.run(
        ["tag", "provision", Fruta.cupertino] + arguments
          + ["--json", "--reader", reader.connectionString])
      for key in keys { #expect(!(outcome.output + outcome.errors).contains(key)) }
      return outcome
    }

    private func life(on reader: SimulatedReader, _ sandbox: Sandbox) async throws {
      let blank = reader.memory
      let dry = try await Self.provision(sandbox, "--keys", "a.yaml", "--dry-run", on: reader)
      #expect(dry.status == 0, "\(dry.output)\(dry.errors)")
      #expect(reader.memory == blank)
      let plan = try #require(try dry.lines("provision").first)["plan"].elements
      #expect(
        plan.compactMap { $0["purpose"].text }
          == ["write-message"] + Array(repeating: "change-key", count: 4) + [
            "set-file", "change-key",
          ])
      let made = try await Self.provision(sandbox, "--keys", "a.yaml", on: reader)
      #expect(made.status == 0, "\(made.output)\(made.errors)")
      let line = try #require(try made.lines("provision").first)
      line.expectKeys([
        "type", "reader", "uid", "tagType", "url", "keyVersion", "steps", "alreadyCorrect",
        "verified", "counter", "wrongKeys", "code", "dryRun", "plan", "irreversible", "locked",
      ])
      #expect(line["verified"] == true && line["keyVersion"] == 1 && line["steps"] == 7)
      let tap = try await sandbox.tag(
        "read", "--no-location", "--keys", "a.yaml", "--json", on: reader)
      #expect(tap.status == 0, "\(tap.output)")
      #expect(tap.output.contains("sun-valid"))
      let again = try await Self.provision(sandbox, "--keys", "a.yaml", on: reader)
      #expect(try again.lines("provision").first?["alreadyCorrect"] == true)
      let code = try #require(line["code"].text)
      #expect(try again.lines("provision").first?["code"].text == code)
      let history = try await sandbox.run("code", "show", code, "--json")
      #expect(history.output.contains(#""key-version":"1""#), "\(history.output)")
      let write = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(write.status == 77)
    }

    @Test("a tag is made ready over libnfc, tapped, recorded and found ready again")
    func serial() async throws {
      try await life(
        on: try SimulatedReader(tag: try SimulatedTagKind.ntag424.card()), try await Self.sandbox())
    }

    @Test("a message that was half written is finished; a stranger's is kept")
    func halfWritten() async throws {
      let sandbox = try await Self.sandbox()
      let zeros =
        "?e=" + String(repeating: "0", count: 32) + "&c=" + String(repeating: "0", count: 16)
      let message = NDEFMessage(uri: Fruta.cupertino + zeros).bytes
      let file = [0x00, UInt8(message.count)] + message
      for count in [12, 40] {
        var tag = try SimulatedType4Tag(.ntag424)
        tag.place(Array(file.prefix(count)), inFile: 0xE104)
        let reader = try SimulatedReader(tag: tag)
        let made = try await Self.provision(sandbox, "--keys", "a.yaml", on: reader)
        #expect(made.status == 0, "\(made.output)\(made.errors)")
      }
      var tag = try SimulatedType4Tag(.ntag424)
      tag.place(file.prefix(40) + [0x41], inFile: 0xE104)
      let reader = try SimulatedReader(tag: tag)
      let memory = reader.memory
      let refused = try await Self.provision(sandbox, "--keys", "a.yaml", on: reader)
      #expect(try refused.errorCodes == ["foreign-data"])
      #expect(reader.memory == memory)
    }

    @Test("--lock rehearses, then locks the tag that it made ready")
    func provisionAndLock() async throws {
      let sandbox = try await Self.sandbox()
      let reader = try SimulatedReader(tag: try SimulatedTagKind.ntag424.card())
      let blank = reader.memory
      let dry = try await Self.provision(
        sandbox, "--keys", "a.yaml", "--lock", "--dry-run", on: reader)
      #expect(dry.status == 0, "\(dry.output)\(dry.errors)")
      let plan = try #require(try dry.lines("provision").first)
      #expect(plan["plan"].elements.count == 10 && plan["irreversible"].elements.count == 4)
      #expect(plan["locked"] == false && reader.memory == blank)
      let made = try await Self.provision(sandbox, "--keys", "a.yaml", "--lock", on: reader)
      #expect(made.status == 0, "\(made.output)\(made.errors)")
      #expect(try made.lines("provision").first?["locked"] == true)
      let locked = try await sandbox.tag("lock", "--keys", "a.yaml", "--json", on: reader)
      #expect(try locked.lines("lock").first?["alreadyLocked"] == true)
      let again = try await Self.provision(sandbox, "--keys", "a.yaml", on: reader)
      #expect(try again.lines("provision").first?["alreadyCorrect"] == true)
      #expect(try again.lines("provision").first?["locked"] == true)
    }

    @Test("a tag made ready is locked with the same key file, for good and on record")
    func lock() async throws {
      let sandbox = try await Self.sandbox()
      let reader = try SimulatedReader(tag: try SimulatedTagKind.ntag424.card())
      let made = try await Self.provision(sandbox, "--keys", "a.yaml", on: reader)
      let code = try #require(try made.lines("provision").first?["code"].text)
      let ready = reader.memory
      let without = try await sandbox.tag("lock", "--yes", "--json", on: reader)
      #expect(try without.errorCodes == ["tag-unsupported"])
      #expect(without.output.contains("--keys FILE"))
      let other = try await sandbox.tag("lock", "--keys", "c.yaml", "--json", on: reader)
      #expect(other.status != 0)
      let dry = try await sandbox.tag("lock", "--keys", "a.yaml", "-n", "--json", on: reader)
      #expect(dry.status == 0, "\(dry.output)\(dry.errors)")
      #expect(
        try dry.lines("lock").first?["plan"].elements.compactMap { $0["purpose"].text }
          == ["lock-file", "close-container", "lock-container"])
      #expect(reader.memory == ready)
      let locked = try await sandbox.tag("lock", "--keys", "a.yaml", "--json", on: reader)
      #expect(locked.status == 0, "\(locked.output)\(locked.errors)")
      let line = try #require(try locked.lines("lock").first)
      #expect(line["locked"] == true && line["pagesWritten"] == 3 && line["verified"] == true)
      #expect(line["code"].text == code)
      let history = try await sandbox.run("code", "show", code)
      #expect(history.output.contains("locked"), "\(history.output)")
      let again = try await sandbox.tag("lock", "--keys", "a.yaml", "--json", on: reader)
      #expect(try again.lines("lock").first?["alreadyLocked"] == true)
      let info = try await sandbox.tag("info", on: reader)
      #expect(info.output.contains("nobody can write its file or change that, not even with a key"))
      let tap = try await sandbox.tag(
        "read", "--no-location", "--keys", "a.yaml", "--json", on: reader)
      #expect(tap.status == 0, "\(tap.output)")
      let write = try await sandbox.tag(
        "write", Fruta.cupertino, "--overwrite", "--json", on: reader)
      #expect(try write.errorCodes == ["tag-locked"])
    }

    @Test("keys that do not fit leave the tag as it is; former ones are replaced")
    func keysThatDoNotFit() async throws {
      let sandbox = try await Self.sandbox()
      let reader = try SimulatedReader(tag: try SimulatedTagKind.ntag424.card())
      #expect(try await Self.provision(sandbox, "--keys", "a.yaml", on: reader).status == 0)
      let memory = reader.memory
      let refused = try await Self.provision(sandbox, "--keys", "c.yaml", on: reader)
      #expect(refused.status == 77)
      #expect(try refused.errorCodes == ["keys-do-not-fit"])
      #expect(reader.memory == memory)
      let changed = try await Self.provision(sandbox, "--keys", "b.yaml", on: reader)
      #expect(changed.status == 0, "\(changed.output)\(changed.errors)")
      #expect(try changed.lines("provision").first?["keyVersion"] == 2)
    }

    @Test("a key file that only verifies, and one that contradicts the URL, are refused")
    func unusable() async throws {
      let sandbox = try await Self.sandbox()
      let reader = try SimulatedReader(tag: try SimulatedTagKind.ntag424.card())
      let plain = try await Self.provision(sandbox, "--keys", sandbox.keys, on: reader)
      #expect(plain.status == 65)
      #expect(try plain.errorCodes == ["provisioning-keys"])
      let url = Fruta.cupertino + "?x={picc}&c={mac}"
      let other = try await sandbox.tag("provision", url, "--keys", "a.yaml", "--json", on: reader)
      #expect(try other.errorCodes == ["provisioning-keys"])
      try sandbox.write(Self.file([Self.keys[0], Self.keys[0], Self.keys[2]]), to: "a.yaml")
      let equal = try await Self.provision(sandbox, "--keys", "a.yaml", on: reader)
      #expect(equal.status == 78 || equal.status == 65)
    }
  }
}
