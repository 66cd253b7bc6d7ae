import CliptagBasics
import CodeDrawing

/// A block that is not split between pages, in millimetres from its own top left corner.
struct PageBlock {
  var elements: [PageDrawing.Element] = []
  var height = 0.0

  /// Adds text below the present contents.
  ///
  /// - Returns: The box of the text.
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

  /// Places a block, on the next page if this one has no room for it.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - gap: The space above it, unless it begins a page.
  ///   - following: The height of the following content that must be on the same page, for a
  ///     heading.
  mutating func put(_ block: PageBlock, gap: Double = 0, following: Double = 0) throws {
    if !page.elements.isEmpty, y + gap + block.height + following > bottom { try turn() }
    let isFirst = page.elements.isEmpty
    if isFirst, pageCount > 0 { try begin() }
    y += isFirst ? 0 : gap
    page.elements += block.elements.map { $0.moved(right: PageMeasures.margin, down: y) }
    y += block.height
  }

  /// Continues at the top of a new page.
  mutating func beginPage() throws {
    if !page.elements.isEmpty { try turn() }
  }

  /// Writes the header of every page but the first.
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

/// The colours of text and lines on paper.
enum PageInk {
  static let soft = Colour(red: 0x55, green: 0x5E, blue: 0x68)
  static let line = Colour(red: 0xD3, green: 0xD8, blue: 0xDE)
  static let error = Colour(red: 0xA8, green: 0x23, blue: 0x0A)
  static let warning = Colour(red: 0x7D, green: 0x52, blue: 0x00)
  static let fine = Colour(red: 0x00, green: 0x6B, blue: 0x54)

  /// The colour of a key figure.
  static func of(_ standing: WalkReport.Standing) -> Colour {
    switch standing {
    case .error: error
    case .warning: warning
    case .fine: fine
    }
  }

  static let errorGround = Colour(red: 0xFC, green: 0xEB, blue: 0xE7)
  static let warningGround = Colour(red: 0xFF, green: 0xF4, blue: 0xD6)
  static let fineGround = Colour(red: 0xE3, green: 0xF4, blue: 0xEE)
}

/// Sets external texts on pages: characters that no font can show are replaced instead of refused,
/// because a report must not fail for a name.
final class PageText {
  private let shaper = TextShaper()
  /// Whether a character can be set.
  private var known: [Unicode.Scalar: Bool] = [:]

  /// Sets a text in a width, at its left edge even if it is read from right to left, as the page
  /// around it is in English.
  func text(
    _ text: String, size: Double, weight: Int = 400, width: Double, atRight: Bool = false
  ) throws -> ShapedText {
    func set(_ alignment: TextAlignment) throws -> ShapedText {
      try self.set(text) { text throws(TextError) in
        try shaper.shape(
          text, TextStyle(size: size, weight: weight), width: width, alignment: alignment,
          breaksWords: true)
      }
    }
    let shaped = try set(atRight ? .end : .start)
    let isAtRight = shaped.lines.contains { $0.x > 0.01 }
    return isAtRight != atRight && shaped.lines.contains { !$0.runs.isEmpty }
      ? try set(atRight ? .start : .end) : shaped
  }

  /// Sets a text on one line, however long.
  func line(_ text: String, size: Double, weight: Int = 400) throws -> ShapedText {
    try set(text) { text throws(TextError) in
      try shaper.shape(text, TextStyle(size: size, weight: weight))
    }
  }

  /// The text of a map, at its position.
  func element(_ words: MapWords) throws -> PageDrawing.Element {
    let text = try line(words.text, size: words.size, weight: words.isBold ? 700 : 400)
    let shift =
      switch words.anchor {
      case .start: 0.0
      case .middle: text.width / 2
      case .end: text.width
      }
    let baseline = text.lines.first?.baseline ?? 0
    return .text(
      .init(
        text: text,
        corner: DrawingPoint(x: words.point.x - shift, y: words.point.y - baseline),
        colour: words.ink.fill ?? .black))
  }

  private func set(
    _ text: String, _ shape: (String) throws(TextError) -> ShapedText
  ) throws -> ShapedText {
    do {
      return try shape(text)
    } catch let error
      where [.missingGlyphs, .colourGlyphs, .controlCharacters].contains(error.code)
    {
      return try shape(replaced(text))
    }
  }

  /// The text with a white square for each character that no font has as a plain glyph, or that is
  /// invalid.
  private func replaced(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      // Joiners and variation selectors of emoji have no separate glyph.
      case .format where !scalar.isASCII,
        .nonspacingMark where scalar.properties.isVariationSelector:
        continue
      default: shown.unicodeScalars.append(canShow(scalar) ? scalar : "\u{25A1}")
      }
    }
    return shown
  }

  private func canShow(_ scalar: Unicode.Scalar) -> Bool {
    if let answer = known[scalar] { return answer }
    let answer = (try? shaper.shape(String(scalar), TextStyle(size: 3))) != nil
    known[scalar] = answer
    return answer
  }
}

extension PageDrawing.Element {
  /// Returns the element, moved.
  func moved(right: Double, down: Double) -> Self {
    let move = DrawingPoint(x: right, y: down)
    switch self {
    case .shape(let path, let colour): return .shape(path.placed(at: move), colour)
    case .line(let path, let style): return .line(path.placed(at: move), style)
    case .code(let code, let corner):
      return .code(code, DrawingPoint(x: corner.x + right, y: corner.y + down))
    case .appClipCode(let code, let corner):
      return .appClipCode(code, DrawingPoint(x: corner.x + right, y: corner.y + down))
    case .picture(let picture, let box):
      return .picture(picture, box.moved(right: right, down: down))
    case .photograph(let picture, let box, let frame):
      return .photograph(
        picture, box.moved(right: right, down: down),
        within: frame?.moved(right: right, down: down))
    case .text(var words):
      words.corner = DrawingPoint(x: words.corner.x + right, y: words.corner.y + down)
      return .text(words)
    }
  }
}
