import CliptagBasics
import Foundation
import Jobs

extension JSONValue {
  /// Creates the value of a result in the form of the contract: keys in the order in which they are
  /// encoded, absent facts as `null`, numbers with at most three decimals.
  ///
  /// - Throws: An error of the result's `encode(to:)`; the results of jobs throw none.
  init(encoding value: some Encodable) throws {
    if let value = value as? JSONValue {
      self = value
      return
    }
    let node = JSONNode()
    try value.encode(to: JSONNodeEncoder(node: node))
    self = node.value
  }

  /// Creates the value of a result of the contract, none of which throws when it is encoded.
  init(result: some Encodable) { self = (try? JSONValue(encoding: result)) ?? .null }
}

extension JSONValue: Encodable {
  /// Keeps a value that was encoded before as it is.
  func encode(to encoder: any Encoder) throws { (encoder as? JSONNodeEncoder)?.node.set(self) }
}

/// A value under construction.
private final class JSONNode {
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

  func set(_ value: JSONValue) { kind = .value(value) }
  func beginArray() { kind = .array }

  func append(_ name: String, _ value: JSONValue) { members.append((name, .value(value))) }

  func append(_ name: String = "") -> JSONNode {
    let node = JSONNode()
    members.append((name, .node(node)))
    return node
  }
}

extension JSONValue {
  /// The value of anything that is encoded; a node is made for objects and arrays only.
  fileprivate init<Value: Encodable>(encoded value: Value) throws {
    switch value {
    case let value as Bool: self = .bool(value)
    case let value as String: self = .string(value)
    case let value as UnroundedNumber: self = .exact(value.value)
    case let value as Double: self = .number(value)
    case let value as any BinaryInteger: self = .integer(Int(value))
    default: try self.init(encoding: value)
    }
  }
}

private struct JSONNodeEncoder: Encoder, SingleValueEncodingContainer {
  let node: JSONNode
  // Only errors would state the path, and results throw none.
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] {
    let wording: AdviceWording = \.own
    return [.adviceWording: wording]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    return KeyedEncodingContainer(JSONObjectContainer(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginArray()
    return JSONArrayContainer(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { node.set(.null) }
  func encode<Value: Encodable>(_ value: Value) throws { node.set(try JSONValue(encoded: value)) }
}

private struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { node.append(key.stringValue, .null) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    node.append(key.stringValue, try JSONValue(encoded: value))
  }
  func encode(_ value: Bool, forKey key: Key) { node.append(key.stringValue, .bool(value)) }
  func encode(_ value: String, forKey key: Key) { node.append(key.stringValue, .string(value)) }
  func encode(_ value: Double, forKey key: Key) { node.append(key.stringValue, .number(value)) }
  func encode(_ value: Int, forKey key: Key) { node.append(key.stringValue, .integer(value)) }

  // The defaults leave out what is absent.
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    node.append(key.stringValue, try value.map { try JSONValue(encoded: $0) } ?? .null)
  }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    node.append(key.stringValue, JSONValue(value))
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) {
    node.append(key.stringValue, JSONValue(value))
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) {
    node.append(key.stringValue, JSONValue(value))
  }
  func encodeIfPresent(_ value: Int?, forKey key: Key) {
    node.append(key.stringValue, JSONValue(value))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(key.stringValue).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key.stringValue).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder("super") }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key.stringValue) }

  private func encoder(_ name: String) -> JSONNodeEncoder {
    JSONNodeEncoder(node: node.append(name))
  }
}

private struct JSONArrayContainer: UnkeyedEncodingContainer {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }
  var count: Int { node.count }

  private var next: JSONNodeEncoder { JSONNodeEncoder(node: node.append()) }

  func encodeNil() { node.append("", .null) }
  func encode<Value: Encodable>(_ value: Value) throws {
    node.append("", try JSONValue(encoded: value))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    next.container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next.unkeyedContainer() }
  func superEncoder() -> any Encoder { next }
}
