import Foundation

/// The schemas of results in JSON, and the article that lists their keys, as the types have them.
struct ResultSchemas {
  /// A schema, whose members keep their order.
  indirect enum Value {
    case text(String)
    case plain(String)
    case list([Value])
    case object([(String, Value)])
  }

  /// The lines of output, by the value of their `type`.
  let lines: [(kind: String, object: ResultTypes.Object)]
  /// The objects inside them, and those of which one is a part, by name.
  let parts: [ResultTypes.Object]
  private let types: ResultTypes

  /// The objects that the station answers with, and that are no lines of output.
  private static let rows = ["BatchRowPreview", "BatchRowResult"]

  init(_ types: ResultTypes) throws {
    self.types = types
    let found = try types.lines()
    lines = found.flatMap { object in object.kinds.map { (kind: $0, object: object) } }
      .sorted { ($0.kind, $0.object.name) < ($1.kind, $1.object.name) }
    var parts: [String: ResultTypes.Object] = [:]
    for name in Self.rows { parts[name] = try types.object(name) }
    var waiting = found + parts.values
    while let object = waiting.popLast() {
      let named = try object.members.compactMap { try Self.named($0.type, $0.owner, types) }
      let inner = try object.others.flatMap { try Self.named($0, object.name, types) }
      for name in named + object.alternatives + [inner].compactMap({ $0 })
      where parts[name] == nil && !found.contains(where: { $0.name == name }) {
        let part = try types.object(name)
        parts[name] = part
        waiting.append(part)
      }
    }
    let silent = (found + parts.values).filter(\.meaning.isEmpty).map(\.name)
    guard silent.isEmpty else {
      throw ResultTypes.Trouble(description: "without a comment: \(silent.sorted())")
    }
    self.parts = parts.values.sorted { $0.name < $1.name }
  }

  /// The types that are not objects with fixed keys.
  private static let others: [String: [(String, Value)]] = [
    "String": [("type", .text("string"))], "WordedText": [("type", .text("string"))],
    "Int": [("type", .text("integer"))], "Bool": [("type", .text("boolean"))],
    "Double": [("type", .text("number"))], "UnroundedNumber": [("type", .text("number"))],
    "SortedMembers": [
      ("type", .text("object")), ("additionalProperties", .object([("type", .text("string"))])),
    ],
    "DocumentResult": [],
  ]

  /// The type without the marks for lists, for absent values and for values by trouble.
  private static func bare(_ type: String) -> String {
    var type = type
    while type.last == "?" || type.last == "]" {
      type.removeLast()
      if type.first == "[" { type.removeFirst() }
    }
    return type.wholeMatch(of: /ProofResult<(\w+)>/).map { String($0.output.1) } ?? type
  }

  private static func named(
    _ type: String, _ owner: String, _ types: ResultTypes
  ) throws -> String? {
    let type = bare(type)
    return others[type] == nil ? try types.resolve(type, in: owner) : nil
  }

  /// The name of a type in the document.
  private static func name(_ type: String) -> String {
    type.split(separator: ".").map { $0.hasSuffix("Result") ? $0.dropLast(6) : $0 }
      .joined(separator: ".")
  }

  // MARK: JSON

  private func schema(_ type: String, in owner: String) throws -> [(String, Value)] {
    if type.hasSuffix("?") {
      let present = try schema(String(type.dropLast()), in: owner)
      guard case .text(let name)? = present.first(where: { $0.0 == "type" })?.1 else {
        return present.isEmpty
          ? [] : [("anyOf", .list([.object(present), .object([("type", .text("null"))])]))]
      }
      return present.map {
        $0.0 == "type" ? ("type", .list([.text(name), .text("null")])) : $0
      }
    }
    if type.hasPrefix("[") {
      let inner = try schema(String(type.dropFirst().dropLast()), in: owner)
      return [("type", .text("array")), ("items", .object(inner))]
    }
    if let other = Self.others[type] { return other }
    if type.hasPrefix("ProofResult<") {
      return [
        ("type", .text("object")),
        ("additionalProperties", .object(try schema(Self.bare(type), in: owner))),
      ]
    }
    let name = Self.name(try types.resolve(type, in: owner))
    return [("$ref", .text("#/components/schemas/\(name)"))]
  }

  private func schema(of member: ResultTypes.Member) throws -> Value {
    var schema = try schema(member.type, in: member.owner)
    if let constant = member.constant {
      schema.append(("const", .plain(constant)))
    } else if !member.values.isEmpty, Self.bare(member.type) == "String" {
      let absent: [Value] = member.type.hasSuffix("?") ? [.plain("null")] : []
      schema.append(("enum", .list(member.values.map(Value.text) + absent)))
    }
    return .object(schema + [("description", .text(Self.words(member.meaning)))])
  }

  private func schema(of object: ResultTypes.Object) throws -> Value {
    var members: [(String, Value)] = [("description", .text(Self.words(object.meaning)))]
    guard object.alternatives.isEmpty else {
      return .object(
        members + [
          (
            "anyOf",
            .list(
              try object.alternatives.map { .object(try schema($0, in: "")) })
          )
        ])
    }
    members.append(("type", .text("object")))
    members.append(
      ("properties", .object(try object.members.map { ($0.key, try schema(of: $0)) })))
    let required = object.members.filter { !$0.isOptional }.map { Value.text($0.key) }
    if !required.isEmpty { members.append(("required", .list(required))) }
    if let others = object.others {
      members.append(
        ("additionalProperties", .object(try schema(Self.bare(others), in: object.name))))
    }
    return .object(members)
  }

  /// The schemas as text, for the document of the station's interface.
  func json() throws -> String {
    let names = Set(lines.map(\.object.name)).sorted()
    let any = Value.object([
      (
        "description",
        .text("A line that the command prints with --json. Further keys may be added.")
      ),
      ("anyOf", .list(try names.map { .object(try schema($0, in: "")) })),
    ])
    let objects = try (Set(names).map { try types.object($0) } + parts).map {
      (Self.name($0.name), try schema(of: $0))
    }
    return ([("Result", any)] + objects.sorted { $0.0 < $1.0 })
      .map { "   \(Self.quoted($0.0)): \(Self.text($0.1, indentation: 3, depth: 2))" }
      .joined(separator: ",\n")
  }

  private static func text(_ value: Value, indentation: Int, depth: Int) -> String {
    let inner = String(repeating: " ", count: indentation + 1)
    let end = "\n" + String(repeating: " ", count: indentation)
    func lines(_ parts: [String], _ open: String, _ close: String) -> String {
      depth > 0
        ? open + "\n" + parts.map { inner + $0 }.joined(separator: ",\n") + end + close
        : open + parts.joined(separator: ", ") + close
    }
    switch value {
    case .text(let text): return quoted(text)
    case .plain(let text): return text
    case .list(let values):
      let isLong = values.contains { if case .object = $0 { true } else { false } } && depth > 0
      let parts = values.map { Self.text($0, indentation: indentation + 1, depth: 0) }
      return isLong ? lines(parts, "[", "]") : "[" + parts.joined(separator: ", ") + "]"
    case .object(let members):
      return lines(
        members.map {
          "\(quoted($0.0)): \(Self.text($0.1, indentation: indentation + 1, depth: depth - 1))"
        }, "{", "}")
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  // MARK: Words

  private static func words(_ meaning: String) -> String {
    meaning.replacing("`nil`", with: "`null`")
  }

  /// The kind of a member's value for people.
  private func kind(_ type: String, in owner: String) throws -> String {
    if type.hasSuffix("?") {
      return try kind(String(type.dropLast()), in: owner) + " or `null`"
    }
    if type.hasPrefix("[") {
      return try "list of " + kind(String(type.dropFirst().dropLast()), in: owner)
    }
    if type.hasPrefix("ProofResult<") {
      return try kind(Self.bare(type), in: owner) + " by trouble"
    }
    if let word = Self.kinds[type] { return word }
    return Self.name(try types.resolve(type, in: owner))
  }

  private static let kinds = [
    "String": "text", "WordedText": "text", "Int": "whole number", "Double": "number",
    "UnroundedNumber": "number", "Bool": "truth value", "SortedMembers": "texts by name",
    "DocumentResult": "any value",
  ]

  /// What an object is and its keys; `type` is in the headings.
  private func description(of object: ResultTypes.Object) throws -> String {
    var text = "\n\n\(Self.words(object.meaning))\n"
    guard object.alternatives.isEmpty else {
      return text + "It is one of \(object.alternatives.map(Self.name).joined(separator: ", ")).\n"
    }
    text += "\n| key | value | meaning |\n| --- | --- | --- |\n"
    for member in object.members where member.key != "type" || object.kinds.isEmpty {
      let kind = try kind(member.type, in: member.owner) + (member.isOptional ? ", in some" : "")
      text += "| `\(member.key)` | \(kind) | \(Self.words(member.meaning)) |\n"
    }
    if let others = object.others {
      text += "| any other | \(Self.name(Self.bare(others))) | The value under that name. |\n"
    }
    return text
  }

  /// The manual's article.
  func article() throws -> String {
    var text = """
      # The results of commands

      The JSON that commands print with --json: each line, its keys and their meanings.

      ## Overview

      This list is made from the types of the results. With `--json`, a command prints one object a
      line; its `type` names it. All keys of an object are present, in this order, unless the list
      says *in some*; an absent fact is `null`. Numbers have at most three decimals, positions all of
      them. New keys may be added; those that are listed stay. The station answers with the same
      objects, and the document of its interface (`/api/openapi.json`) has their schemas.

      ## Lines

      """
    for line in lines {
      text += "\n### `\(line.kind)`"
      let same = lines.filter { $0.kind == line.kind }
      if same.count > 1 { text += " (\(Self.name(line.object.name)))" }
      text += try description(of: line.object)
    }
    text += "\n## Parts of lines\n"
    for part in parts {
      text += try "\n### \(Self.name(part.name))" + description(of: part)
    }
    return text
  }
}
