import CliptagBasics
import Invocation

/// The keys of one JSON object of an answer, read strictly: a value of another type than documented
/// is an error with its position; a missing or null value is nil.
struct AnswerFields {
  private let entries: [DocumentNode.Entry]
  /// The request of the answer, for messages.
  let request: String

  init(_ node: DocumentNode, of request: String) throws(AppStoreConnectError) {
    self.request = request
    guard case .mapping(let entries) = node.value else {
      throw .malformed(request, node, "has \(node.kind) in place of an object")
    }
    self.entries = entries
  }

  /// An object without keys.
  init(emptyOf request: String) {
    (entries, self.request) = ([], request)
  }

  /// The value of a key; nil for null.
  func node(_ key: String) -> DocumentNode? {
    guard let node = entries.first(where: { $0.key == key })?.value else { return nil }
    if case .nothing = node.value { return nil }
    return node
  }

  /// Every key, in order.
  var keys: [String] { entries.map(\.key) }

  func text(_ key: String) throws(AppStoreConnectError) -> String? {
    guard let node = node(key) else { return nil }
    guard case .text(let text) = node.value else { throw wrong(node, key, "a text") }
    return text
  }

  func requiredText(
    _ key: String, in owner: DocumentNode
  ) throws(AppStoreConnectError) -> String {
    guard let text = try text(key), !text.isEmpty else {
      throw .malformed(request, owner, "lacks \"\(key)\"")
    }
    return text
  }

  func flag(_ key: String) throws(AppStoreConnectError) -> Bool? {
    guard let node = node(key) else { return nil }
    guard case .flag(let flag) = node.value else { throw wrong(node, key, "true or false") }
    return flag
  }

  func number(_ key: String) throws(AppStoreConnectError) -> Double? {
    guard let node = node(key) else { return nil }
    guard case .number(let number) = node.value else { throw wrong(node, key, "a number") }
    return number
  }

  func integer(_ key: String) throws(AppStoreConnectError) -> Int? {
    guard let node = node(key), let number = try number(key) else { return nil }
    guard let integer = Int(exactly: number) else { throw wrong(node, key, "a whole number") }
    return integer
  }

  func list(_ key: String) throws(AppStoreConnectError) -> [DocumentNode] {
    guard let node = node(key) else { return [] }
    guard case .list(let items) = node.value else { throw wrong(node, key, "a list") }
    return items
  }

  func texts(_ key: String) throws(AppStoreConnectError) -> [String] {
    var texts: [String] = []
    for item in try list(key) {
      guard case .text(let text) = item.value else { throw wrong(item, key, "texts") }
      texts.append(text)
    }
    return texts
  }

  func fields(_ key: String) throws(AppStoreConnectError) -> AnswerFields? {
    guard let node = node(key) else { return nil }
    return try AnswerFields(node, of: request)
  }

  private func wrong(
    _ node: DocumentNode, _ key: String, _ expected: String
  ) -> AppStoreConnectError {
    .malformed(request, node, "has \(node.kind) in \"\(key.shortened)\" instead of \(expected)")
  }
}

extension AppStoreConnectError {
  /// The error for an answer that does not match the documentation, with the position.
  static func malformed(
    _ request: String, _ node: DocumentNode, _ fault: String
  ) -> AppStoreConnectError {
    malformed(request, "\(fault) (line \(node.position.line), column \(node.position.column))")
  }

  static func malformed(_ request: String, _ fault: String) -> AppStoreConnectError {
    AppStoreConnectError(
      .malformedAnswer, "The response to \(request) \(fault).",
      hint: "Nothing was changed; try again later, and report the error if it persists.",
      request: request)
  }
}
