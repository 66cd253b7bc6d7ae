import ArgumentParser
import CliptagBasics
import Foundation
import Invocation
import Jobs

/// `cliptag config`
struct ConfigCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show the settings, and where each value comes from.",
    discussion: """
      Settings are values for options: an option comes first, then the environment, the file beside \
      the registry (registry.settings.yaml for registry.sqlite), and the user's file \
      (~/.config/cliptag/settings.yaml). A file has a key and a text on each line:
        by: Anna Kowalska
        paper: letter
        accent: "#d81f26"

      With --verbose, every command tells which settings it took from a file.

      Examples:
        cliptag config
        cliptag config registry paper
      """)

  @Argument(help: ArgumentHelp("Settings (default: all).", valueName: "key"), completion: .settings)
  var keys: [String] = []
  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    let names = Setting.all.map(\.key)
    for key in keys where !names.contains(key) {
      throw Failure(
        "usage", .usage, "No setting is named “\(key.printable)”.",
        hint: [names.question(about: key), "Give some of: \(names.joined(separator: ", "))."]
          .sentences)
    }
    let files = SettingsFiles(of: global.registry.map { ["--registry", $0] } ?? [])
    for setting in Setting.all where keys.isEmpty || keys.contains(setting.key) {
      let origin = origin(of: setting, files)
      console.result(
        of: SettingResult(
          setting.key, value: origin.value, source: origin.source, origin: origin.name,
          line: origin.line, commands: setting.commands, meaning: setting.meaning),
        text: [
          setting.key.padding(to: 10) + (origin.value ?? "not set"),
          origin.name.map { name in "  (\(name)" + (origin.line.map { ":\($0)" } ?? "") + ")" }
            ?? "",
        ].joined())
    }
    for path in files.paths where (try? PlainFile.facts(at: path) == nil) == true {
      console.say("note: There is no \(path).")
    }
    for note in files.notes { console.say("note: \(note)") }
    for problem in files.problems { console.report(problem) }
  }

  private func origin(
    of setting: Setting, _ files: SettingsFiles
  ) -> (value: String?, source: SettingResult.Source, name: String?, line: Int?) {
    let option =
      switch setting.key {
      case "registry": global.registry
      case "by": global.by
      default: String?.none
      }
    if let option { return (option, .option, "--\(setting.option)", nil) }
    for name in setting.environment {
      if let value = GlobalOptions.setting(name) { return (value, .environment, "$\(name)", nil) }
    }
    if let found = files.values[setting.key] { return (found.text, .file, found.path, found.line) }
    return (setting.key == "registry" ? GlobalOptions.defaultRegistry : nil, .default, nil, nil)
  }
}
