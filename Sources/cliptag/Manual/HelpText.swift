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
