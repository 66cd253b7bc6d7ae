import Foundation

/// A command as the parser of the command line knows it: with everything that its help says.
struct CommandTree: Decodable {
  /// An option, a flag or an argument.
  struct Argument: Decodable {
    /// A spelling of an option.
    struct Name: Decodable {
      let kind: String
      let name: String

      /// As it is typed.
      var spelling: String { (kind == "long" ? "--" : "-") + name }
    }

    let kind: String
    let shouldDisplay: Bool
    let sectionTitle: String?
    let isOptional: Bool
    let isRepeating: Bool
    let names: [Name]?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let abstract: String?
    let discussion: String?

    var isPositional: Bool { kind == "positional" }
    /// What is typed in front of the value, short spellings first.
    var spellings: [String] { (names ?? []).map(\.spelling).sorted { $0.count < $1.count } }
    /// The value that follows; `nil` for a flag.
    var value: String? { kind == "flag" ? nil : valueName ?? "value" }
  }

  let commandName: String
  let abstract: String?
  let discussion: String?
  let shouldDisplay: Bool
  /// What is run where no subcommand is named.
  let defaultSubcommand: String?
  let arguments: [Argument]?
  let subcommands: [CommandTree]?

  /// The options, without those that are hidden.
  var options: [Argument] {
    (arguments ?? []).filter { $0.shouldDisplay && !$0.isPositional }
  }

  /// The arguments that have no name.
  var positionals: [Argument] {
    (arguments ?? []).filter { $0.shouldDisplay && $0.isPositional }
  }

  /// The subcommands that people call; `help` explains itself.
  var children: [CommandTree] {
    (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
  }

  /// Reads what `--experimental-dump-help` prints.
  init(dumpedHelp text: String) throws {
    struct Dump: Decodable { let command: CommandTree }
    self = try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command
  }

  /// Every command below, this one first, each with the names that lead to it.
  func all(after parents: [String] = []) -> [(path: [String], command: CommandTree)] {
    let path = parents + [commandName]
    return [(path, self)] + children.flatMap { $0.all(after: path) }
  }

  /// The options that every command without subcommands has.
  var commonOptions: [Argument] {
    let leaves = all().map(\.command).filter(\.children.isEmpty)
    guard let first = leaves.first else { return [] }
    return first.options.filter { option in
      leaves.allSatisfy { leaf in leaf.options.contains { $0.spellings == option.spellings } }
    }
  }
}

/// The longer text of a command's help, in its parts.
struct HelpText {
  /// A part of the text.
  enum Part: Equatable {
    /// A paragraph, on one line.
    case paragraph(String)
    /// Lines that were indented, and are shown as they are.
    case lines([String])
  }

  /// What the text says, without examples and exit statuses.
  private(set) var description: [Part] = []
  /// The lines of the examples.
  private(set) var examples: [String] = []
  /// What the text says of exit statuses, if it does.
  private(set) var exitStatus: String?

  init(_ text: String) {
    for block in text.split(separator: "\n\n") {
      let parts = Self.parts(of: block.split(separator: "\n"))
      switch parts.first {
      case .paragraph("Examples:"), .paragraph("Example:"):
        for case .lines(let lines) in parts { examples += lines }
      case .paragraph(let text) where text.hasPrefix("Exit status: "):
        exitStatus = String(text.dropFirst("Exit status: ".count))
      default: description += parts
      }
    }
  }

  private static func parts(of lines: [Substring]) -> [Part] {
    var parts: [Part] = []
    for line in lines {
      switch (line.hasPrefix("  "), parts.last) {
      case (true, .lines(let before)):
        parts[parts.count - 1] = .lines(before + [String(line.dropFirst(2))])
      case (true, _): parts.append(.lines([String(line.dropFirst(2))]))
      case (false, .paragraph(let before)):
        parts[parts.count - 1] = .paragraph(before + " " + line)
      case (false, _): parts.append(.paragraph(String(line)))
      }
    }
    return parts
  }
}
