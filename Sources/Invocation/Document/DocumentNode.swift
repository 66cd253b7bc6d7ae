/// A spot in a file: line and column from 1, columns in Unicode scalars.
public struct DocumentPosition: Hashable, Sendable, Comparable {
  /// Line in the file, from 1.
  public var line: Int
  /// Column in the line, from 1.
  public var column: Int

  /// Makes a position.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Orders as a reader meets them.
  public static func < (left: DocumentPosition, right: DocumentPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// One value of a document with its place in the file: what YAML and JSON have in common.
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

  /// The deepest nesting that is read. A registry needs seven levels.
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

extension DocumentProblem {
  package init(at position: DocumentPosition, _ message: String) {
    self.init(line: position.line, column: position.column, message)
  }
}
