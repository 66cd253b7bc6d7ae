extension TextError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.missingGlyphs, "No installed font has some of the characters."),
    (
      .colourGlyphs,
      "Some of the characters exist only as coloured pictures, which cannot be printed as text."
    ),
    (.fontMissing, "None of the font families is installed."),
    (.libraryMissing, "Pango or HarfBuzz, which set text, is not installed, or too old."),
    (.fontUnreadable, "A font file could not be read, or has no such glyph."),
    (.fontNotEmbeddable, "The font's licence forbids to embed it."),
    (.controlCharacters, "The text holds characters that stand for nothing that can be printed."),
    (.textTooLong, "The text is longer than what can be set."),
    (.textTooLarge, "The text needs more room than it has."),
    (.invalidLanguage, "The language is not a tag as in BCP 47."),
    (.invalidStyle, "A size, weight, spacing or name in the style means nothing."),
  ]
}
