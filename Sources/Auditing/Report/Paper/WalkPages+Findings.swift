import CodeDrawing
import Invocation
import Registry

extension WalkPages {
  /// Writes what to do, place by place.
  func writeFindings<Sink: ByteSink>(to flow: inout PageFlow<Sink>) throws {
    try flow.put(try heading("What to do now"), gap: 9, following: 30)
    let sections = report.sections.filter { !$0.items.isEmpty }
    guard !sections.isEmpty else {
      var block = PageBlock()
      let words =
        report.stopCount == 0
        ? "Begin the walk: nothing was read so far." : "Nothing. Everything that was read is well."
      block.add(try text.text(words, size: 3.6, width: width), colour: PageInk.soft)
      return try flow.put(block)
    }
    for (index, section) in sections.enumerated() {
      var title = PageBlock()
      title.add(try text.text(section.title, size: 4.6, weight: 700, width: width), role: .heading)
      let facts =
        section.expected > 0
        ? "\(Counted.grouped(section.seen)) of \(Counted.text(section.expected, "code")) read · "
        : ""
      title.add(
        try text.text(facts + Counted.text(section.stops, "stop"), size: 3, width: width),
        colour: PageInk.soft)
      try flow.put(title, gap: index == 0 ? 1 : 6, following: 25)
      for group in section.groups { try write(group, to: &flow) }
    }
  }

  private static let indent = 5.0

  private func write<Sink: ByteSink>(
    _ group: WalkReport.PlaceSection.Group, to flow: inout PageFlow<Sink>
  ) throws {
    var title = PageBlock()
    let head = try text.text(
      "\(group.code.title) (\(Counted.grouped(group.items.count)))", size: 3.8, weight: 700,
      width: width - Self.indent - 6)
    title.elements += sign(
      group.severity, centre: DrawingPoint(x: Self.indent + 2, y: head.height / 2), radius: 1.7)
    title.add(head, x: Self.indent + 6, role: .heading)
    if let advice = group.code.advice {
      title.add(
        try text.text(advice, size: 3.3, weight: 500, width: width - Self.indent), x: Self.indent)
    }
    try flow.put(barred(title, group.severity), gap: 2.5, following: 12)
    for item in group.items { try flow.put(barred(try block(item), group.severity)) }
  }

  /// A block with a bar at its left, which tells how grave it is.
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

  private func block(_ item: WalkReport.Item) throws -> PageBlock {
    let room = width - Self.indent
    var block = PageBlock()
    block.height = 1.2
    block.elements.append(
      .line(
        .segment(
          from: DrawingPoint(x: Self.indent, y: 0.6), to: DrawingPoint(x: width, y: 0.6)),
        .init(width: 0.2, colour: PageInk.line)))
    if let payload = item.payload {
      block.add(try text.text(payload, size: 3.2, weight: 600, width: room), x: Self.indent)
    }
    block.add(
      try text.text(item.finding.message.sentenceForPeople, size: 3.2, width: room), x: Self.indent)
    var facts: [String] = []
    if let carrier = item.carrier { facts.append(carrier) }
    if let code = item.code { facts.append(code.id.description) }
    if let stop = item.stop {
      facts.append("Stop \(report.stopName(stop.number, of: stop.walk))")
      if let fix = stop.fix { facts.append(fix.forPeople) }
    }
    if !facts.isEmpty {
      block.add(
        try text.text(facts.joined(separator: " · "), size: 2.8, width: room), x: Self.indent,
        colour: PageInk.soft)
    }
    block.height += 0.8
    return block
  }

  // MARK: Places

  /// Writes how much of what should hang was seen, place by place.
  func writePlaces<Sink: ByteSink>(to flow: inout PageFlow<Sink>) throws {
    guard !report.sections.isEmpty else { return }
    try flow.put(try heading("Places"), gap: 9, following: 25)
    try flow.put(
      try row("Place", ["Expected", "Seen", "Missing", "Stops", "Findings"], nil, isHead: true))
    for section in report.sections {
      let numbers = [
        section.expected, section.seen, section.missing.count, section.stops, section.items.count,
      ]
      try flow.put(
        try row(section.title, numbers.map(Counted.grouped), section.severity, isSection: true))
    }
    let totals = [
      report.expectedCount, report.seenCount, report.missingCount,
      report.sections.reduce(0) { $0 + $1.stops },
      report.sections.reduce(0) { $0 + $1.items.count },
    ]
    try flow.put(try row("Together", totals.map(Counted.grouped), nil, isHead: true))
  }

  private func row(
    _ title: String, _ cells: [String], _ severity: Finding.Severity?, isHead: Bool = false,
    isSection: Bool = false
  ) throws -> PageBlock {
    let cell = 19.0
    let name = try text.text(
      title, size: 3.3, weight: isHead ? 600 : 400, width: width - cell * 5 - 6)
    var block = PageBlock()
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
      let text = try text.line(words, size: isHead ? 3 : 3.3, weight: isHead ? 600 : 400)
      block.elements.append(
        .text(.init(text: text, corner: DrawingPoint(x: right - text.width, y: 1.2))))
    }
    block.height = name.height + 2.4
    return block
  }

  /// Writes the places where nobody was.
  func writeUnvisited<Sink: ByteSink>(to flow: inout PageFlow<Sink>) throws {
    guard !report.unvisited.isEmpty else { return }
    try flow.put(try heading("Not visited"), gap: 9, following: 25)
    var words = PageBlock()
    words.add(
      try text.text(
        "Codes should hang at \(Counted.text(report.unvisited.count, "more place")), where no stop "
          + "was made. Nothing is known of them.", size: 3.3, width: width), colour: PageInk.soft)
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
