public import CliptagBasics
import CHarfBuzz
import CPango

/// An error in setting a text. Two errors are equal if their codes are.
public struct TextError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure; new kinds may be added.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let missingGlyphs = Self(
      "missing-glyphs", .unavailable, "No installed font has some of the characters.")
    public static let colourGlyphs = Self(
      "colour-glyphs", .usage,
      "Some of the characters exist only as coloured pictures, which cannot be printed as text.")
    public static let fontMissing = Self(
      "font-missing", .unavailable, "None of the font families is installed.")
    public static let libraryMissing = Self(
      "text-library-missing", .unavailable,
      "Pango or HarfBuzz, required for text, is not installed or too old.")
    public static let fontUnreadable = Self(
      "font-unreadable", .unavailable, "A font file could not be read, or has no such glyph.")
    public static let fontNotEmbeddable = Self(
      "font-not-embeddable", .usage, "The font's licence forbids embedding.")
    public static let controlCharacters = Self(
      "control-characters", .usage, "The text contains unprintable characters.")
    public static let textTooLong = Self(
      "text-too-long", .usage, "The text exceeds the length limit.")
    public static let textTooLarge = Self(
      "text-too-large", .usage, "The text does not fit its area.")
    public static let invalidLanguage = Self(
      "invalid-language", .usage, "The language is not a tag as in BCP 47.")
    public static let invalidStyle = Self(
      "invalid-style", .usage, "A size, weight, spacing or name in the style is not valid.")

    public static let all: [Self] = [
      .missingGlyphs, .colourGlyphs, .fontMissing, .libraryMissing, .fontUnreadable,
      .fontNotEmbeddable, .controlCharacters, .textTooLong, .textTooLarge, .invalidLanguage,
      .invalidStyle,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// The fault, in one sentence.
  public let message: String
  /// The next step, in one sentence.
  public let advice: Hint
  /// The next step in the library's wording.
  public var hint: String { advice.text }

  init(_ code: Code, _ message: String, hint: Hint) {
    self.code = code
    self.message = message
    advice = hint
  }

  static func unreadable(_ font: FontFace) -> TextError {
    TextError(
      .fontUnreadable, "The font \(font.name) in \(font.path) cannot be read.",
      hint: "Reinstall it, or give another font.")
  }
}

/// The shared libraries that set text, opened on first use.
enum TextLibraries {
  /// Opens Pango and HarfBuzz.
  ///
  /// - Throws: ``TextError`` with ``TextError/Code/libraryMissing``.
  static func load() throws(TextError) {
    if let reason = cpango_load() ?? charfbuzz_load() { throw missing(String(cString: reason)) }
  }

  static func missing(_ reason: String) -> TextError {
    TextError(
      .libraryMissing, "Typesetting is not available: \(reason).",
      hint: "Install the libraries (Debian: apt-get install libpangoft2-1.0-0 "
        + "libharfbuzz-subset0) and run the command again.")
  }
}
