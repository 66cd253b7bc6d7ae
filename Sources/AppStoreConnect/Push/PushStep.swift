import Invocation

/// One step of making App Store Connect equal to a registry.
public struct PushStep: Hashable, Sendable {
  /// What kind of change it belongs to.
  public enum Kind: String, Hashable, Sendable {
    /// Something new.
    case create
    /// Something that is there changes.
    case change
    /// Something ends; App Store Connect offers no way back.
    case remove
  }

  /// What kind of change it belongs to.
  public let kind: Kind
  /// What it is for, in words: `register https://…`.
  public let purpose: String
  /// The method; that of an upload is what App Store Connect says.
  public let method: String
  /// The path; `${image-1}` stands for what an earlier step is answered.
  public let path: String
  /// What is sent, in JSON; nil for an upload.
  public let body: String?
  /// What the identifier in the answer is called in later steps.
  let names: String?
  /// The picture that is sent, by the name of its reservation.
  let picture: Picture?

  /// A picture, and which reservation it is for.
  struct Picture: Hashable {
    let reservation: String
    let bytes: [UInt8]
  }

  init(
    _ kind: Kind, _ purpose: String, _ method: String, _ path: String, body: String? = nil,
    names: String? = nil, picture: Picture? = nil
  ) {
    self.kind = kind
    self.purpose = purpose
    self.method = method
    self.path = path
    self.body = body
    self.names = names
    self.picture = picture
  }
}

/// A picture to be sent with a new experience.
public struct PushPicture: Hashable, Sendable {
  /// The file's name.
  public let name: String
  /// The file's bytes: PNG or JPEG.
  public let bytes: [UInt8]

  /// Makes a picture.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// The bodies of requests that change something (JSON:API, with Apple's inline creation: what
/// `included` holds is made with the resource, under a name in `${}`).
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

  /// A resource that is sent.
  ///
  /// - Parameters:
  ///   - id: Its identifier; nil for one that is made.
  ///   - included: What is made with it.
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

  /// The relationship to texts that are made with an experience.
  static func relationship(to texts: [CardLocalization]) -> DocumentNode.Value {
    object([
      ("data", list(texts.map { identifier(textType, "${text-\($0.language)}") }))
    ])
  }

  /// Those texts.
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
