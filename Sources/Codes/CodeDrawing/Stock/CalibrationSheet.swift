import CliptagBasics

/// A calibration sheet: the labels' outlines, and rulers that show the printer's errors.
///
/// Lengths are in millimetres. The sheet must be printed at 100 % on plain paper and compared with
/// the stock.
package struct CalibrationSheet: Hashable, Sendable {
  /// A number beside a ruler.
  package struct Numeral: Hashable, Sendable {
    /// The number as text, in millimetres.
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

  /// The length limit of a ruler, so that common measuring rulers suffice.
  private static let longest = 200.0

  /// Lays a calibration sheet out.
  ///
  /// - Parameters:
  ///   - stock: The stock.
  ///   - calibration: The printer's calibration, to verify it; none to determine it.
  package init(_ stock: LabelStock, calibration: PrinterCalibration = .none) {
    paper = stock.paper
    outlines = stock.frames.map { frame in stock.shape.outline(in: calibration.applied(to: frame)) }
    let across = Ruler.length(in: paper.width, longest: Self.longest)
    let down = Ruler.length(in: paper.height, longest: Self.longest)
    rulerAcross = across
    rulerDown = down
    // Each crosses the sheet's middle, where no printer clips it; the numbers are beside it.
    let centre = DrawingPoint(x: paper.width / 2, y: paper.height / 2)
    let horizontal = Ruler(
      origin: DrawingPoint(x: centre.x - across / 2, y: centre.y), length: across,
      isHorizontal: true)
    let vertical = Ruler(
      origin: DrawingPoint(x: centre.x, y: centre.y - down / 2), length: down, isHorizontal: false)
    rulers = (horizontal.lines + vertical.lines).map { line in
      SheetLine(
        start: calibration.applied(to: line.start), end: calibration.applied(to: line.end))
    }
    numerals = (horizontal.numerals + vertical.numerals).map { numeral in
      Numeral(text: numeral.text, centre: calibration.applied(to: numeral.centre))
    }
  }

  /// The sheet as a page, with instructions.
  ///
  /// - Parameters:
  ///   - title: The stock's name.
  ///   - shaper: The typesetter of the texts.
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
      "\(title): print at 100 % on plain paper and lay it over a sheet of labels.\n"
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

/// A line with a tick at every millimetre.
private struct Ruler {
  let origin: DrawingPoint
  let length: Double
  let isHorizontal: Bool

  /// The longest multiple of ten millimetres that leaves 10 mm of margin.
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
    var lines = [SheetLine(start: point(0, 0), end: point(length, 0))]
    for millimetre in 0...Int(bounded: length) {
      let tick = millimetre % 10 == 0 ? 3.0 : (millimetre % 5 == 0 ? 2 : 1)
      lines.append(
        SheetLine(start: point(Double(millimetre), 0), end: point(Double(millimetre), tick)))
    }
    return lines
  }

  var numerals: [CalibrationSheet.Numeral] {
    guard length > 0 else { return [] }
    // No numbers in the middle, where the two rulers cross.
    return stride(from: 0, through: Int(bounded: length), by: 10)
      .filter { abs(Double($0) - length / 2) > 5 }
      .map {
        CalibrationSheet.Numeral(text: "\($0)", centre: point(Double($0), isHorizontal ? 4.6 : 5.8))
      }
  }
}

/// The offset and the scale that align a printer's output with the stock.
///
/// A point is scaled from the sheet's top left corner, then moved. The scale is the intended length
/// divided by the measured one: 200 mm measured as 199.2 mm need a scale of 1.004.
package struct PrinterCalibration: Hashable, Sendable {
  /// The offset to the right, in millimetres.
  package let offsetX: Double
  /// The offset downwards, in millimetres.
  package let offsetY: Double
  /// The factor for widths.
  package let scaleX: Double
  /// The factor for heights.
  package let scaleY: Double

  /// The plausible offsets, in millimetres.
  package static let offsets = -20.0...20.0
  /// The plausible scales.
  package static let scales = 0.95...1.05

  /// An accurate printer.
  package static let none = PrinterCalibration(
    uncheckedOffsetX: 0, offsetY: 0, scaleX: 1, scaleY: 1)

  /// Makes a calibration.
  ///
  /// - Returns: `nil` if a number is outside ``offsets`` or ``scales``.
  package init?(offsetX: Double = 0, offsetY: Double = 0, scaleX: Double = 1, scaleY: Double = 1) {
    guard Self.offsets.contains(offsetX), Self.offsets.contains(offsetY),
      Self.scales.contains(scaleX), Self.scales.contains(scaleY)
    else { return nil }
    self.init(uncheckedOffsetX: offsetX, offsetY: offsetY, scaleX: scaleX, scaleY: scaleY)
  }

  private init(uncheckedOffsetX: Double, offsetY: Double, scaleX: Double, scaleY: Double) {
    offsetX = uncheckedOffsetX
    self.offsetY = offsetY
    self.scaleX = scaleX
    self.scaleY = scaleY
  }

  /// Returns the printed position of a point.
  package func applied(to point: DrawingPoint) -> DrawingPoint {
    DrawingPoint(x: point.x * scaleX + offsetX, y: point.y * scaleY + offsetY)
  }

  /// Returns the printed position of a box.
  package func applied(to box: DrawingBox) -> DrawingBox {
    let corner = applied(to: DrawingPoint(x: box.x, y: box.y))
    return DrawingBox(
      x: corner.x, y: corner.y, width: box.width * scaleX, height: box.height * scaleY)
  }
}
