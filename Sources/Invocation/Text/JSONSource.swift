import CliptagBasics

/// Reads JSON (RFC 8259) into nodes with their line and column.
///
/// Foundation's readers give no positions and accept duplicate keys; this one reports each. After
/// the first fault of the grammar the rest cannot be read.
package struct JSONSource {
  private let bytes: [UInt8]
  private var offset = 0
  private var position = DocumentNode.Position(line: 1, column: 1)
  private var duplicates: [DocumentProblem] = []

  /// The position and reason of the first fault.
  private struct Fault: Error {
    let problem: DocumentProblem
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The result of reading a text.
  package struct Reading {
    /// The root, or `nil` if the text is not JSON.
    package let root: DocumentNode?
    /// The position and reason of the first fault.
    package let fault: DocumentProblem?
    /// Each repeated key of a mapping.
    package let duplicates: [DocumentProblem]
  }

  /// Reads a text without a byte-order mark.
  package static func read(_ text: String) -> Reading {
    var source = JSONSource(Array(text.utf8))
    do throws(Fault) {
      let root = try source.root()
      return Reading(root: root, fault: nil, duplicates: source.duplicates)
    } catch {
      return Reading(root: nil, fault: error.problem, duplicates: source.duplicates)
    }
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: The file without a byte-order mark.
  ///   - problems: Receives the faults.
  /// - Returns: The root, or `nil` if the text is not JSON.
  package static func parse(_ text: String, problems: inout [DocumentProblem]) -> DocumentNode? {
    let reading = read(text)
    if let fault = reading.fault { problems.append(fault) }
    problems += reading.duplicates
    return reading.root
  }

  private mutating func root() throws(Fault) -> DocumentNode {
    skipSpace()
    let root = try value(depth: 0)
    skipSpace()
    guard current == nil else {
      throw fault("Something follows the end of the JSON value; remove it.")
    }
    return root
  }

  // MARK: Moving on

  private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func advance() {
    let byte = bytes[offset]
    offset += 1
    if byte == UInt8(ascii: "\n") {
      position = .init(line: position.line + 1, column: 1)
    } else if offset < bytes.count ? bytes[offset] & 0xC0 != 0x80 : true {
      position.column += 1  // the byte was the last of its scalar
    }
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      advance()
    }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let byte = current, UInt32(byte) == character.value else { return false }
    advance()
    return true
  }

  private func fault(_ message: String) -> Fault {
    Fault(problem: DocumentProblem(at: position, message))
  }

  /// The text at the current position, for a sentence.
  private var found: String {
    guard let byte = current else { return "the end of the file" }
    if byte >= 0x21 && byte < 0x7F { return "“\(Unicode.Scalar(byte))”" }
    // The characters U+2018 to U+201F, which word processors put in the place of straight quotation
    // marks.
    let isCurly =
      bytes.count >= offset + 3 && byte == 0xE2 && bytes[offset + 1] == 0x80
      && (0x98...0x9F).contains(bytes[offset + 2])
    return isCurly
      ? "the curly quotation mark \(String(decoding: bytes[offset..<offset + 3], as: UTF8.self)), which "
        + "a word processor made of a straight one"
      : "something else"
  }

  // MARK: Grammar

  private mutating func value(depth: Int) throws(Fault) -> DocumentNode {
    guard depth < DocumentNode.maximumDepth else {
      throw fault("The JSON is nested deeper than \(DocumentNode.maximumDepth) levels.")
    }
    let start = position
    let value: DocumentNode.Value
    switch current {
    case UInt8(ascii: "{"): value = try mapping(depth: depth)
    case UInt8(ascii: "["): value = try list(depth: depth)
    case UInt8(ascii: "\""): value = .text(try text())
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      value = .number(try number())
    case UInt8(ascii: "t"): value = try word("true", .flag(true))
    case UInt8(ascii: "f"): value = try word("false", .flag(false))
    case UInt8(ascii: "n"): value = try word("null", .nothing)
    default: throw fault("A JSON value should stand here, not \(found).")
    }
    return DocumentNode(value: value, position: start)
  }

  private mutating func mapping(depth: Int) throws(Fault) -> DocumentNode.Value {
    advance()
    var entries: [DocumentNode.Entry] = []
    var lines: [String: Int] = [:]
    skipSpace()
    if skip("}") { return .mapping(entries) }
    while true {
      skipSpace()
      let start = position
      guard current == UInt8(ascii: "\"") else {
        throw fault("A key in double quotes should stand here, not \(found).")
      }
      let key = try text()
      if let line = lines.updateValue(start.line, forKey: key) {
        duplicates.append(.repeatedKey(key, at: start, firstLine: line))
      }
      skipSpace()
      guard skip(":") else { throw fault("A colon should follow the key, not \(found).") }
      skipSpace()
      entries.append(.init(key: key, position: start, value: try value(depth: depth + 1)))
      skipSpace()
      if skip("}") { return .mapping(entries) }
      guard skip(",") else { throw fault("A comma or “}” should stand here, not \(found).") }
    }
  }

  private mutating func list(depth: Int) throws(Fault) -> DocumentNode.Value {
    advance()
    var items: [DocumentNode] = []
    skipSpace()
    if skip("]") { return .list(items) }
    while true {
      skipSpace()
      items.append(try value(depth: depth + 1))
      skipSpace()
      if skip("]") { return .list(items) }
      guard skip(",") else { throw fault("A comma or “]” should stand here, not \(found).") }
    }
  }

  private mutating func word(
    _ word: String, _ value: DocumentNode.Value
  ) throws(Fault) -> DocumentNode.Value {
    guard bytes[offset...].starts(with: word.utf8) else {
      throw fault("A JSON value should stand here; texts stand in double quotes.")
    }
    for _ in word.utf8 { advance() }
    return value
  }

  private mutating func number() throws(Fault) -> Double {
    let start = offset
    let fault = fault("This is not a JSON number; write it like -12.5.")
    _ = skip("-")
    if !skip("0") { guard skipDigits() else { throw fault } }
    if skip(".") { guard skipDigits() else { throw fault } }
    if skip("e") || skip("E") {
      if !skip("-") { _ = skip("+") }
      guard skipDigits() else { throw fault }
    }
    guard let number = Double(String(decoding: bytes[start..<offset], as: UTF8.self)),
      number.isFinite
    else { throw fault }
    return number
  }

  private mutating func skipDigits() -> Bool {
    let start = offset
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { advance() }
    return offset > start
  }

  private mutating func text() throws(Fault) -> String {
    advance()
    var result: [UInt8] = []
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        advance()
        return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"):
        result += try escape()
      case ..<0x20:
        throw fault("A control character stands in a text; write it as \\n, \\t or \\u00….")
      default:
        result.append(byte)
        advance()
      }
    }
    throw fault("The file ends inside a text; a double quote is missing.")
  }

  private mutating func escape() throws(Fault) -> [UInt8] {
    let fault = fault(
      "After a backslash, JSON knows only \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal "
        + "digits.")
    advance()
    guard let byte = current else { throw fault }
    advance()
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      guard var code = hexadecimal() else { throw fault }
      if (0xD800...0xDBFF).contains(code), skip("\\"), skip("u"), let low = hexadecimal(),
        (0xDC00...0xDFFF).contains(low)
      {
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else {
        throw Fault(
          problem: DocumentProblem(
            line: fault.problem.line, column: fault.problem.column,
            "Half of a surrogate pair stands alone; write both halves, or the character itself."))
      }
      return Array(String(scalar).utf8)
    default: throw fault
    }
  }

  private mutating func hexadecimal() -> UInt32? {
    guard offset + 4 <= bytes.count else { return nil }
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = bytes[offset].hexadecimalValue else { return nil }
      code = code << 4 | UInt32(digit)
      advance()
    }
    return code
  }
}

extension DocumentProblem {
  /// The problem of a key that one mapping contains twice.
  package static func repeatedKey(
    _ key: String, at position: DocumentNode.Position, firstLine: Int
  ) -> DocumentProblem {
    DocumentProblem(
      at: position,
      "The key “\(key)” is here for the second time, after line \(firstLine); remove one of them.")
  }
}
