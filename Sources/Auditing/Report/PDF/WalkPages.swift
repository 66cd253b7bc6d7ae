import CliptagBasics
package import CodeDrawing
import Foundation
import Invocation
import Registry
import Verifying

/// The report of walks as pages for print and archive: the same contents as ``WalkPage``, in the
/// same order.
package struct WalkPages {
  let outline: ReportOutline
  let material: WalkMaterial
  private let paper: PaperSize
  let text = PageText()

  var report: WalkReport { outline.report }

  /// Plans pages.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - material: The source of pictures and stops.
  ///   - paper: The sheet, at least 120 mm wide and 160 mm high.
  /// - Throws: `CodeDrawingError` with `invalidPaper` for a sheet that is too small.
  package init(
    _ report: WalkReport, material: WalkMaterial, on paper: PaperSize
  ) throws(CodeDrawingError) {
    guard paper.width >= 120, paper.height >= 160 else {
      throw .paperTooSmall(paper, for: "a report")
    }
    outline = ReportOutline(of: report)
    self.material = material
    self.paper = paper
  }

  /// Writes the pages as PDF, each as soon as it is full, with one picture in memory at a time.
  ///
  /// - Parameters:
  ///   - sink: The destination of the bytes.
  ///   - creationTime: The creation time in the document, in seconds since 1970; `nil` for none.
  /// - Returns: The number of pages, and the sink with all bytes written.
  /// - Throws: The errors of the sink or the material, or `TextError` when a font cannot be read.
  ///   Cancelling the task ends the writing.
  package func write<Sink: ByteSink>(
    to sink: Sink, creationTime: Int?
  ) throws -> (pages: Int, sink: Sink) {
    let title = outline.title.plain
    let writer = try PDFWriter(
      to: sink,
      information: .init(
        title: "\(title): walk report", subject: report.answer, creationTime: creationTime))
    var flow = PageFlow(
      to: writer, on: paper, text: text, header: "\(title) · walk report",
      footer: outline.footer("."))
    try flow.put(try opening())
    if outline.troubled.count > 1 {
      // The first pages list the places; then each place has separate pages to take along.
      try writeSummary(to: &flow)
      try writeMap(to: &flow)
      try writePlaces(to: &flow)
      try writeFindings(to: &flow)
    } else {
      try writeFindings(to: &flow)
      try writeMap(to: &flow)
      try writePlaces(to: &flow)
    }
    try writePictures(to: &flow)
    try writeUnvisited(to: &flow)
    try writeStops(to: &flow)
    let whole = try flow.finished()
    return (flow.pageCount, whole)
  }

  var width: Double { paper.width - 2 * PageMeasures.margin }

  /// Joins facts on one line.
  func joined(_ facts: [ReportText]) -> String { facts.map(\.plain).joined(separator: " · ") }

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
      try text.text(outline.kind.uppercased(), size: 2.8, weight: 600, width: width),
      colour: PageInk.soft)
    block.add(
      try text.text(outline.title.plain, size: 9, weight: 700, width: width), role: .heading)
    block.add(
      try text.text(joined(outline.facts), size: 3.6, width: width), colour: PageInk.soft,
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
    let figures = outline.figures
    let gap = 2.5
    let side = (width - gap * Double(figures.count - 1)) / Double(figures.count)
    let top = block.height
    for (index, figure) in figures.enumerated() {
      let box = DrawingBox(x: Double(index) * (side + gap), y: top, width: side, height: 20)
      block.elements.append(
        .line(.rectangle(box, cornerRadius: 2), .init(width: 0.25, colour: PageInk.line)))
      let number = try text.line(Counted.grouped(figure.count), size: 6, weight: 700)
      block.elements.append(
        .text(
          .init(
            text: number, corner: DrawingPoint(x: box.x + 3, y: top + 1.5),
            colour: figure.matters ? PageInk.of(figure.standing) : PageInk.soft)))
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
    block.height = top + 20
  }

  /// The sign of a severity; text beside it gives the meaning.
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

extension WalkPages {
  /// Writes the places with tasks, the most severe first.
  private func writeSummary<Sink: ByteSink>(to flow: inout PageFlow<Sink>) throws {
    try flow.put(try heading(outline.findingsHeading), gap: 9, following: 30)
    for section in outline.troubled { try flow.put(try summary(of: section)) }
  }

  /// Writes the tasks, place by place.
  private func writeFindings<Sink: ByteSink>(to flow: inout PageFlow<Sink>) throws {
    let troubled = outline.troubled
    if troubled.count < 2 {
      try flow.put(try heading(outline.findingsHeading), gap: 9, following: 30)
    }
    if let nothing = outline.nothing {
      var block = PageBlock()
      block.add(try text.text(nothing, size: 3.6, width: width), colour: PageInk.soft)
      return try flow.put(block)
    }
    for (index, section) in troubled.enumerated() {
      if troubled.count > 1 { try flow.beginPage() }
      var title = PageBlock()
      title.add(
        try text.text(section.title, size: troubled.count > 1 ? 6 : 4.6, weight: 700, width: width),
        role: .heading)
      let facts = [outline.facts(of: section), outline.position(of: section)].compactMap(\.self)
      title.add(
        try text.text(facts.joined(separator: " · "), size: 3, width: width), colour: PageInk.soft)
      try flow.put(title, gap: index == 0 ? 1 : 6, following: 25)
      for group in section.groups { try write(group, to: &flow) }
      try flow.put(try doneLine(), gap: 8)
    }
    if troubled.count > 1 { try flow.beginPage() }
  }

  /// A place and its tasks, on one line.
  private func summary(of section: WalkReport.PlaceSection) throws -> PageBlock {
    let column = width * 0.55
    let name = try text.text(section.title, size: 3.6, weight: 600, width: column - 8)
    let words = try text.text(section.summary, size: 3.6, width: width - column)
    var block = PageBlock()
    block.elements = sign(section.severity, centre: DrawingPoint(x: 2.2, y: 1 + 2.4), radius: 1.7)
    block.elements += [
      .text(.init(text: name, corner: DrawingPoint(x: 6.5, y: 1))),
      .text(.init(text: words, corner: DrawingPoint(x: column, y: 1))),
    ]
    block.height = max(name.height, words.height) + 2
    return block
  }

  /// The line for the signature of the person who visited a place.
  private func doneLine() throws -> PageBlock {
    var block = PageBlock()
    var x = 0.0
    for (words, room) in [(outline.doneBy, 60.0), (outline.doneOn, 35.0)] {
      let text = try text.line(words, size: 3.3)
      block.elements += [
        .text(.init(text: text, corner: DrawingPoint(x: x, y: 0), colour: PageInk.soft)),
        .line(
          .segment(
            from: DrawingPoint(x: x + text.width + 2, y: text.height),
            to: DrawingPoint(x: x + text.width + 2 + room, y: text.height)),
          .init(width: 0.25, colour: PageInk.soft)),
      ]
      block.height = text.height + 0.5
      x += text.width + room + 5
    }
    return block
  }

  private static let indent = 5.0

  private func write<Sink: ByteSink>(
    _ group: WalkReport.PlaceSection.Group, to flow: inout PageFlow<Sink>
  ) throws {
    var title = PageBlock()
    let head = try text.text(
      group.jobs.count == 1
        ? group.code.title : "\(group.code.title) (\(Counted.grouped(group.jobs.count)))",
      size: 3.8, weight: 700,
      width: width - Self.indent - 6)
    title.elements += sign(
      group.severity, centre: DrawingPoint(x: Self.indent + 2, y: head.height / 2), radius: 1.7)
    title.add(head, x: Self.indent + 6, role: .heading)
    if let advice = outline.advice(of: group) {
      title.add(
        try text.text(advice, size: 3.3, weight: 500, width: width - Self.indent), x: Self.indent)
    }
    let beginning = outline.commonBeginning(of: group)
    if let beginning {
      title.add(
        try text.text(beginning + "…", size: 2.8, width: width - Self.indent), x: Self.indent,
        colour: PageInk.soft)
    }
    let jobs = try group.jobs.map { job in
      try group.code == .missingCode ? line(job, behind: beginning) : block(job)
    }
    // A heading is kept on the same page as its first task.
    try flow.put(
      barred(title, group.severity), gap: 2.5, following: jobs.first?.height ?? 0)
    for job in jobs { try flow.put(barred(job, group.severity)) }
  }

  /// A block with a bar at its left, coloured by severity.
  private func barred(_ block: PageBlock, _ severity: Finding.Severity) -> PageBlock {
    var block = block
    let colour: Colour =
      switch severity {
      case .error: MapInk.error.fill ?? .black
      case .warning: MapInk.warning.fill ?? .black
      case .note: PageInk.line
      }
    block.elements.insert(
      .shape(
        .rectangle(DrawingBox(x: 0.5, y: 0, width: 1, height: block.height + 0.02)), colour),
      at: 0)
    return block
  }

  /// A block that begins with a line above it and a box to tick.
  private func ticked(_ box: Double) -> PageBlock {
    var block = PageBlock()
    block.elements = [
      .line(
        .segment(
          from: DrawingPoint(x: Self.indent, y: 0.6), to: DrawingPoint(x: width, y: 0.6)),
        .init(width: 0.2, colour: PageInk.line)),
      .line(
        .rectangle(DrawingBox(x: Self.indent, y: 1.9, width: box, height: box)),
        .init(width: 0.3)),
    ]
    block.height = 1.4
    return block
  }

  private func block(_ job: WalkReport.PlaceSection.Job) throws -> PageBlock {
    var block = ticked(4)
    var left = Self.indent + 7
    var bottom = 7.0
    if let detail = try detail(of: job, side: 26) {
      block.elements += detail.elements.map { $0.moved(right: left, down: 1.9) }
      left += 29
      bottom = 1.9 + detail.height + 1
    }
    let room = width - left
    if let payload = outline.payload(of: job) {
      block.add(try text.text(payload, size: 3.2, weight: 600, width: room), x: left)
    }
    for sentence in outline.sentences(of: job) {
      block.add(try text.text(sentence.sentenceForPeople, size: 3.2, width: room), x: left)
    }
    let facts = joined(outline.facts(of: job))
    if !facts.isEmpty {
      block.add(try text.text(facts, size: 2.8, width: room), x: left, colour: PageInk.soft)
    }
    block.height = max(block.height + 0.8, bottom)
    return block
  }

  /// A code that was not read, on one line if it fits.
  private func line(
    _ job: WalkReport.PlaceSection.Job, behind beginning: String?
  ) throws -> PageBlock {
    var block = ticked(2.6)
    let left = Self.indent + 5
    let words =
      (outline.sentences(of: job).map(\.sentenceForPeople) + [joined(outline.facts(of: job))])
      .joined(separator: " ")
    var x = left
    if let payload = outline.payload(of: job) {
      let shown = beginning.map { "…" + payload.dropFirst($0.count) } ?? payload
      let size = 3.0
      let name = try text.line(shown, size: size, weight: 600)
      let rest = try text.line(words, size: 2.6)
      if left + name.width + 2 + rest.width <= width {
        block.elements.append(
          .text(.init(text: name, corner: DrawingPoint(x: left, y: block.height))))
        x = left + name.width + 2
        block.height += 0.3
      } else {
        block.add(try text.text(shown, size: size, weight: 600, width: width - left), x: left)
      }
    }
    block.add(try text.text(words, size: 2.6, width: width - x), x: x, colour: PageInk.soft)
    block.height += 0.5
    return block
  }

  // MARK: Places

  /// Writes the expected and seen codes, place by place.
  func writePlaces<Sink: ByteSink>(to flow: inout PageFlow<Sink>) throws {
    guard !report.sections.isEmpty else { return }
    try flow.put(try heading(outline.placesHeading), gap: 9, following: 25)
    try flow.put(
      try row("Place", outline.placesColumns, nil, isHead: true))
    for section in report.sections {
      try flow.put(
        try row(
          section.title, outline.numbers(of: section).map(Counted.grouped), section.severity,
          isSection: true))
    }
    try flow.put(
      try row(outline.totalsTitle, outline.totals.map(Counted.grouped), nil, isHead: true))
  }

  private func row(
    _ title: String, _ cells: [String], _ severity: Finding.Severity?, isHead: Bool = false,
    isSection: Bool = false
  ) throws -> PageBlock {
    let cell = 19.0
    let name = try text.text(
      title, size: 3.3, weight: isHead ? 600 : 400, width: width - cell * Double(cells.count) - 6)
    var block = PageBlock()
    var height = name.height
    block.elements.append(
      .line(
        .segment(from: DrawingPoint(x: 0, y: 0), to: DrawingPoint(x: width, y: 0)),
        .init(width: 0.2, colour: PageInk.line)))
    if isSection {
      block.elements += sign(severity, centre: DrawingPoint(x: 2.2, y: 1.2 + 2.3), radius: 1.5)
    }
    block.elements.append(
      .text(.init(text: name, corner: DrawingPoint(x: isSection ? 5.5 : 0, y: 1.2))))
    for (index, words) in cells.enumerated() {
      let right = width - cell * Double(cells.count - 1 - index)
      // Header texts may need two lines; right-aligned lines are positioned by the left edge of
      // their cell.
      let text = try text.text(
        words, size: isHead ? 2.8 : 3.3, weight: isHead ? 600 : 400, width: cell - 2, atRight: true)
      block.elements.append(
        .text(.init(text: text, corner: DrawingPoint(x: right - (cell - 2), y: 1.2))))
      height = max(height, text.height)
    }
    block.height = height + 2.4
    return block
  }

  /// Writes the places that were not visited.
  func writeUnvisited<Sink: ByteSink>(to flow: inout PageFlow<Sink>) throws {
    guard !report.unvisited.isEmpty else { return }
    try flow.put(try heading(outline.unvisitedHeading), gap: 9, following: 25)
    var words = PageBlock()
    words.add(
      try text.text(outline.unvisitedSentence, size: 3.3, width: width), colour: PageInk.soft)
    words.height += 1
    try flow.put(words)
    for place in report.unvisited {
      var block = PageBlock()
      block.elements.append(
        .shape(.circle(centre: DrawingPoint(x: 1, y: 2.4), radius: 0.5), PageInk.soft))
      block.add(try text.text(place.name.nameForPeople, size: 3.3, width: width - 4), x: 4)
      try flow.put(block)
    }
  }
}

extension WalkPages {
  /// The maximum number of stops that are printed; more would fill hundreds of sheets.
  static var mostPrintedStops: Int { 2_000 }

  /// Writes every stop of every walk, as the evidence for the report.
  func writeStops<Sink: ByteSink>(to flow: inout PageFlow<Sink>) throws {
    try flow.put(try heading(outline.stopsHeading), gap: 9, following: 30)
    guard report.stopCount <= Self.mostPrintedStops else {
      var block = PageBlock()
      block.add(
        try text.text(
          "There were \(Counted.text(report.stopCount, "stop")), which are not printed here: the web "
            + "page of this report lists them.", size: 3.6, width: width))
      return try flow.put(block)
    }
    for (index, walk) in report.walks.enumerated() {
      var title = PageBlock()
      title.add(
        try text.text(
          outline.title(ofWalk: index).plain, size: 3.2, weight: 600, width: width))
      try flow.put(title, gap: index == 0 ? 0 : 5, following: 20)
      try material.forEachStop(walk.id) { stop in
        for block in try blocks(of: stop) { try flow.put(block) }
      }
    }
  }

  private static let size = 2.6

  /// A stop; one with many codes continues below and may be split between two of them.
  private func blocks(of stop: WalkStop) throws -> [PageBlock] {
    let columns = (what: 13.0, read: width * 0.4, place: width * 0.78)
    var block = PageBlock()
    block.elements = [
      .line(
        .segment(from: DrawingPoint(x: 0, y: 0), to: DrawingPoint(x: width, y: 0)),
        .init(width: 0.2, colour: PageInk.line)),
      .text(
        .init(
          text: try text.line(
            report.stopName(stop.number, of: stop.walk), size: Self.size, weight: 700),
          corner: DrawingPoint(x: 0, y: 1))),
    ]
    var bottom = 1.0
    func column(_ lines: [(String, Colour)], x: Double, width: Double) throws {
      var y = 1.0
      for (line, colour) in lines {
        let words = try text.text(line, size: Self.size, width: width)
        block.elements.append(
          .text(.init(text: words, corner: DrawingPoint(x: x, y: y), colour: colour)))
        y += words.height
      }
      bottom = max(bottom, y)
    }
    try column(what(stop), x: columns.what, width: columns.read - columns.what - 3)
    try column(place(stop), x: columns.place, width: width - columns.place)
    let room = columns.place - columns.read - 3
    var readings = try readings(of: stop, width: room)
    let first = readings.isEmpty ? PageBlock() : readings.removeFirst()
    block.elements += first.elements.map { $0.moved(right: columns.read, down: 1) }
    block.height = max(bottom, 1 + first.height)
    // Beside the other columns as far as they extend.
    var y = 1 + first.height
    while let next = readings.first, y + next.height <= block.height || readings.count == 1 {
      block.elements += next.elements.map { $0.moved(right: columns.read, down: y) }
      y += next.height
      block.height = max(block.height, y)
      readings.removeFirst()
    }
    block.height += 1
    return [block]
      + readings.map { reading in
        var moved = reading
        moved.elements = reading.elements.map { $0.moved(right: columns.read, down: 0) }
        return moved
      }
  }

  private func what(_ stop: WalkStop) -> [(String, Colour)] {
    outline.what(stop).map { line in
      guard case .identifier(let text)? = line.pieces.first else { return (line.plain, .black) }
      // A hash is kept on the line of its name.
      return (text.replacing(" ", with: "\u{A0}"), PageInk.soft)
    }
  }

  private func place(_ stop: WalkStop) -> [(String, Colour)] {
    outline.place(of: stop).map { ($0.words.plain, $0.isRemark ? PageInk.soft : .black) }
  }

  private func readings(of stop: WalkStop, width: Double) throws -> [PageBlock] {
    var blocks: [PageBlock] = []
    for reading in outline.readings(of: stop) {
      var block = PageBlock()
      let uid = reading.uid.map { " (UID \($0))" } ?? ""
      block.elements = sign(
        reading.verdict.severity, centre: DrawingPoint(x: 1.4, y: 1.9), radius: 1.2)
      block.add(
        try text.text(
          "\(reading.number)\(reading.payload.payloadForPeople)\(uid)", size: Self.size,
          width: width - 4), x: 4)
      let said = [reading.verdict.rawValue] + reading.titles
      block.add(
        try text.text(said.joined(separator: ": ").shortened(to: 600), size: 2.3, width: width - 4),
        x: 4, colour: PageInk.soft)
      blocks.append(block)
    }
    if let remainder = outline.remainder(of: stop) {
      var block = PageBlock()
      block.add(try text.text(remainder, size: Self.size, width: width), colour: PageInk.soft)
      blocks.append(block)
    }
    return blocks
  }
}
