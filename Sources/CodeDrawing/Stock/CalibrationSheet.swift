/// What a calibration sheet shows: the labels' outlines, and rulers that tell how far the printer is
/// off. Millimetres; to be printed at 100 % on plain paper and held against the stock.
package struct CalibrationSheet: Hashable, Sendable {
  /// A number beside a ruler.
  package struct Numeral: Hashable, Sendable {
    /// What it says, in millimetres.
    package let text: String
    /// The middle of the number.
    package let centre: DrawingPoint
  }

  /// The sheet.
  package let paper: LabelStock.Paper
  /// The outline of every label.
  package let outlines: [DrawingPath]
  /// The rulers and their ticks, one each millimetre.
  package let rulers: [SheetLine]
  /// The numbers at every ten millimetres of the rulers.
  package let numerals: [Numeral]
  /// The length of the ruler across the sheet.
  package let rulerAcross: Double
  /// The length of the ruler down the sheet.
  package let rulerDown: Double

  /// The height of a number.
  package static let numeralHeight = 2.2

  /// The longest distance that a ruler shows, so that common rulers measure it.
  private static let longest = 200.0

  /// Lays a calibration sheet out.
  ///
  /// - Parameters:
  ///   - stock: The stock.
  ///   - calibration: The printer's, to see whether it is right; none to find it out.
  package init(_ stock: LabelStock, calibration: PrinterCalibration = .none) {
    paper = stock.paper
    outlines = stock.frames.map { frame in stock.shape.outline(in: calibration.applied(to: frame)) }
    let across = Ruler.length(in: paper.width, longest: Self.longest)
    let down = Ruler.length(in: paper.height, longest: Self.longest)
    rulerAcross = across
    rulerDown = down
    // Each crosses the sheet's middle, where no printer clips it; the numbers stand beside it.
    let centre = DrawingPoint(x: paper.width / 2, y: paper.height / 2)
    let horizontal = Ruler(
      origin: DrawingPoint(x: centre.x - across / 2, y: centre.y), length: across,
      isHorizontal: true)
    let vertical = Ruler(
      origin: DrawingPoint(x: centre.x, y: centre.y - down / 2), length: down, isHorizontal: false)
    rulers = (horizontal.lines + vertical.lines).map { line in
      SheetLine(
        from: calibration.applied(to: line.start), to: calibration.applied(to: line.end))
    }
    numerals = (horizontal.numerals + vertical.numerals).map { numeral in
      Numeral(text: numeral.text, centre: calibration.applied(to: numeral.centre))
    }
  }
}

/// A line with a tick at every millimetre.
private struct Ruler {
  let origin: DrawingPoint
  let length: Double
  let isHorizontal: Bool

  /// The longest whole ten millimetres that leave 10 mm of margin.
  static func length(in size: Double, longest: Double) -> Double {
    max(0, min(longest, ((size - 20) / 10).rounded(.down) * 10))
  }

  private func point(_ along: Double, _ aside: Double) -> DrawingPoint {
    isHorizontal
      ? DrawingPoint(x: origin.x + along, y: origin.y + aside)
      : DrawingPoint(x: origin.x + aside, y: origin.y + along)
  }

  var lines: [SheetLine] {
    guard length > 0 else { return [] }
    var lines = [SheetLine(from: point(0, 0), to: point(length, 0))]
    for millimetre in 0...Int(length) {
      let tick = millimetre % 10 == 0 ? 3.0 : (millimetre % 5 == 0 ? 2 : 1)
      lines.append(
        SheetLine(from: point(Double(millimetre), 0), to: point(Double(millimetre), tick)))
    }
    return lines
  }

  var numerals: [CalibrationSheet.Numeral] {
    guard length > 0 else { return [] }
    // None in the middle, where the two rulers cross.
    return stride(from: 0, through: Int(length), by: 10)
      .filter { abs(Double($0) - length / 2) > 5 }
      .map {
        CalibrationSheet.Numeral(text: "\($0)", centre: point(Double($0), isHorizontal ? 4.6 : 5.8))
      }
  }
}
