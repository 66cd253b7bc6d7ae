package import Invocation
internal import Yams

/// Reads YAML into nodes with line and column.
///
/// Yams composes the document; this type converts its nodes into ours, types plain scalars by the
/// core schema of YAML 1.2 (so that the language `NO` is not a truth value), and limits the cost of
/// a hostile document.
package struct YAMLSource {
  private let text: String
  private var problems: [DocumentProblem] = []
  /// The number of nodes that may still be produced. A document without aliases has fewer nodes
  /// than bytes.
  private var budget: Int
  /// The original character under each mark; see ``compose()``.
  private var originals: [Unicode.Scalar: Unicode.Scalar] = [:]

  private init(_ text: String) {
    self.text = text
    budget = text.utf8.count + 1_000
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: The file without a byte-order mark.
  ///   - problems: Receives the problems found.
  /// - Returns: The root, or `nil` if the text is not YAML.
  package static func parse(_ text: String, problems: inout [DocumentProblem]) -> DocumentNode? {
    var source = YAMLSource(text)
    defer { problems += source.problems }
    guard source.aliasesAreFew() else { return nil }
    switch source.compose() {
    case .document(let root): return source.convert(root, depth: 0)
    case .nothing: return DocumentNode(value: .nothing, position: .init(line: 1, column: 1))
    case .unreadable: return nil
    }
  }

  // MARK: Composing

  private enum Composed {
    case document(Node)
    /// The file contains nothing except comments.
    case nothing
    /// Unreadable; the problem has been reported.
    case unreadable
  }

  /// The largest number of aliases (`*name`). A document with n of them expands to at most about
  /// 3^(n/3) times its size: 6,561 times for 24, and more than any memory holds for 100.
  private static let maximumAliases = 24

  /// Counts apparent anchors and aliases before Yams reads them, because it compares whole expanded
  /// keys when it searches for duplicates.
  private mutating func aliasesAreFew() -> Bool {
    var anchors = 0
    var aliases = 0
    var aliasLine = 0
    var line = 1
    var previous = UInt8(ascii: "\n")
    for byte in text.utf8 {
      if previous == UInt8(ascii: "\n") { line += 1 }
      defer { previous = byte }
      // libyaml also treats the last bytes of U+0085, U+2028 and U+2029 as line breaks.
      let opens = " \t\n\r[{,:".utf8.contains(previous) || [0x85, 0xA8, 0xA9].contains(previous)
      guard opens else { continue }
      if byte == UInt8(ascii: "&") { anchors += 1 }
      if byte == UInt8(ascii: "*") {
        aliases += 1
        aliasLine = line - 1
      }
    }
    if anchors > 0, aliases > Self.maximumAliases {
      problems.append(
        DocumentProblem(
          line: aliasLine, column: 1,
          "The file uses more than \(Self.maximumAliases) YAML aliases; write the values out."))
      return false
    }
    return true
  }

  /// Composes the document. Yams stops at the first duplicate key; to report all of them, the first
  /// of each pair is marked in the text, at the same length, and the text is read again.
  private mutating func compose() -> Composed {
    var scalars = Array(text.unicodeScalars)
    var text = text
    // Each attempt reads the whole file: the larger the file, the fewer the attempts.
    let attempts = max(
      2, min(Self.maximumDuplicates, Self.maximumBytesRead / max(1, text.utf8.count)))
    for attempt in 0..<attempts {
      do {
        return try Yams.compose(yaml: text, .basic).map(Composed.document) ?? .nothing
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        let position = DocumentNode.Position(context.mark)
        guard
          let marker = Unicode.Scalar(Self.firstMarker + UInt32(attempt)),
          let index = index(of: position, in: scalars, key: keys.sorted().first ?? "")
        else {
          problems.append(
            DocumentProblem(at: position, "Duplicate key; remove one of them."))
          return .unreadable
        }
        originals[marker] = scalars[index]
        scalars[index] = marker
        var marked = String.UnicodeScalarView()
        marked.append(contentsOf: scalars)
        text = String(marked)
      } catch {
        report(error)
        return .unreadable
      }
    }
    problems.append(
      DocumentProblem(
        line: 1, column: 1,
        "\(attempts) keys or more are duplicates; remove those first."))
    return .unreadable
  }

  /// The first mark, from a private-use plane, which no registry needs.
  private static let firstMarker: UInt32 = 0x10_0000
  private static let maximumDuplicates = 100
  /// The total number of bytes read to find duplicate keys.
  private static let maximumBytesRead = 4 << 20

  /// Returns the position of the first character of a key, past a quotation mark.
  private func index(
    of position: DocumentNode.Position, in scalars: [Unicode.Scalar], key: String
  ) -> Int? {
    guard let first = key.unicodeScalars.first else { return nil }
    var line = 1
    var index = 0
    while line < position.line, index < scalars.count {
      if scalars[index] == "\n" { line += 1 }
      index += 1
    }
    index += position.column - 1
    if index < scalars.count, scalars[index] == "\"" || scalars[index] == "'" { index += 1 }
    return index < scalars.count && scalars[index] == first ? index : nil
  }

  private mutating func report(_ error: any Error) {
    var position = DocumentNode.Position(line: 1, column: 1)
    var reason = "\(error)"
    var hint = ""
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      position = .init(mark)
      reason = problem
      if let context { reason += ", \(context.text) from line \(context.mark.line)" }
      let lines = text.split(
        separator: "\n", maxSplits: mark.line, omittingEmptySubsequences: false)
      if mark.line <= lines.count, lines[mark.line - 1].prefix(while: \.isWhitespace).contains("\t")
      {
        hint = " Indent YAML with spaces, not with tabs."
      }
    case YamlError.reader(let problem, let offset, _, _):
      reason = problem
      for character in text.prefix(offset ?? 0) {
        position.column += character.unicodeScalars.count
        if character.isNewline { position = .init(line: position.line + 1, column: 1) }
      }
    default: break
    }
    problems.append(
      DocumentProblem(at: position, "The file is not YAML from here on: \(reason).\(hint)"))
  }

  // MARK: Converting

  private mutating func convert(_ node: Node, depth: Int) -> DocumentNode? {
    let position = node.mark.map(DocumentNode.Position.init) ?? .init(line: 1, column: 1)
    budget -= 1
    guard budget > 0 else {
      if budget == 0 {
        problems.append(
          DocumentProblem(
            at: position, "The file's YAML aliases expand to too much data; write the values out."))
      }
      return nil
    }
    guard depth < DocumentNode.maximumDepth else {
      problems.append(
        DocumentProblem(
          at: position, "The YAML is nested deeper than \(DocumentNode.maximumDepth) levels."))
      return nil
    }
    let value: DocumentNode.Value
    switch node {
    case .scalar(let scalar):
      guard let typed = typed(scalar, at: position) else { return nil }
      value = typed
    case .sequence(let sequence):
      value = .list(sequence.compactMap { convert($0, depth: depth + 1) })
    case .mapping(let mapping):
      value = .mapping(entries(of: mapping, depth: depth))
    case .alias:
      return nil  // Yams puts in what an alias stands for
    }
    return DocumentNode(value: value, position: position)
  }

  private mutating func entries(of mapping: Node.Mapping, depth: Int) -> [DocumentNode.Entry] {
    var entries: [DocumentNode.Entry] = []
    var lines: [String: Int] = [:]
    for (key, value) in mapping {
      let position = key.mark.map(DocumentNode.Position.init) ?? .init(line: 1, column: 1)
      guard case .scalar(let scalar) = key else {
        problems.append(DocumentProblem(at: position, "A key must be a plain string."))
        continue
      }
      let name = unmarked(scalar.string)
      if let line = lines[name] {
        problems.append(.repeatedKey(name, at: position, firstLine: line))
      }
      lines[name] = position.line
      if let converted = convert(value, depth: depth + 1) {
        entries.append(.init(key: name, position: position, value: converted))
      }
    }
    return entries
  }

  /// Returns a key as written in the file.
  private func unmarked(_ key: String) -> String {
    guard let first = key.unicodeScalars.first, let original = originals[first] else { return key }
    return String(Character(original)) + String(key.unicodeScalars.dropFirst())
  }

  private mutating func typed(
    _ scalar: Node.Scalar, at position: DocumentNode.Position
  ) -> DocumentNode.Value? {
    switch scalar.tag.description {
    case "", "!": break
    case "tag:yaml.org,2002:str": return .text(scalar.string)
    case let tag:
      problems.append(
        DocumentProblem(at: position, "The YAML tag “\(tag)” is not supported; remove it."))
      return nil
    }
    return scalar.style == .plain ? .plainYAML(scalar.string) : .text(scalar.string)
  }
}

extension DocumentNode.Position {
  init(_ mark: Mark) { self.init(line: mark.line, column: mark.column) }
}

extension DocumentNode.Value {
  /// Reads a plain scalar by the core schema of YAML 1.2.2 (section 10.3.2), numbers in base ten.
  static func plainYAML(_ text: String) -> DocumentNode.Value {
    switch text {
    case "", "~", "null", "Null", "NULL": return .nothing
    case "true", "True", "TRUE": return .flag(true)
    case "false", "False", "FALSE": return .flag(false)
    default: break
    }
    let isNumeric = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    if isNumeric, let number = Double(text), number.isFinite { return .number(number) }
    return .text(text)
  }
}
