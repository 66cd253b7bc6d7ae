import CliptagBasics

/// Reads and writes the JSON (RFC 8259) of the record: one object whose values are texts, whole
/// numbers, truth values, null, or objects of texts; and lists of objects of texts.
///
/// A log may contain a million entries; this reader costs a fraction of the general one
/// (`JSONSource`, which makes nodes with lines and columns), takes whole numbers only, and refuses
/// duplicate names.
struct FlatJSON {
  /// Returns whether two objects of texts have the same bytes: hashed texts must not be compared as
  /// Unicode, in which U+212A, the Kelvin sign, equals K.
  static func areSame(_ one: [String: String], _ other: [String: String]) -> Bool {
    func bytes(_ texts: [String: String]) -> [[UInt8]] {
      texts.map { Array($0.key.utf8) + [0] + Array($0.value.utf8) }
        .sorted { $0.lexicographicallyPrecedes($1) }
    }
    return one.count == other.count && bytes(one) == bytes(other)
  }

  /// A value of the object.
  enum Value: Equatable {
    case text(String)
    case number(Int)
    case truth(Bool)
    case nothing
    case texts([String: String])
  }

  private var tokens: JSONTokens

  /// Reads an object; `nil` if the text is not one, or contains other values.
  static func object(_ text: some Sequence<UInt8>) -> [String: Value]? {
    ContiguousArray(text).withUnsafeBufferPointer { bytes in
      var reader = FlatJSON(tokens: JSONTokens(bytes))
      guard let object = reader.object({ $0.value() }), reader.isAtEnd else { return nil }
      return object
    }
  }

  /// Reads an object of texts.
  static func texts(_ text: String) -> [String: String]? {
    if text == "{}" { return [:] }
    var text = text
    return text.withUTF8 { bytes in
      var reader = FlatJSON(tokens: JSONTokens(bytes))
      guard let object = reader.object({ $0.text() }), reader.isAtEnd else { return nil }
      return object
    }
  }

  /// Reads a list of objects of texts.
  static func list(_ text: String) -> [[String: String]]? {
    if text == "[]" { return [] }
    var text = text
    return text.withUTF8 { bytes in
      var reader = FlatJSON(tokens: JSONTokens(bytes))
      guard reader.take("[") else { return nil }
      var list: [[String: String]] = []
      repeat {
        guard let object = reader.object({ $0.text() }) else { return nil }
        list.append(object)
      } while reader.take(",")
      return reader.take("]") && reader.isAtEnd ? list : nil
    }
  }

  private var isAtEnd: Bool {
    mutating get {
      tokens.skipSpace()
      return tokens.current == nil
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    tokens.skipSpace()
    return tokens.skip(character)
  }

  private mutating func object<Element>(
    _ element: (inout FlatJSON) -> Element?
  ) -> [String: Element]? {
    guard take("{") else { return nil }
    var members: [String: Element] = [:]
    if take("}") { return members }
    while true {
      guard let name = text(), take(":"), let value = element(&self),
        members.updateValue(value, forKey: name) == nil
      else { return nil }
      if take("}") { return members }
      guard take(",") else { return nil }
    }
  }

  private mutating func value() -> Value? {
    tokens.skipSpace()
    switch tokens.current {
    case UInt8(ascii: "\""): return text().map(Value.text)
    case UInt8(ascii: "{"): return object { $0.text() }.map(Value.texts)
    case UInt8(ascii: "t"): return tokens.skip(word: "true") ? .truth(true) : nil
    case UInt8(ascii: "f"): return tokens.skip(word: "false") ? .truth(false) : nil
    case UInt8(ascii: "n"): return tokens.skip(word: "null") ? .nothing : nil
    default: return (try? tokens.number()).flatMap { Int($0) }.map(Value.number)
    }
  }

  private mutating func text() -> String? {
    tokens.skipSpace()
    return tokens.current == UInt8(ascii: "\"") ? try? tokens.text() : nil
  }
}

/// Writing.
extension FlatJSON {
  /// Returns an object of texts, sorted by the bytes of the names.
  static func text(_ texts: [String: String]) -> String {
    var bytes: [UInt8] = []
    write(texts, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a list of objects of texts.
  static func text(_ list: [[String: String]]) -> String {
    var bytes = [UInt8(ascii: "[")]
    for (index, texts) in list.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(texts, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends an object of texts, sorted by the bytes of the names.
  static func write(_ texts: [String: String], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    let ordered = texts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (index, member) in ordered.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(jsonText: member.key)
      bytes.append(UInt8(ascii: ":"))
      bytes.append(jsonText: member.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}
