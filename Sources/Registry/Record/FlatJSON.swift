import CliptagBasics

/// Reads and writes the JSON (RFC 8259) of the record: one object whose values are texts, whole
/// numbers, truth values, null, or objects of texts; and lists of objects of texts.
///
/// A log may contain a million entries; this reader costs a fraction of the general one
/// (`JSONSource`, which counts lines and columns), takes whole numbers only, and refuses duplicate
/// names.
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

  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0

  /// Reads an object; `nil` if the text is not one, or contains other values.
  static func object(_ text: some Sequence<UInt8>) -> [String: Value]? {
    ContiguousArray(text).withUnsafeBufferPointer { bytes in
      var reader = FlatJSON(bytes: bytes)
      guard let object = reader.object({ $0.value() }), reader.isAtEnd else { return nil }
      return object
    }
  }

  /// Reads an object of texts.
  static func texts(_ text: String) -> [String: String]? {
    if text == "{}" { return [:] }
    var text = text
    return text.withUTF8 { bytes in
      var reader = FlatJSON(bytes: bytes)
      guard let object = reader.object({ $0.string() }), reader.isAtEnd else { return nil }
      return object
    }
  }

  /// Reads a list of objects of texts.
  static func list(_ text: String) -> [[String: String]]? {
    if text == "[]" { return [] }
    var text = text
    return text.withUTF8 { bytes in
      var reader = FlatJSON(bytes: bytes)
      guard reader.take(UInt8(ascii: "[")) else { return nil }
      var list: [[String: String]] = []
      repeat {
        guard let object = reader.object({ $0.string() }) else { return nil }
        list.append(object)
      } while reader.take(UInt8(ascii: ","))
      return reader.take(UInt8(ascii: "]")) && reader.isAtEnd ? list : nil
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return offset == bytes.count
    }
  }

  private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard current == byte else { return false }
    offset += 1
    return true
  }

  private mutating func object<Element>(
    _ element: (inout FlatJSON) -> Element?
  ) -> [String: Element]? {
    guard take(UInt8(ascii: "{")) else { return nil }
    var members: [String: Element] = [:]
    if take(UInt8(ascii: "}")) { return members }
    while true {
      guard let name = string(), take(UInt8(ascii: ":")), let value = element(&self),
        members.updateValue(value, forKey: name) == nil
      else { return nil }
      if take(UInt8(ascii: "}")) { return members }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
  }

  private mutating func value() -> Value? {
    skipSpace()
    switch current {
    case UInt8(ascii: "\""): return string().map(Value.text)
    case UInt8(ascii: "{"): return object { $0.string() }.map(Value.texts)
    case UInt8(ascii: "t"): return word("true") ? .truth(true) : nil
    case UInt8(ascii: "f"): return word("false") ? .truth(false) : nil
    case UInt8(ascii: "n"): return word("null") ? .nothing : nil
    default: return number()
    }
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - offset >= count,
      (0..<count).allSatisfy({ bytes[offset + $0] == word.utf8Start[$0] })
    else { return false }
    offset += count
    return true
  }

  private mutating func number() -> Value? {
    let start = offset
    while let byte = current, byte == UInt8(ascii: "-") || byte.isDigit { offset += 1 }
    return Int(String(decoding: bytes[start..<offset], as: UTF8.self)).map(Value.number)
  }

  private mutating func string() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = offset
    while let byte = current {
      if byte == UInt8(ascii: "\"") {
        defer { offset += 1 }
        return String(validating: bytes[start..<offset], as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") { return escapedString(from: start) }
      guard byte >= 0x20 else { return nil }
      offset += 1
    }
    return nil
  }

  /// Reads the rest of a string that contains an escape.
  private mutating func escapedString(from start: Int) -> String? {
    var text = Array(bytes[start..<offset])
    while let byte = current {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        text.append(contentsOf: String(scalar).utf8)
      case 0x20...: text.append(byte)
      default: return nil
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = current else { return nil }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let first = unit() else { return nil }
      guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
      guard word("\\u"), let second = unit(), UTF16.isTrailSurrogate(second) else { return nil }
      return Unicode.Scalar(
        0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    default: return nil
    }
  }

  /// Reads four hexadecimal digits.
  private mutating func unit() -> UInt16? {
    guard bytes.count - offset >= 4 else { return nil }
    let digits = bytes[offset..<offset + 4]
    offset += 4
    return [UInt8](hexadecimal: digits).map { UInt16($0[0]) << 8 | UInt16($0[1]) }
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

extension UInt8 {
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
