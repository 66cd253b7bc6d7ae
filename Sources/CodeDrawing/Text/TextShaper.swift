import CHarfBuzz
import CPango

/// Sets text of any script in lines: chooses fonts, joins and reorders letters, breaks lines.
///
/// The same text in the same style and with the same fonts installed gives the same numbers at
/// every size. One shaper serves one thread at a time.
public final class TextShaper {
  /// The most characters (Unicode scalars) that a text may have.
  public static let longestText = 4000

  private var shaper: OpaquePointer?
  private var installed: [String: Bool] = [:]

  /// Makes a shaper, which opens the system's fonts with the first text.
  public init() {}

  deinit { if let shaper { cpango_close(shaper) } }

  /// Sets a text in lines.
  ///
  /// - Parameters:
  ///   - text: what to show; a line feed begins a new line.
  ///   - style: how it looks.
  ///   - width: the room for a line in millimetres, or nil to break only at line feeds.
  ///   - alignment: where lines stand in the width, or in that of the widest line.
  ///   - maximumLines: the most lines there may be, or nil.
  ///   - breaksWords: whether a word wider than the room, such as a link, may be broken.
  ///   - language: a tag as in BCP 47, such as `ja` or `zh-Hant`, or nil to conclude from the text.
  ///     It decides on the forms of Chinese characters, among others.
  /// - Throws: ``TextError``: for characters that no font has, for instance, a text that needs
  ///   more lines or width than it may, or when Pango is not installed.
  public func shape(
    _ text: String, _ style: TextStyle, width: Double? = nil, alignment: TextAlignment = .start,
    maximumLines: Int? = nil, breaksWords: Bool = false, language: String? = nil
  ) throws(TextError) -> ShapedText {
    try style.check()
    let text = try TextCheck.printable(text)
    let language = try TextCheck.language(language)
    if let width, !(width > 0) {
      throw TextError(
        .textTooLarge, "A width of \(asGiven(width)) mm leaves no room for text.",
        hint: "Give millimetres above 0.")
    }
    let shaper = try opened()
    let request = try ShapingRequest(
      text, style, width: width, breaksWords: breaksWords, language: language,
      isInstalled: hasFamily)
    let lines = lines(of: request, by: shaper)
    let shaped = try ShapedText(request, lines, width: width, alignment: alignment)
    try shaped.checkRoom(width: width, maximumLines: maximumLines)
    return shaped
  }

  /// Sets a text as large as it fits a box, at most as its style says.
  ///
  /// The size is found by bisection to a thousandth of the style's size.
  ///
  /// - Parameters:
  ///   - text: what is set.
  ///   - style: how it looks; its size is the largest.
  ///   - alignment: where lines stand in the box.
  ///   - maximumLines: how many lines may be set; `nil` for any number.
  ///   - breaksWords: whether a word that is too long may be broken.
  ///   - language: the language of the text, such as `en`; `nil` when it is not known.
  ///   - width: of the box, in millimetres.
  ///   - height: of the box, in millimetres.
  ///   - minimumSize: the smallest em that may be chosen, in millimetres.
  /// - Throws: ``TextError``; ``TextError/Code/textTooLarge`` if it does not fit in the least size.
  public func fitting(
    _ text: String, _ style: TextStyle, width: Double, height: Double, minimumSize: Double,
    alignment: TextAlignment = .start, maximumLines: Int? = nil, breaksWords: Bool = false,
    language: String? = nil
  ) throws(TextError) -> ShapedText {
    func attempt(_ size: Double) throws(TextError) -> ShapedText? {
      do {
        let shaped = try shape(
          text, style.sized(size), width: width, alignment: alignment, maximumLines: maximumLines,
          breaksWords: breaksWords, language: language)
        return shaped.height <= height ? shaped : nil
      } catch {
        guard error.code == .textTooLarge, width > 0 else { throw error }
        return nil
      }
    }
    if let largest = try attempt(style.size) { return largest }
    var low = min(minimumSize, style.size)
    var high = style.size
    guard var best = try attempt(low) else {
      throw TextError.doesNotFit(text, width: width, height: height, size: low)
    }
    while high - low > style.size / 1000 {
      let middle = (low + high) / 2
      if let shaped = try attempt(middle) {
        best = shaped
        low = middle
      } else {
        high = middle
      }
    }
    return best
  }

  private func hasFamily(_ family: String) -> Bool {
    if let known = installed[family] { return known }
    let has = cpango_has_family(family) != 0
    installed[family] = has
    return has
  }

  private func opened() throws(TextError) -> OpaquePointer {
    if let shaper { return shaper }
    try TextLibraries.load()
    let opened: OpaquePointer = cpango_open()
    shaper = opened
    return opened
  }

  private func lines(of request: ShapingRequest, by shaper: OpaquePointer) -> PangoLines {
    PangoLines(
      request.withCRequest { text, length, request in
        cpango_shape(shaper, text, length, &request)
      })
  }
}

/// What is asked of Pango for one text: a language for each part of it, and the fonts in order.
struct ShapingRequest {
  let text: String
  let style: TextStyle
  let language: String?
  /// The scripts of the parts of the text.
  let scripts: [ScriptRange]
  /// The language of Chinese characters in it.
  private let eastAsianLanguage: String
  private let families: [String]
  /// In Pango's units, -1 for none.
  private let width: Int32
  private let breaksWords: Bool

  init(
    _ text: String, _ style: TextStyle, width: Double?, breaksWords: Bool, language: String?,
    isInstalled: (String) -> Bool
  ) throws(TextError) {
    var named: [String] = []
    for family in style.families where isInstalled(family) { named.append(family) }
    guard !named.isEmpty else {
      throw TextError(
        .fontMissing,
        "No font of the family \(style.families.joined(separator: " or ")) is installed.",
        hint: "Install it (Noto Sans is in the package fonts-noto-core), or name a family that "
          + "`fc-list : family` lists.")
    }
    self.text = text
    self.style = style
    self.language = language
    self.breaksWords = breaksWords
    scripts = ScriptRange.ranges(of: text)
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

  /// Parts of the em in Pango's units.
  private static func units(_ ems: Double) -> Int32 {
    Int32(min((ems * Double(CPANGO_EM)).rounded(.down), 1e9))
  }

  /// The language of a part: what was asked for if it is written so, else the usual one.
  private func language(of part: ScriptRange) -> String {
    let script = TextScript.named(part.code, eastAsianLanguage: eastAsianLanguage)
    guard let language else { return script?.language ?? "en" }
    let tag = part.code.utf8.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    return cpango_language_includes_script(language, tag) != 0
      ? language : script?.language ?? language
  }

  /// Hands the request to a function of Pango's.
  func withCRequest<Result>(
    _ body: (UnsafePointer<CChar>, Int32, inout cpango_request) -> Result
  ) -> Result {
    let languages = scripts.map { Array(language(of: $0).utf8CString) }
    // One buffer for all, so that their addresses hold while Pango reads them.
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
              letter_spacing: Int32((style.letterSpacing * Double(CPANGO_EM)).rounded()),
              features: style.features.isEmpty ? nil : features, width: width,
              breaks_words: breaksWords ? 1 : 0, ranges: ranges.baseAddress,
              range_count: ranges.count)
            return text.withCString { body($0, Int32(text.utf8.count), &request) }
          }
        }
      }
    }
  }
}

/// The lines as Pango set them, in its units.
struct PangoLines: ~Copyable {
  private let text: UnsafeMutablePointer<cpango_text>

  /// Takes what `cpango_shape` made.
  init(_ text: UnsafeMutablePointer<cpango_text>) { self.text = text }

  deinit { cpango_free(text) }

  /// The lines from top to bottom.
  var lines: UnsafeBufferPointer<cpango_line> {
    UnsafeBufferPointer(start: text.pointee.lines, count: text.pointee.line_count)
  }

  /// The runs of a line from left to right.
  func runs(of line: cpango_line) -> UnsafeBufferPointer<cpango_run> {
    UnsafeBufferPointer(start: text.pointee.runs + line.first_run, count: line.run_count)
  }

  /// The glyphs of a run from left to right.
  func glyphs(of run: cpango_run) -> UnsafeBufferPointer<cpango_glyph> {
    UnsafeBufferPointer(start: text.pointee.glyphs + run.first_glyph, count: run.glyph_count)
  }

  /// Every glyph.
  var glyphs: UnsafeBufferPointer<cpango_glyph> {
    UnsafeBufferPointer(start: text.pointee.glyphs, count: text.pointee.glyph_count)
  }

  /// Every run.
  var runs: UnsafeBufferPointer<cpango_run> {
    UnsafeBufferPointer(start: text.pointee.runs, count: text.pointee.run_count)
  }

  /// The fonts that the runs number.
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

/// The shared libraries that set text, opened when they are first needed.
enum TextLibraries {
  /// Opens Pango and HarfBuzz.
  ///
  /// - Throws: ``TextError`` with ``TextError/Code/libraryMissing``.
  static func load() throws(TextError) {
    if let reason = cpango_load() ?? charfbuzz_load() { throw missing(String(cString: reason)) }
  }

  static func missing(_ reason: String) -> TextError {
    TextError(
      .libraryMissing, "Text cannot be set: \(reason).",
      hint: "Install what does it (Debian: apt-get install libpangoft2-1.0-0 "
        + "libharfbuzz-subset0) and run the command again.")
  }
}
