extension LabelStock.Paper {
  /// 210 × 297 mm (ISO 216).
  public static let a4 = LabelStock.Paper("A4", width: 210, height: 297)
  /// 8.5 × 11 inches.
  public static let letter = LabelStock.Paper("US Letter", width: 215.9, height: 279.4)
}

extension LabelStock {
  /// What the system's templates lack and people ask for.
  ///
  /// Square and round labels of Avery. Only dies are here whose margins and pitches add up to the
  /// whole sheet, and for which two sources that do not quote each other agree, or one was measured
  /// on the maker's template. Left out for want of that: Avery L7120, L7121 and L7125.
  package static let own: [LabelStock] = [
    square(
      "22805", inches: 1.5, columns: 4, rows: 6, left: 0.78125, top: 0.5, across: 1.8125,
      down: 1.7, "published by users who printed on it; two independent measurements agree"),
    square(
      "22806", inches: 2, columns: 3, rows: 4, left: 0.625, top: 0.625, across: 2.625,
      down: 31 / 12.0, sameDie),
    square(
      "22816", inches: 2, columns: 3, rows: 4, left: 0.625, top: 0.625, across: 2.625,
      down: 31 / 12.0, sameDie),
    square(
      "64510", inches: 2, columns: 3, rows: 4, left: 0.625, top: 0.625, across: 2.625,
      down: 31 / 12.0, sameDie),
    square(
      "94107", inches: 2, columns: 3, rows: 4, left: 0.625, top: 0.625, across: 2.625,
      down: 31 / 12.0, "Avery's specification of Presta 94107: margins of 0.625 inch all around"),
    square(
      "94103", inches: 1, columns: 6, rows: 8, left: 0.625, top: 0.625, across: 1.25,
      down: 1.25, "Avery's specification of Presta 94103: margins of 0.625 inch all around"),
    square(
      "94102", inches: 0.75, columns: 8, rows: 10, left: 0.375, top: 0.625, across: 1,
      down: 1, "measured on Avery's PDF template of Presta 94102"),
    LabelStock(
      brand: "Avery", part: "22807", summary: "Round labels, 2\"", paper: .letter,
      shape: .round(diameter: 2 * 25.4),
      grids: [
        Grid(
          columns: 3, rows: 4, left: 0.625 * 25.4, top: 0.625 * 25.4, pitchX: 2.625 * 25.4,
          pitchY: 31 / 12.0 * 25.4)
      ], source: "the round labels on the grid of Presta 94107, as users print them"),
  ]

  private static let sameDie = "the die of Presta 94107, to Avery's specification"

  private static func square(
    _ part: String, inches: Double, columns: Int, rows: Int, left: Double, top: Double,
    across: Double, down: Double, _ source: String
  ) -> LabelStock {
    let inch = 25.4
    // Avery's square labels have corners of 1/16 inch.
    return LabelStock(
      brand: "Avery", part: part, summary: "Square labels, \(inches.shortly)\"", paper: .letter,
      shape: .rectangle(width: inches * inch, height: inches * inch, cornerRadius: inch / 16),
      grids: [
        Grid(
          columns: columns, rows: rows, left: left * inch, top: top * inch, pitchX: across * inch,
          pitchY: down * inch)
      ], source: source)
  }
}
