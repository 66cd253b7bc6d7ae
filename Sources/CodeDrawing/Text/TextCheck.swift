/// What a text must be before it is set.
enum TextCheck {
  /// A text without what cannot be printed, its ends of lines written in one way.
  static func printable(_ text: String) throws(TextError) -> String {
    guard text.unicodeScalars.count <= TextShaper.longestText else {
      throw TextError(
        .textTooLong, "A text of \(text.unicodeScalars.count) characters is too long to be set.",
        hint: "Shorten it to \(TextShaper.longestText) characters.")
    }
    var lines = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\r" {
        lines.append("\n")
      } else if scalar != "\n" || !isAfterReturn {
        lines.append(scalar)
      }
      isAfterReturn = scalar == "\r"
    }
    if let control = lines.first(where: isControl) {
      throw TextError(
        .controlCharacters,
        "The text \(quoted(String(lines))) holds the control character \(codePoint(control)).",
        hint: "Remove it; a line feed begins a new line.")
    }
    return String(lines)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: scalar != "\n"
    case .lineSeparator, .paragraphSeparator, .surrogate: true
    default: (0xFFF9...0xFFFB).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE
    }
  }

  /// A language in lower case, or nil if none is named.
  static func language(_ tag: String?) throws(TextError) -> String? {
    guard let tag else { return nil }
    let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    let isTag =
      tag.utf8.count <= 35
      && (2...8).contains(parts[0].utf8.count) && parts[0].utf8.allSatisfy(isLetter)
      && parts.dropFirst().allSatisfy { part in
        (1...8).contains(part.utf8.count)
          && part.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) }
      }
    guard isTag else {
      throw TextError(
        .invalidLanguage, "\(quoted(tag)) is no tag of a language.",
        hint: "Give one as in BCP 47, such as de, ja or zh-Hant.")
    }
    return tag.lowercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }

  /// A character's number, such as `U+0041`.
  static func codePoint(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// The beginning of a text in quotes, its control characters made visible.
  static func quoted(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(40) {
      shown += isControl(scalar) || scalar == "\n" ? "\u{FFFD}" : String(scalar)
    }
    return "\"\(shown)\(text.unicodeScalars.count > 40 ? "…" : "")\""
  }
}

extension TextError {
  static func doesNotFit(_ text: String, width: Double, height: Double, size: Double) -> TextError {
    TextError(
      .textTooLarge,
      "\(TextCheck.quoted(text)) does not fit \(asGiven(width)) × \(asGiven(height)) mm, "
        + "even with letters of \(asGiven(size)) mm.",
      hint: "Shorten the text, give it more room, or allow smaller letters.")
  }
}
