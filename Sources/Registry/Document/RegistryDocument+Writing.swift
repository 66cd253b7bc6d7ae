import Invocation

extension RegistryDocument {
  /// The document as a file. The same content gives the same bytes: it is sorted first.
  ///
  /// - Parameter format: How it is written down.
  /// - Returns: The file's text, which ends with a line break.
  public func text(as format: Format) -> String {
    let node = OutputNode(sorted())
    switch format {
    case .yaml:
      var text = ""
      YAMLText.append(node, indent: 0, to: &text)
      return text
    case .json:
      var text = ""
      JSONText.append(node, indent: 0, to: &text)
      return text + "\n"
    }
  }
}

/// JSON, two spaces deep, short mappings and lists on one line.
enum JSONText {
  static func append(_ node: OutputNode, indent: Int, to text: inout String) {
    switch node {
    case .text(let value): text += value.jsonQuoted
    case .number(let value): text += value.plain
    case .flag(let value): text += value ? "true" : "false"
    case .row(let items): text += "[" + items.map(line).joined(separator: ", ") + "]"
    case .record(let entries):
      text += "{ " + entries.map(entry).joined(separator: ", ") + " }"
    case .list(let items):
      text.appendJSONBlock("[", "]", items, indent: indent) {
        append($0, indent: indent + 2, to: &$1)
      }
    case .mapping(let entries):
      text.appendJSONBlock("{", "}", entries, indent: indent) { entry, text in
        text += entry.key.jsonQuoted + ": "
        append(entry.value, indent: indent + 2, to: &text)
      }
    }
  }

  private static func line(_ node: OutputNode) -> String {
    var text = ""
    append(node, indent: 0, to: &text)
    return text
  }

  private static func entry(_ entry: (key: String, value: OutputNode)) -> String {
    entry.key.jsonQuoted + ": " + line(entry.value)
  }
}

/// YAML as people write it: block style, short mappings and lists in flow style, quotes only where
/// a reader of YAML 1.1 or 1.2 would otherwise take the text for something else.
enum YAMLText {
  static func append(_ node: OutputNode, indent: Int, to text: inout String) {
    let margin = String(repeating: " ", count: indent)
    switch node {
    case .mapping(let entries):
      for (key, value) in entries {
        text += margin + key + ":"
        appendValue(value, indent: indent + 2, to: &text)
      }
    case .list(let items):
      for item in items {
        var block = ""
        append(item, indent: indent + 2, to: &block)
        text += margin + "- " + block.dropFirst(indent + 2)
      }
    default: text += margin + flow(node) + "\n"
    }
  }

  private static func appendValue(_ node: OutputNode, indent: Int, to text: inout String) {
    switch node {
    case .list(let items) where items.isEmpty: text += " []\n"
    case .mapping, .list:
      text += "\n"
      append(node, indent: indent, to: &text)
    case .text(let value): text += " " + scalar(value, inFlow: false) + "\n"
    default: text += " " + flow(node) + "\n"
    }
  }

  private static func flow(_ node: OutputNode) -> String {
    switch node {
    case .text(let value): scalar(value, inFlow: true)
    case .number(let value): value.plain
    case .flag(let value): value ? "true" : "false"
    case .row(let items), .list(let items): "[" + items.map(flow).joined(separator: ", ") + "]"
    case .record(let entries), .mapping(let entries):
      "{ " + entries.map { $0.key + ": " + flow($0.value) }.joined(separator: ", ") + " }"
    }
  }

  private static func scalar(_ value: String, inFlow: Bool) -> String {
    isPlain(value, inFlow: inFlow) ? value : quoted(value)
  }

  /// A text in double quotes. YAML has no surrogate pairs (1.2.2, section 5.7).
  private static func quoted(_ value: String) -> String {
    value.quoted { scalar in
      scalar.value > 0xFFFF
        ? "\\U" + scalar.value.hexadecimal(digits: 8) : "\\u" + scalar.value.hexadecimal(digits: 4)
    }
  }

  /// Words that YAML 1.1 takes for truth values or nothing (yaml.org/type/bool.html); `NO` is also
  /// a language.
  private static let reserved: Set<String> = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null",
  ]

  /// Whether a text can stand without quotes: it begins with a letter or a slash, and holds nothing
  /// that ends or changes a plain scalar (YAML 1.2.2, section 7.3.3).
  private static func isPlain(_ value: String, inFlow: Bool) -> Bool {
    let scalars = value.unicodeScalars
    guard let first = scalars.first, let last = scalars.last else { return false }
    guard first.properties.isAlphabetic || first == "/", last != ":", last != " " else {
      return false
    }
    guard !reserved.contains(value.lowercased()) else { return false }
    var previous: Unicode.Scalar = " "
    for scalar in scalars {
      if scalar.needsEscape || previous == ":" && scalar == " " || previous == " " && scalar == "#"
      {
        return false
      }
      if inFlow, ",[]{}".unicodeScalars.contains(scalar) { return false }
      previous = scalar
    }
    return true
  }
}
