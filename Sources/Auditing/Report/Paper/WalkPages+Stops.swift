import Verifying
import CodeDrawing
import Foundation
import Invocation
import Registry

extension WalkPages {
  /// More stops than this are not printed: nobody reads five hundred sheets of them.
  static var mostPrintedStops: Int { 2_000 }

  /// Writes every stop of every walk: what the rest of the document rests on.
  func writeStops<Sink: ByteSink>(to flow: inout PageFlow<Sink>) throws {
    try flow.put(try heading("All stops"), gap: 9, following: 30)
    guard report.stopCount <= Self.mostPrintedStops else {
      var block = PageBlock()
      block.add(
        try text.text(
          "There were \(Counted.text(report.stopCount, "stop")), which are not printed here: the web "
            + "page of this report lists them.", size: 3.6, width: width))
      return try flow.put(block)
    }
    for (index, walk) in report.walks.enumerated() {
      let letter = report.walks.count > 1 ? "Walk \(WalkReport.letters(index)), " : "Walk "
      var title = PageBlock()
      title.add(
        try text.text(
          "\(letter)\(walk.who.nameForPeople), began \(walk.started.registryTimestamp)", size: 3.2,
          weight: 600, width: width))
      try flow.put(title, gap: index == 0 ? 0 : 5, following: 20)
      try material.forEachStop(walk.id) { stop in
        for block in try blocks(of: stop) { try flow.put(block) }
      }
    }
  }

  private static let size = 2.6

  /// A stop; one with many codes continues below and may be cut between two of them.
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
    // Beside the other columns as far as they reach.
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
    var lines: [(String, Colour)] = [
      (stop.time.registryTimestamp, .black),
      ("\(stop.kind.word): \(stop.source.nameForPeople.onPage(stop.page))", .black),
    ]
    if let sign = stop.sign { lines.append(("Sign \(sign.nameForPeople)", .black)) }
    if let note = stop.note { lines.append(("“\(note.sentenceForPeople)”", .black)) }
    if let digest = stop.digest {
      lines.append(("SHA-256\u{A0}\(digest.description.lowercased())", PageInk.soft))
    }
    return lines
  }

  private func place(_ stop: WalkStop) -> [(String, Colour)] {
    var lines: [(String, Colour)] = []
    if let fix = stop.fix {
      lines.append((fix.forPeople, .black))
      if let origin = fix.origin { lines.append((origin.forPeople, PageInk.soft)) }
    }
    if let place = stop.statedPlace {
      lines.append(("said to be at \(place.nameForPeople)", .black))
    }
    return lines.isEmpty ? [("not known", PageInk.soft)] : lines
  }

  private func readings(of stop: WalkStop, width: Double) throws -> [PageBlock] {
    var blocks: [PageBlock] = []
    for (index, reading) in stop.readings.enumerated() {
      var block = PageBlock()
      let number = stop.readings.count > 1 ? "\(index + 1). " : ""
      let uid = reading.uid.map { " (UID \($0.nameForPeople))" } ?? ""
      block.elements = sign(
        reading.verdict.severity, centre: DrawingPoint(x: 1.4, y: 1.9), radius: 1.2)
      block.add(
        try text.text(
          "\(number)\(reading.payload.payloadForPeople)\(uid)", size: Self.size, width: width - 4),
        x: 4)
      let titles = reading.findings.map(\.code.title).reduce(into: [String]()) {
        if !$0.contains($1) { $0.append($1) }
      }
      let said = [reading.verdict.rawValue] + titles
      block.add(
        try text.text(said.joined(separator: ": ").shortened(to: 600), size: 2.3, width: width - 4),
        x: 4, colour: PageInk.soft)
      blocks.append(block)
    }
    if stop.unreadCount > 0 || blocks.isEmpty {
      var block = PageBlock()
      let words =
        stop.unreadCount > 0
        ? "\(Counted.text(stop.unreadCount, "symbol")) could not be read" : "Nothing"
      block.add(try text.text(words, size: Self.size, width: width), colour: PageInk.soft)
      blocks.append(block)
    }
    return blocks
  }
}
