import Foundation
import Testing

/// Files of settings.
extension CommandSuite {
  @Suite("Settings") struct SettingsTests {
    private func sandbox(user: String, beside: String? = nil) throws -> Sandbox {
      let sandbox = try Sandbox()
      try FileManager.default.createDirectory(
        atPath: sandbox.path("config/cliptag"), withIntermediateDirectories: true)
      try sandbox.write(user, to: "config/cliptag/settings.yaml")
      if let beside { try sandbox.write(beside, to: "shop.settings.yaml") }
      return sandbox
    }

    private func environment(_ sandbox: Sandbox, _ more: [String: String] = [:]) -> [String: String]
    {
      ["XDG_CONFIG_HOME": sandbox.path("config"), "CLIPTAG_REGISTRY": "shop.sqlite"]
        .merging(more) { $1 }
    }

    @Test("the option comes before the environment, the file beside the registry, the user's file")
    func order() async throws {
      let sandbox = try sandbox(user: "by: user\npaper: A5\n", beside: "by: shop\n")
      func shown(
        _ key: String, _ options: [String] = [], _ more: [String: String] = [:]
      ) async throws -> JSON {
        let outcome = try await sandbox.run(
          ["config", key, "--json"] + options, environment: environment(sandbox, more))
        return try #require(try outcome.lines.first)
      }
      let option = try await shown("by", ["--by", "me"], ["CLIPTAG_BY": "ci"])
      #expect(option["value"] == "me" && option["source"] == "option")
      let variable = try await shown("by", [], ["CLIPTAG_BY": "ci"])
      #expect(variable["value"] == "ci" && variable["origin"] == "$CLIPTAG_BY")
      let beside = try await shown("by")
      #expect(beside["value"] == "shop" && beside["origin"] == "shop.settings.yaml")
      let user = try await shown("paper")
      #expect(user["value"] == "A5" && user["source"] == "file" && user["line"] == 2)
      let none = try await shown("accent")
      #expect(none["value"] == .null && none["source"] == "default")
    }

    @Test("commands take a setting as if its option were given, and an option replaces it")
    func effect() async throws {
      let sandbox = try sandbox(user: "by: Anna\npaper: A6\n")
      let environment = environment(sandbox)
      _ = try await sandbox.run(
        ["registry", "import", Repository.path("Samples/fruta/registry.yaml")],
        environment: environment)
      let url = "https://fruta.example.com/order/cupertino"
      func poster(_ options: String...) async throws -> String {
        let outcome = try await sandbox.run(
          ["poster", url, "-o", "poster-\(options.count).svg", "-qv"] + options,
          environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let svg = String(
          decoding: sandbox.bytes(of: "poster-\(options.count).svg") ?? [], as: UTF8.self)
        let size = svg.firstMatch(of: /width="([0-9.]+)mm"/)?.output.1
        return "\(size ?? "") \(outcome.errors.contains("note: --paper is set in"))"
      }
      #expect(try await poster() == "105 true")
      #expect(try await poster("--paper", "A5") == "148 false")
      let activity = try await sandbox.run(
        ["code", "list", "--json"], environment: environment)
      #expect(activity.status == 0)
      let history = try await sandbox.run(
        ["registry", "activity", "--json"], environment: environment)
      #expect(history.output.contains("Anna"))
    }

    @Test("a wrong file or value is named with its line, and fails as a bad setting")
    func wrong() async throws {
      let unknown = try sandbox(user: "papre: A4\n")
      let outcome = try await unknown.run(["place", "list"], environment: environment(unknown))
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("settings.yaml:1:1: ") && outcome.errors.contains("“paper”"))
      let shown = try await unknown.run(["config"], environment: environment(unknown))
      #expect(shown.status == 78 && shown.output.contains("paper     not set"))
      let value = try sandbox(user: "by: \"\(String(repeating: "a", count: 201))\"\n")
      let refused = try await value.run(["place", "list"], environment: environment(value))
      #expect(refused.status == 78 && refused.errors.contains("settings.yaml:1"))
    }

    @Test("a file of settings that others can change is left aside, and that is said once")
    func planted() async throws {
      let sandbox = try sandbox(user: "paper: A5\n", beside: "by: Mallory\n")
      let environment = environment(sandbox)
      func shown(_ key: String) async throws -> JSON {
        let shown = try await sandbox.run("config", key, "--json", environment: environment)
        return try #require(try shown.lines.first)["value"]
      }
      #expect(try await shown("by") == "Mallory")
      func expectAside() async throws {
        #expect(try await shown("by") == .null)
        #expect(try await shown("paper") == "A5")
        let outcome = try await sandbox.run("place", "list", "-q", environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let said = outcome.errors.split(separator: "\n").filter { $0.contains("is left aside") }
        #expect(said.count == 1 && said[0].contains("shop.settings.yaml"), "\(outcome.errors)")
      }
      for mode in ["g+w", "o+w"] {
        _ = try await sandbox.shell("chmod go-w,\(mode) shop.settings.yaml")
        try await expectAside()
      }
      // Another owner, where the tests may give a file away.
      let given = try await sandbox.shell(
        "chmod go-w shop.settings.yaml && chown 4242 shop.settings.yaml 2>&1")
      if given.status == 0 { try await expectAside() }
    }

    @Test("a key file that others can write is refused, whoever owns it")
    func keys() async throws {
      let sandbox = try await Sandbox.withFruta()
      let check = ["check", Fruta.cupertino, "--no-location", "--keys", try sandbox.keys, "--json"]
      func outcome(_ preparation: String) async throws -> Outcome? {
        let prepared = try await sandbox.shell(preparation + " \"$1\"", try sandbox.keys)
        return prepared.status == 0 ? try await sandbox.run(check) : nil
      }
      for mode in ["620", "602", "640", "604"] {
        let refused = try await outcome("chmod \(mode)")
        #expect(try refused?.status == 78 && refused?.errorCodes == ["open-secret"], "\(mode)")
      }
      #expect(try await outcome("chmod 600")?.errorCodes == [])
      // A container's secret, where the tests may give a file away.
      guard let given = try await outcome("chown 4242") else { return }
      #expect(try given.errorCodes == [])
      #expect(try await outcome("chmod 644")?.errorCodes == [])
      #expect(try await outcome("chmod 664")?.errorCodes == ["open-secret"])
    }

    @Test("without a home, or with a relative one, nothing of the working folder is obeyed")
    func homeless() async throws {
      let sandbox = try await Sandbox.withFruta()
      for folder in [".config/cliptag", "cliptag", "x/.config/cliptag", "x/cliptag"] {
        try FileManager.default.createDirectory(
          atPath: sandbox.path(folder), withIntermediateDirectories: true)
        try sandbox.write("by: Mallory\nregistry: /planted\n", to: folder + "/settings.yaml")
        try sandbox.write("{", to: folder + "/printers.json")
      }
      for variables in ["", "HOME=", "HOME=. XDG_CONFIG_HOME=", "HOME=x", "XDG_CONFIG_HOME=."] {
        let shown = try await sandbox.shell(
          "exec env -i PATH=\"$PATH\" \(variables) cliptag config by registry --json")
        let values = try shown.lines.map { $0["value"].text ?? "" }
        #expect(values.count == 2 && !values.contains("Mallory"), "\(variables) \(values)")
        #expect(values[0].hasPrefix("/") && values[0] != "/planted", "\(variables) \(values)")
        let stock = try await sandbox.shell(
          "exec env -i PATH=\"$PATH\" \(variables) cliptag sheet --list-templates")
        #expect(stock.status == 0, "\(stock.errors)")
      }
    }

    @Test("groups of commands, help and completion work as without settings")
    func groups() async throws {
      let sandbox = try sandbox(user: "registry: /nowhere/else.sqlite\nby: Anna\n")
      let environment = environment(sandbox)
      for words in [["registry"], ["help", "poster"], ["poster", "--help"], ["--version"]] {
        let outcome = try await sandbox.run(words, environment: environment)
        #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(words)")
      }
    }

    @Test("every setting is an option of each of the commands that it names")
    func options() async throws {
      let sandbox = try sandbox(user: "")
      let settings = try await sandbox.run(["config", "--json"], environment: environment(sandbox))
        .lines
      #expect(settings.count > 8)
      let helpTexts = try await HelpExampleTests.helpTexts.value
      for setting in settings {
        let option = "--" + (setting["key"].text ?? "")
        for command in setting["commands"].elements.compactMap(\.text) {
          let page = helpTexts.first { $0.path.joined(separator: " ") == command }
          #expect(page?.help.contains(option + " <") == true, "\(command) \(option)")
        }
      }
    }
  }
}
