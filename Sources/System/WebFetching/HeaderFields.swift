/// Header fields in order; names are case-insensitive (RFC 9110, 5.1).
public struct HeaderFields: Sendable, Hashable {
  /// One field, verbatim.
  public struct Field: Sendable, Hashable {
    /// The name in the sender's spelling.
    public var name: String
    /// The value without surrounding blanks.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private var fields: [Field]

  /// Creates fields in the given order.
  public init(_ fields: [Field] = []) { self.fields = fields }

  /// The first value of a field, or `nil` if there is none. Setting it removes every field of that
  /// name and adds one at the end.
  public subscript(name: String) -> String? {
    get { fields.first { Self.isSame($0.name, name) }?.value }
    set {
      remove(name)
      if let newValue { append(name, newValue) }
    }
  }

  /// Returns every value of a field, in order.
  public func values(_ name: String) -> [String] {
    fields.filter { Self.isSame($0.name, name) }.map(\.value)
  }

  /// Adds a field at the end and keeps others of the same name.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Removes every field with a name.
  public mutating func remove(_ name: String) {
    fields.removeAll { Self.isSame($0.name, name) }
  }

  /// Continues the last value, which old servers split over several lines (RFC 9112, 5.2).
  mutating func continueLast(_ value: String) {
    guard let last = fields.indices.last else { return }
    fields[last].value += fields[last].value.isEmpty ? value : " " + value
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { lowered($0) == lowered($1) }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Returns whether a byte is allowed in a name (RFC 9110, 5.6.2).
  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension HeaderFields: RandomAccessCollection {
  /// The position of the first field.
  public var startIndex: Int { fields.startIndex }
  /// The position after the last field.
  public var endIndex: Int { fields.endIndex }
  /// The field at a position.
  public subscript(position: Int) -> Field { fields[position] }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
  /// Creates fields in the order of the literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}
