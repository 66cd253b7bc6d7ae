/// One value of a document with its place in the file: what YAML and JSON have in common.
struct DocumentNode {
  /// A spot in the file: line and column from 1, columns in Unicode scalars.
  struct Position: Hashable {
    var line: Int
    var column: Int
  }

  /// A key of a mapping and its value.
  struct Entry {
    let key: String
    let position: Position
    let value: DocumentNode
  }

  enum Value {
    case text(String)
    case number(Double)
    case flag(Bool)
    case nothing
    case list([DocumentNode])
    case mapping([Entry])
  }

  let value: Value
  let position: Position

  /// The deepest nesting that is read. A registry needs seven levels.
  static let maximumDepth = 64

  /// The kind of value in a sentence.
  var kind: String {
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
  init(at position: DocumentNode.Position, _ message: String) {
    self.init(line: position.line, column: position.column, message)
  }
}

extension DocumentNode {
  /// The node that reading a written value gives, without the detour through text.
  init(_ output: OutputNode) {
    let position = Position(line: 1, column: 1)
    self.position = position
    value =
      switch output {
      case .text(let text): .text(text)
      case .number(let number): .number(number)
      case .flag(let flag): .flag(flag)
      case .list(let items), .row(let items): .list(items.map(DocumentNode.init))
      case .mapping(let entries), .record(let entries):
        .mapping(
          entries.map { Entry(key: $0.key, position: position, value: DocumentNode($0.value)) })
      }
  }
}
