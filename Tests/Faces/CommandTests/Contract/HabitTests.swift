import Foundation
import SimulatedReader
import Testing

/// The common behaviour of all commands: streams, colours, `-`, whole files, dry runs.
extension CommandSuite {
  @Suite("Habits") struct HabitTests {
    @Test("a failure without --json is two lines on standard error and nothing on standard output")
    func failures() async throws {
      let sandbox = try await Sandbox.withFruta()
      for arguments in [
        ["scan", "missing.png"], ["place", "show", "atlantis"],
        ["registry", "import", "missing.yaml"],
        ["qr", Fruta.cupertino, "-o", "missing/a.svg"], ["tag", "read", "--reader", "nonsense"],
        ["place", "remove", "atlantis", "--quiet"],
      ] {
        let outcome = try await sandbox.run(arguments)
        #expect(outcome.isOneProblem, "\(arguments): \(outcome.output)\(outcome.errors)")
      }
    }

    @Test("--json keeps standard output to JSON on every command")
    func jsonOnly() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding()
      let commands: [[String]] = [
        ["check", Fruta.cupertino, "nonsense"], ["qr", Fruta.cupertino], ["qr", "nonsense"],
        ["qr", Fruta.cupertino, "-o", "a.png", "-o", "a.svg"], ["scan", "a.png", "missing.png"],
        ["place", "list"], ["place", "add", "x", "--at", "1,2", "--radius", "3"],
        ["place", "remove", "x", "y"], ["place", "show", "cupertino", "atlantis"],
        ["experience", "list"], ["experience", "show", "https://fruta.example.com/order"],
        ["registry", "check"], ["registry", "export", "r.yaml"], ["registry", "import", "r.yaml"],
        ["code", "list"], ["reader", "list"], ["reader", "doctor"],
        ["tag", "write", Fruta.cupertino, "--reader", reader.connectionString],
        ["tag", "info", "--reader", reader.connectionString],
        ["tag", "dump", "t.bin", "--reader", reader.connectionString],
        ["tag", "erase", "--reader", reader.connectionString],
      ]
      for command in commands {
        let outcome = try await sandbox.run(command + ["--json"])
        let lines = try outcome.lines
        for line in lines { #expect(line["type"].text != nil, "\(command)") }
        #expect(outcome.output.isEmpty || outcome.output.hasSuffix("\n"))
      }
    }

    @Test("--quiet says only what failed; the status says the rest")
    func quiet() async throws {
      let sandbox = try await Sandbox.withFruta()
      for (payload, status) in [(Fruta.cupertino, Int32(0)), ("https://elsewhere.example.net/", 1)]
      {
        let outcome = try await sandbox.run("check", "--quiet", payload)
        #expect(outcome.status == status)
        #expect(outcome.output == "" && outcome.errors == "")
      }
      #expect(try await sandbox.run("scan", "-q", "missing.png").isOneProblem)
      let json = try await sandbox.run("check", "--quiet", "--json", Fruta.cupertino)
      #expect(try json.lines.count == 1, "JSON is asked for, so it comes")
    }

    @Test("the options that every command takes are taken before the command's name, too")
    func commonOptions() async throws {
      let sandbox = try await Sandbox.withFruta()
      var spellings: Set<String>?
      for command in [["check"], ["explain"], ["place", "list"], ["registry", "export"]] {
        let help = try await sandbox.run(command + ["--experimental-dump-help"]).output
        let names = try JSON(parsing: help)["command"]["arguments"].elements
          .flatMap { $0["names"].elements }
          .map { ($0["kind"] == "long" ? "--" : "-") + ($0["name"].text ?? "") }
        spellings = spellings?.intersection(names) ?? Set(names)
      }
      let common = try #require(spellings).subtracting(["--help", "-h", "--version"])
      #expect(common.count >= 9)
      let values = [
        "--registry": sandbox.registry, "--registry-wait": "3", "--by": "Ada", "--color": "never",
      ]
      let words = common.sorted().flatMap { [$0] + [values[$0]].compactMap(\.self) } + ["-qv"]
      let outcome = try await sandbox.run(words + ["check", Fruta.cupertino])
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    }

    @Test("colour comes when asked for and never into pipes or JSON")
    func colour() async throws {
      let sandbox = try await Sandbox.withFruta()
      let escape = "\u{1B}["
      func output(_ arguments: String..., environment: [String: String] = [:]) async throws
        -> String
      {
        let outcome = try await sandbox.run(
          ["check", Fruta.cupertino, "nonsense"] + arguments, environment: environment)
        return outcome.output + outcome.errors
      }
      #expect(try await !output().contains(escape))
      #expect(try await !output("--color", "never").contains(escape))
      #expect(try await output("--color", "always").contains(escape))
      #expect(
        try await output("--color", "always", environment: ["NO_COLOR": "1"]).contains(escape),
        "the option beats the environment (no-color.org)")
      #expect(try await !output("--color", "always", "--json").contains(escape))
      #expect(try await sandbox.run("check", "x", "--color", "sometimes").status == 64)
    }

    @Test("on a terminal there is colour, unless NO_COLOR is set")
    func terminal() async throws {
      let sandbox = try await Sandbox.withFruta()
      // script(1) lends the command a terminal.
      let show = "exec script -qec \"cliptag check \(Fruta.cupertino)\" /dev/null"
      #expect(try await sandbox.shell(show).output.contains("\u{1B}["))
      let plain = try await sandbox.shell(show, environment: ["NO_COLOR": "1"])
      #expect(plain.output.contains("ACCEPTED") && !plain.output.contains("\u{1B}["))
    }

    @Test("- is standard input and standard output")
    func dashes() async throws {
      let sandbox = try await Sandbox.withFruta()
      let svg = try await sandbox.run("qr", Fruta.cupertino, "-o", "-")
      #expect(svg.status == 0)
      #expect(svg.output.hasPrefix("<?xml") || svg.output.hasPrefix("<svg"))
      let export = try await sandbox.run("registry", "export", "-")
      let again = try Sandbox()
      let back = try await again.run("registry", "import", "-", stdin: export.outputBytes)
      #expect(back.status == 0, "\(back.errors)")
      #expect(try await again.run("registry", "export", "-").outputBytes == export.outputBytes)
      try await sandbox.run("qr", Fruta.cupertino, "-o", "a.png")
      let picture = try #require(sandbox.bytes(of: "a.png"))
      let scan = try await sandbox.run("scan", "-", "--no-location", "--json", stdin: picture)
      #expect(try scan.lines.first?["payload"].text == Fruta.cupertino)
      let reader = try SimulatedReader.holding()
      let dump = try await sandbox.tag("dump", "-", on: reader)
      try #require(dump.outputBytes.count == 180)
      #expect(Array(dump.outputBytes[..<160]) == Array(reader.memory[..<160]))
    }

    @Test("a reader of the output that goes away ends the run quietly, as it ends other filters")
    func brokenPipe() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.shell(
        "{ yes '\(Fruta.cupertino)' | head -n 20000 | cliptag check -; echo $? >&2; } | head -n 1")
      #expect(outcome.errors == "141\n")
    }
  }
}
