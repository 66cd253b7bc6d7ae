import Basics

/// Which characters may stand, unescaped, anywhere in an invocation URL.
enum CharacterRule {
  static func error(for scalar: Unicode.Scalar, at offset: Int) -> InvocationURLError? {
    // The common case first: this runs for each character of each URL.
    if scalar.isASCII, scalar.value > 0x20, scalar.value < 0x7F {
      return asciiError(for: scalar, at: offset)
    }
    switch scalar.properties.generalCategory {
    case .control:
      return InvocationURLError(
        .controlCharacter, at: offset, "The URL holds a control character, \(scalar.spokenName)",
        hint: "remove it, and check what wrote it")
    case .spaceSeparator, .lineSeparator, .paragraphSeparator:
      return InvocationURLError(
        .whiteSpace, at: offset, "The URL holds white space, \(scalar.spokenName)",
        hint: "remove it, or write \(scalar.escaped) if it is meant")
    case .format:
      return InvocationURLError(
        .invisibleCharacter, at: offset,
        "The URL holds a character that nobody can see, \(scalar.spokenName)",
        hint: "remove it, or write \(scalar.escaped) if it is meant")
    default:
      guard scalar == "\u{FFFD}" || scalar.properties.isNoncharacterCodePoint else { return nil }
      return InvocationURLError(
        .illegalCharacter, at: offset,
        "The URL holds \(scalar.spokenName), left by a wrong decoding",
        hint: "find out what damaged the text")
    }
  }

  private static func asciiError(
    for scalar: Unicode.Scalar, at offset: Int
  ) -> InvocationURLError? {
    switch scalar {
    case "\\":
      return InvocationURLError(
        .backslash, at: offset, "The URL holds a backslash",
        hint: "write / between path segments, or %5C if a backslash is meant")
    case "{", "}":
      return InvocationURLError(
        .illegalCharacter, at: offset, "The character \(scalar) has no place in a URL",
        hint: "fill the template in, or write \(scalar.escaped) if the brace is meant")
    // The rest of the printable ASCII that RFC 3986 (section 2) gives no place but in an address.
    case "\"", "<", ">", "[", "]", "^", "`", "|":
      return InvocationURLError(
        .illegalCharacter, at: offset, "The character \(scalar) has no place in a URL",
        hint: "write \(scalar.escaped) if it is meant")
    default:
      return nil
    }
  }
}

extension Unicode.Scalar {
  /// The character for a person: its name in small letters and its number.
  var spokenName: String {
    let number = "U+" + value.hexadecimal(digits: 4)
    let name = Self.controlNames[self] ?? properties.nameAlias ?? properties.name
    return name.map { "\($0.lowercased()) (\(number))" } ?? number
  }

  /// Unicode gives control characters no names; these are the ones that slip into payloads.
  private static let controlNames: [Unicode.Scalar: String] = [
    "\u{0}": "null", "\t": "tab", "\n": "line feed", "\r": "carriage return",
    "\u{1B}": "escape", "\u{7F}": "delete",
  ]

  /// The character as percent-encoded UTF-8.
  var escaped: String {
    String(self).utf8.map { PercentEscapes.escape($0) }.joined()
  }
}

extension String {
  /// The text in quotation marks for a message: short, and without anything that could move a
  /// terminal's cursor.
  var quotedForMessage: String {
    var shown = ""
    for scalar in unicodeScalars.prefix(60) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return "“" + shown + (unicodeScalars.count > 60 ? "…" : "") + "”"
  }
}
