/// A script that a simulated reader executes automatically at chosen moments.
///
/// Each line is a command (``SimulatorCommand``), executed at the start, or `after`, a number, a
/// unit, a colon and a command. The units are `commands` to the reader, `tag-commands`, `writes`,
/// `tags` of the deck that have left, and `ms` since the start. Counts are checked between two
/// commands to the reader. Empty lines, and text after `#`, are ignored.
///
/// ```
/// after 12 commands: remove
/// after 3 writes: fault tear-write=1
/// after 500 ms: back
/// ```
///
/// Each line is executed once; lines that are due at the same time are executed in order. Their
/// replies are in the trace.
public struct SimulatorScript: Hashable, Sendable {
  /// The moment for which a line waits.
  enum Moment: Hashable, Sendable {
    case start
    case commands(Int)
    case tagCommands(Int)
    case writes(Int)
    case tags(Int)
    case milliseconds(Int)
  }

  struct Line: Hashable, Sendable {
    let moment: Moment
    let command: SimulatorCommand
    /// The command as written.
    let text: String
  }

  /// The pending lines.
  private(set) var lines: [Line] = []

  /// Makes an empty script.
  public init() {}

  /// Parses a script.
  ///
  /// - Throws: `.malformedScript`, naming the line.
  public init(parsing text: String) throws(SimulatedReaderError) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = (line.split(separator: "#", omittingEmptySubsequences: false).first ?? "")
        .split { $0 == " " || $0 == "\t" || $0 == "\r" }
      guard !words.isEmpty else { continue }
      do throws(SimulatedReaderError) {
        lines.append(try Self.line(words))
      } catch {
        throw SimulatedReaderError(
          .malformedScript, "Line \(index + 1): \(error.message)", hint: error.hint)
      }
    }
  }

  private static func line(_ words: [Substring]) throws(SimulatedReaderError) -> Line {
    guard words[0] == "after" else {
      let text = words.joined(separator: " ")
      return Line(moment: .start, command: try SimulatorCommand(parsing: text), text: text)
    }
    guard words.count > 3, let number = Fault.number(words[1]),
      let moment = moment(number, words[2])
    else {
      throw SimulatedReaderError(
        .malformedScript, "“\(words.joined(separator: " ").prefix(60))” is not a valid trigger.",
        hint: "Write it like “after 12 commands: remove”, with commands, tag-commands, writes, "
          + "tags or ms.")
    }
    let text = words[3...].joined(separator: " ")
    return Line(moment: moment, command: try SimulatorCommand(parsing: text), text: text)
  }

  private static func moment(_ number: Int, _ unit: Substring) -> Moment? {
    switch unit {
    case "commands:", "command:": .commands(number)
    case "tag-commands:", "tag-command:": .tagCommands(number)
    case "writes:", "write:": .writes(number)
    case "tags:", "tag:": .tags(number)
    case "ms:": .milliseconds(number)
    default: nil
    }
  }

  /// The next time-based moment, from the start.
  var nextTime: Duration? {
    lines.compactMap { line in
      if case .milliseconds(let count) = line.moment { Duration.milliseconds(count) } else { nil }
    }.min()
  }

  /// Removes and returns the lines that are due.
  mutating func takeDue(isDue: (Moment) -> Bool) -> [Line] {
    let due = lines.filter { isDue($0.moment) }
    lines.removeAll { isDue($0.moment) }
    return due
  }
}

/// The execution of the script by the chip.
extension SimulatedPN532 {
  /// Executes the lines that the counts make due.
  mutating func runScript() -> [ChipOutput] { runScript(elapsed: .zero) }

  /// Executes the lines that are due after `elapsed` time since the start.
  mutating func letTimePass(_ elapsed: Duration) -> [ChipOutput] { runScript(elapsed: elapsed) }

  private mutating func runScript(elapsed: Duration) -> [ChipOutput] {
    guard !script.lines.isEmpty else { return [] }
    let counts = counts
    let tags = field.deckNow?.leftCount ?? 0
    let due = script.takeDue { moment in
      switch moment {
      case .start: true
      case .commands(let count): counts.exchanges >= count
      case .tagCommands(let count): counts.tagCommands >= count
      case .writes(let count): counts.writes >= count
      case .tags(let count): tags >= count
      case .milliseconds(let count): elapsed >= .milliseconds(count)
      }
    }
    var output: [ChipOutput] = []
    for line in due {
      let (answer, done) = perform(line.command)
      output.append(ChipOutput(event: .note("script: \(line.text) → \(answer)")))
      output += done
    }
    return output
  }
}
