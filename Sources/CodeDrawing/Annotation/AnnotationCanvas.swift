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
