import CodeDrawing
import QRSymbol

extension LabelSheetJob {
  /// Draws all sheets, each written as soon as it is full.
  ///
  /// - Parameter sink: Where the PDF goes; its bytes are flushed.
  /// - Returns: Where every label is, in the order of the sheets.
  /// - Throws: ``IssuingError`` with code `caption-too-long` that names row and column,
  ///   `CodeDrawingError`, `QRSymbolError`, `TextError`, or what the sink throws.
  package func draw(to sink: FileSink) throws -> [Label] {
    let designer = LabelDesigner(
      shape: options.stock.shape, dotsPerInch: options.dotsPerInch, shaper: TextShaper())
    var writer = try PDFWriter(
      to: sink,
      information: .init(title: options.title, creationTime: options.creationTime))
    let frames = options.stock.frames.map(options.calibration.moved)
    var positions = LabelPositions(labelsPerPage: frames.count, start: options.start)
    var page = emptyPage
    var pageNumber = 1
    var labels: [Label] = []
    labels.reserveCapacity(labelCount)
    for row in file.rows() {
      try Task.checkCancellation()
      let layout = try layout(of: row, designer)
      for _ in 0..<(row.copies ?? options.copies) {
        let place = positions.next()
        if place.page != pageNumber {
          try add(page, to: &writer)
          page = emptyPage
          pageNumber = place.page
        }
        let frame = frames[place.position - 1]
        page.elements += layout.elements(in: frame)
        labels.append(
          Label(
            row: row.number, place: place, box: layout.codeBox(in: frame),
            moduleSize: layout.code.size.moduleSize, version: layout.code.symbol.version,
            errorCorrection: layout.code.symbol.errorCorrection))
      }
    }
    try add(page, to: &writer)
    _ = try writer.finished()
    try sink.flush()
    return labels
  }

  private func layout(of row: LabelFile.Row, _ designer: LabelDesigner) throws -> LabelLayout {
    do {
      return try designer.layout(
        QRSymbol(row.url, minimumErrorCorrection: options.errorCorrection),
        captions: options.captions.map { row.values[$0] })
    } catch let problem as CaptionProblem {
      let index = options.captions[problem.caption]
      let position = file.position(ofColumn: index, inRow: row.number)
      throw IssuingError(
        .captionTooLong,
        "Row \(row.number) (line \(position.line)), column \(file.columns[index]): "
          + "\(problem.message).", hint: problem.hint)
    } catch let error as TextError {
      throw IssuingError(
        .captionTooLong, "Row \(row.number) (line \(row.line)): \(error.message)",
        hint: error.hint, underlying: error)
    }
  }

  private var emptyPage: PageDrawing {
    PageDrawing(width: options.stock.paper.width, height: options.stock.paper.height)
  }

  /// Writes a sheet, with the lines that are on every one above the codes' quiet zones.
  private func add(_ page: PageDrawing, to writer: inout PDFWriter<FileSink>) throws {
    let (stock, calibration) = (options.stock, options.calibration)
    var page = page
    if options.hasOutlines {
      for frame in stock.frames {
        page.elements.append(
          .line(stock.shape.outline(in: calibration.applied(to: frame)), .sheet))
      }
    }
    for mark in options.hasCutMarks ? stock.cutMarks : [] {
      let (start, end) = (calibration.applied(to: mark.start), calibration.applied(to: mark.end))
      page.elements.append(.line(.segment(from: start, to: end), .sheet))
    }
    try writer.add(page)
  }
}

extension PageDrawing.LineStyle {
  /// As thin as printers draw.
  fileprivate static let sheet = PageDrawing.LineStyle(width: 0.1)
}

extension PrinterCalibration {
  /// A label moved to where it is printed; it keeps its size, because modules are whole dots.
  fileprivate func moved(_ frame: DrawingBox) -> DrawingBox {
    let centre = applied(to: frame.centre)
    return frame.moved(right: centre.x - frame.centre.x, down: centre.y - frame.centre.y)
  }
}

extension IssuingError.Code {
  /// A caption has no room on its label, or cannot be set.
  public static let captionTooLong = Self(rawValue: "caption-too-long")
}
