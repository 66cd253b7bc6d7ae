import Foundation

/// The schemas of results in JSON, as the types have them.
struct ResultSchemas {
  /// A schema, whose members keep their order.
  indirect enum Value {
    case text(String)
    case plain(String)
    case list([Value])
    case object([(String, Value)])
  }

  /// The lines of output, the objects inside them, and those of which one is a part.
  private let objects: [ResultTypes.Object]
  /// The names of the lines.
  private let lines: [String]
  private let types: ResultTypes

  /// The objects that the station answers with, and that are no lines of output.
  private static let rows = ["BatchRowPreview", "BatchRowResult"]

  init(_ types: ResultTypes) throws {
    self.types = types
    let found = try types.lines()
    lines = found.map(\.name).sorted()
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
    objects = found + parts.values
    let silent = objects.filter(\.meaning.isEmpty).map(\.name)
    guard silent.isEmpty else {
      throw ResultTypes.Trouble(description: "without a comment: \(silent.sorted())")
    }
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

  /// The schemas as text, one a line, for the document of the station's interface.
  func json() throws -> String {
    let any = Value.object([
      (
        "description",
        .text("A line that the command prints with --json. Further keys may be added.")
      ),
      ("anyOf", .list(try lines.map { .object(try schema($0, in: "")) })),
    ])
    let schemas = try objects.map { (Self.name($0.name), try schema(of: $0)) }
    return ([("Result", any)] + schemas.sorted { $0.0 < $1.0 })
      .map { "   \(Self.quoted($0.0)): \(Self.text($0.1))" }
      .joined(separator: ",\n")
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .text(let text): quoted(text)
    case .plain(let text): text
    case .list(let values): "[" + values.map(text).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\(quoted($0.0)): \(text($0.1))" }.joined(separator: ", ") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func words(_ meaning: String) -> String {
    meaning.replacing("`nil`", with: "`null`")
  }
}
