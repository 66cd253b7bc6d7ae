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
