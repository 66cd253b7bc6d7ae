import Foundation
import Subprocess
import TestSupport
import Testing

/// A registry on a server, as people use it.
extension CommandSuite {
  @Suite(
    "A registry for many stations",
    .enabled(if: TestServer.shared != nil, "make test starts the server"))
  struct SharedRegistryTests {
    let database: TestDatabase

    init() throws { database = try #require(TestServer.shared).database() }

    @Test("it is made, filled, issued from by name, followed into the field and brought back")
    func wholeWay() async throws {
      let sandbox = try await Sandbox.withFruta()
      let place = ["--registry", database.address]
      let made = try await sandbox.run(["registry", "init", "--json"] + place)
      #expect(made.status == 0)
      #expect(try made.lines("init").first?["station"] == .string("\(database.name)_station"))
      #expect(
        try await sandbox.run("registry", "move", sandbox.registry, database.address).status == 0)
      #expect(try await sandbox.run(["check", Fruta.cupertino] + place).status == 0)
      let sign = ["qr", Fruta.cupertino, "-o", "a.svg", "--by", "Ada Lovelace", "--json"]
      let issued = try await sandbox.run(sign + place)
      #expect(issued.status == 0)
      let code = try #require(try issued.lines.first?["code"].text)
      let shown = try await sandbox.run(["code", "show", code] + place)
      #expect(shown.output.contains("cliptag (Ada Lovelace)"))
      #expect(try await sandbox.run(["registry", "checkout", "field.sqlite"] + place).status == 0)
      let noted = try await sandbox.run(
        "code", "note", code, "--kind", "installed", "--registry", sandbox.path("field.sqlite"))
      #expect(noted.status == 0)
      let merged = try await sandbox.run(
        ["code", "merge", "--accept-unsigned", "field.sqlite"] + place)
      #expect(merged.status == 0, "\(merged.errors)")
      let told = try await sandbox.run(["code", "show", code] + place)
      #expect(told.output.contains("installed"))
      #expect(try await sandbox.run(["code", "verify"] + place).status == 0)
    }

    @Test("codes are followed as others go on with them, until that is interrupted")
    func followed() async throws {
      let sandbox = try Sandbox()
      let place = ["--registry", database.address]
      try await sandbox.run(["registry", "init"] + place)
      let sign = ["qr", Fruta.cupertino, "-o", "a.svg", "--unregistered"]
      try await sandbox.run(sign + place)
      let outcome = try await sandbox.start(["code", "list", "--follow", "--json"] + place) {
        command in
        let first = try await command.line()
        try await sandbox.run(
          ["qr", Fruta.sanFrancisco, "-o", "b.svg", "--unregistered"] + place)
        let second = try await command.line()
        #expect(first?.contains(Fruta.cupertino) == true)
        #expect(second?.contains(Fruta.sanFrancisco) == true)
        try command.send(.interrupt)
      }
      #expect(outcome.status == 130)
    }

    @Test("a registry of the current format needs no upgrade, and a missing one has none")
    func upgrade() async throws {
      let sandbox = try await Sandbox.withFruta()
      let place = ["--registry", database.address]
      #expect(try await sandbox.run(["registry", "upgrade"] + place).status == 66)
      try await sandbox.run(["registry", "init"] + place)
      for location in [place, ["--registry", sandbox.registry]] {
        for flags in [["--dry-run"], []] {
          let outcome = try await sandbox.run(["registry", "upgrade", "--json"] + location + flags)
          #expect(outcome.status == 0)
          let line = try #require(try outcome.lines("upgrade").first)
          #expect(line["from"] == line["to"] && line["steps"] == .array([]))
        }
      }
    }

    @Test("a database without a registry is a missing one, whatever is done")
    func missing() async throws {
      let sandbox = try Sandbox()
      for command in [["check", Fruta.cupertino], ["qr", Fruta.cupertino, "-o", "a.svg"]] {
        let outcome = try await sandbox.run(command + ["--registry", database.address, "--json"])
        #expect(outcome.status == 66)
        #expect(try outcome.errorCodes == ["no-registry"])
      }
      #expect(sandbox.bytes(of: "a.svg") == nil)
    }

    @Test("a server that does not answer is 69 without the password, and no file is made")
    func absent() async throws {
      let sandbox = try Sandbox()
      let address = "postgresql://ada:sEcret@127.0.0.1:1/shops"
      let outcome = try await sandbox.run(
        "qr", Fruta.cupertino, "-o", "a.svg", "--unregistered", "--json",
        environment: ["CLIPTAG_REGISTRY": address])
      #expect(outcome.status == 69)
      #expect(try outcome.errorCodes == ["registry-unavailable"])
      #expect(!(outcome.output + outcome.errors).contains("sEcret"))
      #expect(sandbox.bytes(of: "a.svg") == nil)
    }

    @Test("a server's registry is backed up by PostgreSQL's own tools, and the command says so")
    func backup() async throws {
      let sandbox = try Sandbox()
      let place = ["--registry", database.address]
      try await sandbox.run(["registry", "init"] + place)
      let outcome = try await sandbox.run(["registry", "backup", "a.sqlite"] + place)
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("pg_dump"))
    }
  }
}
