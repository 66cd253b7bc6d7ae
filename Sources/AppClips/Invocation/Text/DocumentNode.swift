public import CliptagBasics

/// A position in a file: line and column from 1, columns in Unicode scalars.
public struct DocumentPosition: Hashable, Sendable, Comparable {
  /// The line in the file, from 1.
  public var line: Int
  /// The column in the line, from 1.
  public var column: Int

  /// Makes a position.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Orders by position in the document.
  public static func < (left: DocumentPosition, right: DocumentPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A fault or a doubtful point at one position of a document.
public struct DocumentProblem: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The line in the file, from 1.
  public let line: Int
  /// The column in the line, from 1, counted in Unicode scalars.
  public let column: Int
  /// The fault and the correct form, as sentences.
  public let message: String
  /// The sentences where they have advice.
  private let hint: Hint?

  /// The sentences with their advice as values, which faces word in their own terms.
  public var advice: Hint { hint ?? Hint(message) }

  /// Makes a problem with advice in its sentences.
  package init(at position: DocumentPosition, advising hint: Hint) {
    line = position.line
    column = position.column
    message = hint.text
    self.hint = hint
  }

  /// Makes a problem.
  package init(line: Int, column: Int, _ message: String) {
    self.line = line
    self.column = column
    self.message = message
    hint = nil
  }

  package init(at position: DocumentPosition, _ message: String) {
    self.init(line: position.line, column: position.column, message)
  }

  /// The position.
  package var position: DocumentPosition { DocumentPosition(line: line, column: column) }

  /// Orders by position, then by sentence.
  public static func < (left: DocumentProblem, right: DocumentProblem) -> Bool {
    (left.line, left.column, left.message) < (right.line, right.column, right.message)
  }

  /// The description as `line:column: message`, which editors can follow.
  public var description: String { "\(line):\(column): \(message)" }
}

/// One value of a document with its position in the file, common to YAML and JSON.
package struct DocumentNode {
  package typealias Position = DocumentPosition

  /// A key of a mapping and its value.
  package struct Entry {
    package let key: String
    package let position: Position
    package let value: DocumentNode

    package init(key: String, position: Position, value: DocumentNode) {
      self.key = key
      self.position = position
      self.value = value
    }
  }

  package enum Value {
    case text(String)
    case number(Double)
    case flag(Bool)
    case nothing
    case list([DocumentNode])
    case mapping([Entry])
  }

  package let value: Value
  package let position: Position

  package init(value: Value, position: Position) {
    self.value = value
    self.position = position
  }

  /// Makes a node that is not from a file.
  package init(_ value: Value) {
    self.init(value: value, position: Position(line: 1, column: 1))
  }

  /// The maximum depth of nesting. A registry needs seven levels.
  package static let maximumDepth = 64

  /// The kind of value in a sentence.
  package var kind: String {
    switch value {
    case .text: "text"
    case .number: "a number"
    case .flag(let flag): flag ? "true" : "false"
    case .nothing: "nothing"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}

extension DocumentNode {
  /// The node as JSON, indented by two spaces, with every item and key on a separate line.
  package var json: String {
    var text = ""
    appendJSON(to: &text, indent: 0)
    return text
  }

  private func appendJSON(to text: inout String, indent: Int) {
    switch value {
    case .text(let value): text += value.jsonQuoted
    case .number(let number):
      text += Int64(exactly: number).map(String.init) ?? String(number)
    case .flag(let flag): text += flag ? "true" : "false"
    case .nothing: text += "null"
    case .list(let items):
      text.appendJSONBlock("[", "]", items, indent: indent) {
        $0.appendJSON(to: &$1, indent: indent + 2)
      }
    case .mapping(let entries):
      text.appendJSONBlock("{", "}", entries, indent: indent) { entry, text in
        text += entry.key.jsonQuoted + ": "
        entry.value.appendJSON(to: &text, indent: indent + 2)
      }
    }
  }
}

extension String {
  /// Appends a list or an object, with each item on a separate line, indented by two more spaces.
  ///
  /// - Parameter append: Appends one item to the text.
  package mutating func appendJSONBlock<Item>(
    _ open: String, _ close: String, _ items: [Item], indent: Int,
    _ append: (Item, inout String) -> Void
  ) {
    guard !items.isEmpty else {
      self += open + close
      return
    }
    self += open + "\n"
    for (index, item) in items.enumerated() {
      self += String(repeating: " ", count: indent + 2)
      append(item, &self)
      self += index == items.count - 1 ? "\n" : ",\n"
    }
    self += String(repeating: " ", count: indent) + close
  }
}
