import CodeDrawing

/// Something that stands on one page as a whole, in millimetres from its own top left corner.
struct PageBlock {
  var elements: [PageDrawing.Element] = []
  var height = 0.0

  /// Adds words below what is there.
  ///
  /// - Returns: The box that they take.
  @discardableResult
  mutating func add(
    _ text: ShapedText, x: Double = 0, colour: Colour = .black, gap: Double = 0,
    role: PageDrawing.Words.Role = .paragraph
  ) -> DrawingBox {
    height += gap
    let corner = DrawingPoint(x: x, y: height)
    elements.append(.text(.init(text: text, corner: corner, colour: colour, role: role)))
    height += text.height
    return DrawingBox(x: x, y: corner.y, width: text.width, height: text.height)
  }
}

/// Lays blocks below each other and writes each page as soon as it is full.
struct PageFlow<Sink: ByteSink> {
  private var writer: PDFWriter<Sink>
  private let paper: PaperSize
  private let text: PageText
  private let header: String
  private let footer: String
  private var page: PageDrawing
  private var y: Double
  private(set) var pageCount = 0

  init(
    to writer: PDFWriter<Sink>, on paper: PaperSize, text: PageText, header: String, footer: String
  ) {
    self.writer = writer
    self.paper = paper
    self.text = text
    self.header = header
    self.footer = footer
    page = PageDrawing(width: paper.width, height: paper.height)
    y = PageMeasures.margin
  }

  private var bottom: Double { paper.height - PageMeasures.margin - 7 }

  /// Places a block, on the next page when this has no room for it.
  ///
  /// - Parameters:
  ///   - block: What to place.
  ///   - gap: What is left free above it, unless it begins a page.
  ///   - following: How much of what follows must stand on the same page, as of a heading.
  mutating func put(_ block: PageBlock, gap: Double = 0, following: Double = 0) throws {
    if !page.elements.isEmpty, y + gap + block.height + following > bottom { try turn() }
    let isFirst = page.elements.isEmpty
    if isFirst, pageCount > 0 { try begin() }
    y += isFirst ? 0 : gap
    page.elements += block.elements.map { $0.moved(right: PageMeasures.margin, down: y) }
    y += block.height
  }

  /// What stands at the top of every page but the first.
  private mutating func begin() throws {
    let line = try text.text(
      header, size: 2.8, width: paper.width - 2 * PageMeasures.margin)
    page.elements.append(
      .text(
        .init(
          text: line, corner: DrawingPoint(x: PageMeasures.margin, y: PageMeasures.margin - 4),
          colour: PageInk.soft)))
    y = PageMeasures.margin - 4 + line.height + 3
  }

  private mutating func turn() throws {
    try Task.checkCancellation()
    pageCount += 1
    let width = paper.width - 2 * PageMeasures.margin
    let left = try text.text(footer, size: 2.6, width: width * 0.8)
    let right = try text.text("Page \(pageCount)", size: 2.6, width: width, atRight: true)
    let top = paper.height - PageMeasures.margin - 3.5
    for line in [left, right] {
      page.elements.append(
        .text(
          .init(
            text: line, corner: DrawingPoint(x: PageMeasures.margin, y: top), colour: PageInk.soft))
      )
    }
    try writer.add(page)
    page = PageDrawing(width: paper.width, height: paper.height)
    y = PageMeasures.margin
  }

  /// Writes the last page and ends the document.
  mutating func finished() throws -> Sink {
    if !page.elements.isEmpty || pageCount == 0 { try turn() }
    return try writer.finished()
  }
}

/// The measures of pages, in millimetres.
enum PageMeasures {
  static let margin = 16.0
}

/// The colours of words and lines on paper.
enum PageInk {
  static let soft = Colour(red: 0x55, green: 0x5E, blue: 0x68)
  static let line = Colour(red: 0xD3, green: 0xD8, blue: 0xDE)
  static let error = Colour(red: 0xA8, green: 0x23, blue: 0x0A)
  static let warning = Colour(red: 0x7D, green: 0x52, blue: 0x00)
  static let fine = Colour(red: 0x00, green: 0x6B, blue: 0x54)
  static let errorGround = Colour(red: 0xFC, green: 0xEB, blue: 0xE7)
  static let warningGround = Colour(red: 0xFF, green: 0xF4, blue: 0xD6)
  static let fineGround = Colour(red: 0xE3, green: 0xF4, blue: 0xEE)
}
