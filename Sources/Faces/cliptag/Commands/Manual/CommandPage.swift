import CliptagBasics
import Foundation

/// The man page of a command.
struct CommandPage {
  private let command: CommandTree
  private let path: [String]
  private let help: HelpText
  /// The options of every command, described in full only on the page of `cliptag` itself.
  private let common: [CommandTree.Argument]
  private var page = Mdoc()

  init(_ command: CommandTree, _ path: [String], common: [CommandTree.Argument]) {
    self.command = command
    self.path = path
    self.common = common
    help = HelpText(command.discussion ?? "")
  }

  var name: String { path.joined(separator: "-") }

  private var isRoot: Bool { path.count == 1 }
  private var ownOptions: [CommandTree.Argument] {
    command.options.filter { option in !common.contains { $0.spellings == option.spellings } }
  }

  /// The page without its head.
  var text: String {
    mutating get {
      page.macro("Sh NAME")
      page.macro("Nm \(Mdoc.argument(name))")
      page.macro("Nd \(Mdoc.words((command.abstract ?? "").asDescription))")
      synopsis()
      description()
      options()
      notes("ENVIRONMENT", ManualNote.environment, as: "Ev")
      notes("FILES", ManualNote.files, as: "Pa")
      exitStatus()
      if !help.examples.isEmpty {
        page.macro("Sh EXAMPLES")
        if help.examples.contains(where: { $0.contains("Samples/") }) {
          page.prose("The folder Samples is part of the sources of cliptag.")
        }
        page.literal(help.examples)
      }
      seeAlso()
      return page.text
    }
  }

  private mutating func synopsis() {
    page.macro("Sh SYNOPSIS")
    page.macro("Nm cliptag")
    if !isRoot { page.macro("Cm " + path.dropFirst().map(Mdoc.argument).joined(separator: " ")) }
    guard command.children.isEmpty else {
      page.macro(command.defaultSubcommand == nil ? "Ar subcommand" : "Op Ar subcommand")
      page.macro("Op Ar argument ...")
      return
    }
    let required = ownOptions.filter { !$0.isOptional }
    let optional = ownOptions.filter(\.isOptional)
    for option in required { page.macro(option.synopsis) }
    if optional.count > 12 {
      page.macro("Op Ar options")
    } else {
      for option in optional { page.macro("Op " + option.synopsis) }
    }
    for argument in command.positionals {
      let shown =
        "Ar \(Mdoc.argument(argument.valueName ?? ""))\(argument.isRepeating ? " ..." : "")"
      page.macro(argument.isOptional ? "Op " + shown : shown)
    }
  }

  private mutating func description() {
    page.macro("Sh DESCRIPTION")
    page.prose(command.abstract ?? "")
    for part in help.description {
      switch part {
      case .paragraph(let text):
        page.macro("Pp")
        page.prose(text)
      case .lines(let lines): page.literal(lines)
      }
    }
    if !command.children.isEmpty {
      page.macro(isRoot ? "Sh COMMANDS" : "Ss Subcommands")
      page.list(
        command.children.map { child in
          ("Xr \(name)-\(child.commandName) 1", child.abstract ?? "")
        })
    }
    if !command.positionals.isEmpty {
      page.macro("Ss Arguments")
      page.list(
        command.positionals.map {
          ("Ar \(Mdoc.argument($0.valueName ?? ""))\($0.isRepeating ? " ..." : "")", $0.explanation)
        })
    }
  }

  private mutating func options() {
    page.macro("Sh OPTIONS")
    if isRoot {
      page.prose("These options are those of every command.")
      list(common)
      return
    }
    var titles: [String?] = []
    for option in ownOptions where !titles.contains(option.sectionTitle) {
      titles.append(option.sectionTitle)
    }
    for title in titles {
      if let title { page.macro("Ss " + Mdoc.words(title)) }
      list(ownOptions.filter { $0.sectionTitle == title })
    }
    if titles.contains(where: { $0 != nil }) { page.macro("Ss Options of every command") }
    let shared = common.filter { option in
      command.options.contains { $0.spellings == option.spellings }
    }
    if !ownOptions.isEmpty, titles == [nil] { page.macro("Pp") }
    page.macros(
      "Fl", shared.map { Mdoc.argument(String($0.spellings.last?.dropFirst() ?? "")) }, end: "")
    page.prose("are those of every command; see")
    page.macro("Xr cliptag 1 .")
  }

  private mutating func list(_ options: [CommandTree.Argument]) {
    page.macro("Bl -tag -width Ds")
    for (index, option) in options.enumerated() {
      // A flag and its opposite have the same text.
      let twins = options.filter { $0.isTwin(of: option) }
      if index > 0, options[index - 1].isTwin(of: option) { continue }
      page.macro("It " + twins.map(\.head).joined(separator: " , "))
      page.prose(option.explanation)
      if !option.untoldValues.isEmpty {
        page.prose("The values are")
        page.macros("Cm", option.untoldValues.map(Mdoc.argument))
      }
      if let value = option.untoldDefault {
        page.prose("The default is")
        page.macro("Cm \(Mdoc.argument(value)) .")
      }
    }
    page.macro("El")
  }

  private mutating func notes(_ title: String, _ notes: [ManualNote], as macro: String) {
    let own = notes.filter { $0.belongs(to: path) }
    guard !own.isEmpty, command.children.isEmpty || isRoot else { return }
    page.macro("Sh \(title)")
    page.list(
      own.map { note in
        let names = note.name.components(separatedBy: ", ").map(Mdoc.argument)
        return ("\(macro) " + names.joined(separator: " , \(macro) "), note.meaning)
      })
  }

  private mutating func exitStatus() {
    page.macro("Sh EXIT STATUS")
    let all = ExitStatus.allCases
    let told = isRoot ? all : all.filter { $0.rawValue < ExitStatus.usage.rawValue }
    if let own = help.exitStatus, !isRoot {
      page.prose(own)
    } else {
      page.list(told.map { ("\($0.rawValue)", $0.meaning) })
    }
    if isRoot {
      page.macro("Pp")
      page.prose(ExitStatus.ofSeveral)
    } else {
      page.macro("Pp")
      page.prose("Trouble ends with \(ExitStatus.usage.rawValue) and above, as described in")
      page.macro("Xr cliptag 1 .")
    }
  }

  private mutating func seeAlso() {
    let parents = (1..<max(1, path.count)).map { path.prefix($0).joined(separator: "-") }
    let pages = parents.map { "\($0) 1" } + ["\(CodesPage.name) 7"]
    page.macro("Sh SEE ALSO")
    page.macros("Xr", pages, and: ",", end: "")
  }
}

extension CommandTree.Argument {
  /// The option as a synopsis shows it: by its longest spelling.
  fileprivate var synopsis: String { shown(spellings.suffix(1)) + (isRepeating ? " ..." : "") }

  /// The option as the head of its description.
  fileprivate var head: String { shown(spellings[...]) }

  /// Whether both are flags that one setting turns on and off, or the same one.
  fileprivate func isTwin(of other: Self) -> Bool {
    spellings == other.spellings
      || (kind == "flag" && other.kind == "flag" && abstract == other.abstract)
  }

  /// The effect of the argument.
  fileprivate var explanation: String {
    [abstract ?? "", discussion ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The values, unless the explanation names them all.
  fileprivate var untoldValues: [String] {
    let values = allValues ?? []
    return values.allSatisfy { (abstract ?? "").contains($0) } ? [] : values
  }

  /// The default, unless the explanation states one.
  fileprivate var untoldDefault: String? {
    guard kind == "option", !(abstract ?? "").contains("default") else { return nil }
    return defaultValue?.replacing(/\.0$/, with: "")
  }

  private func shown(_ spellings: ArraySlice<String>) -> String {
    spellings.map { "Fl " + Mdoc.argument(String($0.dropFirst())) }.joined(separator: " , ")
      + (value.map { " Ar \(Mdoc.argument($0))" } ?? "")
  }
}

extension String {
  /// A sentence as the description in a page's first line: no capital, no full stop.
  fileprivate var asDescription: String {
    let text = hasSuffix(".") ? String(dropLast()) : self
    let begin = text.prefix(2)
    let isName = begin.count == 2 && begin == begin.uppercased() && begin.last != " "
    return isName ? text : text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// A command as the parser of the command line knows it: with everything that its help says.
struct CommandTree: Decodable {
  /// An option, a flag or an argument.
  struct Argument: Decodable {
    /// A spelling of an option.
    struct Name: Decodable {
      let kind: String
      let name: String

      /// The spelling as it is typed.
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
    /// The spellings in front of the value, short ones first.
    var spellings: [String] { (names ?? []).map(\.spelling).sorted { $0.count < $1.count } }
    /// The value that follows; `nil` for a flag.
    var value: String? { kind == "flag" ? nil : valueName ?? "value" }
  }

  let commandName: String
  let abstract: String?
  let discussion: String?
  let shouldDisplay: Bool
  /// The subcommand that is run if none is named.
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

  /// The text without examples and exit statuses.
  private(set) var description: [Part] = []
  /// The lines of the examples.
  private(set) var examples: [String] = []
  /// The part of the text about exit statuses, if there is one.
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
