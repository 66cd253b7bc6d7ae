package import CliptagBasics
public import Foundation
public import Invocation

/// Clips, experiences and places as one value: the contents of a registry file.
///
/// Codes and their history are not part of it; they stay in the registry that issued them.
public struct RegistryDocument: Hashable, Sendable {
  /// The clips, in the order of the file.
  public var clips: [AppClip]
  /// The advanced experiences of all clips, in the order of the file.
  public var experiences: [AdvancedExperience]
  /// The places, in the order of the file.
  public var places: [Place]

  /// Makes a document.
  public init(
    clips: [AppClip] = [], experiences: [AdvancedExperience] = [], places: [Place] = []
  ) {
    self.clips = clips
    self.experiences = experiences
    self.places = places
  }

  /// Returns the same contents in the order that stores and exports use: clips by bundle
  /// identifier, experiences by clip and then by link, places by id, each in the order of their
  /// UTF-8 bytes.
  package func sorted() -> RegistryDocument {
    RegistryDocument(
      clips: clips.sorted { $0.bundleID.utf8Precedes($1.bundleID) },
      experiences: experiences.sorted {
        $0.clip == $1.clip
          ? $0.link.normalized.utf8Precedes($1.link.normalized) : $0.clip.utf8Precedes($1.clip)
      },
      places: places.sorted { $0.id.utf8Precedes($1.id) })
  }
}

extension RegistryDocument {
  /// The file format of a document.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// YAML 1.2, one document.
    case yaml
    /// JSON (RFC 8259).
    case json

    /// Makes the format of a file's extension (`.yaml`, `.yml`, `.json`, in any case), or `nil`.
    public init?(path: String) {
      let ending = path.split(separator: "/").last?.split(separator: ".").last?.lowercased()
      switch ending {
      case "yaml", "yml": self = .yaml
      case "json": self = .json
      default: return nil
      }
    }
  }
}

extension String {
  /// Returns whether the string's UTF-8 bytes sort before another's: the order of a `BINARY` column
  /// in SQLite, and the same on every platform.
  func utf8Precedes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension ExperienceCatalog {
  /// Compiles a document for checks.
  public init(_ document: RegistryDocument) {
    self.init(
      clips: document.clips, experiences: document.experiences, places: document.places)
  }
}

extension RegistryDocument {
  /// The result of reading a document: its contents and doubtful points.
  public struct Reading: Sendable {
    /// The file's contents.
    public let document: RegistryDocument
    /// Problems that are accepted but should be reviewed, sorted by line.
    public let warnings: [DocumentProblem]
    /// Facts that the registry holds and the file, which names their clip or experience, omits.
    public let unstated: [UnstatedFacts]
  }

  /// The size of the largest readable file, in bytes.
  package static let maximumSize = 256 * 1024 * 1024

  /// Reads a registry file.
  ///
  /// The shape is fixed: unknown keys, wrong types, duplicates and broken rules are all refused,
  /// and all reported at once. Only a syntax error of the YAML or JSON hides later problems.
  ///
  /// - Parameters:
  ///   - data: The file's bytes, UTF-8 with or without byte-order mark.
  ///   - format: The format of the bytes.
  ///   - name: The file's name, for messages.
  ///   - knownPlaces: Ids of places that `place: { id: … }` may name without their being in the
  ///     file, because the registry holds them.
  ///   - present: The registry's contents, which are compared with the facts that the file omits.
  ///   - keepsUnstated: Whether facts that the file omits of a clip or an experience are taken from
  ///     `present`.
  /// - Returns: The document, in the order of the file, and warnings.
  /// - Throws: ``RegistryError/Code/invalidDocument`` with every problem.
  public static func read(
    _ data: Data, as format: Format, name: String = "the document",
    knownPlaces: Set<String> = [], over present: RegistryDocument? = nil,
    keepsUnstated: Bool = true
  ) throws(RegistryError) -> Reading {
    var problems: [DocumentProblem] = []
    var reader = DocumentReader(
      knownPlaces: knownPlaces, present: present.map { PresentFacts($0, keeps: keepsUnstated) })
    if let text = text(of: data, problems: &problems) {
      let root =
        switch format {
        case .json: JSONSource.parse(text, problems: &problems)
        case .yaml: YAMLSource.parse(text, problems: &problems)
        }
      if let root { reader.read(root) }
    }
    try DocumentProblem.refuse(
      problems + reader.problems, in: name,
      hint: "Correct the file and try again; nothing was changed.")
    return Reading(
      document: reader.document, warnings: reader.warnings.sorted(), unstated: reader.unstated)
  }

  package static func text(of data: Data, problems: inout [DocumentProblem]) -> String? {
    func refuse(_ message: String, line: Int = 1, column: Int = 1) -> String? {
      problems.append(DocumentProblem(line: line, column: column, message))
      return nil
    }
    guard data.count <= maximumSize else {
      return refuse(
        "The file has \(data.count) bytes; the limit is \(maximumSize). Split it, and import "
          + "the parts one after the other.")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      let whole = String(decoding: data, as: UTF8.self)
      let valid = whole.unicodeScalars.prefix { $0 != "\u{FFFD}" }
      let line = valid.count { $0 == "\n" } + 1
      let column = valid.reversed().prefix { $0 != "\n" }.count + 1
      return refuse(
        "The file is not UTF-8 from here on; save it as UTF-8.", line: line, column: column)
    }
    return text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
  }
}

extension DocumentProblem {
  /// Throws the refusal of a file, if it has problems.
  package static func refuse(
    _ found: [DocumentProblem], in name: String, hint: Hint
  ) throws(RegistryError) {
    let problems = Set(found).sorted()
    guard let first = problems.first else { return }
    let count = problems.count.of("problem")
    throw RegistryError(
      .invalidDocument, "\(name) has \(count), first in line \(first.line): \(first.message)",
      hint: hint, problems: problems)
  }
}

extension RegistryDocument {
  /// Returns the document as a file. The same contents give the same bytes, because they are sorted
  /// first.
  ///
  /// - Parameter format: The format of the file.
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

/// JSON with an indentation of two spaces, short mappings and lists on one line.
package enum JSONText {
  package static func append(_ node: OutputNode, indent: Int, to text: inout String) {
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

/// YAML in the usual hand-written form: block style, short mappings and lists in flow style, quotes
/// only if a reader of YAML 1.1 or 1.2 would otherwise take the text for another value.
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

  /// Returns a text in double quotes. YAML has no surrogate pairs (1.2.2, section 5.7).
  private static func quoted(_ value: String) -> String {
    value.quoted { scalar in
      scalar.value > 0xFFFF
        ? "\\U" + scalar.value.hexadecimal(digits: 8) : "\\u" + scalar.value.hexadecimal(digits: 4)
    }
  }

  /// Words that YAML 1.1 reads as truth values or null (yaml.org/type/bool.html); `NO` is also a
  /// language.
  private static let reserved: Set<String> = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null",
  ]

  /// Returns whether a text needs no quotes: it begins with a letter or a slash, and contains
  /// nothing that ends or changes a plain scalar (YAML 1.2.2, section 7.3.3).
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
