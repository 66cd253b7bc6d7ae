import Invocation

/// The bodies of requests that change resources (JSON:API, with Apple's inline creation: the
/// resources in `included` are created with the main one, under a name in `${}`).
enum PushBody {
  typealias Entries = [(String, DocumentNode.Value)]

  static func object(_ entries: Entries) -> DocumentNode.Value {
    .mapping(
      entries.map { entry in
        DocumentNode.Entry(
          key: entry.0, position: DocumentPosition(line: 1, column: 1),
          value: DocumentNode(entry.1))
      })
  }

  static func list(_ items: [DocumentNode.Value]) -> DocumentNode.Value {
    .list(items.map { DocumentNode($0) })
  }

  static func text(_ text: String?) -> DocumentNode.Value { text.map { .text($0) } ?? .nothing }

  /// The JSON of a resource to send.
  ///
  /// - Parameters:
  ///   - id: Its identifier; nil for a new resource.
  ///   - included: The resources that are created with it.
  static func resource(
    _ type: String, id: String?, attributes: Entries = [], relationships: Entries = [],
    included: [DocumentNode.Value] = []
  ) -> String {
    var data: Entries = [("type", .text(type))]
    if let id { data.append(("id", .text(id))) }
    if !attributes.isEmpty { data.append(("attributes", object(attributes))) }
    if !relationships.isEmpty { data.append(("relationships", object(relationships))) }
    var root: Entries = [("data", object(data))]
    if !included.isEmpty { root.append(("included", list(included))) }
    return DocumentNode(object(root)).json
  }

  static func one(_ type: String, _ id: String) -> DocumentNode.Value {
    object([("data", identifier(type, id))])
  }

  private static func identifier(_ type: String, _ id: String) -> DocumentNode.Value {
    object([("type", .text(type)), ("id", .text(id))])
  }

  private static let textType = "appClipAdvancedExperienceLocalizations"

  /// The relationship to texts that are created with an experience.
  static func relationship(to texts: [CardLocalization]) -> DocumentNode.Value {
    object([
      ("data", list(texts.map { identifier(textType, "${text-\($0.language)}") }))
    ])
  }

  /// The texts to include in that relationship.
  static func included(_ texts: [CardLocalization]) -> [DocumentNode.Value] {
    texts.map { localization in
      object([
        ("type", .text(textType)), ("id", .text("${text-\(localization.language)}")),
        (
          "attributes",
          object([
            ("language", .text(localization.language)), ("title", text(localization.title)),
            ("subtitle", text(localization.subtitle)),
          ])
        ),
      ])
    }
  }
}
