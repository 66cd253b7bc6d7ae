internal import CHarfBuzz

/// A writing system, and suitable fonts for it.
struct TextScript: Hashable {
  /// Its code in ISO 15924, such as `Arab`.
  let code: String
  /// The language whose forms are used if none is named.
  let language: String
  /// The families without and with serifs, the best first.
  let sans: [String]
  let serif: [String]
  /// The Debian package that contains them.
  let package: String
  /// Whether its fonts have italics.
  let hasItalic: Bool

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

  /// The scripts whose best fonts are listed here; for others the system's configuration decides.
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

  /// The scripts of Chinese, Japanese and Korean.
  static let eastAsian: Set<String> = ["Hani", "Hira", "Kana", "Hang", "Bopo"]

  /// A script by its code; for an East Asian script the language determines the forms.
  static func named(_ code: String, eastAsianLanguage: String) -> TextScript? {
    guard eastAsian.contains(code) else { return known[code] }
    let region = eastAsianRegion(of: eastAsianLanguage) ?? "SC"
    let order = [region] + ["JP", "SC", "TC", "HK", "KR"].filter { $0 != region }
    return TextScript(
      code: code, language: eastAsianLanguage, sans: order.map { "Noto Sans CJK \($0)" },
      serif: order.flatMap { ["Noto Serif CJK \($0)"] } + order.map { "Noto Sans CJK \($0)" },
      package: "fonts-noto-cjk", hasItalic: false)
  }

  /// The suffix of the Noto families for a language's forms, or nil if it is not East Asian.
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

  /// The language that determines the forms of East Asian characters: the named one, or else one
  /// derived from the other characters of the text, or else Chinese.
  static func eastAsianLanguage(named language: String?, scripts: some Sequence<String>) -> String {
    if let language, eastAsianRegion(of: language) != nil { return language }
    let scripts = Set(scripts)
    if scripts.contains("Hira") || scripts.contains("Kana") { return "ja" }
    if scripts.contains("Hang") { return "ko" }
    return scripts.contains("Bopo") ? "zh-hant" : "zh-hans"
  }

  /// The code of a character's script; `Zyyy` for common characters, `Zinh` for marks that inherit
  /// the script of their letter.
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
  /// The UTF-8 range.
  var range: Range<Int>

  /// Splits a text at changes of script; common characters belong to the part before them, or at
  /// the beginning to the part after them.
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
