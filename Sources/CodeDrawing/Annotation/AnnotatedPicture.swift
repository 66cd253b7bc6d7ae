import Foundation
public import Pictures

/// A picture with what was found in it: outlines around the symbols, a numbered flag at each, and
/// a legend below.
///
/// An SVG 1.1 document that holds the picture as PNG. The same input gives the same bytes.
public struct AnnotatedPicture: Sendable {
  /// What is called at the top: the name of the picture.
  public let title: String
  /// What was found, in the order of the numbers, from 1.
  package let marks: [PictureMark]

  /// The picture, made as small as it is drawn.
  let picture: ColourPicture
  /// Where the picture lies on the drawing.
  let frame: DrawingBox
  /// How many units of the drawing a pixel of the whole picture measures.
  private let scale: (x: Double, y: Double)

  /// The most pixels along the long side of the picture in the drawing.
  public static let longestSide = 2400
  /// A smaller picture is drawn larger than it is, so that there is room for words around it.
  private static let shortestSide = 1600.0
  /// What surrounds the picture: room for the flag of a code that fills it.
  static let margin = 96.0

  /// Draws on a picture.
  ///
  /// - Parameters:
  ///   - picture: the picture in colour and upright, at whatever size there is; no side may be 0.
  ///   - size: the pixels across and down that the corners of the marks refer to.
  ///   - title: the name of the picture, without control characters.
  ///   - marks: what was found.
  public init(
    _ picture: ColourPicture, size: (width: Int, height: Int), title: String, marks: [PictureMark]
  ) {
    let (small, factor) = picture.fitted(longSide: Self.longestSide)
    let enlargement = max(1, Self.shortestSide / Double(max(1, small.width, small.height)))
    self.picture = small
    self.title = title
    self.marks = marks
    scale = (
      enlargement * Double(picture.width) / Double(factor * max(1, size.width)),
      enlargement * Double(picture.height) / Double(factor * max(1, size.height))
    )
    let width = Double(small.width) * enlargement
    let header = AnnotationHeader(title: title, marks: marks, width: Self.width(around: width))
    frame = DrawingBox(
      x: (Self.width(around: width) - width) / 2, y: header.height + Self.margin, width: width,
      height: Double(small.height) * enlargement)
  }

  /// The width of the drawing around a picture of a width.
  private static func width(around picture: Double) -> Double { max(1400, picture + 2 * margin) }

  /// The bytes of the SVG file.
  ///
  /// - Throws: ``CodeDrawingError`` with `cannotEncode` without memory.
  public func svg() throws(CodeDrawingError) -> [UInt8] {
    let width = Self.width(around: frame.width)
    let header = AnnotationHeader(title: title, marks: marks, width: width)
    let legend = AnnotationLegend(marks: marks, width: width, top: frame.bottom + Self.margin)
    var canvas = AnnotationCanvas()
    let size = #"width="\#(Int(width))" height="\#(Int(legend.bottom))""#
    canvas.raw(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
      version="1.1" \(size) viewBox="0 0 \(Int(width)) \(Int(legend.bottom))" role="img">
      <title>\(xmlEscaped(title))</title>
      <desc>\(xmlEscaped(header.summary))</desc>
      <rect \(size) fill="#e9ebee"/>

      """)
    header.draw(on: &canvas)
    try drawPicture(on: &canvas)
    drawMarks(on: &canvas, width: width)
    legend.draw(on: &canvas)
    canvas.raw("</svg>\n")
    return canvas.file.bytes
  }

  private func drawPicture(on canvas: inout AnnotationCanvas) throws(CodeDrawingError) {
    let png: [UInt8]
    do {
      png = try PNGWriter.colour(picture)
    } catch {
      throw CodeDrawingError(.cannotEncode, error.message, hint: error.hint, underlying: error)
    }
    canvas.raw(
      #"<image x="\#(decimal(frame.x))" y="\#(decimal(frame.y))" "#
        + #"width="\#(decimal(frame.width))" height="\#(decimal(frame.height))" "#
        + #"preserveAspectRatio="none" xlink:href="data:image/png;base64,"#)
    canvas.raw([UInt8](Data(png).base64EncodedData()))
    canvas.raw("\"/>\n")
  }

  /// Outlines first, so that no outline lies over a flag.
  private func drawMarks(on canvas: inout AnnotationCanvas, width: Double) {
    let styles = marks.map { AnnotationStyle($0.standing) }
    // Just outside of the symbol, in its quiet zone.
    let outlines = marks.map { mark in
      ConvexShape(mark.corners.map(onDrawing)).grown(by: 8)
    }
    let flags = AnnotationFlags(marks).placed(
      around: outlines,
      in: DrawingBox(
        x: 10, y: frame.y - Self.margin + 4, width: width - 20,
        height: frame.height + 2 * Self.margin - 8))
    for index in marks.indices {
      canvas.raw(#"<g id="code-\#(index + 1)" class="\#(marks[index].standing.rawValue)">"# + "\n")
      canvas.outline(outlines[index], styles[index])
      let leader = flags[index].leader
      canvas.line(from: leader.from, to: leader.to, colour: styles[index].colour)
      canvas.raw("</g>\n")
    }
    for index in marks.indices {
      AnnotationFlags.draw(flags[index], number: index + 1, marks[index], on: &canvas)
    }
  }

  private func onDrawing(_ point: DrawingPoint) -> DrawingPoint {
    DrawingPoint(x: frame.x + point.x * scale.x, y: frame.y + point.y * scale.y)
  }
}

/// A symbol that was found in a picture, and what is to be told of it.
public struct PictureMark: Hashable, Sendable {
  /// What became of the symbol. Each has a colour, a line and a sign of its own, so that none of
  /// the three alone has to be told apart.
  public enum Standing: String, CaseIterable, Hashable, Sendable {
    /// Everything that was asked of it was confirmed.
    case accepted
    /// Something about it is wrong.
    case rejected
    /// It cannot be said.
    case undecided
    /// It was seen, and gives no text.
    case unread
  }

  /// Its corners in pixels of the whole picture, in order around it; three at least.
  public let corners: [DrawingPoint]
  /// What became of it.
  public let standing: Standing
  /// The few words at the symbol itself, such as the name of its place.
  public let label: String
  /// What the symbol says, in full; shortened in the middle where it is too long.
  public let payload: String
  /// What else is worth telling, the first being the most telling.
  public let details: [String]

  /// Makes a mark. Texts are drawn as they are, on one line: make control characters visible first.
  public init(
    corners: [DrawingPoint], standing: Standing, label: String, payload: String,
    details: [String] = []
  ) {
    self.corners = corners
    self.standing = standing
    self.label = label
    self.payload = payload
    self.details = details
  }
}

/// The shapes of an annotated picture as SVG elements.
struct AnnotationCanvas {
  private(set) var file = ByteText()

  /// The families, by what they are for; viewers take the first that they have.
  private static let sans = "DejaVu Sans,Verdana,Noto Sans,Helvetica,Arial,sans-serif"
  private static let mono = "DejaVu Sans Mono,Liberation Mono,Menlo,Consolas,monospace"

  mutating func raw(_ text: String) { file.append(text) }

  mutating func raw(_ bytes: [UInt8]) { file.append(bytes) }

  /// Text on one line. Each is an element of its own, so that text that runs from right to left
  /// cannot move what stands beside it.
  mutating func text(
    _ text: String, x: Double, baseline: Double, size: Double, font: TextFitting.Font,
    fill: String
  ) {
    let family = font == .mono ? Self.mono : Self.sans
    let weight = font == .bold ? #" font-weight="bold""# : ""
    raw(
      #"<text x="\#(number(x))" y="\#(number(baseline))" font-family="\#(family)" "#
        + #"font-size="\#(number(size))"\#(weight) fill="\#(fill)" direction="ltr" "#
        + #"unicode-bidi="embed" xml:space="preserve">\#(xmlEscaped(text))</text>"# + "\n")
  }

  mutating func rectangle(
    _ box: DrawingBox, radius: Double = 0, fill: String, attributes: String = ""
  ) {
    raw(
      #"<rect x="\#(number(box.x))" y="\#(number(box.y))" width="\#(number(box.width))" "#
        + #"height="\#(number(box.height))" rx="\#(number(radius))" fill="\#(fill)"\#(attributes)/>"#
        + "\n")
  }

  /// The outline of a symbol: in its colour, over a wider light one, so that it stands out on any
  /// ground.
  mutating func outline(_ shape: ConvexShape, _ style: AnnotationStyle) {
    let points = shape.points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    func stroke(_ colour: String, _ width: Double, _ dashes: String? = nil) -> String {
      let pattern = dashes.map { #" stroke-dasharray="\#($0)""# } ?? ""
      return #"<polygon points="\#(points)" fill="none" stroke="\#(colour)" "#
        + #"stroke-width="\#(number(width))" stroke-linejoin="round"\#(pattern)/>"# + "\n"
    }
    let width = style.lineWidth
    guard style.isDouble else {
      raw(stroke("#fff", width + 6) + stroke(style.colour, width, style.dashes))
      return
    }
    raw(stroke("#fff", width * 2 + 10) + stroke(style.colour, width * 2 + 4))
    raw(stroke("#fff", width / 2 + 1))
  }

  mutating func line(from start: DrawingPoint, to end: DrawingPoint, colour: String) {
    let ends =
      #"x1="\#(number(start.x))" y1="\#(number(start.y))" "#
      + #"x2="\#(number(end.x))" y2="\#(number(end.y))""#
    raw(#"<line \#(ends) stroke="white" stroke-width="10" stroke-linecap="round"/>"# + "\n")
    raw(#"<line \#(ends) stroke="\#(colour)" stroke-width="5" stroke-linecap="round"/>"# + "\n")
  }

  /// The sign of a standing in a square of 24 at a place; strokes, so that no font is needed.
  mutating func sign(_ style: AnnotationStyle, x: Double, y: Double) {
    guard let sign = style.sign else {
      text("?", x: x + 5, baseline: y + 22, size: 27, font: .bold, fill: style.ink)
      return
    }
    raw(
      #"<path transform="translate(\#(number(x)) \#(number(y)))" d="\#(sign)" fill="none" "#
        + #"stroke="\#(style.ink)" stroke-width="4.5" stroke-linecap="round" "#
        + #"stroke-linejoin="round"/>"# + "\n")
  }

  private func number(_ value: Double) -> String { decimal(value, places: 1) }
}

/// How the four standings look: by colour, by line and by sign, each enough alone.
///
/// The green leans to blue and the red to orange, after the palette of Okabe and Ito (2008), so that
/// people with a colour vision deficiency tell them apart; dark and light differ as well. Text on
/// each has a contrast of 4.5 : 1 at least (WCAG 2.2, 1.4.3).
struct AnnotationStyle {
  /// The colour of outline and flag.
  let colour: String
  /// The colour of text on it.
  let ink: String
  /// The word in the flag.
  let word: String
  /// The width of the outline.
  let lineWidth: Double
  /// The dashes of the outline; `nil` for one without gaps.
  let dashes: String?
  /// Whether the outline is doubled.
  let isDouble: Bool
  /// Strokes of the sign in a square of 24; `nil` where it is a question mark.
  let sign: String?

  init(_ standing: PictureMark.Standing) {
    switch standing {
    case .accepted:
      self.init("#00725a", "#fff", "ACCEPTED", 7, nil, false, "M4 13 L10 19 L20 5")
    case .rejected:
      self.init("#b3260a", "#fff", "REJECTED", 7, nil, true, "M5 5 L19 19 M19 5 L5 19")
    case .undecided:
      self.init("#ffc20a", "#000", "UNDECIDED", 7, "26 12", false, nil)
    case .unread:
      self.init("#55595f", "#fff", "NOT READ", 6, "6 10", false, "M4 12 L20 12")
    }
  }

  private init(
    _ colour: String, _ ink: String, _ word: String, _ lineWidth: Double, _ dashes: String?,
    _ isDouble: Bool, _ sign: String?
  ) {
    self.colour = colour
    self.ink = ink
    self.word = word
    self.lineWidth = lineWidth
    self.dashes = dashes
    self.isDouble = isDouble
    self.sign = sign
  }
}
