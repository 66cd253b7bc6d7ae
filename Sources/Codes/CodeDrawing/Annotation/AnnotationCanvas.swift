/// The shapes of an annotated picture as SVG elements.
struct AnnotationCanvas {
  private(set) var file = ByteText()

  /// The font families by purpose; viewers use the first that they have.
  private static let sans = "DejaVu Sans,Verdana,Noto Sans,Helvetica,Arial,sans-serif"
  private static let mono = "DejaVu Sans Mono,Liberation Mono,Menlo,Consolas,monospace"

  mutating func raw(_ text: String) { file.append(text) }

  /// Adds a picture from the bytes of a PNG file.
  mutating func picture(_ png: [UInt8], in box: DrawingBox) {
    PictureMarkup.appendElement(png, type: "image/png", to: &file, box: box)
  }

  /// Adds text on one line. Each text is a separate element, so that right-to-left text cannot
  /// displace its neighbours.
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

  /// The outline of a symbol: in its colour, over a wider light one, so that it is visible on any
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

  /// The sign of an outcome in a square of 24 at a position; drawn in strokes, so that no font is
  /// needed.
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

/// The style of the four outcomes: by colour, by line and by sign, each sufficient alone.
///
/// The green tends to blue and the red to orange, after the palette of Okabe and Ito (2008), so
/// that people with a colour vision deficiency can distinguish them; they differ in brightness as
/// well. Text on each has a contrast of at least 4.5 : 1 (WCAG 2.2, 1.4.3).
struct AnnotationStyle {
  /// The colour of outline and flag.
  let colour: String
  /// The colour of text on it.
  let ink: String
  /// The word in the flag.
  let word: String
  /// The width of the outline.
  let lineWidth: Double
  /// The dashes of the outline; `nil` for a solid line.
  let dashes: String?
  /// Whether the outline is doubled.
  let isDouble: Bool
  /// The strokes of the sign in a square of 24; `nil` for a question mark.
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
