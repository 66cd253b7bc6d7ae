import Foundation
import SimulatedReader
import TagTypes
import Testing

/// Passwords of tags by command, on the simulated reader.
extension CommandSuite {
  @Suite("Passwords of tags") struct TagPasswordTests {
    private static let secret = "A1B2C3D4"
    private static let other = "5E6F7089"

    private static func sandbox() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      for (name, text) in [("a.pw", secret + ":0102\n"), ("b.pw", other + "\n")] {
        try sandbox.write(text, to: name)
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: sandbox.path(name))
      }
      return sandbox
    }

    @Test("a * in place of PACK opens a tag whose PACK nobody knows, and cannot be set")
    func unknownAcknowledgement() async throws {
      let sandbox = try await Self.sandbox()
      try sandbox.write(Self.secret + ":*\n", to: "any.pw")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: sandbox.path("any.pw"))
      let reader = try SimulatedReader.holding()
      for (arguments, status) in [
        (["password", "set", "--password-file", "any.pw"], 65),
        (["password", "set", "--password-file", "a.pw"], 0),
        (["write", Fruta.cupertino, "--password-file", "any.pw"], 0),
        (
          ["password", "change", "--password-file", "a.pw", "--new-password-file", "any.pw"], 65
        ),
        (["password", "change", "--password-file", "any.pw", "--new-password-file", "b.pw"], 0),
      ] as [([String], Int32)] {
        let outcome = try await sandbox.run(
          ["tag"] + arguments + ["--json", "--reader", reader.connectionString])
        #expect(outcome.status == status, "\(arguments): \(outcome.output)\(outcome.errors)")
        #expect(!outcome.output.contains(Self.secret))
      }
    }

    @Test("set, used, changed and removed, each recorded, and the secret is nowhere")
    func life() async throws {
      let sandbox = try await Self.sandbox()
      let reader = try SimulatedReader.holding()
      let blank = reader.memory
      let commands: [(arguments: [String], status: Int32)] = [
        (["write", Fruta.cupertino], 0),
        (["password", "set", "--password-file", "a.pw", "--dry-run"], 0),
        (["password", "set", "--password-file", "a.pw"], 0),
        (["password", "set", "--password-file", "a.pw"], 0),
        (["write", Fruta.sanFrancisco], 77),
        (["write", Fruta.sanFrancisco, "--password-file", "b.pw"], 77),
        (["write", Fruta.sanFrancisco, "--password-file", "a.pw"], 0),
        (["password", "change", "--password-file", "a.pw", "--new-password-file", "b.pw"], 0),
        (["erase", "--password-file", "a.pw"], 77),
        (["dump", "tag.bin", "--password-file", "b.pw"], 0),
        (["password", "remove", "--password-file", "b.pw"], 0),
        (["erase"], 0),
      ]
      for (arguments, status) in commands {
        for format in ["--verbose", "--json"] where status != 0 || format == "--json" {
          let outcome = try await sandbox.run(
            ["tag"] + arguments + [format, "--reader", reader.connectionString])
          #expect(outcome.status == status, "\(arguments): \(outcome.output)\(outcome.errors)")
          for text in [outcome.output, outcome.errors] {
            #expect(!text.contains(Self.secret) && !text.contains(Self.other), "\(arguments)")
          }
        }
      }
      #expect(reader.memory[0x29 * 4..<0x2D * 4] == blank[0x29 * 4..<0x2D * 4])
      #expect(reader.memory[12..<16] == blank[12..<16], "the container is not touched")
      let codes = try await sandbox.run("code", "list", "--all", "--json").lines
      var kinds: [String] = []
      for code in codes {
        let shown = try await sandbox.run("code", "show", code["code"].text ?? "", "--json")
        #expect(!shown.output.contains(Self.secret))
        kinds += try shown.lines.first?["history"].elements.compactMap { $0["kind"].text } ?? []
      }
      for kind in ["password-set", "password-changed", "password-removed"] {
        #expect(kinds.contains(kind))
      }
    }

    @Test("a password comes from a file, standard input or the environment, and is checked")
    func sources() async throws {
      let sandbox = try await Self.sandbox()
      try sandbox.write("nonsense", to: "bad.pw")
      let reader = try SimulatedReader.holding()
      let environment = ["CLIPTAG_TAG_PASSWORD": Self.secret]
      func set(
        _ arguments: String..., stdin: [UInt8] = [], environment: [String: String] = [:]
      ) async throws -> Int32 {
        try await sandbox.run(
          ["tag", "password", "set", "--reader", reader.connectionString] + arguments,
          stdin: stdin, environment: environment
        ).status
      }
      #expect(try await set("--password-file", "bad.pw") == 65)
      #expect(try await set("--password-file", "none.pw") == 66)
      #expect(try await set(environment: ["CLIPTAG_TAG_PASSWORD": "nonsense"]) == 78)
      #expect(try await set() == 64)
      #expect(try await set("--password-file", "-", stdin: Array(Self.secret.utf8)) == 0)
      #expect(try await set(environment: environment) == 0)
      let write = try await sandbox.tag(
        "write", Fruta.cupertino, on: reader, environment: environment)
      #expect(write.status == 0, "\(write.errors)")
    }

    @Test("a file that others may read is refused")
    func permissions() async throws {
      let sandbox = try await Self.sandbox()
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: sandbox.path("a.pw"))
      let reader = try SimulatedReader.holding()
      let outcome = try await sandbox.tag(
        "password", "set", "--password-file", "a.pw", "--dry-run", on: reader)
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("chmod 600"))
    }

    @Test("a limit is warned about loudly, and a tag that counts is not tried unasked")
    func limit() async throws {
      let sandbox = try await Self.sandbox()
      let reader = try SimulatedReader.holding()
      let set = try await sandbox.tag(
        "password", "set", "--password-file", "a.pw", "--attempt-limit", "3", on: reader)
      #expect(set.status == 0)
      #expect(set.errors.contains("PERMANENTLY"))
      let write = ["write", Fruta.cupertino, "--password-file", "a.pw"]
      let refused = try await sandbox.run(
        ["tag"] + write + ["--reader", reader.connectionString])
      #expect(refused.status == 77)
      #expect(refused.errors.contains("--try-anyway"))
      let tried = try await sandbox.run(
        ["tag"] + write + ["--try-anyway", "--reader", reader.connectionString])
      #expect(tried.status == 0, "\(tried.errors)")
    }

    @Test("what another password guards, and what to do about it, is said by name")
    func hints() async throws {
      let sandbox = try await Self.sandbox()
      let reader = try SimulatedReader.holding()
      try await sandbox.tag("password", "set", "--password-file", "a.pw", on: reader)
      let closed = try await sandbox.tag("write", Fruta.cupertino, on: reader)
      #expect(closed.status == 77)
      #expect(closed.errors.contains("--password-file"), "\(closed.errors)")
      let other = try await sandbox.tag("password", "set", "--password-file", "b.pw", on: reader)
      #expect(other.status == 77)
      #expect(other.errors.contains("tag password change"), "\(other.errors)")
      let dry = try await sandbox.tag(
        "password", "remove", "--password-file", "a.pw", "--dry-run", "--json", on: reader)
      #expect(try (dry.lines.first?["exchanges"].number ?? 0) > 0)
    }

    @Test("a message that a password hides is not accepted, though whoever has it can see it")
    func hidden() async throws {
      let sandbox = try await Self.sandbox()
      let reader = try SimulatedReader.holding { $0.hold(uri: "fruta.example.com/order/cupertino") }
      try await sandbox.tag(
        "password", "set", "--password-file", "a.pw", "--protect", "read-write", on: reader)
      let read = try await sandbox.tag(
        "read", "--no-location", "--password-file", "a.pw", "--json", on: reader)
      #expect(read.status == 1)
      let codes = try read.lines.first?["findings"].elements.compactMap { $0["code"].text }
      #expect(codes?.contains("hidden-by-password") == true)
    }

    @Test("torn at any write, no success is reported and the same command finishes")
    func torn() async throws {
      for number in 1...4 {
        for half in [false, true] {
          let sandbox = try await Self.sandbox()
          let reader = try SimulatedReader.holding(faults: .tearWrite(number, halfWritten: half))
          let arguments = [
            "password", "set", "--password-file", "a.pw", "--attempt-limit", "5", "--try-anyway",
          ]
          let command = { (reader: SimulatedReader) in
            try await sandbox.run(
              ["tag"] + arguments + ["--json", "--reader", reader.connectionString])
          }
          let outcome = try await command(reader)
          #expect(outcome.status == 74, "\(number): \(outcome.output)")
          #expect(try outcome.lines("password").isEmpty)
          let again = try await command(try SimulatedReader(tag: reader.tag))
          #expect(again.status == 0, "\(number): \(again.output)")
        }
      }
    }
  }
}
