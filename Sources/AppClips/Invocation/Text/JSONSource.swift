import CliptagBasics

/// Reads JSON (RFC 8259) into nodes with their line and column.
///
/// Foundation's readers give no positions and accept duplicate keys; this one reports each. After
/// the first fault of the grammar the rest cannot be read.
package struct JSONSource {
  private var tokens: JSONTokens
  /// The last position that was asked for.
  private var last = (offset: 0, position: DocumentNode.Position(line: 1, column: 1))
  private var duplicates: [DocumentProblem] = []

  /// The position and reason of the first fault.
  private struct Fault: Error {
    let problem: DocumentProblem
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { tokens = JSONTokens(bytes) }

  /// The result of reading a text.
  package struct Reading {
    /// The root, or `nil` if the text is not JSON.
    package let root: DocumentNode?
    /// The position and reason of the first fault.
    package let fault: DocumentProblem?
    /// Each repeated key of a mapping.
    package let duplicates: [DocumentProblem]
  }

  /// Reads a text without a byte-order mark.
  package static func read(_ text: String) -> Reading {
    var text = text
    return text.withUTF8 { bytes in
      var source = JSONSource(bytes)
      do throws(Fault) {
        let root = try source.root()
        return Reading(root: root, fault: nil, duplicates: source.duplicates)
      } catch {
        return Reading(root: nil, fault: error.problem, duplicates: source.duplicates)
      }
    }
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: The file without a byte-order mark.
  ///   - problems: Receives the faults.
  /// - Returns: The root, or `nil` if the text is not JSON.
  package static func parse(_ text: String, problems: inout [DocumentProblem]) -> DocumentNode? {
    let reading = read(text)
    if let fault = reading.fault { problems.append(fault) }
    problems += reading.duplicates
    return reading.root
  }

  private mutating func root() throws(Fault) -> DocumentNode {
    tokens.skipSpace()
    let root = try value(depth: 0)
    tokens.skipSpace()
    guard tokens.current == nil else {
      throw fault("Unexpected text after the end of the JSON value; remove it.")
    }
    return root
  }

  // MARK: Moving on

  /// The position of the next byte; its column counts Unicode scalars.
  private var position: DocumentNode.Position {
    mutating get {
      for byte in tokens[last.offset..<tokens.offset] {
        if byte == UInt8(ascii: "\n") {
          last.position = .init(line: last.position.line + 1, column: 1)
        } else if byte & 0xC0 != 0x80 {
          last.position.column += 1
        }
      }
      last.offset = tokens.offset
      return last.position
    }
  }

  private mutating func fault(_ message: String) -> Fault {
    Fault(problem: DocumentProblem(at: position, message))
  }

  /// The text at the current position, for a sentence.
  private var found: String {
    guard let byte = tokens.current else { return "the end of the file" }
    if byte >= 0x21 && byte < 0x7F { return "“\(Unicode.Scalar(byte))”" }
    // The characters U+2018 to U+201F, which word processors put in the place of straight quotation
    // marks.
    let mark = Array(tokens[tokens.offset..<tokens.offset + 3])
    return mark.starts(with: [0xE2, 0x80]) && mark.count == 3 && (0x98...0x9F).contains(mark[2])
      ? "the curly quotation mark \(String(decoding: mark, as: UTF8.self)), which "
        + "a word processor substituted for a straight one"
      : "something else"
  }

  // MARK: Grammar

  private mutating func value(depth: Int) throws(Fault) -> DocumentNode {
    guard depth < DocumentNode.maximumDepth else {
      throw fault("The JSON is nested deeper than \(DocumentNode.maximumDepth) levels.")
    }
    let start = position
    let value: DocumentNode.Value
    switch tokens.current {
    case UInt8(ascii: "{"): value = try mapping(depth: depth)
    case UInt8(ascii: "["): value = try list(depth: depth)
    case UInt8(ascii: "\""): value = .text(try text())
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      value = .number(try number())
    case UInt8(ascii: "t"): value = try word("true", .flag(true))
    case UInt8(ascii: "f"): value = try word("false", .flag(false))
    case UInt8(ascii: "n"): value = try word("null", .nothing)
    default: throw fault("Expected a JSON value, found \(found).")
    }
    return DocumentNode(value: value, position: start)
  }

  private mutating func mapping(depth: Int) throws(Fault) -> DocumentNode.Value {
    _ = tokens.skip("{")
    var entries: [DocumentNode.Entry] = []
    var lines: [String: Int] = [:]
    tokens.skipSpace()
    if tokens.skip("}") { return .mapping(entries) }
    while true {
      tokens.skipSpace()
      let start = position
      guard tokens.current == UInt8(ascii: "\"") else {
        throw fault("Expected a key in double quotes, found \(found).")
      }
      let key = try text()
      if let line = lines.updateValue(start.line, forKey: key) {
        duplicates.append(.repeatedKey(key, at: start, firstLine: line))
      }
      tokens.skipSpace()
      guard tokens.skip(":") else { throw fault("Expected a colon after the key, found \(found).") }
      tokens.skipSpace()
      entries.append(.init(key: key, position: start, value: try value(depth: depth + 1)))
      tokens.skipSpace()
      if tokens.skip("}") { return .mapping(entries) }
      guard tokens.skip(",") else { throw fault("Expected a comma or “}”, found \(found).") }
    }
  }

  private mutating func list(depth: Int) throws(Fault) -> DocumentNode.Value {
    _ = tokens.skip("[")
    var items: [DocumentNode] = []
    tokens.skipSpace()
    if tokens.skip("]") { return .list(items) }
    while true {
      tokens.skipSpace()
      items.append(try value(depth: depth + 1))
      tokens.skipSpace()
      if tokens.skip("]") { return .list(items) }
      guard tokens.skip(",") else { throw fault("Expected a comma or “]”, found \(found).") }
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: DocumentNode.Value
  ) throws(Fault) -> DocumentNode.Value {
    guard tokens.skip(word: word) else {
      throw fault("Expected a JSON value; put strings in double quotes.")
    }
    return value
  }

  private mutating func number() throws(Fault) -> Double {
    let start = position
    guard let text = try? tokens.number(), let number = Double(text), number.isFinite else {
      throw Fault(
        problem: DocumentProblem(at: start, "This is not a JSON number; write it like -12.5."))
    }
    return number
  }

  private mutating func text() throws(Fault) -> String {
    do throws(JSONTokens.Fault) {
      return try tokens.text()
    } catch {
      throw fault(Self.sentence(error))
    }
  }

  private static func sentence(_ fault: JSONTokens.Fault) -> String {
    switch fault {
    case .controlCharacter:
      "Control character in a string; write it as \\n, \\t or \\u00…."
    case .unfinishedText, .notUTF8, .malformedNumber:
      "The file ends inside a string; a double quote is missing."
    case .malformedEscape:
      "After a backslash, JSON allows only \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal "
        + "digits."
    case .halfSurrogate:
      "Unpaired surrogate; write both halves, or the character itself."
    }
  }
}

extension DocumentProblem {
  /// The problem of a key that one mapping contains twice.
  package static func repeatedKey(
    _ key: String, at position: DocumentNode.Position, firstLine: Int
  ) -> DocumentProblem {
    DocumentProblem(
      at: position,
      "Duplicate key “\(key)”, first in line \(firstLine); remove one of them.")
  }
}
