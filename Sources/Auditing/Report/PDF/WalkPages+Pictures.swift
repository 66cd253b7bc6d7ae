import CliptagBasics
import Verifying
import CodeDrawing
import Invocation
import Registry

extension WalkPages {
  /// Writes the maps with the legend of their signs.
  func writeMap<Sink: ByteSink>(to flow: inout PageFlow<Sink>) throws {
    guard let map = WalkMap(of: report), map.tellsSomething else { return }
    let gap = 6.0
    let first = map.hasOverview ? [map.overview(width: width)] : map.helpfulPanels(width: width)
    let others = map.hasOverview ? map.helpfulPanels(width: (width - gap) / 2) : []
    let rows =
      first.map { [$0] }
      + stride(from: 0, to: others.count, by: 2).map {
        Array(others[$0..<min($0 + 2, others.count)])
      }
    for (number, row) in rows.enumerated() {
      var block = PageBlock()
      for (column, panel) in row.enumerated() {
        let x = Double(column) * (panel.width + gap)
        let title = try text.text(panel.title, size: 3.2, weight: 600, width: panel.width)
        block.elements.append(.text(.init(text: title, corner: DrawingPoint(x: x, y: 0))))
        let top = title.height + 1.5
        block.elements += try panel.elements(at: DrawingPoint(x: x, y: top), text)
        block.height = max(block.height, top + panel.height)
      }
      if number == 0 {
        try flow.put(try heading(outline.mapHeading), gap: 9, following: block.height + 3)
      }
      try flow.put(block, gap: 2)
    }
    try flow.put(try mapLegend(map), gap: 2)
  }

  private func mapLegend(_ map: WalkMap) throws -> PageBlock {
    var block = PageBlock()
    var x = 0.0
    for (severity, meaning) in outline.signs {
      let words = try text.line(meaning, size: 2.9)
      block.elements += sign(
        severity, centre: DrawingPoint(x: x + 2, y: words.height / 2), radius: 1.6)
      block.elements.append(
        .text(.init(text: words, corner: DrawingPoint(x: x + 5, y: 0), colour: PageInk.soft)))
      x += 5 + words.width + 6
      block.height = words.height
    }
    let walkers = outline.walkers.map { "\($0.letters): \($0.name.nameForPeople)" }
    for line in [
      outline.note(on: map), walkers.joined(separator: " · "), outline.omission(in: map) ?? "",
    ]
    where !line.isEmpty {
      block.add(try text.text(line, size: 2.9, width: width), colour: PageInk.soft, gap: 0.8)
    }
    return block
  }

  /// Writes the pictures with findings, one after the other.
  func writePictures<Sink: ByteSink>(to flow: inout PageFlow<Sink>) throws {
    guard !outline.exhibits.isEmpty else { return }
    try flow.put(try heading(outline.picturesHeading), gap: 9, following: 106)
    for (index, exhibit) in outline.exhibits.enumerated() {
      let stop = exhibit.stop
      var rows = [PageBlock()]
      rows[0].add(
        try text.text("Picture \(index + 1)", size: 4, weight: 700, width: legendWidth),
        role: .heading)
      rows[0].add(
        try text.text(joined(outline.facts(of: exhibit)), size: 2.8, width: legendWidth),
        colour: PageInk.soft)
      rows += try legend(of: exhibit)
      let copy = try material.picture(stop.walk, stop.number)
      try write(exhibit, copy, rows, to: &flow)
    }
  }

  private var pictureWidth: Double { width * 0.56 }
  private var legendWidth: Double { width * 0.41 }

  /// Places a picture with as much of its legend beside it as fits, and the rest below.
  private func write<Sink: ByteSink>(
    _ exhibit: WalkReport.Exhibit, _ copy: WalkPicture?, _ rows: [PageBlock],
    to flow: inout PageFlow<Sink>
  ) throws {
    var block = PageBlock()
    if let copy, let picture = photograph(exhibit, copy) {
      block = picture
    } else {
      block.add(
        try text.text(outline.noCopy, size: 3.2, width: pictureWidth),
        colour: PageInk.soft)
      block.height += 20
    }
    let left = width - legendWidth
    var y = 0.0
    var rest = rows[...]
    while let row = rest.first, y == 0 || y + row.height <= max(block.height, 60) {
      block.elements += row.elements.map { $0.moved(right: left, down: y) }
      y += row.height + 1.5
      rest = rest.dropFirst()
    }
    block.height = max(block.height, y)
    try flow.put(block, gap: 5)
    for row in rest {
      var moved = row
      moved.elements = row.elements.map { $0.moved(right: left, down: 0) }
      try flow.put(moved, gap: 1.5)
    }
  }

  /// A picture with its marks; `nil` for data that a page cannot hold.
  private func photograph(_ exhibit: WalkReport.Exhibit, _ copy: WalkPicture) -> PageBlock? {
    let marks = PictureMarks(exhibit, on: copy)
    guard let jpeg = JPEGPicture(copy.jpeg, alternativeText: marks.description),
      marks.width > 0, marks.height > 0
    else { return nil }
    let scale = min(pictureWidth / marks.width, 100 / marks.height)
    var block = PageBlock()
    block.height = marks.height * scale
    block.elements = [
      .photograph(
        jpeg, DrawingBox(x: 0, y: 0, width: marks.width * scale, height: block.height),
        within: nil)
    ]
    for mark in marks.marks {
      let outline = DrawingPath(
        [.move(mark.corners[0])] + mark.corners.dropFirst().map { .line($0) } + [.close]
      ).placed(at: DrawingPoint(x: 0, y: 0), scale: scale)
      let colour = PictureMarks.edge(mark.severity)
      block.elements += [
        .line(outline, .init(width: 0.9, colour: .white)),
        .line(
          outline,
          .init(width: 0.5, colour: colour, dashes: mark.severity == .warning ? [2, 1] : [])),
      ]
    }
    return block.adding(badgesOf: marks, scale: scale, text)
  }

  /// The legend of the numbers in a picture.
  private func legend(of exhibit: WalkReport.Exhibit) throws -> [PageBlock] {
    let legend = outline.legend(of: exhibit)
    var rows = try legend.rows.map { row in
      try block(row.number, row.severity, row.titles)
    }
    if let rest = legend.rest {
      var block = PageBlock()
      block.add(try text.text(rest, size: 2.8, width: legendWidth), colour: PageInk.soft)
      rows.append(block)
    }
    return rows
  }

  private func block(
    _ number: Int?, _ severity: Finding.Severity?, _ titles: String
  ) throws -> PageBlock {
    let indent = 7.0
    var block = PageBlock()
    let stop = MapStop(
      severity: severity, centre: DrawingPoint(x: 2.4, y: 2.6),
      label: number.map(String.init) ?? "", title: "", isSeveral: false)
    block.elements.append(.shape(stop.path, stop.ink.fill ?? .black))
    if number != nil { block.elements.append(try text.element(stop.words)) }
    block.add(
      try text.text(titles, size: 2.8, width: legendWidth - indent), x: indent, gap: 0.6)
    block.height = max(block.height, 5.4)
    return block
  }
}

extension WalkPages {
  /// The part of a picture that shows a task; `nil` if there is none.
  ///
  /// - Parameter side: The side of the square, in millimetres.
  func detail(of job: WalkReport.PlaceSection.Job, side: Double) throws -> PageBlock? {
    guard let number = outline.number(ofPictureOf: job.lead) else { return nil }
    let exhibit = outline.exhibits[number - 1]
    guard let copy = try material.picture(exhibit.stop.walk, exhibit.stop.number) else {
      return nil
    }
    let marks = PictureMarks(exhibit, on: copy)
    guard marks.width > 0, marks.height > 0,
      let jpeg = JPEGPicture(
        copy.jpeg,
        alternativeText: job.lead.reading == nil
          ? marks.description : "The code in picture \(number)")
    else { return nil }
    let part = marks.detail(ofReading: job.lead.reading)
    let scale = side / max(part.width, part.height)
    let frame = DrawingBox(
      x: 0, y: 0, width: part.width * scale, height: part.height * scale)
    var block = PageBlock()
    block.height = frame.height
    block.elements = [
      .photograph(
        jpeg,
        DrawingBox(
          x: -part.x * scale, y: -part.y * scale, width: marks.width * scale,
          height: marks.height * scale), within: frame)
    ]
    if let mark = marks.mark(ofReading: job.lead.reading) {
      let corners = frame.clipping(
        mark.corners.map {
          DrawingPoint(x: ($0.x - part.x) * scale, y: ($0.y - part.y) * scale)
        })
      if corners.count >= 3 {
        let path = DrawingPath(
          [.move(corners[0])] + corners.dropFirst().map { .line($0) } + [.close])
        block.elements += [
          .line(path, .init(width: 1, colour: .white)),
          .line(path, .init(width: 0.5, colour: PictureMarks.edge(mark.severity))),
        ]
      }
    }
    return block
  }
}

extension PictureMarks {
  /// The colour of the line around a code.
  static func edge(_ severity: Finding.Severity?) -> Colour {
    severity == .warning
      ? Colour(red: 0x8A, green: 0x5A, blue: 0) : MapSign.ink(severity).fill ?? .black
  }
}

extension PageBlock {
  /// The numbers of codes over a picture.
  fileprivate func adding(
    badgesOf marks: PictureMarks, scale: Double, _ text: PageText
  ) -> PageBlock {
    var block = self
    for mark in marks.marks {
      let stop = MapStop(
        severity: mark.severity, centre: DrawingPoint(x: 0, y: 0), label: "\(mark.number)",
        title: "", isSeveral: false)
      let size = max(marks.badgeRadius * scale, 1.5) / stop.radius
      let at = DrawingPoint(x: mark.badge.x * scale, y: mark.badge.y * scale)
      let path = stop.path.placed(at: at, scale: size)
      block.elements.append(.shape(path, stop.ink.fill ?? .black))
      block.elements.append(.line(path, .init(width: 0.25, colour: .white)))
      let words = stop.words
      let scaled = MapWords(
        text: words.text,
        point: DrawingPoint(x: at.x + words.point.x * size, y: at.y + words.point.y * size),
        size: words.size * size, anchor: .middle, isBold: true, ink: words.ink)
      // Every font has digits.
      if let element = try? text.element(scaled) { block.elements.append(element) }
    }
    return block
  }
}
