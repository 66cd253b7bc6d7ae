/// How the four standings look: by colour, by line and by sign, each enough alone.
///
/// The green leans to blue and the red to orange, after the palette of Okabe and Ito (2008), so that
/// people with a colour vision deficiency tell them apart; dark and light differ as well. Text on
/// each has a contrast of 4.5 : 1 at least (WCAG 2.2, 1.4.3).
struct AnnotationStyle {
  /// The colour of outline and flag.
  let colour: String
  /// The colour of text on it.
  let ink: String
  /// The word in the flag.
  let word: String
  /// The width of the outline.
  let lineWidth: Double
  /// The dashes of the outline; `nil` for one without gaps.
  let dashes: String?
  /// Whether the outline is doubled.
  let isDouble: Bool
  /// Strokes of the sign in a square of 24; `nil` where it is a question mark.
  let sign: String?

  init(_ standing: PictureMark.Standing) {
    switch standing {
    case .accepted:
      self.init("#00725a", "#fff", "ACCEPTED", 7, nil, false, "M4 13 L10 19 L20 5")
    case .rejected:
      self.init("#b3260a", "#fff", "REJECTED", 7, nil, true, "M5 5 L19 19 M19 5 L5 19")
    case .undecided:
      self.init("#ffc20a", "#000", "UNDECIDED", 7, "26 12", false, nil)
    case .unread:
      self.init("#55595f", "#fff", "NOT READ", 6, "6 10", false, "M4 12 L20 12")
    }
  }

  private init(
    _ colour: String, _ ink: String, _ word: String, _ lineWidth: Double, _ dashes: String?,
    _ isDouble: Bool, _ sign: String?
  ) {
    self.colour = colour
    self.ink = ink
    self.word = word
    self.lineWidth = lineWidth
    self.dashes = dashes
    self.isDouble = isDouble
    self.sign = sign
  }
}
