import CliptagBasics
package import CodeDrawing
import Invocation
import Registry

/// A packing list as printable pages: each code with a box to tick.
///
/// No code is printed on it: an additional code could be confused with the one that was scanned.
package struct PackingPages {
  /// The list.
  package let list: PackingList
  /// The sheet.
  package let paper: PaperSize
  /// The instruction for scanning a parcel, for the first page: a command, for example.
  package let scanning: String?

  private let shaper = TextShaper()
  fileprivate static let margin = 15.0
  fileprivate static let textLeft = margin + 20
  private static let rowGap = 2.0
  fileprivate static let grey = Colour(red: 0x55, green: 0x55, blue: 0x55)

  /// Plans the pages of a list.
  package init(_ list: PackingList, on paper: PaperSize, scanning: String? = nil) {
    self.list = list
    self.paper = paper
    self.scanning = scanning
  }

  /// Writes the pages as PDF, each as soon as it is full.
  ///
  /// - Parameters:
  ///   - sink: The destination of the bytes.
  ///   - creationTime: The creation time in the document, in seconds since 1970; `nil` for none.
  /// - Returns: The number of pages, and the sink with all bytes written.
  /// - Throws: `TextError` when a text cannot be set, or the errors of the sink.
  package func write<Sink: ByteSink>(
    to sink: Sink, creationTime: Int?
  ) throws -> (pages: Int, sink: Sink) {
    let pages = try breaks()
    var writer = try PDFWriter(
      to: sink,
      information: .init(
        title: "Packing list of \(list.place.name)", subject: list.summary,
        creationTime: creationTime))
    for (index, range) in pages.enumerated() {
      try Task.checkCancellation()
      try writer.add(try page(index + 1, of: pages.count, range))
    }
    return (pages.count, try writer.finished())
  }

  // MARK: Pages

  /// The ranges of items by page. Rows are set once for this and again for drawing, so that a long
  /// list takes little memory.
  private func breaks() throws -> [Range<Int>] {
    var pages: [Range<Int>] = []
    var start = 0
    var y = try header(isFirst: true).bottom
    for (index, item) in list.items.enumerated() {
      let height = try row(index, item).height
      if y + height > bottom, index > start {
        try Task.checkCancellation()
        pages.append(start..<index)
        start = index
        y = try header(isFirst: false).bottom
      }
      y += height + Self.rowGap
    }
    return pages + [start..<list.items.count]
  }

  private var bottom: Double { paper.height - Self.margin - 6 }
  private var textWidth: Double { paper.width - Self.margin - Self.textLeft }

  private func page(_ number: Int, of count: Int, _ range: Range<Int>) throws -> PageDrawing {
    var page = PageDrawing(width: paper.width, height: paper.height)
    let header = try header(isFirst: number == 1)
    page.elements += header.elements
    var y = header.bottom
    for index in range {
      let row = try row(index, list.items[index])
      page.elements += row.elements(at: y)
      y += row.height + Self.rowGap
    }
    let footer = try text(
      "\(list.place.id), page \(number) of \(count)", size: 2.8,
      width: paper.width - 2 * Self.margin,
      alignment: .end)
    page.elements.append(
      .text(
        .init(
          text: footer,
          corner: DrawingPoint(x: Self.margin, y: paper.height - Self.margin - footer.height),
          colour: Self.grey)))
    return page
  }

  private func text(
    _ text: String, size: Double, weight: Int = 400, width: Double,
    alignment: TextAlignment = .start, breaksWords: Bool = true
  ) throws -> ShapedText {
    try shaper.shape(
      text, TextStyle(size: size, weight: weight), width: width, alignment: alignment,
      breaksWords: breaksWords)
  }

  private func header(
    isFirst: Bool
  ) throws -> (elements: [PageDrawing.Element], bottom: Double) {
    let width = paper.width - 2 * Self.margin
    let name = try text(list.place.name, size: isFirst ? 8 : 4, weight: 700, width: width)
    var lines = [(name, true)]
    if isFirst {
      lines.append((try text("Packing list. \(list.summary).", size: 3.8, width: width), false))
      lines.append(
        (
          try text(
            "No codes are printed here, to avoid stray copies. Compare the names beside "
              + "the codes, or scan the parcel\(scanning.map { ": \($0)" } ?? "")", size: 2.8,
            width: width), false
        ))
    }
    var elements: [PageDrawing.Element] = []
    var y = Self.margin
    for (line, isHeading) in lines {
      elements.append(
        .text(
          .init(
            text: line, corner: DrawingPoint(x: Self.margin, y: y),
            role: isHeading ? .heading : .paragraph)))
      y += line.height + 1
    }
    y += 2
    elements.append(
      .line(
        .segment(
          from: DrawingPoint(x: Self.margin, y: y),
          to: DrawingPoint(x: paper.width - Self.margin, y: y)),
        .init(width: 0.3)))
    return (elements, y + 3)
  }

  // MARK: Rows

  /// One code, set in its lines.
  private struct Row {
    let number: ShapedText
    let lines: [(text: ShapedText, colour: Colour)]

    /// The side of the box to tick, in millimetres.
    static let box = 5.0

    var height: Double { max(Self.box, lines.reduce(0) { $0 + $1.text.height }) }

    func elements(at y: Double) -> [PageDrawing.Element] {
      let box = DrawingBox(x: PackingPages.margin, y: y, width: Self.box, height: Self.box)
      var elements: [PageDrawing.Element] = [
        .line(.rectangle(box), .init(width: 0.3)),
        .text(
          .init(
            text: number, corner: DrawingPoint(x: box.right + 1.5, y: y),
            colour: PackingPages.grey)),
      ]
      var y = y
      for line in lines {
        elements.append(
          .text(
            .init(
              text: line.text, corner: DrawingPoint(x: PackingPages.textLeft, y: y),
              colour: line.colour)))
        y += line.text.height
      }
      return elements
    }
  }

  private func row(_ index: Int, _ item: PackingList.Item) throws -> Row {
    let code = item.code
    let carrier =
      switch code.carrier {
      case .qr: "Printed code"
      case .appClipCode: "App Clip Code"
      case .nfc: code.tagUID.map { "NFC tag \($0)" } ?? "NFC tag"
      }
    // A code is found by its label, or else by its URL.
    let title = try text(
      item.label ?? code.payload.printable, size: 3.8, weight: 700, width: textWidth)
    var lines = [(title, Colour.black)]
    if item.label != nil {
      lines.append((try text(code.payload.printable, size: 3, width: textWidth), .black))
    }
    let facts = [carrier, code.id.description, item.origin].filter { !$0.isEmpty }
    lines.append((try text(facts.joined(separator: " · "), size: 2.8, width: textWidth), Self.grey))
    return Row(
      number: try text("\(index + 1)", size: 3, width: Self.textLeft - Self.margin - Row.box - 2),
      lines: lines)
  }
}
