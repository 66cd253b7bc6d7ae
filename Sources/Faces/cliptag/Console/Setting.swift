import CliptagBasics
import Foundation
import Registry

/// A value that a user sets once instead of giving it as an option each time.
///
/// A setting is looked for in this order: the option, the environment, the file beside the registry,
/// the user's file. What the files have is put among the words of the command line, so that a command
/// has no other way to get a value.
struct Setting: Sendable {
  /// The key in a file of settings.
  let key: String
  /// The option, without hyphens.
  var option: String { key }
  /// The variables of the environment that come before files.
  var environment: [String] = []
  /// The commands that take it, without `cliptag`; `nil` for all.
  var commands: [String]?
  /// Options with which it has no meaning, or another one.
  var excluding: [String] = []
  /// The meaning of the value.
  let meaning: String

  private static let readerCommands = [
    "audit walk", "pack verify", "reader doctor", "station", "tag batch", "tag dump", "tag erase",
    "tag info", "tag lock", "tag password change", "tag password remove", "tag password set",
    "tag provision", "tag read", "tag restore", "tag write",
  ]

  /// Every setting, in the order in which they are shown.
  static let all = [
    Setting(
      key: "registry", environment: ["CLIPTAG_REGISTRY"],
      meaning: "The registry: a file, or the address of a server. In the user's file only."),
    Setting(
      key: "by", environment: ["CLIPTAG_BY"], meaning: "The person, for the record and walks."),
    Setting(
      key: "reader", environment: ["CLIPTAG_READER", "LIBNFC_DEVICE"], commands: readerCommands,
      excluding: ["--play"], meaning: "The NFC reader."),
    Setting(key: "place", commands: ["audit walk"], meaning: "The place of a walk, by its id."),
    Setting(
      key: "paper", commands: ["poster", "pack list", "audit report"],
      excluding: ["--template", "--artwork", "--list-templates"],
      meaning: "The paper of posters, packing lists and reports."),
    Setting(
      key: "design", commands: ["poster"],
      excluding: ["--template", "--artwork", "--list-templates"],
      meaning: "The design of posters."),
    Setting(
      key: "accent", commands: ["poster"],
      excluding: ["--artwork", "--list-templates"], meaning: "The colour of posters."),
    Setting(
      key: "language", commands: ["poster"],
      excluding: ["--artwork", "--list-templates"],
      meaning: "The language of the words on posters."),
    Setting(
      key: "template", commands: ["sheet"], excluding: ["--list-templates"],
      meaning: "The label stock of sheets."),
    Setting(
      key: "printer", commands: ["sheet"],
      excluding: ["--offset", "--scale", "--list-templates"],
      meaning: "The printer whose calibration sheets use."),
  ]

  /// Returns whether a command takes the setting.
  ///
  /// - Parameters:
  ///   - command: The command without `cliptag`.
  ///   - words: Its arguments.
  func applies(to command: String, _ words: ArraySlice<String>) -> Bool {
    guard commands?.contains(command) ?? true else { return false }
    let given = words.prefix { $0 != "--" }.map { $0.prefix { $0 != "=" } }
    return !given.contains { $0 == "--\(option)" || excluding.contains(String($0)) }
      && environment.allSatisfy { GlobalOptions.setting($0) == nil }
  }
}

extension Setting {
  /// A word of a command line that is from a file of settings.
  struct Word {
    /// The option.
    let option: String
    let found: SettingsFiles.Found

    var text: String { "\(option)=\(found.text)" }
    /// The origin, for people.
    var origin: String { "\(option) is set in \(found.path):\(found.line)." }
  }
}

/// The files of settings of this run.
struct SettingsFiles {
  /// A value of a file.
  struct Found {
    let text: String
    let path: String
    let line: Int
  }

  /// The registry of the command.
  let registry: String
  /// The paths at which files are looked for, the first one first.
  let paths: [String]
  /// The values of the files by key.
  let values: [String: Found]
  /// The first problem of each file; its settings do not apply.
  let problems: [Failure]
  /// A sentence about each file that others can change; its settings do not apply.
  let notes: [String]

  /// The user's file: `$XDG_CONFIG_HOME/cliptag/settings.yaml`, else in `~/.config`.
  static var ofUser: String { GlobalOptions.configurationFolder + "/settings.yaml" }

  /// Returns the file beside a registry: `registry.settings.yaml` for `registry.sqlite`; `nil` for a
  /// registry on a server.
  static func beside(registry: String) -> String? {
    guard !RegistryLocation.named(registry).isOnServer else { return nil }
    let path = registry.hasSuffix(".sqlite") ? String(registry.dropLast(7)) : registry
    return path + ".settings.yaml"
  }

  /// Reads the files.
  ///
  /// - Parameter words: The arguments of a command, of which `--registry` names the registry.
  init(of words: some Collection<String>) {
    var registry: String?
    for (word, next) in zip(words, words.dropFirst().map(Optional.some) + [nil]) {
      if word == "--registry" { registry = next }
      if word.hasPrefix("--registry=") { registry = String(word.dropFirst(11)) }
    }
    let own = Self.read(Self.ofUser)
    self.registry =
      registry ?? GlobalOptions.setting("CLIPTAG_REGISTRY") ?? own.values["registry"]?.text
      ?? GlobalOptions.defaultRegistry
    // A registry that cannot be reached says so itself.
    let isReachable = (try? PlainFile.facts(at: self.registry) == nil) != nil
    let path = isReachable ? Self.beside(registry: self.registry) : nil
    let beside = path.map(Self.read)
    paths = [path, Self.ofUser].compactMap { $0 }
    values = own.values.merging(
      beside?.values.filter { $0.key != "registry" } ?? [:]
    ) { _, nearer in nearer }
    problems = [beside?.problem, own.problem].compactMap { $0 }
    notes = [beside?.note, own.note].compactMap { $0 }
  }

  /// Reads a file; a missing one has no settings, and neither has one that others can change.
  private static func read(
    _ path: String
  ) -> (values: [String: Found], problem: Failure?, note: String?) {
    do {
      guard let file = try PlainFile.open(path) else { return ([:], nil, nil) }
      guard file.isProtected else {
        let advice = "Make it your own file, and restrict it with chmod go-w."
        return ([:], nil, "\(path) is left aside: other users can change it. \(advice)")
      }
      let bytes = try file.bytes(limit: SettingsFile.maximumSize)
      guard bytes.count <= SettingsFile.maximumSize else {
        throw Failure.tooLarge(path, SettingsFile.maximumSize)
      }
      let settings = try SettingsFile(Data(bytes), known: Setting.all.map(\.key), name: path)
      let values = settings.values.mapValues { Found(text: $0.text, path: path, line: $0.line) }
      return (values, nil, nil)
    } catch let error as PlainFile.Trouble where error.number == ENAMETOOLONG {
      // The name is too long only with the ending of settings: no file has it.
      return ([:], nil, nil)
    } catch {
      let cause = Failure(describing: error, source: path)
      let problem = Failure(
        "invalid-settings", .badSetting, cause.message, hint: cause.hint, source: path)
      return ([:], problem, nil)
    }
  }

  /// Returns the words of settings that a command gets.
  ///
  /// - Parameters:
  ///   - command: The command without `cliptag`.
  ///   - words: Its arguments.
  func words(of command: String, _ words: ArraySlice<String>) -> [Setting.Word] {
    Setting.all.filter { $0.applies(to: command, words) }.compactMap { setting in
      values[setting.key].map { Setting.Word(option: "--" + setting.option, found: $0) }
    }
  }
}
