import CHarfBuzz
import CPango

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

/// Finds characters that cannot be printed, before anything is drawn.
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
      .missingGlyphs, "No installed font has \(names(scalars)).", hint: hint(for: scalars))
  }

  private static func hint(for scalars: [Unicode.Scalar]) -> String {
    if scalars.contains(where: isEmoji) {
      return "Emoji come in colour fonts, which are not printed as text: remove them, or place a "
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
      ? "" : "Install the package \(packages.joined(separator: " and ")), which should have it"
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
        "Such fonts are not printed as text: remove the character, or place a picture instead.")
  }
}

/// A writing system, and which fonts are good for it.
struct TextScript: Hashable {
  /// Its code in ISO 15924, such as `Arab`.
  let code: String
  /// The language whose forms are shown where nobody named one.
  let language: String
  /// The families without and with serifs, best first.
  let sans: [String]
  let serif: [String]
  /// The package of Debian that has them.
  let package: String
  /// Whether its fonts have italics.
  let hasItalic: Bool
}

extension TextScript {
  private static func noto(
    _ code: String, _ language: String, _ name: String, sans: [String]? = nil,
    serif: [String]? = nil, hasItalic: Bool = false
  ) -> TextScript {
    TextScript(
      code: code, language: language, sans: sans ?? ["Noto Sans \(name)"],
      serif: serif ?? ["Noto Serif \(name)", "Noto Sans \(name)"], package: "fonts-noto-core",
      hasItalic: hasItalic)
  }

  private static func western(_ code: String, _ language: String) -> TextScript {
    noto(code, language, "", sans: [], serif: [], hasItalic: true)
  }

  /// The scripts whose best fonts are named here; for others the system's configuration decides.
  private static let known: [String: TextScript] = Dictionary(
    uniqueKeysWithValues: [
      western("Latn", "en"), western("Grek", "el"), western("Cyrl", "ru"),
      noto(
        "Arab", "ar", "Arabic", serif: ["Noto Naskh Arabic", "Noto Sans Arabic"]),
      noto("Hebr", "he", "Hebrew"), noto("Deva", "hi", "Devanagari"),
      noto("Beng", "bn", "Bengali"), noto("Guru", "pa", "Gurmukhi"),
      noto("Gujr", "gu", "Gujarati"),
      noto("Orya", "or", "Oriya"), noto("Taml", "ta", "Tamil"), noto("Telu", "te", "Telugu"),
      noto("Knda", "kn", "Kannada"), noto("Mlym", "ml", "Malayalam"),
      noto("Sinh", "si", "Sinhala"), noto("Thai", "th", "Thai"), noto("Laoo", "lo", "Lao"),
      noto("Mymr", "my", "Myanmar"), noto("Khmr", "km", "Khmer"),
      noto("Tibt", "bo", "Tibetan", sans: ["Noto Serif Tibetan"]),
      noto("Geor", "ka", "Georgian"), noto("Armn", "hy", "Armenian"),
      noto("Ethi", "am", "Ethiopic"), noto("Mong", "mn", "Mongolian"),
      noto("Cher", "chr", "Cherokee"), noto("Thaa", "dv", "Thaana"), noto("Syrc", "syr", "Syriac"),
      noto("Nkoo", "nqo", "NKo"), noto("Tfng", "ber", "Tifinagh"),
    ].map { ($0.code, $0) })

  /// The scripts that Chinese, Japanese and Korean are written in.
  static let eastAsian: Set<String> = ["Hani", "Hira", "Kana", "Hang", "Bopo"]

  /// A script by its code; of an East Asian one the language decides which forms it has.
  static func named(_ code: String, eastAsianLanguage: String) -> TextScript? {
    guard eastAsian.contains(code) else { return known[code] }
    let region = eastAsianRegion(of: eastAsianLanguage) ?? "SC"
    let order = [region] + ["JP", "SC", "TC", "HK", "KR"].filter { $0 != region }
    return TextScript(
      code: code, language: eastAsianLanguage, sans: order.map { "Noto Sans CJK \($0)" },
      serif: order.flatMap { ["Noto Serif CJK \($0)"] } + order.map { "Noto Sans CJK \($0)" },
      package: "fonts-noto-cjk", hasItalic: false)
  }

  /// The ending of the Noto families for a language's forms, or nil if it is not East Asian.
  private static func eastAsianRegion(of language: String) -> String? {
    let parts = language.lowercased().split(separator: "-").map(String.init)
    switch parts.first {
    case "ja": return "JP"
    case "ko": return "KR"
    case "yue": return "HK"
    case "zh":
      if parts.contains("hk") || parts.contains("mo") { return "HK" }
      return parts.contains("hant") || parts.contains("tw") ? "TC" : "SC"
    default: return nil
    }
  }

  /// The language whose forms East Asian characters have: that which was named, else what the
  /// other characters of the text tell, else Chinese.
  static func eastAsianLanguage(named language: String?, scripts: some Sequence<String>) -> String {
    if let language, eastAsianRegion(of: language) != nil { return language }
    let scripts = Set(scripts)
    if scripts.contains("Hira") || scripts.contains("Kana") { return "ja" }
    if scripts.contains("Hang") { return "ko" }
    return scripts.contains("Bopo") ? "zh-hant" : "zh-hans"
  }

  /// The code of a character's script; `Zyyy` for what all have, `Zinh` for marks that take that
  /// of their letter.
  static func code(of scalar: Unicode.Scalar) -> String {
    let tag = charfbuzz_unicode_script(charfbuzz_unicode_funcs_get_default(), scalar.value).rawValue
    return String(
      decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: tag >> $0) }, as: UTF8.self)
  }
}

/// A part of a text in one script.
struct ScriptRange: Hashable {
  /// The code of the script.
  let code: String
  /// The UTF-8 offsets.
  var range: Range<Int>

  /// Cuts a text where its script changes; what belongs to every script goes with what is before
  /// it, or at the beginning with what comes.
  static func ranges(of text: String) -> [ScriptRange] {
    var ranges: [ScriptRange] = []
    var offset = 0
    for scalar in text.unicodeScalars {
      let end = offset + UTF8.width(scalar)
      let code = TextScript.code(of: scalar)
      let isCommon = code == "Zyyy" || code == "Zinh"
      if let last = ranges.indices.last, isCommon || ranges[last].code == code {
        ranges[last].range = ranges[last].range.lowerBound..<end
      } else if let only = ranges.first, ranges.count == 1, only.code == "Zyyy" {
        ranges = [ScriptRange(code: code, range: 0..<end)]
      } else {
        ranges.append(ScriptRange(code: isCommon ? "Zyyy" : code, range: offset..<end))
      }
      offset = end
    }
    return ranges
  }
}
