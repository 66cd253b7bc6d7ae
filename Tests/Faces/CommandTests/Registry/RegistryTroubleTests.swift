import Foundation
import SimulatedReader
import Testing

/// 78: a registry that cannot be used; 69: one that is busy. Neither is changed.
extension CommandSuite {
  @Suite("Trouble with the registry") struct RegistryTroubleTests {
    @Test("a database of a newer version is refused by readers and writers, and stays as it is")
    func newerVersion() async throws {
      let sandbox = try await Sandbox.withFruta()
      var bytes = try Data(contentsOf: URL(filePath: sandbox.registry))
      bytes[60..<64] = Data([0, 0, 0x7F, 0xFF])  // user_version (SQLite file format, 1.3)
      try bytes.write(to: URL(filePath: sandbox.registry))
      try await expectRefused(sandbox, code: "registry-newer")
      #expect(try Data(contentsOf: URL(filePath: sandbox.registry)) == bytes)
    }

    @Test("a database of another application is not taken over")
    func otherApplication() async throws {
      let sandbox = try await Sandbox.withFruta()
      var bytes = try Data(contentsOf: URL(filePath: sandbox.registry))
      bytes[68..<72] = Data([1, 2, 3, 4])  // application_id
      try bytes.write(to: URL(filePath: sandbox.registry))
      try await expectRefused(sandbox, code: "registry-foreign")
      #expect(try Data(contentsOf: URL(filePath: sandbox.registry)) == bytes)
    }

    @Test("a file that is no database is not overwritten")
    func notADatabase() async throws {
      let sandbox = try Sandbox()
      let text = Data(String(repeating: "These are my notes.\n", count: 99).utf8)
      try text.write(to: URL(filePath: sandbox.registry))
      try await expectRefused(sandbox, code: "registry-not-a-database")
      #expect(try Data(contentsOf: URL(filePath: sandbox.registry)) == text)
    }

    @Test(
      "a registry in a place where no file can be is refused for changes",
      arguments: ["/proc/cliptag.sqlite", "/dev/null/registry.sqlite", "missing/registry.sqlite"])
    func unwritable(path: String) async throws {
      let sandbox = try Sandbox()
      let outcome = try await sandbox.run(
        "place", "add", "x", "--at", "1,2", "--radius", "3", "--registry", path)
      #expect(outcome.status == 78)
      #expect(outcome.isOneProblem, "\(outcome.errors)")
      #expect(try sandbox.listing() == [])
    }

    @Test("a registry that cannot be reached is no registry that does not exist yet")
    func unreachable() async throws {
      let sandbox = try await Sandbox.withFruta()
      // Only root enters every folder.
      let commands = [
        ["place", "list"], ["check", Fruta.cupertino], ["code", "list"], ["registry", "check"],
        ["code", "export", "-o", "log.jsonl"], ["registry", "export", "r.yaml"],
        ["registry", "backup", "b.sqlite"], ["audit", "list"],
        ["place", "add", "x", "--at", "1,2", "--radius", "3"],
        ["place", "add", "x", "--at", "1,2", "--radius", "3", "--dry-run"],
        ["qr", Fruta.cupertino, "-o", "a.svg"],
      ]
      _ = try await sandbox.shell(
        """
        touch file && ln -s loop loop && ln -s ring/x ring && mkfifo pipe &&
          mkdir closed && cp "$CLIPTAG_REGISTRY" closed/r.sqlite && chmod 0 closed
        """)
      let before = try sandbox.listing()
      var paths = [
        "file/r.sqlite", "loop", "ring/r.sqlite", "pipe", String(repeating: "x", count: 300),
      ]
      if geteuid() != 0 { paths.append("closed/r.sqlite") }
      for path in paths {
        for command in commands {
          let outcome = try await sandbox.run(command + ["--registry", path, "--json"])
          #expect(outcome.status == 78, "\(command) \(path): \(outcome.output)")
          #expect(try outcome.errorCodes == ["registry-unreadable"], "\(command) \(path)")
        }
      }
      #expect(try sandbox.listing() == before)
      _ = try await sandbox.shell("chmod 700 closed")
      let absent = try await sandbox.run("place", "list", "--registry", "none/r.sqlite")
      #expect(absent.status == 0 && absent.errors.contains("does not exist yet"))
    }

    @Test("a folder for the registry is refused")
    func folder() async throws {
      let sandbox = try Sandbox()
      for command in [["place", "list"], ["place", "add", "x", "--at", "1,2", "--radius", "3"]] {
        let outcome = try await sandbox.run(command + ["--registry", "."])
        #expect(outcome.status == 78)
        #expect(outcome.isOneProblem, "\(outcome.errors)")
      }
    }

    @Test("a registry that another process is changing is waited for no longer than asked")
    func locked() async throws {
      let sandbox = try await Sandbox.withFruta()
      let lock = try WriteLock(on: sandbox.registry)
      let add = ["place", "add", "x", "--at", "1,2", "--radius", "3"]
      let outcome = try await sandbox.run(add + ["--registry-wait", "0", "--json"])
      #expect(outcome.status == 69, "busy, not wrong")
      #expect(try outcome.errorCodes == ["registry-locked"])
      let look = try await sandbox.run("check", Fruta.cupertino, "--registry-wait", "0")
      #expect(look.status == 0, "looking up never waits for a writer")
      try lock.release()
      #expect(try await sandbox.run(add + ["--registry-wait", "0"]).status == 0)
    }

    @Test("nothing is issued while the registry cannot take the record")
    func lockedDuringIssue() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding()
      let before = reader.memory
      let lock = try WriteLock(on: sandbox.registry)
      let tag = try await sandbox.tag("write", Fruta.cupertino, "--registry-wait", "0", on: reader)
      #expect(tag.status == 69)
      #expect(reader.memory == before)
      let file = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.svg", "--registry-wait", "0")
      #expect(file.status == 69)
      #expect(try sandbox.listing() == [])
      try lock.release()
    }

    @Test("two processes that write at once both succeed")
    func twoWriters() async throws {
      let sandbox = try Sandbox()
      // The registry does not exist yet: both race to make it, too.
      let writer = """
        for i in 1 2 3 4 5 6 7 8 9 10; do
          cliptag place add "$1-$i" --at 1,2 --radius 3 --quiet || exit
        done
        """
      async let first = sandbox.shell(writer, "a")
      async let second = sandbox.shell(writer, "b")
      let outcomes = try await [first, second]
      #expect(outcomes.map(\.status) == [0, 0], "\(outcomes.map(\.errors))")
      #expect(try await sandbox.run("place", "list", "--json").lines.count == 20)
    }

    @Test("the registry is found by option, environment, XDG_DATA_HOME and HOME, in this order")
    func whereItIs() async throws {
      let sandbox = try Sandbox()
      let add = ["place", "add", "x", "--at", "1,2", "--radius", "3"]
      let files = FileManager.default
      let environment = ["CLIPTAG_REGISTRY": sandbox.path("env.sqlite")]
      try await sandbox.run(add + ["--registry", "option.sqlite"], environment: environment)
      #expect(try sandbox.listing() == ["option.sqlite"])
      try await sandbox.run(add, environment: environment)
      #expect(try sandbox.listing() == ["env.sqlite", "option.sqlite"])
      try await sandbox.run(add, environment: ["CLIPTAG_REGISTRY": ""])
      #expect(files.fileExists(atPath: sandbox.root + "/data/cliptag/registry.sqlite"))
      try await sandbox.run(add, environment: ["CLIPTAG_REGISTRY": "", "XDG_DATA_HOME": ""])
      #expect(
        files.fileExists(atPath: sandbox.root + "/home/.local/share/cliptag/registry.sqlite"))
    }

    private func expectRefused(_ sandbox: Sandbox, code: String) async throws {
      try sandbox.write("places: []\n", to: "good.yaml")
      for command in [
        ["check", Fruta.cupertino], ["place", "list"], ["registry", "import", "good.yaml"],
        ["place", "add", "x", "--at", "1,2", "--radius", "3"],
        ["qr", Fruta.cupertino, "-o", "a.svg"],
      ] {
        let people = try await sandbox.run(command)
        #expect(people.status == 78, "\(command)")
        #expect(people.isOneProblem, "\(people.errors)")
        #expect(people.errors.contains(sandbox.registry), "the file is named")
        #expect(try await sandbox.run(command + ["--json"]).errorCodes == [code])
      }
      #expect(try sandbox.listing() == ["good.yaml"])
    }
  }
}
