import CodeDrawing

/// Sets texts from outside on pages, whatever they hold: what no font can show is replaced instead
/// of refused, because a report must not fail for a name.
final class PageText {
  private let shaper = TextShaper()
  /// Whether a character can be set.
  private var known: [Unicode.Scalar: Bool] = [:]

  /// Sets a text in a width, at its left edge also where it is read from right to left: the page
  /// around it is English.
  func text(
    _ text: String, size: Double, weight: Int = 400, width: Double, atRight: Bool = false
  ) throws -> ShapedText {
    func set(_ alignment: TextAlignment) throws -> ShapedText {
      try self.set(text) { text throws(TextError) in
        try shaper.shape(
          text, TextStyle(size: size, weight: weight), width: width, alignment: alignment,
          breaksWords: true)
      }
    }
    let shaped = try set(atRight ? .end : .start)
    let isAtRight = shaped.lines.contains { $0.x > 0.01 }
    return isAtRight != atRight && shaped.lines.contains { !$0.runs.isEmpty }
      ? try set(atRight ? .start : .end) : shaped
  }

  /// Sets a text on one line, however long.
  func line(_ text: String, size: Double, weight: Int = 400) throws -> ShapedText {
    try set(text) { text throws(TextError) in
      try shaper.shape(text, TextStyle(size: size, weight: weight))
    }
  }

  /// The words of a map, where they stand.
  func element(_ words: MapWords) throws -> PageDrawing.Element {
    let text = try line(words.text, size: words.size, weight: words.isBold ? 700 : 400)
    let shift =
      switch words.anchor {
      case .start: 0.0
      case .middle: text.width / 2
      case .end: text.width
      }
    let baseline = text.lines.first?.baseline ?? 0
    return .text(
      .init(
        text: text,
        corner: DrawingPoint(x: words.point.x - shift, y: words.point.y - baseline),
        colour: words.ink.fill ?? .black))
  }

  private func set(
    _ text: String, _ shape: (String) throws(TextError) -> ShapedText
  ) throws -> ShapedText {
    do {
      return try shape(text)
    } catch let error
      where [.missingGlyphs, .colourGlyphs, .controlCharacters].contains(error.code)
    {
      return try shape(replaced(text))
    }
  }

  /// The text with a white square for each character that no font has in plain shape, or that is
  /// none.
  private func replaced(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      // Joiners and what chooses a picture of an emoji have no shape of their own.
      case .format where !scalar.isASCII,
        .nonspacingMark where scalar.properties.isVariationSelector:
        continue
      default: shown.unicodeScalars.append(canShow(scalar) ? scalar : "\u{25A1}")
      }
    }
    return shown
  }

  private func canShow(_ scalar: Unicode.Scalar) -> Bool {
    if let answer = known[scalar] { return answer }
    let answer = (try? shaper.shape(String(scalar), TextStyle(size: 3))) != nil
    known[scalar] = answer
    return answer
  }
}
