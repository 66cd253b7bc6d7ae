import Foundation
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
        "verified", "counter", "wrongKeys", "code", "dryRun", "plan", "irreversible",
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
