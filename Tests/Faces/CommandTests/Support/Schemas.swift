import Foundation
import Testing

/// The schemas of the station's document, to which every line of output in the tests is held.
///
/// They are stricter here than for programs: a key that a schema does not name is a fault.
struct Schemas: Sendable {
  private struct Schema: Sendable {
    var reference: String?
    var types: Set<String> = []
    var values: [JSON] = []
    var members: [String: Schema] = [:]
    var required: Set<String> = []
    /// None or one, as the next: a structure cannot hold itself.
    var items: [Schema] = []
    var others: [Schema] = []
    var any: [Schema] = []
    var all: [Schema] = []

    init(_ json: JSON) {
      reference = json["$ref"].text?.split(separator: "/").last.map(String.init)
      types = Set(json["type"].text.map { [$0] } ?? json["type"].elements.compactMap(\.text))
      values = json["const"] == .absent ? json["enum"].elements : [json["const"]]
      let properties = json["properties"]
      members = Dictionary(
        uniqueKeysWithValues: properties.keys.map { ($0, Schema(properties[$0])) })
      required = Set(json["required"].elements.compactMap(\.text))
      items = json["items"] == .absent ? [] : [Schema(json["items"])]
      let additional = json["additionalProperties"]
      others = additional == .absent ? [] : [Schema(additional)]
      any = json["anyOf"].elements.map(Schema.init)
      all = json["allOf"].elements.map(Schema.init)
    }
  }

  private let named: [String: Schema]

  /// The schemas of the document as it is beside the tests.
  static let own = Result {
    let bytes = FileManager.default.contents(
      atPath: Repository.path("Sources/Faces/CStationPage/page/openapi.json"))
    return Schemas(try JSON(parsing: String(decoding: bytes ?? Data(), as: UTF8.self)))
  }

  init(_ document: JSON) {
    let schemas = document["components"]["schemas"]
    named = Dictionary(uniqueKeysWithValues: schemas.keys.map { ($0, Schema(schemas[$0])) })
  }

  /// Records an issue for a value that does not have the shape of a schema.
  ///
  /// - Parameter name: The name of the schema; of a line of output, `Result`.
  static func check(_ value: JSON, _ name: String = "Result", in context: String) throws {
    let problems = try own.get().problems(of: value, named: name)
    #expect(problems.isEmpty, "\(context): \(problems.joined(separator: "; "))")
  }

  /// Records an issue for each line of output that does not have the shape of its kind.
  static func check(output: [UInt8], in context: String) throws {
    for line in output.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "{") {
      // With --output -, it is a file of any kind.
      guard let value = try? JSON(parsing: String(decoding: line, as: UTF8.self)) else { continue }
      try check(value, in: context)
    }
  }

  /// The differences between a value and a schema, none if it fits.
  func problems(of value: JSON, named name: String) -> [String] {
    guard let schema = named[name] else { return ["no schema \(name)"] }
    return problems(of: value, schema, at: name)
  }

  /// The differences between a value and a schema that a document states in place.
  func problems(of value: JSON, _ schema: JSON) -> [String] {
    problems(of: value, Schema(schema), at: "answer")
  }

  /// The schema itself in place of a reference or of several that hold at once.
  private func resolved(_ schema: Schema) -> Schema {
    if let name = schema.reference, let found = named[name] { return resolved(found) }
    guard let first = schema.all.first else { return schema }
    return schema.all.dropFirst().reduce(resolved(first)) { whole, part in
      var whole = whole
      let part = resolved(part)
      // What comes later is more precise.
      whole.members.merge(part.members) { $1 }
      whole.required.formUnion(part.required)
      return whole
    }
  }

  private func problems(of value: JSON, _ schema: Schema, at path: String) -> [String] {
    let schema = resolved(schema)
    if !schema.any.isEmpty {
      var nearest: [String]?
      for alternative in schema.any.map(resolved) {
        let kinds = alternative.members["type"]?.values ?? []
        guard kinds.isEmpty || kinds.contains(value["type"]) else { continue }
        let found = problems(of: value, alternative, at: path)
        if found.isEmpty { return [] }
        if found.count < nearest?.count ?? .max { nearest = found }
      }
      return nearest ?? ["\(path): no schema is for \(value["type"])"]
    }
    guard schema.types.isEmpty || !schema.types.isDisjoint(with: value.types) else {
      return ["\(path) is \(value), not \(schema.types.sorted())"]
    }
    guard schema.values.isEmpty || schema.values.contains(value) else {
      return ["\(path) is \(value), which is not one of \(schema.values)"]
    }
    if case .array(let elements) = value, let item = schema.items.first {
      return elements.flatMap { problems(of: $0, item, at: "\(path)[]") }
    }
    guard case .object(let members) = value else { return [] }
    var found = schema.required.subtracting(members.keys).sorted().map {
      "\(path).\($0) is missing"
    }
    for (key, member) in members.sorted(by: { $0.key < $1.key }) {
      if let known = schema.members[key] ?? schema.others.first {
        found += problems(of: member, known, at: "\(path).\(key)")
      } else if !schema.members.isEmpty {
        found.append("\(path).\(key) is not in the schema")
      }
    }
    return found
  }
}

extension JSON {
  /// The names of its type in schemas.
  fileprivate var types: Set<String> {
    switch self {
    case .null: ["null"]
    case .bool: ["boolean"]
    case .number(let value): value == value.rounded() ? ["integer", "number"] : ["number"]
    case .string: ["string"]
    case .array: ["array"]
    case .object: ["object"]
    case .absent: []
    }
  }
}
