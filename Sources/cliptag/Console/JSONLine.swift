import CliptagBasics
import Jobs

/// The line of JSON of a result, written as the result is encoded: keys in the order in which they are
/// encoded, absent facts as `null`, numbers with at most three decimals.
final class JSONLine {
  private(set) var bytes: [UInt8] = []

  /// Writes a result of the contract, and a line end.
  ///
  /// - Throws: An error of the result's `encode(to:)`; the results of jobs throw none.
  init(_ value: some Encodable) throws {
    bytes.reserveCapacity(1024)
    try write(value)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// An object or an array that is being written.
  fileprivate final class Scope {
    /// The byte that ends it; `nil` before its kind is known, and for any other value.
    var end: UInt8?
    /// Whether a value that is neither an object nor an array was written.
    var isValue = false
    var count = 0
    /// The object or array inside it that is still open.
    var child: Scope?
  }

  fileprivate func write(_ value: some Encodable) throws {
    switch value {
    case let value as Bool: write(.bool(value))
    case let value as String: write(.string(value))
    case let value as UnroundedNumber: write(.exact(value.value))
    case let value as Double: write(.number(value))
    case let value as any BinaryInteger: write(.integer(Int(value)))
    case let value as JSONValue: write(value)
    default:
      let scope = Scope()
      try value.encode(to: JSONLineEncoder(line: self, scope: scope))
      close(scope)
    }
  }

  fileprivate func write(_ value: JSONValue) { value.write(to: &bytes) }

  fileprivate func beginArray(_ scope: Scope) {
    guard scope.end == nil else { return }
    bytes.append(UInt8(ascii: "["))
    scope.end = UInt8(ascii: "]")
  }

  /// Begins the next element of an array.
  fileprivate func element(of scope: Scope) {
    settle(scope)
    if scope.count > 0 { bytes.append(UInt8(ascii: ",")) }
    scope.count += 1
  }

  /// Begins the next member of an object.
  fileprivate func member(_ name: String, of scope: Scope) {
    settle(scope)
    bytes.append(scope.count > 0 ? UInt8(ascii: ",") : UInt8(ascii: "{"))
    scope.end = UInt8(ascii: "}")
    scope.count += 1
    bytes.append(jsonText: name, .small)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Begins an object or an array inside another.
  fileprivate func nested(in scope: Scope) -> JSONLineEncoder {
    let child = Scope()
    scope.child = child
    return JSONLineEncoder(line: self, scope: child)
  }

  private func settle(_ scope: Scope) {
    if let child = scope.child { close(child) }
    scope.child = nil
  }

  private func close(_ scope: Scope) {
    settle(scope)
    if let end = scope.end {
      bytes.append(end)
    } else if !scope.isValue {
      // A type without members encodes an empty object.
      bytes += "{}".utf8
    }
  }
}

private struct JSONLineEncoder: Encoder, SingleValueEncodingContainer {
  let line: JSONLine
  let scope: JSONLine.Scope
  // Only errors would state the path, and results throw none.
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] {
    let wording: AdviceWording = \.own
    return [.adviceWording: wording]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(JSONLineObject(line: line, scope: scope))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    line.beginArray(scope)
    return JSONLineArray(line: line, scope: scope)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() {
    scope.isValue = true
    line.write(.null)
  }
  func encode<Value: Encodable>(_ value: Value) throws {
    scope.isValue = true
    try line.write(value)
  }
}

private struct JSONLineObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let line: JSONLine
  let scope: JSONLine.Scope
  var codingPath: [any CodingKey] { [] }

  private func write(_ value: JSONValue, _ key: Key) {
    line.member(key.stringValue, of: scope)
    line.write(value)
  }

  func encodeNil(forKey key: Key) { write(.null, key) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    line.member(key.stringValue, of: scope)
    try line.write(value)
  }
  func encode(_ value: Bool, forKey key: Key) { write(.bool(value), key) }
  func encode(_ value: String, forKey key: Key) { write(.string(value), key) }
  func encode(_ value: Double, forKey key: Key) { write(.number(value), key) }
  func encode(_ value: Int, forKey key: Key) { write(.integer(value), key) }

  // The defaults leave out what is absent.
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) { write(JSONValue(value), key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) { write(JSONValue(value), key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) { write(JSONValue(value), key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) { write(JSONValue(value), key) }

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

  private func encoder(_ name: String) -> JSONLineEncoder {
    line.member(name, of: scope)
    return line.nested(in: scope)
  }
}

private struct JSONLineArray: UnkeyedEncodingContainer {
  let line: JSONLine
  let scope: JSONLine.Scope
  var codingPath: [any CodingKey] { [] }
  var count: Int { scope.count }

  private var next: JSONLineEncoder {
    line.element(of: scope)
    return line.nested(in: scope)
  }

  func encodeNil() {
    line.element(of: scope)
    line.write(.null)
  }
  func encode<Value: Encodable>(_ value: Value) throws {
    line.element(of: scope)
    try line.write(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    next.container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next.unkeyedContainer() }
  func superEncoder() -> any Encoder { next }
}
