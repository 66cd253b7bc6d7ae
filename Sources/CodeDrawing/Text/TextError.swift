public import Basics
import CHarfBuzz
import CPango

/// An error in setting a text. Two errors are equal if their codes are.
public struct TextError: CodedError {
  /// The kind of failure; new kinds may be added.
  public struct Code: ErrorCode {
    /// The stable name, lower-case with hyphens, as used in JSON.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No installed font has some of the characters.
    public static let missingGlyphs = Code(rawValue: "missing-glyphs")
    /// Some of the characters exist only as coloured pictures, which cannot be printed as text.
    public static let colourGlyphs = Code(rawValue: "colour-glyphs")
    /// None of the font families is installed.
    public static let fontMissing = Code(rawValue: "font-missing")
    /// Pango or HarfBuzz, which set text, is not installed, or too old.
    public static let libraryMissing = Code(rawValue: "text-library-missing")
    /// A font file could not be read, or has no such glyph.
    public static let fontUnreadable = Code(rawValue: "font-unreadable")
    /// The font's licence forbids to embed it.
    public static let fontNotEmbeddable = Code(rawValue: "font-not-embeddable")
    /// The text holds characters that cannot be printed.
    public static let controlCharacters = Code(rawValue: "control-characters")
    /// The text is longer than what can be set.
    public static let textTooLong = Code(rawValue: "text-too-long")
    /// The text needs more room than it has.
    public static let textTooLarge = Code(rawValue: "text-too-large")
    /// The language is not a tag as in BCP 47.
    public static let invalidLanguage = Code(rawValue: "invalid-language")
    /// A size, weight, spacing or name in the style means nothing.
    public static let invalidStyle = Code(rawValue: "invalid-style")

  }

  /// The kind of failure.
  public let code: Code
  /// The fault, in one sentence.
  public let message: String
  /// The next step, in one sentence.
  public let hint: String

  init(_ code: Code, _ message: String, hint: String) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  static func unreadable(_ font: FontFace) -> TextError {
    TextError(
      .fontUnreadable, "The font \(font.name) in \(font.path) cannot be read.",
      hint: "Install it again, or name another font.")
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
      .libraryMissing, "Text cannot be set: \(reason).",
      hint: "Install what does it (Debian: apt-get install libpangoft2-1.0-0 "
        + "libharfbuzz-subset0) and run the command again.")
  }
}
