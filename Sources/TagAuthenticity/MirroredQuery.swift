/// The query of a URL as its bytes stand on the tag: nothing is decoded, because a tag mirrors
/// plain characters and computes its MAC over them.
struct MirroredQuery {
  /// The URL's UTF-8.
  let bytes: [UInt8]
  private let values: [[UInt8]: [Range<Int>]]

  init(_ url: String) {
    bytes = Array(url.utf8)
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    var values: [[UInt8]: [Range<Int>]] = [:]
    if let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) {
      for item in bytes[(mark + 1)..<end].split(
        separator: UInt8(ascii: "&"), omittingEmptySubsequences: true)
      {
        let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
        let value = min(equals + 1, item.endIndex)..<item.endIndex
        values[Array(item[..<equals]), default: []].append(value)
      }
    }
    self.values = values
  }

  /// Whether a parameter is there, with or without a value.
  func holds(_ parameter: String) -> Bool { values[Array(parameter.utf8)] != nil }

  /// Where the value of a parameter stands.
  ///
  /// - Throws: ``AuthenticityError`` with code `missing`, or `not-authentic` when it is there twice:
  ///   a tag writes each part once, and two readers might take different ones.
  func range(of parameter: String) throws(AuthenticityError) -> Range<Int> {
    guard let ranges = values[Array(parameter.utf8)] else {
      throw AuthenticityError(.missing, "The URL has no query item “\(parameter)”.")
    }
    guard ranges.count == 1 else {
      throw AuthenticityError(
        .notAuthentic, "The query item “\(parameter)” is in the URL \(ranges.count) times.")
    }
    return ranges[0]
  }

  /// The bytes that a parameter's value spells in upper-case hexadecimal, as tags mirror them.
  ///
  /// - Parameter accepts: Whether a number of bytes is right.
  func value(
    of parameter: String, _ wanted: String, _ accepts: (Int) -> Bool
  ) throws(AuthenticityError) -> [UInt8] {
    guard let value = [UInt8](hexadecimalDigits: bytes[try range(of: parameter)]),
      accepts(value.count)
    else {
      throw AuthenticityError(
        .notAuthentic,
        "The query item “\(parameter)” is not \(wanted) upper-case hexadecimal digits.")
    }
    return value
  }
}
