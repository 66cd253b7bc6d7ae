import CliptagBasics
public import Pictures

/// A picture annotated with the symbols found in it: an outline around each symbol, a numbered flag
/// at each, and a legend below.
///
/// The output is an SVG 1.1 document with the picture embedded as PNG. The same input gives the
/// same bytes.
public struct AnnotatedPicture: Sendable {
  /// The title at the top: the name of the picture.
  public let title: String
  /// The symbols found, in the order of their numbers, from 1.
  package let marks: [PictureMark]

  /// The picture, reduced to the size at which it is drawn.
  let picture: ColourPicture
  /// The frame of the picture on the drawing.
  let frame: DrawingBox
  /// The units of the drawing per pixel of the whole picture.
  private let scale: (x: Double, y: Double)

  /// The maximum number of pixels along the long side of the picture in the drawing.
  public static let longestSide = 2400
  /// The minimum side of the picture on the drawing; a smaller picture is enlarged to make room for
  /// text around it.
  private static let shortestSide = 1600.0
  /// The margin around the picture: room for the flag of a code that fills it.
  static let margin = 96.0

  /// Draws on a picture.
  ///
  /// - Parameters:
  ///   - picture: The picture in colour and upright, at any size; no side may be 0.
  ///   - size: The pixels across and down that the corners of the marks refer to.
  ///   - title: The name of the picture, without control characters.
  ///   - marks: The symbols found.
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
    let size = #"width="\#(Int(bounded: width))" height="\#(Int(bounded: legend.bottom))""#
    canvas.raw(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
      version="1.1" \(size) viewBox="0 0 \(Int(bounded: width)) \(Int(bounded: legend.bottom))" role="img">
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
      throw CodeDrawingError(.cannotEncode, error.message, hint: error.advice, underlying: error)
    }
    canvas.picture(png, in: frame)
  }

  /// Draws outlines first, so that no outline covers a flag.
  private func drawMarks(on canvas: inout AnnotationCanvas, width: Double) {
    let styles = marks.map { AnnotationStyle($0.standing) }
    // Just outside the symbol, in its quiet zone.
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

/// A symbol that was found in a picture, with its description.
public struct PictureMark: Hashable, Sendable {
  /// The outcome for the symbol. Each has its own colour, line and sign, any of which identifies
  /// it.
  public enum Standing: String, CaseIterable, Hashable, Sendable {
    /// Everything that was requested was confirmed.
    case accepted
    /// A fault was found.
    case rejected
    /// The outcome is undecided.
    case undecided
    /// The symbol was seen, but gives no text.
    case unread
  }

  /// The corners in pixels of the whole picture, in order around the symbol; at least three.
  public let corners: [DrawingPoint]
  /// The outcome.
  public let standing: Standing
  /// The short text at the symbol itself, such as the name of its place.
  public let label: String
  /// The full text of the symbol; shortened in the middle if it is too long.
  public let payload: String
  /// Further facts, the most important first.
  public let details: [String]

  /// Makes a mark. Texts are drawn unchanged, on one line: make control characters visible first.
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
