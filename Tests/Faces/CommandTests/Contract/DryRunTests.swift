import Foundation
import SimulatedReader
import Testing

extension CommandSuite {
  /// Every command that makes a change shows it in a dry run, with the status of the real run, and
  /// changes nothing.
  @Suite("Dry runs") struct DryRunTests {
    @Test(
      "registry, folder and tag stay as they are",
      arguments: [
        ["qr", Fruta.cupertino, "-o", "a.svg"], ["qr", Fruta.cupertino, "-o", "old.svg"],
        ["tag", "write", Fruta.cupertino, "--reader", "READER"],
        ["tag", "erase", "--reader", "READER"],
        ["tag", "lock", "--reader", "READER"],
        ["tag", "write", "--lock", Fruta.cupertino, "--reader", "READER"],
        ["tag", "dump", "dump.bin", "--reader", "READER"],
        ["registry", "import", "new.yaml"], ["registry", "import", "--replace-all", "new.yaml"],
        ["registry", "export", "out.yaml"], ["registry", "export", "old.yaml"],
        ["place", "add", "x", "--at", "1,2", "--radius", "3"],
        ["place", "add", "cupertino", "--replace", "--at", "1,2", "--radius", "3"],
        ["place", "remove", "--even-if-in-use", "cupertino", "san-francisco"],
        ["experience", "add", "https://fruta.example.com/x", "--clip", "com.example.fruta.Clip"],
        ["experience", "remove", "https://fruta.example.com/order"],
        ["code", "retire", "CODE", "--yes"], ["code", "note", "CODE", "--kind", "read"],
        ["code", "checkpoint", "--make-key", "a.key"], ["code", "export", "-o", "a.csv"],
        ["code", "export", "-o", "a.jsonl"],
        ["pack", "san-francisco", "-o", "list.pdf", "--csv", "list.csv", "--record"],
        [
          "audit", "--print", "fruta.example.com/order/san-francisco", "--sign", "door", "--place",
          "san-francisco",
        ],
      ])
    func nothingChanges(arguments: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write("old", to: "old.svg")
      try sandbox.write("old", to: "old.yaml")
      try sandbox.write(
        "places:\n  - { id: y, name: Y, region: { latitude: 1, longitude: 2, radius: 3 } }\n",
        to: "new.yaml")
      let made = try await sandbox.run("qr", Fruta.sanFrancisco, "-o", "code.svg", "--json")
      let code = try #require(try made.lines.first?["code"].text)
      let reader = try SimulatedReader.holding {
        $0.hold(uri: "fruta.example.com/order/san-francisco")
      }

      let registry = try Data(contentsOf: URL(filePath: sandbox.registry))
      let memory = reader.memory
      let files = try sandbox.listing().map { sandbox.bytes(of: $0) }
      let command = arguments.map {
        $0 == "READER" ? reader.connectionString : $0 == "CODE" ? code : $0
      }
      let dry = try await sandbox.run(command + ["--dry-run", "--json"])
      #expect(dry.status == 0, "\(dry.output)\(dry.errors)")
      #expect(try dry.lines.isEmpty == false)
      #expect(try Data(contentsOf: URL(filePath: sandbox.registry)) == registry)
      #expect(try sandbox.listing().map { sandbox.bytes(of: $0) } == files)
      #expect(reader.memory == memory)
      let real = try await sandbox.run(command)
      #expect(real.status == 0, "the real run does what the dry run promised: \(real.errors)")
    }

    @Test("a dry run does not make a registry")
    func noRegistry() async throws {
      let sandbox = try Sandbox()
      let add = ["place", "add", "x", "--at", "1,2", "--radius", "3"]
      #expect(try await sandbox.run(add + ["--dry-run"]).status == 0)
      #expect(!FileManager.default.fileExists(atPath: sandbox.registry))
      #expect(try await sandbox.run("qr", Fruta.cupertino, "--dry-run").status == 1)
      #expect(!FileManager.default.fileExists(atPath: sandbox.registry))
    }

    @Test(
      "what would stop the real run stops the dry run with the same words",
      arguments: [
        ["place", "add", "cupertino", "--at", "1,2", "--radius", "3"],
        ["place", "add", "bad/id", "--at", "1,2", "--radius", "3"],
        ["place", "remove", "cupertino"], ["place", "remove", "atlantis", "cupertino"],
        [
          "experience", "add", "https://fruta.example.com/order", "--clip",
          "com.example.fruta.Clip",
        ],
        ["experience", "add", "https://fruta.example.com/x", "--clip", "com.example.nobody.Clip"],
        [
          "experience", "add", "https://fruta.example.com/x", "--clip", "com.example.fruta.Clip",
          "--place", "atlantis",
        ],
        ["experience", "remove", "https://fruta.example.com/nothing", "no link"],
        ["registry", "import", "missing.yaml"],
        ["qr", "https://elsewhere.example.net/", "-o", "a.svg"],
        ["code", "retire", "--yes", "c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E", "nonsense"],
        ["code", "retire", "--yes", "RETIRED"],
        ["tag", "write", "https://elsewhere.example.net/"],
        ["tag", "write", Fruta.cupertino, "--reader", "FOREIGN"],
      ])
    func sameTrouble(arguments: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run("qr", Fruta.sanFrancisco, "-o", "code.svg", "--json")
      let code = try #require(try made.lines.first?["code"].text)
      try await sandbox.run("code", "retire", "--yes", code)
      let reader = try SimulatedReader.holding { $0.hold(uri: "foreign.example.net/") }
      let command = arguments.map {
        $0 == "FOREIGN" ? reader.connectionString : $0 == "RETIRED" ? code : $0
      }
      let dry = try await sandbox.run(command + ["--dry-run"])
      let real = try await sandbox.run(command)
      #expect(real.status != 0)
      #expect(dry.status == real.status)
      #expect(dry.errors == real.errors)
    }
  }
}
