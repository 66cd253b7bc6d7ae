import CliptagBasics
import CPango

/// The checks of a text before it is set.
enum TextCheck {
  /// Returns a text without unprintable characters, with uniform line endings.
  static func printable(_ text: String) throws(TextError) -> String {
    guard text.unicodeScalars.count <= TextShaper.longestText else {
      throw TextError(
        .textTooLong, "A text of \(text.unicodeScalars.count) characters is too long.",
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
        "The text \(quoted(String(lines))) contains the control character \(codePoint(control)).",
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
        .invalidLanguage, "\(quoted(tag)) is not a language tag.",
        hint: "Give one as in BCP 47, such as de, ja or zh-Hant.")
    }
    return tag.lowercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }

  /// The code point of a character, such as `U+0041`.
  fileprivate static func codePoint(_ scalar: Unicode.Scalar) -> String {
    "U+" + scalar.value.hexadecimal(digits: 4)
  }

  /// The beginning of a text in quotation marks, with its control characters made visible.
  static func quoted(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(40) {
      shown += isControl(scalar) || scalar == "\n" ? "\u{FFFD}" : String(scalar)
    }
    return "\"\(shown)\(text.unicodeScalars.count > 40 ? "…" : "")\""
  }
}

extension TextError {
  /// - Parameter height: The available height; infinite if only the width and the lines are
  ///   limited; 0 or less if other text has taken it all.
  static func doesNotFit(_ text: String, width: Double, height: Double, size: Double) -> TextError {
    let quoted = TextCheck.quoted(text)
    let letters = "even with letters of \(atMost(size)) mm"
    let message =
      if height <= 0 || width <= 0 {
        "\(quoted) has no room left."
      } else if height.isFinite {
        "\(quoted) does not fit \(atMost(width)) × \(atMost(height)) mm, \(letters)."
      } else {
        "\(quoted) does not fit a width of \(atMost(width)) mm, \(letters)."
      }
    return TextError(
      .textTooLarge, message,
      hint: "Shorten the text, or \(.giveMoreRoom).")
  }

  static func headlineTooLong(lines: Int) -> TextError {
    TextError(
      .textTooLarge,
      "The headline is too long: its \(lines) lines would be smaller than the words below it.",
      hint: "Shorten it to ten words or fewer.")
  }
}

/// Finds characters that cannot be printed, before drawing.
enum MissingGlyphs {
  static func check(_ lines: borrowing PangoLines, _ request: ShapingRequest) throws(TextError) {
    var missing: [Unicode.Scalar] = []
    for glyph in lines.glyphs where glyph.is_missing != 0 {
      guard let scalar = Unicode.Scalar(glyph.number), !missing.contains(scalar) else { continue }
      missing.append(scalar)
    }
    if !missing.isEmpty { throw error(missing) }
    for run in lines.runs where lines.fonts[Int(run.font)].is_plain == 0 {
      let shown = lines.glyphs(of: run).contains { $0.is_empty == 0 }
      guard shown else { continue }
      let font = FontFace(lines.fonts[Int(run.font)])
      let bytes = Array(request.text.utf8)[Int(run.start)..<Int(run.end)]
      throw colourError(String(decoding: bytes, as: UTF8.self), font: font)
    }
  }

  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmojiPresentation || scalar == "\u{FE0F}"
  }

  private static func names(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    let all = scalars.map { "\($0) (\(TextCheck.codePoint($0)))" }
    let rest = all.count > 5 ? " and \(all.count - 5) more" : ""
    return all.prefix(5).joined(separator: ", ") + rest
  }

  private static func error(_ scalars: [Unicode.Scalar]) -> TextError {
    TextError(
      .missingGlyphs, "No installed font has \(names(scalars)).", hint: Hint(hint(for: scalars)))
  }

  private static func hint(for scalars: [Unicode.Scalar]) -> String {
    if scalars.contains(where: isEmoji) {
      return "Emoji are in colour fonts, which cannot be printed as text: remove them, or place a "
        + "picture instead."
    }
    var packages: [String] = []
    var unknown: [Unicode.Scalar] = []
    for scalar in scalars {
      let script = TextScript.named(TextScript.code(of: scalar), eastAsianLanguage: "zh-hans")
      guard let package = script?.package else {
        unknown.append(scalar)
        continue
      }
      if !packages.contains(package) { packages.append(package) }
    }
    let install =
      packages.isEmpty
      ? "" : "Install the package \(packages.joined(separator: " and ")), which should contain it"
    guard let first = unknown.first ?? (packages.isEmpty ? scalars.first : nil) else {
      return install + "."
    }
    let charset = String(first.value, radix: 16)
    let list =
      "nstall a font that has it (`fc-list ':charset=\(charset)'` lists those that are installed)"
    return install.isEmpty ? "I\(list), or remove it." : "\(install), and i\(list)."
  }

  private static func colourError(_ text: String, font: FontFace) -> TextError {
    TextError(
      .colourGlyphs,
      "\(names(text.unicodeScalars)) exists only in the colour or bitmap font \(font.family).",
      hint:
        "Such fonts cannot be printed as text: remove the character, or place a picture instead.")
  }
}
