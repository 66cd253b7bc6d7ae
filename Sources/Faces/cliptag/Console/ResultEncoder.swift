import CliptagBasics
import Jobs

/// The place of one value of a result that is being encoded: text, or a tree of values.
protocol ResultPlace {
  /// The number of elements or members that the place has so far.
  var count: Int { get }
  /// Fills the place with a value that has no parts to encode.
  func put(_ value: JSONValue)
  /// Makes an array of the place, unless it is one.
  func beginArray()
  /// Adds an element without parts to the array in the place.
  func append(_ value: JSONValue)
  /// Adds a member without parts to the object in the place.
  func append(_ value: JSONValue, named name: String)
  /// The place of the next element.
  func element() -> Self
  /// The place of the next member.
  func member(_ name: String) -> Self
}

extension ResultPlace {
  /// Fills the place with a result in the form of the contract: keys in the order in which they are
  /// encoded, absent facts as `null`, numbers with at most three decimals.
  func encode(_ value: some Encodable) throws {
    if let value = JSONValue(undivided: value) {
      put(value)
    } else {
      try value.encode(to: ResultEncoder(place: self))
    }
  }
}

extension JSONValue: Encodable {
  /// Keeps a value that was encoded before as it is.
  func encode(to encoder: any Encoder) throws { (encoder as? any ResultEncoding)?.put(self) }

  /// The value of anything that has no parts to encode; `nil` for everything else.
  fileprivate init?(undivided value: some Encodable) {
    switch value {
    case let value as Bool: self = .bool(value)
    case let value as String: self = .string(value)
    case let value as UnroundedNumber: self = .exact(value.value)
    case let value as Double: self = .number(value)
    case let value as any BinaryInteger: self = .integer(Int(clamping: value))
    case let value as JSONValue: self = value
    default: return nil
    }
  }
}

/// An encoder of results, whatever they are encoded to.
private protocol ResultEncoding {
  func put(_ value: JSONValue)
}

private struct ResultEncoder<Place: ResultPlace>: Encoder, SingleValueEncodingContainer,
  ResultEncoding
{
  let place: Place
  // Only errors would state the path, and results throw none.
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] {
    let wording: AdviceWording = \.own
    return [.adviceWording: wording]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(ResultObject(place: place))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.beginArray()
    return ResultArray(place: place)
  }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func put(_ value: JSONValue) { place.put(value) }
  func encodeNil() { place.put(.null) }
  func encode<Value: Encodable>(_ value: Value) throws { try place.encode(value) }
}

private struct ResultObject<Place: ResultPlace, Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: Place
  var codingPath: [any CodingKey] { [] }

  private func append(_ value: JSONValue, _ key: Key) {
    place.append(value, named: key.stringValue)
  }

  func encodeNil(forKey key: Key) { append(.null, key) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    if let value = JSONValue(undivided: value) {
      append(value, key)
    } else {
      try value.encode(to: ResultEncoder(place: place.member(key.stringValue)))
    }
  }
  func encode(_ value: Bool, forKey key: Key) { append(.bool(value), key) }
  func encode(_ value: String, forKey key: Key) { append(.string(value), key) }
  func encode(_ value: Double, forKey key: Key) { append(.number(value), key) }
  func encode(_ value: Int, forKey key: Key) { append(.integer(value), key) }

  // The defaults leave out what is absent.
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) { append(JSONValue(value), key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) { append(JSONValue(value), key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) { append(JSONValue(value), key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) { append(JSONValue(value), key) }

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

  private func encoder(_ name: String) -> ResultEncoder<Place> {
    ResultEncoder(place: place.member(name))
  }
}

private struct ResultArray<Place: ResultPlace>: UnkeyedEncodingContainer {
  let place: Place
  var codingPath: [any CodingKey] { [] }
  var count: Int { place.count }

  func encodeNil() { place.append(.null) }
  func encode<Value: Encodable>(_ value: Value) throws {
    if let value = JSONValue(undivided: value) {
      place.append(value)
    } else {
      try value.encode(to: next)
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    next.container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next.unkeyedContainer() }
  func superEncoder() -> any Encoder { next }

  private var next: ResultEncoder<Place> { ResultEncoder(place: place.element()) }
}
