import ArgumentParser
import CliptagBasics
import Invocation

/// The words of a command line up to the arguments of its command.
///
/// The parser takes options of a command only behind its name, and calls an unknown command an
/// unexpected argument.
struct CommandWords {
  /// The arguments, with the options that every command takes behind the command's name.
  let arguments: [String]
  /// The command that works, where its name was given, and its arguments alone.
  let leaf: (command: any AsyncParsableCommand.Type, arguments: [String])?
  /// The words among them that are from files of settings.
  let settings: [Setting.Word]
  /// The first problem of a file of settings, if the command takes settings.
  let problem: Failure?
  /// The notes for people about files of settings.
  let notes: [String]
  /// A word in the place of a command that names none.
  private(set) var unknown: Unknown?

  /// A word that names no command.
  struct Unknown {
    let word: String
    /// The commands before it, `cliptag` first.
    let path: [String]
    /// The command that was probably meant.
    let similar: [String]
  }

  /// - Parameters:
  ///   - words: The arguments of the process, without its name.
  ///   - root: The command that has all others.
  init(_ words: [String], of root: any ParsableCommand.Type) {
    var command = root
    var path = [root.name]
    var moved: [String] = []
    var rest = words[...]
    let isHelp = words.first == "help"
    if isHelp { rest.removeFirst() }
    while let word = rest.first {
      if let count = GlobalOptions.length(of: word), !isHelp {
        moved += rest.prefix(count)
        rest = rest.dropFirst(count)
        continue
      }
      let children = command.configuration.subcommands
      guard !word.hasPrefix("-"), !children.isEmpty else { break }
      guard let child = children.first(where: { $0.allNames.contains(word) }) else {
        if isHelp || command.configuration.defaultSubcommand == nil {
          let names = children.filter { $0.configuration.shouldDisplay }.map { $0.name }
          unknown = Unknown(word: word, path: path, similar: names.meant(by: word))
        }
        break
      }
      command = child
      path.append(word)
      rest = rest.dropFirst()
    }
    // Without a command, an option belongs to `cliptag` itself.
    guard path.count > 1, !isHelp, unknown == nil else {
      (arguments, leaf, settings, problem, notes) = (words, nil, [], nil, [])
      return
    }
    let files = command.takesSettings ? SettingsFiles(of: moved[...] + rest) : nil
    let named = path.dropFirst() + [command.configuration.defaultSubcommand?.name].compactMap { $0 }
    settings = files?.words(of: named.joined(separator: " "), moved[...] + rest) ?? []
    problem = files?.problems.first
    notes = files?.notes ?? []
    let own = moved + settings.map(\.text) + rest
    arguments = path.dropFirst() + own
    leaf =
      command.configuration.subcommands.isEmpty
      ? (command as? any AsyncParsableCommand.Type).map { ($0, own) } : nil
  }

  /// Returns the command, ready to run.
  ///
  /// ArgumentParser describes all arguments of a command anew for each command on the way to it, and again
  /// when it has arrived. The way is known here, so that the command parses its own arguments. What it
  /// refuses or answers with help, the root parses again: only the root knows the command's whole name.
  func parsed(by root: any AsyncParsableCommand.Type) async throws -> any ParsableCommand {
    if let leaf, let command = try? await leaf.command.asyncParseAsRoot(leaf.arguments),
      type(of: command) == leaf.command
    {
      return command
    }
    return try await root.asyncParseAsRoot(arguments)
  }
}

extension ParsableCommand {
  fileprivate static var name: String { configuration.commandName ?? "" }
  /// Whether words of settings may follow the command: it is one that works, other than the one that
  /// shows the settings.
  fileprivate static var takesSettings: Bool {
    self != ConfigCommand.self
      && (configuration.subcommands.isEmpty || configuration.defaultSubcommand != nil)
  }
  fileprivate static var allNames: [String] { [name] + configuration.aliases }
}

extension GlobalOptions {
  /// Returns the number of words of one of these options, with its value; `nil` for another word.
  fileprivate static func length(of word: String) -> Int? {
    // Letters may be joined behind one hyphen: -qv.
    let letters = word.hasPrefix("-") ? word.dropFirst().map { "-\($0)" } : []
    if flags.contains(word) || (!letters.isEmpty && flags.isSuperset(of: letters)) { return 1 }
    let parts = word.split(separator: "=", maxSplits: 1)
    guard let name = parts.first.map(String.init), optionsWithValue.contains(name) else {
      return nil
    }
    return parts.count == 2 ? 1 : 2
  }

  /// The names of the options above, as they are given.
  static let flags: Set<String> = ["--json", "--quiet", "-q", "--verbose", "-v"]
  static let optionsWithValue: Set<String> = ["--registry", "--registry-wait", "--by", "--color"]
}

extension Failure {
  /// A word that names no command.
  init(_ unknown: CommandWords.Unknown) {
    self.init(
      "usage", .usage,
      ["Unknown command “\(unknown.word.printable)”.", unknown.similar.didYouMean].sentences,
      hint: "See \(unknown.path.joined(separator: " ")) --help.")
  }
}
