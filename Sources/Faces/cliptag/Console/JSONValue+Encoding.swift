import CliptagBasics

extension JSONValue {
  /// Creates the value of a result in the form of the contract.
  ///
  /// - Throws: An error of the result's `encode(to:)`; the results of jobs throw none.
  init(encoding value: some Encodable) throws {
    let node = JSONNode()
    try node.encode(value)
    self = node.value
  }

  /// Creates the value of a result of the contract, none of which throws when it is encoded.
  init(result: some Encodable) { self = (try? JSONValue(encoding: result)) ?? .null }
}

/// A value under construction.
private final class JSONNode: ResultPlace {
  private enum Kind {
    case object, array
    case value(JSONValue)
  }

  /// A member, which is complete unless a nested container goes on with it.
  private enum Member {
    case value(JSONValue)
    case node(JSONNode)

    var value: JSONValue {
      switch self {
      case .value(let value): value
      case .node(let node): node.value
      }
    }
  }

  // A type without members encodes an empty object.
  private var kind = Kind.object
  private var members: [(name: String, member: Member)] = []

  var count: Int { members.count }

  var value: JSONValue {
    switch kind {
    case .value(let value): value
    case .array: .array(members.map(\.member.value))
    case .object: .object(members.map { ($0.name, $0.member.value) })
    }
  }

  func put(_ value: JSONValue) { kind = .value(value) }
  func beginArray() { kind = .array }
  func append(_ value: JSONValue) { append(value, named: "") }
  func append(_ value: JSONValue, named name: String) { members.append((name, .value(value))) }
  func element() -> JSONNode { member("") }

  func member(_ name: String) -> JSONNode {
    let node = JSONNode()
    members.append((name, .node(node)))
    return node
  }
}
