package import AppStoreConnect
import Invocation

/// The `request` object of a change for App Store Connect.
package struct PushRequestResult: Encodable {
  /// The type of the object.
  let type = "request"
  /// The method of HTTP.
  let method: String
  /// The path.
  let path: String
  /// The purpose in words.
  let purpose: String
  /// Whether it was sent.
  let sent: Bool
  /// The body, as JSON.
  private let body: DocumentResult?

  private enum CodingKeys: CodingKey { case type, method, path, purpose, sent, body }

  package init(_ step: PushStep, isSent: Bool) {
    (method, path, purpose, sent) = (step.method, step.path, step.purpose, isSent)
    body = step.body.flatMap { JSONSource.read($0).root }.map(DocumentResult.init)
  }
}

/// A document with its members in its own order.
private struct DocumentResult: Encodable {
  let node: DocumentNode

  init(_ node: DocumentNode) { self.node = node }

  func encode(to encoder: any Encoder) throws {
    switch node.value {
    case .text(let text): try text.encode(to: encoder)
    case .number(let number): try UnroundedNumber(number).encode(to: encoder)
    case .flag(let flag): try flag.encode(to: encoder)
    case .nothing:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .list(let items): try items.map(DocumentResult.init).encode(to: encoder)
    case .mapping(let entries):
      var values = encoder.container(keyedBy: NameKey.self)
      for entry in entries {
        try values.encode(DocumentResult(entry.value), forKey: NameKey(stringValue: entry.key))
      }
    }
  }
}
