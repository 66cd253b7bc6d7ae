import CliptagBasics
import Pictures

/// The operators of one page (ISO 32000-1, annex A), with its structure.
struct PDFPageContent {
  /// A part of the page that is not decoration, numbered by its index in ``parts``.
  struct Part {
    /// The structure type (ISO 32000-1, 14.8.4).
    let tag: String
    /// The box on the page, in millimetres.
    var box: DrawingBox
    /// The text alternative; nil for text.
    var alternativeText: String?
    /// The language of its text, if it differs from the document's.
    var language: String?
    /// The target of the link.
    var link: String?

    /// The entries of its structure element besides its position in the tree.
    func entries(box: String) -> String {
      var entries = ""
      if let alternativeText {
        entries += " /Alt \(pdfString(alternativeText)) "
        entries += "/A << /O /Layout /Placement /Block /BBox \(box) >>"
      }
      if let language { entries += " /Lang \(pdfString(language))" }
      return entries
    }
  }

  private let page: PageDrawing
  private var content = ByteText()
  private(set) var parts: [Part] = []
  /// The pictures of the document so far; their names in the page's operators are their indices.
  private(set) var pictures: [LogoPicture]

  /// Whether a text leaves the colours beneath it as they are.
  private(set) var hasOverprint = false

  var bytes: [UInt8] { content.bytes }

  /// The entry of the resource by which black leaves the other inks as they are (ISO 32000-1, 11.7.4.3).
  static let overprintState = "/ExtGState << /Over << /OP true /op true /OPM 1 >> >>"

  init(_ page: PageDrawing, pictures: [LogoPicture] = []) {
    self.page = page
    self.pictures = pictures
  }

  /// Draws the whole page.
  ///
  /// - Throws: ``TextError`` with ``TextError/Code/fontUnreadable``.
  mutating func draw(
    fonts: inout PDFFontBook, outlines: FontOutlines, outlinesText: Bool
  ) throws(TextError) {
    let media = page.mediaBox
    // From here on, lengths are in millimetres from the top left corner of the trimmed page.
    let scale = decimal(Self.points(1), places: 9)
    let (left, top) = (Self.points(-media.x), Self.points(media.height + media.y))
    content.append("q\n\(scale) 0 0 -\(scale) \(decimal(left)) \(decimal(top)) cm\n")
    if page.hasCropMarks {
      // Elements beyond the bleed must not cover the marks.
      content.append("q\n")
      content.append(box: page.bleedBox)
      content.append("W n\n")
    }
    try draw(
      page.elements, isOverColours: page.sheet != nil, fonts: &fonts, outlines: outlines,
      outlinesText: outlinesText)
    if page.hasCropMarks {
      content.append("Q\n")
      for mark in page.cropMarks { stroke(mark, page.markStyle) }
    }
    content.append("Q\n")
  }

  /// Draws elements.
  ///
  /// - Parameter isOverColours: Whether what is beneath all of them may have colours.
  private mutating func draw(
    _ elements: [PageDrawing.Element], isOverColours: Bool, fonts: inout PDFFontBook,
    outlines: FontOutlines, outlinesText: Bool
  ) throws(TextError) {
    for (index, element) in elements.enumerated() {
      let beneath = elements[..<index]
      switch element {
      case .text(let words):
        let isOver = words.overprints(beneath, isOverColours: isOverColours)
        hasOverprint = hasOverprint || isOver
        if isOver { content.append("q /Over gs\n") }
        try draw(
          words, isOver ? "0 0 0 1 k" : words.colour.pdfFill, fonts: &fonts, outlines: outlines,
          outlinesText: outlinesText)
        if isOver { content.append("Q\n") }
      case .group(let elements, let placement):
        let first = parts.count
        content.append("q\n\(placement.matrix.map { decimal($0) }.joined(separator: " ")) cm\n")
        try draw(
          elements, isOverColours: isOverColours || beneath.contains { !$0.isPlain }, fonts: &fonts,
          outlines: outlines, outlinesText: outlinesText)
        content.append("Q\n")
        for index in first..<parts.count { parts[index].box = placement.placed(parts[index].box) }
      case .clipped(let elements, let box):
        content.append("q\n")
        content.append(box: box)
        content.append("W n\n")
        try draw(
          elements, isOverColours: true, fonts: &fonts, outlines: outlines,
          outlinesText: outlinesText)
        content.append("Q\n")
      default: draw(element)
      }
    }
  }

  private mutating func draw(_ element: PageDrawing.Element) {
    switch element {
    case .shape(let path, let colour):
      content.append("/Artifact BMC\n")
      content.append(filled: path, colour)
      content.append("EMC\n")
    case .line(let path, let style): stroke(path, style)
    case .code(let code, let corner):
      let (x, y) = (decimal(corner.x), decimal(corner.y))
      let module = decimal(code.size.moduleSize, places: 9)
      content.append("\(begin("Figure", code.sentence))q\n")
      content.append("\(module) 0 0 \(module) \(x) \(y) cm\n")
      code.appendOperators(to: &content)
      if let logo = code.logo { paint(logo.picture, in: logo.box) }
      content.append("Q\nEMC\n")
      let width = code.size.width
      parts.append(
        Part(
          tag: "Figure",
          box: DrawingBox(x: corner.x, y: corner.y, width: width, height: width),
          alternativeText: code.sentence))
    case .appClipCode(let code, let corner):
      content.append(begin("Figure", code.sentence))
      for element in code.elements(at: corner) {
        if case .shape(let path, let colour) = element { content.append(filled: path, colour) }
        if case .line(let path, let style) = element { content.append(stroked: path, style) }
      }
      content.append("EMC\n")
      parts.append(
        Part(
          tag: "Figure",
          box: DrawingBox(x: corner.x, y: corner.y, width: code.width, height: code.width),
          alternativeText: code.sentence))
    case .picture(let picture, let box):
      content.append(begin("Figure", picture.alternativeText))
      paint(picture, in: box)
      content.append("EMC\n")
      parts.append(Part(tag: "Figure", box: box, alternativeText: picture.alternativeText))
    case .text, .group, .clipped: preconditionFailure("words are drawn with their fonts")
    }
  }

  /// The operator that begins the next part.
  ///
  /// A page that is laid over another one becomes a form, which the structure of the file does not
  /// reach: there, the text alternatives are at the marks (ISO 32000-1, 14.9.3).
  private func begin(_ tag: String, _ alternativeText: String? = nil) -> String {
    guard page.sheet != nil else { return "/\(tag) << /MCID \(parts.count) >> BDC\n" }
    return alternativeText.map { "/Span << /Alt \(pdfString($0)) >> BDC\n" } ?? "/\(tag) BMC\n"
  }

  private mutating func paint(_ picture: LogoPicture, in box: DrawingBox) {
    var index = pictures.firstIndex(of: picture)
    if index == nil {
      index = pictures.count
      pictures.append(picture)
    }
    // A picture fills the unit square, and rows run downwards. A form begins with the usual state.
    let start = picture.original?.pdf == nil ? "" : "0 g 0 G 1 w [] 0 d "
    content.append(
      "q\n\(start)\(decimal(box.width)) 0 0 -\(decimal(box.height)) \(decimal(box.x)) "
        + "\(decimal(box.bottom)) cm\n/I\(index ?? 0) Do\nQ\n")
  }

  private mutating func draw(
    _ words: PageDrawing.Words, _ colour: String, fonts: inout PDFFontBook, outlines: FontOutlines,
    outlinesText: Bool
  ) throws(TextError) {
    let tag = words.link != nil ? "Link" : words.role == .heading ? "H1" : "P"
    content.append("\(begin(tag))\(colour)\n")
    if outlinesText {
      content.append("/Span << /ActualText \(pdfString(words.text.text)) >> BDC\n")
      for line in try words.text.outlines(from: outlines, at: words.corner) {
        content.append(path: line)
      }
      content.append("f\nEMC\n")
    } else {
      var text = PDFTextContent(words.text, at: words.corner)
      try text.draw(fonts: &fonts, outlines: outlines)
      content.append(text.bytes)
    }
    content.append("EMC\n")
    parts.append(
      Part(tag: tag, box: words.box, language: words.text.language, link: words.link))
  }

  private mutating func stroke(_ path: DrawingPath, _ style: PageDrawing.LineStyle) {
    content.append("/Artifact BMC\n")
    content.append(stroked: path, style)
    content.append("EMC\n")
  }

  /// The page's boxes in points from the bottom left corner of the sheet.
  var boxes: [(name: String, box: String)] {
    // A page that is laid over another one has the whole sheet as its boxes.
    guard page.sheet == nil else { return [("MediaBox", pageBox(of: page.mediaBox))] }
    let trim = DrawingBox(x: 0, y: 0, width: page.width, height: page.height)
    return [
      ("MediaBox", pageBox(of: page.mediaBox)), ("BleedBox", pageBox(of: page.bleedBox)),
      ("TrimBox", pageBox(of: trim)),
    ]
  }

  /// A box of the page in PDF coordinates: in points, upwards from the bottom left corner of the
  /// sheet.
  func pageBox(of box: DrawingBox) -> String {
    let media = page.mediaBox
    let (left, right) = (box.x - media.x, box.right - media.x)
    let (bottom, top) = (media.bottom - box.bottom, media.bottom - box.y)
    let numbers = [left, bottom, right, top].map { decimal(Self.points($0)) }
    return "[\(numbers.joined(separator: " "))]"
  }

  private static func points(_ millimetres: Double) -> Double { millimetres * 72 / 25.4 }
}

extension ByteText {
  fileprivate mutating func append(_ point: DrawingPoint) {
    append("\(decimal(point.x, places: 4)) \(decimal(point.y, places: 4)) ")
  }

  fileprivate mutating func append(box: DrawingBox) {
    append(DrawingPoint(x: box.x, y: box.y))
    append(DrawingPoint(x: box.width, y: box.height))
    append("re\n")
  }

  /// Appends the operators that fill a path.
  fileprivate mutating func append(filled path: DrawingPath, _ colour: Colour) {
    append("\(colour.pdfFill)\n")
    append(path: path)
    append("f\n")
  }

  /// Appends the operators that draw a line along a path.
  fileprivate mutating func append(stroked path: DrawingPath, _ style: PageDrawing.LineStyle) {
    let dashes = style.dashes.map { decimal($0) }.joined(separator: " ")
    append("\(decimal(style.width)) w [\(dashes)] 0 d ")
    append("\(style.colour.pdfStroke)\n")
    if style.hasRoundEnds { append("1 J\n") }
    append(path: path)
    append("S\n")
    if style.hasRoundEnds { append("0 J\n") }
  }

  /// Appends the operators that construct a path.
  mutating func append(path: DrawingPath) {
    for step in path.steps {
      switch step {
      case .move(let point):
        append(point)
        append("m\n")
      case .line(let point):
        append(point)
        append("l\n")
      case .curve(let first, let second, let end):
        append(first)
        append(second)
        append(end)
        append("c\n")
      case .close: append("h\n")
      }
    }
  }
}

extension Colour {
  /// The operators that set the colour for filling.
  fileprivate var pdfFill: String {
    guard let inks else { return fractions + (isGrey ? " g" : " rg") }
    return inks.spotResource.map { "\($0) cs \(decimal(inks.tint, places: 4)) scn" }
      ?? "\(inks.printed) k"
  }
  /// The operators that set the colour for lines.
  fileprivate var pdfStroke: String {
    guard let inks else { return fractions + (isGrey ? " G" : " RG") }
    return inks.spotResource.map { "\($0) CS \(decimal(inks.tint, places: 4)) SCN" }
      ?? "\(inks.printed) K"
  }
}

extension Inks {
  /// The name of the spot ink as a PDF name, which its colour space has, too; `nil` without one.
  fileprivate var spotResource: String? { spot.map { "/" + $0.pdfName } }

  /// The entry of the spot ink among the resources (ISO 32000-1, 8.6.6.4); `nil` without one.
  var colourSpace: String? {
    spotResource.map { name in
      let shares = shares.map { decimal($0, places: 4) }.joined(separator: " ")
      return "\(name) [/Separation \(name) /DeviceCMYK << /FunctionType 2 /Domain [0 1] "
        + "/C0 [0 0 0 0] /C1 [\(shares)] /N 1 >>]"
    }
  }
}

extension String {
  /// The text as a PDF name without its solidus (ISO 32000-1, 7.3.5).
  var pdfName: String {
    utf8.map { byte in
      let isRegular =
        (0x21...0x7E).contains(byte) && !"#()<>[]{}/%".utf8.contains(byte)
      return isRegular ? String(UnicodeScalar(byte)) : "#" + [byte].hexadecimal(.capital)
    }.joined()
  }
}

extension CodeDrawing {
  /// A PDF of one page of the code's size; viewers are asked to print it unscaled.
  func pdf() throws(CodeDrawingError) -> [UInt8] {
    var page = PageDrawing(width: size.width, height: size.width)
    page.elements = [.code(self, DrawingPoint(x: 0, y: 0))]
    let information = PDFWriter<MemorySink>.Information(title: text, creationTime: creationTime)
    do {
      var writer = try PDFWriter(
        to: MemorySink(), information: information, compresses: false)
      try writer.add(page)
      return try writer.finished().bytes
    } catch {
      throw .cannotWrite(error)
    }
  }

  /// Appends the operators that draw the code: the light ground, if there is one, then all dark modules as one path
  /// of whole numbers, so that no edge is rounded. The unit is a module, the origin the top left
  /// corner of the quiet zone, and down is positive.
  fileprivate func appendOperators(to content: inout ByteText) {
    let side = size.modulesAcross
    let (light, dark) = (colours.background.pdfFill, colours.foreground.pdfFill)
    if colours.hasGround { content.append("\(light)\n0 0 \(side) \(side) re\nf\n") }
    content.append("\(dark)\n")
    for loop in outline.loops {
      if loop.sides.count == 4 {
        // A rectangle begins to the right, like an outline; a hole's height is negative.
        content.append(loop.x, loop.y)
        let first = loop.sides.startIndex
        content.append(loop.sides[first], loop.sides[first + 1])
        content.append("re\n")
        continue
      }
      var (x, y) = (loop.x, loop.y)
      content.append(x, y)
      content.append("m\n")
      for (index, length) in loop.sides.dropLast().enumerated() {
        if index.isMultiple(of: 2) { x += length } else { y += length }
        content.append(x, y)
        content.append("l\n")
      }
      content.append("h\n")
    }
    content.append("f\n")
  }
}
