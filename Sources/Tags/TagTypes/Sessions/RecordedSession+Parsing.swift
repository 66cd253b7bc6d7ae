import CliptagBasics

extension RecordedSession {
  /// The first mistake in the text of a session.
  package struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1; `nil` if something is missing in the whole.
    package let line: Int?
    /// The mistake, as a clause.
    package let problem: String
    /// Line and mistake.
    package var description: String { (line.map { "line \($0): " } ?? "") + problem }
  }

  /// The largest file that is read, in bytes.
  package static let maximumSize = 1 << 24

  /// The longest time since the beginning that a step may have: about eleven days.
  private static let maximumMilliseconds = 1e9

  /// Parses the text of a file.
  ///
  /// - Throws: ``Mistake`` for anything that the format does not have.
  package init(parsing text: String) throws(Mistake) {
    var facts: [String: String] = [:]
    var tables: [String: [String: String]] = [:]
    var steps: [Step] = []
    var section: String?
    // Swift counts the end of a line of Windows as one character, which is not "\n".
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let number = index + 1
      let content = line.drop { $0 == " " }
      if content.isEmpty || content.first == "#" || line == "---" { continue }
      if content.hasPrefix("- ") {
        guard section == "steps" else {
          throw Mistake(line: number, problem: "an item of no list")
        }
        steps.append(try Self.step(Self.table(content.dropFirst(2), number), number))
        continue
      }
      guard line.first != " ", let colon = line.firstIndex(of: ":") else {
        throw Mistake(line: number, problem: "neither \"key: value\" nor \"  - {step}\"")
      }
      let key = String(line[..<colon])
      guard facts[key] == nil, tables[key] == nil else {
        throw Mistake(line: number, problem: "\(key) is there twice")
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      section = key
      switch key {
      case "steps":
        guard value.isEmpty else { throw Mistake(line: number, problem: "steps is a list") }
        facts[key] = ""
      case "simulate", "expect": tables[key] = try Self.table(value, number)
      case "id", "kind", "device", "driver", "tag", "layer", "uid", "source", "outcome":
        facts[key] = try Self.scalar(value, number)
      default: throw Mistake(line: number, problem: "\(key) is no key of a session")
      }
    }
    func fact(_ key: String) throws(Mistake) -> String {
      guard let value = facts[key], !value.isEmpty else {
        throw Mistake(line: nil, problem: "\(key) is missing")
      }
      return value
    }
    let name = try fact("layer")
    guard let layer = Layer(rawValue: name) else {
      let known = Layer.allCases.map(\.rawValue).joined(separator: ", ")
      throw Mistake(line: nil, problem: "\(name) is no layer; there are \(known)")
    }
    guard !steps.isEmpty else { throw Mistake(line: nil, problem: "it has no steps") }
    self.init(
      id: try fact("id"), device: try fact("device"), tag: try fact("tag"), layer: layer,
      steps: steps)
    kind = try fact("kind")
    (driver, source) = (facts["driver"] ?? "", facts["source"] ?? "")
    outcome = facts["outcome"] ?? ""
    (simulated, expected) = (tables["simulate"] ?? [:], tables["expect"] ?? [:])
  }

  private static func step(
    _ table: [String: String], _ number: Int
  ) throws(Mistake) -> Step {
    for key in table.keys where !["host", "device", "note", "at"].contains(key) {
      throw Mistake(line: number, problem: "\(key) is no key of a step")
    }
    let isFromHost = table["host"] != nil
    guard let text = table["host"] ?? table["device"],
      table["host"] == nil || table["device"] == nil
    else { throw Mistake(line: number, problem: "a step has either host or device") }
    guard let bytes = [UInt8](hexadecimal: text.utf8) else {
      throw Mistake(line: number, problem: "\"\(text)\" is not pairs of hexadecimal digits")
    }
    guard !isFromHost || !bytes.isEmpty else {
      throw Mistake(line: number, problem: "the program sends at least one byte")
    }
    var step = Step(isFromHost: isFromHost, bytes: bytes, note: table["note"] ?? "")
    if let time = table["at"] {
      guard let milliseconds = Double(time), (0...maximumMilliseconds).contains(milliseconds) else {
        throw Mistake(line: number, problem: "\"\(time)\" is not a number of milliseconds")
      }
      step.milliseconds = milliseconds
    }
    return step
  }

  /// `{key: value, …}`.
  private static func table(
    _ text: Substring, _ number: Int
  ) throws(Mistake) -> [String: String] {
    guard text.first == "{" else { throw Mistake(line: number, problem: "a { is missing") }
    var rest = text.dropFirst()
    var table: [String: String] = [:]
    while true {
      rest = rest.drop { $0 == " " }
      guard let colon = rest.firstIndex(of: ":") else {
        throw Mistake(line: number, problem: "a \"key: value\" is missing between the braces")
      }
      let key = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...].drop { $0 == " " }
      let value: String
      if let quote = rest.first, quote == "'" || quote == "\"" {
        value = try quoted(&rest, number)
      } else {
        let end = rest.firstIndex { $0 == "," || $0 == "}" } ?? rest.endIndex
        value = trimmed(rest[..<end])
        rest = rest[end...]
      }
      guard table.updateValue(value, forKey: key) == nil else {
        throw Mistake(line: number, problem: "\(key) is there twice")
      }
      rest = rest.drop { $0 == " " }
      let next = rest.popFirst()
      if next == "," { continue }
      guard next == "}", rest.allSatisfy({ $0 == " " }) else {
        throw Mistake(line: number, problem: "the line does not end with }")
      }
      return table
    }
  }

  private static func scalar(_ text: Substring, _ number: Int) throws(Mistake) -> String {
    guard let first = text.first, first == "'" || first == "\"" else { return trimmed(text) }
    var rest = text
    let value = try quoted(&rest, number)
    guard rest.allSatisfy({ $0 == " " }) else {
      throw Mistake(line: number, problem: "there is more behind the closing quotation mark")
    }
    return value
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Takes a quoted text from the front: in `'`, `''` is one of them; in `"`, a backslash precedes
  /// a quotation mark or a backslash.
  private static func quoted(
    _ rest: inout Substring, _ number: Int
  ) throws(Mistake) -> String {
    let quote = rest.removeFirst()
    var value = ""
    while let character = rest.popFirst() {
      if quote == "\"", character == "\\", let next = rest.popFirst() {
        value.append(next)
      } else if character != quote {
        value.append(character)
      } else if quote == "'", rest.first == "'" {
        value.append(rest.removeFirst())
      } else {
        return value
      }
    }
    throw Mistake(line: number, problem: "a closing quotation mark is missing")
  }
}
