import Invocation

/// The type and identifier of a resource (JSON:API 1.0, "Resource Identifier Objects").
struct ResourceID: Hashable {
  let type: String
  let id: String

  /// Whether the identifier is safe in a path: it contains no slash or other special character.
  var isSound: Bool {
    (1...200).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

/// A resource of an answer.
struct Resource {
  let id: ResourceID
  let attributes: AnswerFields
  private let relationships: AnswerFields

  init(_ node: DocumentNode, of request: String) throws(AppStoreConnectError) {
    let fields = try AnswerFields(node, of: request)
    id = ResourceID(
      type: try fields.requiredText("type", in: node), id: try fields.requiredText("id", in: node))
    attributes = try fields.fields("attributes") ?? AnswerFields(emptyOf: request)
    relationships = try fields.fields("relationships") ?? AnswerFields(emptyOf: request)
  }

  /// The resources that a relationship refers to, if the answer contains them; one or many.
  func related(_ name: String) throws(AppStoreConnectError) -> [ResourceID] {
    guard let relationship = try relationships.fields(name),
      let data = relationship.node("data")
    else { return [] }
    var nodes = [data]
    if case .list(let items) = data.value { nodes = items }
    var related: [ResourceID] = []
    for node in nodes {
      let fields = try AnswerFields(node, of: relationship.request)
      related.append(
        ResourceID(
          type: try fields.requiredText("type", in: node),
          id: try fields.requiredText("id", in: node)))
    }
    return related
  }
}

/// One answer: its data, the included resources, and the link to the next page.
struct ResourceDocument {
  let data: [Resource]
  let included: [ResourceID: Resource]
  /// The URL of the next page.
  let next: String?

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - body: The answer's bytes.
  ///   - request: The name of its request, for messages.
  init(_ body: [UInt8], of request: String) throws(AppStoreConnectError) {
    let root = try Self.root(of: body, request)
    let fields = try AnswerFields(root, of: request)
    var data: [Resource] = []
    if let node = fields.node("data") {
      var nodes = [node]
      if case .list(let items) = node.value { nodes = items }
      for node in nodes { data.append(try Resource(node, of: request)) }
    } else if !fields.keys.contains("data") {
      throw .malformed(request, root, "lacks \"data\"")
    }
    var included: [ResourceID: Resource] = [:]
    for node in try fields.list("included") {
      let resource = try Resource(node, of: request)
      included[resource.id] = resource
    }
    self.data = data
    self.included = included
    next = try fields.fields("links")?.text("next")
  }

  /// The value of a JSON text.
  static func root(of body: [UInt8], _ request: String) throws(AppStoreConnectError) -> DocumentNode
  {
    guard let text = String(validating: body, as: UTF8.self) else {
      throw .malformed(request, "is not UTF-8")
    }
    let reading = JSONSource.read(text)
    if let problem = reading.fault ?? reading.duplicates.first {
      throw .malformed(
        request,
        "is not valid JSON (line \(problem.line), column \(problem.column)): \(problem.message)"
          .withoutFullStop)
    }
    guard let root = reading.root else { throw .malformed(request, "is empty") }
    return root
  }
}

extension String {
  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
