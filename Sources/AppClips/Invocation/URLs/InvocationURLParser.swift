import CliptagBasics

/// Parses an invocation URL, rule by rule, and stops at the first rule that is broken.
struct InvocationURLParser {
  /// The parts of the normal form.
  struct Parts {
    var host: String
    /// The path; begins with a slash.
    var path: String
    /// The query; empty, or begins with a question mark.
    var query: String
  }

  private let payload: String
  private let bytes: [UInt8]

  init(_ payload: String) {
    self.payload = payload
    self.bytes = Array(payload.utf8)
  }

  func parse() throws(InvocationURLError) -> Parts {
    guard !bytes.isEmpty else {
      throw InvocationURLError(
        .emptyPayload, at: 0, "The payload is empty", hint: "use an https URL")
    }
    guard bytes.count <= InvocationURL.maximumLength else {
      throw InvocationURLError(
        .tooLong, at: InvocationURL.maximumLength,
        "The URL has \(bytes.count) bytes; the limit is \(InvocationURL.maximumLength)",
        hint: "shorten it; encode an id in place of the data")
    }
    try checkSurroundings()
    let authorityStart = try parseScheme()
    if bytes[authorityStart...].first == UInt8(ascii: "[") {
      throw HostName.addressError("an IPv6 address", at: authorityStart)
    }
    try checkCharacters()
    return try parseAfterScheme(from: authorityStart)
  }

  /// Refuses text that begins or ends with white space, usually a slip of a list or an editor.
  private func checkSurroundings() throws(InvocationURLError) {
    guard let first = payload.unicodeScalars.first, let last = payload.unicodeScalars.last else {
      return
    }
    if first.properties.isWhitespace {
      throw InvocationURLError(
        .surroundingWhiteSpace, at: 0, "The payload begins with white space, \(first.spokenName)",
        hint: "remove it, and check the program that wrote it")
    }
    if first.properties.generalCategory == .format {
      let name = first == "\u{FEFF}" ? "a byte order mark, " : ""
      throw InvocationURLError(
        .invisibleCharacter, at: 0,
        "The payload begins with an invisible character, \(name)\(first.spokenName)",
        hint: "remove it, and check the program that wrote it")
    }
    if last.properties.isWhitespace {
      throw InvocationURLError(
        .surroundingWhiteSpace, at: bytes.count - UTF8.width(last),
        "The payload ends with white space, \(last.spokenName)",
        hint: "remove it, and check the program that wrote it")
    }
  }

  /// Checks the scheme and the two slashes after it; returns the offset of the host.
  private func parseScheme() throws(InvocationURLError) -> Int {
    let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
    let scheme = colon.map { bytes[..<$0] } ?? []
    guard let colon, let first = scheme.first, first.isASCIILetter,
      scheme.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2B || $0 == 0x2D })
    else {
      throw InvocationURLError(
        .noScheme, at: 0, "\(payload.quotedForMessage) is not a URL: it has no scheme",
        hint: "begin it with https://")
    }
    guard scheme.elementsEqual("https".utf8, by: { $0 | 0x20 == $1 }) else {
      throw InvocationURLError(
        .notHTTPS, at: 0,
        "The scheme is \(String(decoding: scheme, as: UTF8.self).quotedForMessage), not https",
        hint: "use https; no other scheme invokes an App Clip")
    }
    guard bytes.dropFirst(colon + 1).starts(with: "//".utf8) else {
      throw InvocationURLError(
        .noHost, at: colon + 1, "No host follows the scheme",
        hint: "write https:// and then the host")
    }
    return colon + 3
  }

  /// Refuses every character that is not allowed anywhere in an invocation URL.
  private func checkCharacters() throws(InvocationURLError) {
    var offset = 0
    for scalar in payload.unicodeScalars {
      if let error = CharacterRule.error(for: scalar, at: offset) { throw error }
      offset += UTF8.width(scalar)
    }
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "%") {
      let digits = bytes.dropFirst(index + 1).prefix(2)
      guard digits.count == 2, digits.allSatisfy({ $0.hexadecimalValue != nil }) else {
        let shown = String(decoding: bytes[index...].prefix(3), as: UTF8.self)
        throw InvocationURLError(
          .badEscape, at: index, "\(shown.quotedForMessage) is not a percent escape",
          hint: "write two hexadecimal digits after %, or %25 for a percent sign")
      }
    }
  }

  private func parseAfterScheme(from start: Int) throws(InvocationURLError) -> Parts {
    let authorityEnd =
      bytes[start...].firstIndex { byte in
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
      } ?? bytes.endIndex
    let host = try parseAuthority(bytes[start..<authorityEnd])
    let end = bytes[authorityEnd...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    let pathEnd = bytes[authorityEnd..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
    let path = PercentEscapes.normalize(bytes[authorityEnd..<pathEnd])
    try checkDotSegments(in: path, from: authorityEnd)
    return Parts(
      host: host, path: path.isEmpty ? "/" : path,
      query: PercentEscapes.normalize(bytes[pathEnd..<end]))
  }

  private func parseAuthority(_ authority: ArraySlice<UInt8>) throws(InvocationURLError) -> String {
    if authority.contains(UInt8(ascii: "@")) {
      throw InvocationURLError(
        .userInfo, at: authority.startIndex,
        "The URL has a user name before the host", hint: "remove it with its @ sign")
    }
    guard !authority.isEmpty else {
      throw InvocationURLError(
        .noHost, at: authority.startIndex, "The URL has no host",
        hint: "write the host after https://")
    }
    if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
      throw InvocationURLError(
        .port, at: colon, "The URL contains a port", hint: "remove it, even when it is 443")
    }
    return try HostName.parse(
      String(decoding: authority, as: UTF8.self), at: authority.startIndex)
  }

  /// Refuses `.` and `..` as whole segments of a normalised path.
  private func checkDotSegments(in path: String, from offset: Int) throws(InvocationURLError) {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let dots = segments.first(where: { $0 == "." || $0 == ".." }) else { return }
    throw InvocationURLError(
      .dotSegment, at: offset, "The path contains the segment \(String(dots).quotedForMessage)",
      hint: "write the resolved path; readers resolve dot segments differently")
  }
}

/// The characters that are allowed, unescaped, anywhere in an invocation URL.
enum CharacterRule {
  static func error(for scalar: Unicode.Scalar, at offset: Int) -> InvocationURLError? {
    // The common case first: this runs for each character of each URL.
    if scalar.isASCII, scalar.value > 0x20, scalar.value < 0x7F {
      return asciiError(for: scalar, at: offset)
    }
    switch scalar.properties.generalCategory {
    case .control:
      return InvocationURLError(
        .controlCharacter, at: offset, "The URL contains a control character, \(scalar.spokenName)",
        hint: "remove it, and check the program that wrote it")
    case .spaceSeparator, .lineSeparator, .paragraphSeparator:
      return InvocationURLError(
        .whiteSpace, at: offset, "The URL contains white space, \(scalar.spokenName)",
        hint: "remove it, or write \(scalar.escaped)")
    case .format:
      return InvocationURLError(
        .invisibleCharacter, at: offset,
        "The URL contains an invisible character, \(scalar.spokenName)",
        hint: "remove it, or write \(scalar.escaped)")
    default:
      guard scalar == "\u{FFFD}" || scalar.properties.isNoncharacterCodePoint else { return nil }
      return InvocationURLError(
        .illegalCharacter, at: offset,
        "The URL contains \(scalar.spokenName), the result of a wrong decoding",
        hint: "check the program that decoded the text")
    }
  }

  private static func asciiError(
    for scalar: Unicode.Scalar, at offset: Int
  ) -> InvocationURLError? {
    switch scalar {
    case "\\":
      return InvocationURLError(
        .backslash, at: offset, "The URL contains a backslash",
        hint: "write / between path segments, or %5C for a literal backslash")
    case "{", "}":
      return InvocationURLError(
        .illegalCharacter, at: offset, "The character \(scalar) is not allowed in a URL",
        hint: "fill in the template, or write \(scalar.escaped) for a literal brace")
    // The rest of the printable ASCII that RFC 3986 (section 2) does not allow except in an
    // address.
    case "\"", "<", ">", "[", "]", "^", "`", "|":
      return InvocationURLError(
        .illegalCharacter, at: offset, "The character \(scalar) is not allowed in a URL",
        hint: "write \(scalar.escaped)")
    default:
      return nil
    }
  }
}

extension Unicode.Scalar {
  /// The character for display: its name in small letters and its number.
  var spokenName: String {
    let number = "U+" + value.hexadecimal(digits: 4)
    let name = Self.controlNames[self] ?? properties.nameAlias ?? properties.name
    return name.map { "\($0.lowercased()) (\(number))" } ?? number
  }

  /// The names of control characters that occur in payloads; Unicode gives them none.
  private static let controlNames: [Unicode.Scalar: String] = [
    "\u{0}": "null", "\t": "tab", "\n": "line feed", "\r": "carriage return",
    "\u{1B}": "escape", "\u{7F}": "delete",
  ]

  /// The character as percent-encoded UTF-8.
  var escaped: String {
    String(self).utf8.map { PercentEscapes.escape($0) }.joined()
  }
}
