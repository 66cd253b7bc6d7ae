import CliptagBasics

/// The look of a text.
public struct TextStyle: Hashable, Sendable {
  /// The font families in order of preference. Missing characters are taken from the Noto family of
  /// the script, then from any installed font.
  public var families: [String]
  /// The height of the em in millimetres, above 0.
  public var size: Double
  /// The weight of the strokes, 100 to 900, as in CSS; 400 is regular, 700 bold.
  public var weight: Int
  /// Whether Latin, Greek and Cyrillic letters are italic; other scripts have no such style.
  public var isItalic: Bool
  /// The line spacing as a factor of the fonts' own.
  public var lineSpacing: Double
  /// The additional space between letters, in ems.
  public var letterSpacing: Double
  /// Settings of the font's features as in CSS, such as `tnum, liga=0`; empty for none.
  public var features: String

  /// Makes a style.
  public init(
    size: Double, families: [String] = ["Noto Sans"], weight: Int = 400, isItalic: Bool = false,
    lineSpacing: Double = 1, letterSpacing: Double = 0, features: String = ""
  ) {
    self.families = families
    self.size = size
    self.weight = weight
    self.isItalic = isItalic
    self.lineSpacing = lineSpacing
    self.letterSpacing = letterSpacing
    self.features = features
  }

  /// The style with another size.
  package func sized(_ size: Double) -> TextStyle {
    var style = self
    style.size = size
    return style
  }

  /// - Throws: ``TextError`` with ``TextError/Code/invalidStyle``.
  func check() throws(TextError) {
    func demand(_ holds: Bool, _ message: String, _ hint: String) throws(TextError) {
      if !holds { throw TextError(.invalidStyle, message, hint: Hint(hint)) }
    }
    try demand(
      size > 0 && size <= 10_000, "A text size of \(asGiven(size)) mm is not valid.",
      "Give the height of the em in millimetres, above 0 and at most 10000.")
    try demand(
      (100...900).contains(weight), "A font weight of \(weight) is not valid.",
      "Give 100 to 900: 400 is regular, 700 bold.")
    try demand(
      lineSpacing >= 0.5 && lineSpacing <= 10,
      "A line spacing of \(asGiven(lineSpacing)) is not valid.", "Give 0.5 to 10.")
    try demand(
      letterSpacing >= -0.5 && letterSpacing <= 10,
      "A letter spacing of \(asGiven(letterSpacing)) em is not valid.", "Give -0.5 to 10.")
    for family in families {
      try demand(
        !family.isEmpty && family.unicodeScalars.allSatisfy { $0.value >= 32 && $0 != "," },
        "\"\(family)\" is not a font family.", "Give families as `fc-list : family` lists them.")
    }
    try demand(
      features.unicodeScalars.allSatisfy { (32..<127).contains($0.value) },
      "\"\(features)\" is not a font feature.", "Write them as in CSS, such as `tnum, liga=0`.")
  }
}

/// The alignment of lines in their available width.
public enum TextAlignment: String, CaseIterable, Hashable, Sendable {
  /// At the edge where reading begins: left, or right for a line from right to left.
  case start
  /// In the middle.
  case centre
  /// At the edge where reading ends.
  case end
}

/// The alignment of a text in the height of its box.
public enum VerticalAlignment: String, CaseIterable, Hashable, Sendable {
  /// At the upper edge.
  case top
  /// In the middle.
  case middle
  /// At the lower edge.
  case bottom
}
