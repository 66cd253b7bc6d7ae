extension DocumentNode {
  /// A node that stands in no file.
  package init(_ value: Value) {
    self.init(value: value, position: Position(line: 1, column: 1))
  }

  /// The node as JSON, two spaces deep, every item and key on a line of its own.
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
  /// Appends a list or an object, each item on a line of its own, two spaces deeper.
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
