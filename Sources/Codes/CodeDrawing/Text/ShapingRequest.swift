import CliptagBasics
import CPango

/// A request to Pango for one text: a language for each part, and the fonts in order.
struct ShapingRequest {
  let setText: SetText
  let style: TextStyle
  let language: String?
  /// The scripts of the parts of the text.
  let scripts: [ScriptRange]
  /// The language of Chinese characters in it.
  private let eastAsianLanguage: String
  private let families: [String]
  /// The width in Pango's units, -1 for none.
  private let width: Int32
  private let breaksWords: Bool

  /// The text for Pango.
  var text: String { setText.text }

  init(
    _ setText: SetText, _ style: TextStyle, width: Double?, breaksWords: Bool, language: String?,
    isInstalled: (String) -> Bool
  ) throws(TextError) {
    var named: [String] = []
    for family in style.families where isInstalled(family) { named.append(family) }
    guard !named.isEmpty else {
      throw TextError(
        .fontMissing,
        "No font of the family \(style.families.joined(separator: " or ")) is installed.",
        hint: "Install it (Noto Sans is in the package fonts-noto-core), or give a family that "
          + "`fc-list : family` lists.")
    }
    self.setText = setText
    self.style = style
    self.language = language
    self.breaksWords = breaksWords
    scripts = ScriptRange.ranges(of: setText.text)
    let eastAsian = TextScript.eastAsianLanguage(
      named: language, scripts: scripts.map(\.code))
    eastAsianLanguage = eastAsian
    let hasSerif = named[0].contains("Serif")
    let general = hasSerif ? ["Noto Serif", "Noto Sans"] : ["Noto Sans"]
    let ofScripts = scripts.flatMap { part -> [String] in
      guard let script = TextScript.named(part.code, eastAsianLanguage: eastAsian) else {
        return []
      }
      return hasSerif ? script.serif : script.sans
    }
    var order: [String] = []
    let symbols = ["Noto Sans Symbols", "Noto Sans Symbols2", "Noto Sans Math"]
    for family in named + general + ofScripts + symbols where !order.contains(family) {
      order.append(family)
    }
    families = order
    self.width = width.map { Self.units($0 / style.size) } ?? -1
  }

  /// Converts ems to Pango's units.
  private static func units(_ ems: Double) -> Int32 {
    Int32(clamping: Int(bounded: min((ems * Double(CPANGO_EM)).rounded(.down), 1e9)))
  }

  /// The language of a part: the requested one if it uses the script, otherwise the usual one.
  private func language(of part: ScriptRange) -> String {
    let script = TextScript.named(part.code, eastAsianLanguage: eastAsianLanguage)
    guard let language else { return script?.language ?? "en" }
    let tag = part.code.utf8.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    return cpango_language_includes_script(language, tag) != 0
      ? language : script?.language ?? language
  }

  /// Passes the request to a Pango function.
  func withCRequest<Result>(
    _ body: (UnsafePointer<CChar>, Int32, inout cpango_request) -> Result
  ) -> Result {
    let languages = scripts.map { Array(language(of: $0).utf8CString) }
    // One buffer for all, so that their addresses remain valid while Pango reads them.
    let joined = languages.flatMap { $0 }
    return joined.withUnsafeBufferPointer { joined in
      var ranges: [cpango_range] = []
      var offset = 0
      for (part, language) in zip(scripts, languages) {
        let script = TextScript.named(part.code, eastAsianLanguage: eastAsianLanguage)
        ranges.append(
          cpango_range(
            start: UInt32(part.range.lowerBound), end: UInt32(part.range.upperBound),
            language: joined.baseAddress.map { $0 + offset },
            italic: style.isItalic && script?.hasItalic ?? true ? 1 : 0))
        offset += language.count
      }
      return families.joined(separator: ",").withCString { families in
        style.features.withCString { features in
          ranges.withUnsafeBufferPointer { ranges in
            var request = cpango_request(
              families: families, weight: Int32(style.weight),
              letter_spacing: Int32(
                clamping: Int(bounded: (style.letterSpacing * Double(CPANGO_EM)).rounded())),
              features: style.features.isEmpty ? nil : features, width: width,
              breaks_words: breaksWords ? 1 : 0,
              shows_hyphens: text.unicodeScalars.contains("\u{AD}") ? 1 : 0,
              ranges: ranges.baseAddress,
              range_count: ranges.count)
            return text.withCString { body($0, Int32(text.utf8.count), &request) }
          }
        }
      }
    }
  }
}

/// The lines as set by Pango, in its units.
struct PangoLines: ~Copyable {
  private let text: UnsafeMutablePointer<cpango_text>

  /// Takes the result of `cpango_shape`.
  init(_ text: UnsafeMutablePointer<cpango_text>) { self.text = text }

  deinit { cpango_free(text) }

  /// The lines from top to bottom.
  var lines: UnsafeBufferPointer<cpango_line> {
    UnsafeBufferPointer(start: text.pointee.lines, count: text.pointee.line_count)
  }

  /// The runs of a line from left to right; none for an empty line. A text without runs has no
  /// array of runs, whose address must not be used in arithmetic.
  func runs(of line: cpango_line) -> UnsafeBufferPointer<cpango_run> {
    guard line.run_count > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(start: text.pointee.runs + line.first_run, count: line.run_count)
  }

  /// The glyphs of a run from left to right.
  func glyphs(of run: cpango_run) -> UnsafeBufferPointer<cpango_glyph> {
    guard run.glyph_count > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(start: text.pointee.glyphs + run.first_glyph, count: run.glyph_count)
  }

  /// Every glyph.
  var glyphs: UnsafeBufferPointer<cpango_glyph> {
    UnsafeBufferPointer(start: text.pointee.glyphs, count: text.pointee.glyph_count)
  }

  /// Every run.
  var runs: UnsafeBufferPointer<cpango_run> {
    UnsafeBufferPointer(start: text.pointee.runs, count: text.pointee.run_count)
  }

  /// The fonts to which the runs refer by number.
  var fonts: UnsafeBufferPointer<cpango_font> {
    UnsafeBufferPointer(start: text.pointee.fonts, count: text.pointee.font_count)
  }
}

extension FontFace {
  init(_ font: cpango_font) {
    self.init(
      family: String(cString: font.family), style: String(cString: font.style),
      path: String(cString: font.path), index: Int(font.index),
      variations: String(cString: font.variations))
  }
}
