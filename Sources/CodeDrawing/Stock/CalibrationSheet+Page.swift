extension CalibrationSheet {
  /// The sheet as a page, with words that say what to do with it.
  ///
  /// - Parameters:
  ///   - title: The stock's name.
  ///   - shaper: What sets the words.
  /// - Throws: ``TextError``.
  package func page(titled title: String, shaper: TextShaper) throws(TextError) -> PageDrawing {
    var page = PageDrawing(width: paper.width, height: paper.height)
    let grey = PageDrawing.LineStyle(width: 0.1)
    for outline in outlines { page.elements.append(.line(outline, grey)) }
    for line in rulers {
      page.elements.append(.line(.segment(from: line.start, to: line.end), grey))
    }
    for numeral in numerals {
      let text = try shaper.shape(numeral.text, TextStyle(size: Self.numeralHeight))
      page.elements.append(
        .text(
          PageDrawing.Words(
            text: text,
            corner: DrawingPoint(
              x: numeral.centre.x - text.width / 2, y: numeral.centre.y - text.height / 2))))
    }
    let words = try shaper.fitting(
      "\(title): print at 100 % on plain paper and hold it against a sheet of labels.\n"
        + "The rulers are \(rulerAcross.shortly) mm across and \(rulerDown.shortly) mm down.",
      TextStyle(size: 3), width: max(10, paper.width / 2 - 14), height: 30, minimumSize: 0.5)
    page.elements.append(
      .text(
        PageDrawing.Words(
          text: words,
          corner: DrawingPoint(x: paper.width / 2 + 8, y: paper.height / 2 + 8))))
    return page
  }
}
