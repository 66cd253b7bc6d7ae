internal import CPango

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
