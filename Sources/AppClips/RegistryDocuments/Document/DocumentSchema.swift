extension DocumentShape {
  /// The JSON Schema (draft 2020-12) of files of this shape, for editors that complete and check them.
  ///
  /// Every file that is read without a problem is valid. The opposite does not hold: rules that join
  /// several values, such as unique links, are only in the reader.
  ///
  /// - Returns: A JSON document that ends with a line break.
  public var schema: String {
    var text = ""
    JSONText.append(
      .mapping(
        [
          ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
          ("title", .text("\(name) of cliptag")),
        ] + schemaEntries), indent: 0, to: &text)
    return text + "\n"
  }

  fileprivate typealias Entries = [(key: String, value: OutputNode)]

  fileprivate var schemaEntries: Entries {
    var entries: Entries = [
      ("description", .text(meaning)), ("type", .text("object")),
      (
        "properties",
        .mapping(
          keys.map { key in
            (key.name, .mapping([("description", .text(key.meaning))] + key.value.schemaEntries))
          })
      ),
      ("additionalProperties", .flag(false)),
    ]
    if !requiredNames.isEmpty {
      entries.append(("required", .row(requiredNames.map(OutputNode.text))))
    }
    if !alternatives.isEmpty {
      let sets = alternatives.map {
        OutputNode.record([("required", .row($0.map(OutputNode.text)))])
      }
      entries.append(("oneOf", .list(sets)))
    }
    return entries
  }
}

extension DocumentKey.Value {
  /// The form in words, for a reference: `text`, `list of places`, `number from 0 to 90`.
  public var words: String {
    switch self {
    case .text: "text"
    case .url: "URL"
    case .time: "time"
    case .choice(let words): "one of " + words.joined(separator: ", ")
    case .number(let above, let from, let to):
      "number" + (above.map { " above \($0.plain)" } ?? "")
        + (from.map { " from \($0.plain)" } ?? "")
        + (to.map { " to \($0.plain)" } ?? "")
    case .count: "whole number above 0"
    case .flag: "true or false"
    case .either(let values): values.map(\.words).joined(separator: " or ")
    case .list(let item, _): "list: " + item.words
    case .mapping(let shape): shape.name
    case .languages(let shape, _): "mapping by language: " + shape.name
    }
  }

  fileprivate var schemaEntries: [(key: String, value: OutputNode)] {
    switch self {
    case .text(let pattern):
      [("type", .text("string")), ("minLength", .number(1))]
        + (pattern.map { [("pattern", .text($0))] } ?? [])
    case .url: [("type", .text("string")), ("pattern", .text("^[A-Za-z]+://"))]
    case .time: [("type", .text("string")), ("format", .text("date-time"))]
    case .choice(let words): [("enum", .row(words.map(OutputNode.text)))]
    case .number(let above, let from, let to):
      [("type", .text("number"))]
        + [("exclusiveMinimum", above), ("minimum", from), ("maximum", to)].compactMap {
          key, limit in
          limit.map { (key: key, value: .number($0)) }
        }
    case .count: [("type", .text("integer")), ("minimum", .number(1))]
    case .flag: [("type", .text("boolean"))]
    case .either(let values): [("anyOf", .list(values.map { .mapping($0.schemaEntries) }))]
    case .list(let item, let count):
      // An omitted list may be written as a key without a value.
      [("type", .row([.text("array"), .text("null")]))]
        + [("items", .mapping(item.schemaEntries))]
        + (count.map {
          [
            ("minItems", .number(Double($0.lowerBound))),
            ("maxItems", .number(Double($0.upperBound))),
          ]
        } ?? [])
    case .mapping(let shape): shape.schemaEntries
    case .languages(let shape, let pattern):
      [
        ("type", .text("object")),
        ("patternProperties", .mapping([(pattern, .mapping(shape.schemaEntries))])),
        ("additionalProperties", .flag(false)),
      ]
    }
  }
}
