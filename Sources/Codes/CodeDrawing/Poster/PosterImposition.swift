import CliptagBasics

/// Posters of one size beside and above each other on larger sheets, with cut marks.
public struct PosterImposition: Hashable, Sendable {
  /// The sheet, turned so that more posters fit on it.
  public let sheet: PaperSize
  /// The trimmed pages on the sheet, row by row, in millimetres.
  public let cells: [DrawingBox]
  /// The distance by which the drawings extend beyond their pages.
  private let bleed: Double

  /// Arranges as many posters as fit, in the middle of the sheet.
  ///
  /// - Parameters:
  ///   - width: The width of a trimmed poster in millimetres.
  ///   - height: Its height.
  ///   - bleed: The distance by which a poster extends beyond every edge, and keeps from the next one.
  ///   - sheet: The sheet in either orientation.
  ///   - dotsPerInch: The resolution of the printer, on whose dots the pages begin.
  /// - Throws: ``CodeDrawingError`` with code `no-room` for a sheet that is smaller than a poster.
  public init(
    width: Double, height: Double, bleed: Double, on sheet: PaperSize, dotsPerInch: Double
  ) throws(CodeDrawingError) {
    func count(_ length: Double, _ side: Double) -> Int {
      // One poster fits without its bleed, too.
      max(Int(bounded: (length + 1e-6) / (side + 2 * bleed)), length + 1e-6 >= side ? 1 : 0)
    }
    func grid(_ sheet: PaperSize) -> (columns: Int, rows: Int) {
      (count(sheet.width, width), count(sheet.height, height))
    }
    let sheets = [sheet.upright, sheet.landscape]
    let best = sheets.max { one, other in
      let (first, second) = (grid(one), grid(other))
      return first.columns * first.rows < second.columns * second.rows
    }
    let turned = best ?? sheet
    let (columns, rows) = grid(turned)
    guard columns * rows > 0 else { throw .noRoomOnSheet(width, height, sheet) }
    func start(_ index: Int, of count: Int, _ side: Double, _ length: Double) -> Double {
      let pitch = side + 2 * bleed
      let first = (length - Double(count) * pitch) / 2 + bleed
      return PageDrawing.snapped(first + Double(index) * pitch, dotsPerInch: dotsPerInch)
    }
    self.sheet = turned
    self.bleed = bleed
    cells = (0..<rows * columns).map { index in
      DrawingBox(
        x: start(index % columns, of: columns, width, turned.width),
        y: start(index / columns, of: rows, height, turned.height), width: width, height: height)
    }
  }

  /// Draws a sheet.
  ///
  /// - Parameter pages: The posters, at most as many as there are ``cells``.
  public func page(_ pages: [PageDrawing]) -> PageDrawing {
    var page = PageDrawing(width: sheet.width, height: sheet.height)
    for (poster, cell) in zip(pages, cells) {
      page.elements += poster.elements.map { $0.moved(right: cell.x, down: cell.y) }
    }
    let style = page.markStyle
    // The marks keep off the bleed.
    for line in SheetLine.cutMarks(of: cells, on: (sheet.width, sheet.height), gap: max(bleed, 1)) {
      page.elements.append(
        .line(.segment(from: line.start, to: line.end), style))
    }
    return page
  }
}

extension PageDrawing.Element {
  /// The element at another place.
  fileprivate func moved(right: Double, down: Double) -> PageDrawing.Element {
    let offset = DrawingPoint(x: right, y: down)
    func moved(_ point: DrawingPoint) -> DrawingPoint {
      DrawingPoint(x: point.x + right, y: point.y + down)
    }
    switch self {
    case .shape(let path, let colour): return .shape(path.placed(at: offset), colour)
    case .line(let path, let style): return .line(path.placed(at: offset), style)
    case .code(let code, let corner): return .code(code, moved(corner))
    case .appClipCode(let code, let corner): return .appClipCode(code, moved(corner))
    case .picture(let picture, let box):
      return .picture(picture, box.moved(right: right, down: down))
    case .text(var words):
      words.corner = moved(words.corner)
      return .text(words)
    case .clipped(let elements, let box):
      return .clipped(
        elements.map { $0.moved(right: right, down: down) }, box.moved(right: right, down: down))
    case .group(let elements, var placement):
      placement.corner = moved(placement.corner)
      return .group(elements, placement)
    }
  }
}

extension CodeDrawingError {
  fileprivate static func noRoomOnSheet(
    _ width: Double, _ height: Double, _ sheet: PaperSize
  ) -> CodeDrawingError {
    CodeDrawingError(
      .noRoom,
      "A sheet of \(asGiven(sheet.width)) × \(asGiven(sheet.height)) mm has no room for a poster of "
        + "\(asGiven(width)) × \(asGiven(height)) mm.",
      hint: "Give a larger sheet, or posters on smaller paper.")
  }
}
