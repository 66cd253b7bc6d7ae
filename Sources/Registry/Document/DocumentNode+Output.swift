import Invocation

extension DocumentNode {
  /// The node that reading a written value gives, without the detour through text.
  init(_ output: OutputNode) {
    let position = Position(line: 1, column: 1)
    let value: Value =
      switch output {
      case .text(let text): .text(text)
      case .number(let number): .number(number)
      case .flag(let flag): .flag(flag)
      case .list(let items), .row(let items): .list(items.map(DocumentNode.init))
      case .mapping(let entries), .record(let entries):
        .mapping(
          entries.map { Entry(key: $0.key, position: position, value: DocumentNode($0.value)) })
      }
    self.init(value: value, position: position)
  }
}
