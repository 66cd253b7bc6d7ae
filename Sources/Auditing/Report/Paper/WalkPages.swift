package import CodeDrawing
import Foundation
import Invocation
import Registry

/// What walks found, as pages to print and to file: the same as ``WalkPage``, in the same order.
package struct WalkPages {
  /// What was found.
  package let report: WalkReport
  /// Where pictures and stops come from.
  package let material: WalkMaterial
  /// The sheet, at least 120 mm wide and 160 mm high.
  package let paper: PaperSize

  let text = PageText()

  /// Plans pages.
  ///
  /// - Throws: `CodeDrawingError` with `invalidPaper` for a sheet that is too small.
  package init(
    _ report: WalkReport, material: WalkMaterial, on paper: PaperSize
  ) throws(CodeDrawingError) {
    guard paper.width >= 120, paper.height >= 160 else {
      throw .paperTooSmall(paper, for: "a report")
    }
    self.report = report
    self.material = material
    self.paper = paper
  }

  /// Writes the pages as PDF, each as soon as it is full, with one picture in memory at a time.
  ///
  /// - Parameters:
  ///   - sink: Where the bytes go.
  ///   - creationTime: When the document says it was made, in seconds since 1970; `nil` for none.
  /// - Returns: The number of pages, and the sink, which has all bytes.
  /// - Throws: What the sink or the material throws, or `TextError` when a font cannot be read.
  ///   Cancelling the task ends the writing.
  package func write<Sink: ByteSink>(
    to sink: Sink, creationTime: Int?
  ) throws -> (pages: Int, sink: Sink) {
    let title = report.title.nameForPeople
    let writer = try PDFWriter(
      to: sink,
      information: .init(
        title: "\(title): walk report", subject: report.answer, creationTime: creationTime))
    var flow = PageFlow(
      to: writer, on: paper, text: text, header: "\(title) · walk report",
      footer: "Made on \(WalkReport.Day(report.made).text) by cliptag. Times are in UTC.")
    try flow.put(try opening())
    try writeFindings(to: &flow)
    try writeMap(to: &flow)
    try writePlaces(to: &flow)
    try writePictures(to: &flow)
    try writeUnvisited(to: &flow)
    try writeStops(to: &flow)
    let whole = try flow.finished()
    return (flow.pageCount, whole)
  }

  var width: Double { paper.width - 2 * PageMeasures.margin }

  // MARK: Blocks

  /// A heading of a part.
  func heading(_ words: String) throws -> PageBlock {
    var block = PageBlock()
    block.add(try text.text(words, size: 6, weight: 700, width: width), role: .heading)
    block.height += 1
    return block
  }

  private func opening() throws -> PageBlock {
    var block = PageBlock()
    block.add(
      try text.text("WALK REPORT", size: 2.8, weight: 600, width: width), colour: PageInk.soft)
    block.add(
      try text.text(report.title.nameForPeople, size: 9, weight: 700, width: width), role: .heading)
    var facts = [report.days ?? "No stops yet"]
    if !report.walkers.isEmpty {
      let names = report.walkers.prefix(12).map(\.nameForPeople)
      let rest = report.walkers.count - names.count
      facts.append("walked by " + Counted.list(names + (rest > 0 ? ["\(rest) more"] : [])))
    }
    facts.append(Counted.text(report.stopCount, "stop"))
    block.add(
      try text.text(facts.joined(separator: " · "), size: 3.6, width: width), colour: PageInk.soft,
      gap: 1)
    block.height += 4
    try addAnswer(to: &block)
    block.height += 3
    try addFigures(to: &block)
    return block
  }

  private func addAnswer(to block: inout PageBlock) throws {
    let words = try text.text(report.answer, size: 4.8, weight: 600, width: width - 20)
    let box = DrawingBox(x: 0, y: block.height, width: width, height: max(13, words.height + 8))
    let ground =
      switch report.standing {
      case .error: PageInk.errorGround
      case .warning: PageInk.warningGround
      case .fine: PageInk.fineGround
      }
    block.elements.append(.shape(.rectangle(box, cornerRadius: 2.5), ground))
    block.elements += sign(
      report.severity, centre: DrawingPoint(x: 8, y: box.y + 4 + 3), radius: 2.8)
    block.elements.append(
      .text(
        .init(
          text: words,
          corner: DrawingPoint(x: 15, y: box.y + (box.height - words.height) / 2))))
    block.height = box.bottom
  }

  private func addFigures(to block: inout PageBlock) throws {
    let figures: [(title: String, count: Int, all: Int?, colour: Colour)] = [
      ("Where they belong", report.seenCount, report.expectedCount, PageInk.fine),
      ("Missing", report.missingCount, nil, PageInk.error),
      ("Wrong", report.wrongCount, nil, PageInk.error),
      ("Need a look", report.doubtfulCount, nil, PageInk.warning),
      ("Places not visited", report.unvisited.count, nil, PageInk.warning),
    ]
    let gap = 2.5
    let side = (width - gap * Double(figures.count - 1)) / Double(figures.count)
    let top = block.height
    for (index, figure) in figures.enumerated() {
      let box = DrawingBox(x: Double(index) * (side + gap), y: top, width: side, height: 17)
      block.elements.append(
        .line(.rectangle(box, cornerRadius: 2), .init(width: 0.25, colour: PageInk.line)))
      let isPlain = figure.count == 0 && figure.all == nil
      let number = try text.line(Counted.grouped(figure.count), size: 6, weight: 700)
      block.elements.append(
        .text(
          .init(
            text: number, corner: DrawingPoint(x: box.x + 3, y: top + 1.5),
            colour: isPlain ? PageInk.soft : figure.colour)))
      if let all = figure.all {
        let of = try text.line("of \(Counted.grouped(all))", size: 3)
        block.elements.append(
          .text(
            .init(
              text: of,
              corner: DrawingPoint(x: box.x + 4.2 + number.width, y: top + 5), colour: PageInk.soft)
          ))
      }
      block.elements.append(
        .text(
          .init(
            text: try text.text(figure.title, size: 2.7, width: side - 4),
            corner: DrawingPoint(x: box.x + 3, y: top + 10.5), colour: PageInk.soft)))
    }
    block.height = top + 17
  }

  /// The sign of a severity; beside it stand words.
  func sign(
    _ severity: Finding.Severity?, centre: DrawingPoint, radius: Double
  ) -> [PageDrawing.Element] {
    let path = MapSign.path(severity, centre: centre, radius: radius)
    let unit = radius / 9
    func point(_ x: Double, _ y: Double) -> DrawingPoint {
      DrawingPoint(x: centre.x + (x - 12) * unit, y: centre.y + (y - 12) * unit)
    }
    let strokes: [DrawingPath] =
      switch severity {
      case .error:
        [
          .segment(from: point(8, 8), to: point(16, 16)),
          .segment(from: point(16, 8), to: point(8, 16)),
        ]
      case .warning:
        [
          .segment(from: point(12, 8.5), to: point(12, 14)),
          .segment(from: point(12, 16.4), to: point(12, 18.4)),
        ]
      case .note:
        [
          .segment(from: point(12, 11), to: point(12, 17)),
          .segment(from: point(12, 7), to: point(12, 9)),
        ]
      case nil:
        [
          .segment(from: point(7.5, 12.5), to: point(10.8, 16)),
          .segment(from: point(10.8, 16), to: point(16.5, 8.5)),
        ]
      }
    let ink = MapSign.ink(severity)
    return [.shape(path, ink.fill ?? .black)]
      + strokes.map {
        .line($0, .init(width: 2.4 * unit, colour: severity == .warning ? .black : .white))
      }
  }
}
