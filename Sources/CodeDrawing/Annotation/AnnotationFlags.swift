/// The flags at the symbols: number, sign and verdict on the colour, and what it is below.
struct AnnotationFlags {
  private let marks: [PictureMark]

  private static let bandHeight = 40.0
  private static let labelHeight = 34.0
  private static let numberSize = 29.0
  private static let wordSize = 23.0
  private static let labelSize = 23.0
  private static let padding = 12.0
  private static let signSide = 24.0
  private static let widestLabel = 330.0

  init(_ marks: [PictureMark]) { self.marks = marks }

  /// The flags with their places; those of what is wrong choose first.
  func placed(around symbols: [ConvexShape], in area: DrawingBox) -> [FlagPlacement.Flag] {
    let ranks: [PictureMark.Standing] = [.rejected, .undecided, .accepted, .unread]
    return FlagPlacement(area: area).flags(
      for: marks.indices.map { index in
        let mark = marks[index]
        let band = Self.compactWidth(number: index + 1)
        let word = TextFitting.width(AnnotationStyle(mark.standing).word, .bold) * Self.wordSize
        let label =
          TextFitting.width(Self.label(of: mark), .sans) * Self.labelSize + 2 * Self.padding
        return FlagPlacement.Request(
          symbol: symbols[index],
          full: (
            max(band + word + 8, label),
            Self.bandHeight + (mark.label.isEmpty ? 0 : Self.labelHeight)
          ),
          compact: (band, Self.bandHeight),
          rank: ranks.firstIndex(of: mark.standing) ?? ranks.count)
      })
  }

  /// Draws a flag at its place.
  static func draw(
    _ flag: FlagPlacement.Flag, number: Int, _ mark: PictureMark, on canvas: inout AnnotationCanvas
  ) {
    let style = AnnotationStyle(mark.standing)
    let box = flag.box
    canvas.raw(#"<g id="flag-\#(number)" class="\#(mark.standing.rawValue)">"# + "\n")
    canvas.rectangle(box.grown(by: 3), radius: 7, fill: "#fff")
    let showsLabel = !flag.isCompact && !mark.label.isEmpty
    if showsLabel {
      canvas.rectangle(
        box, radius: 4, fill: "#fff", attributes: #" stroke="\#(style.colour)" stroke-width="3""#)
    }
    let band = DrawingBox(x: box.x, y: box.y, width: box.width, height: bandHeight)
    drawBand(band, number: number, style, isCompact: flag.isCompact, on: &canvas)
    if showsLabel {
      canvas.text(
        label(of: mark), x: box.x + padding, baseline: box.y + bandHeight + 25, size: labelSize,
        font: .sans, fill: "#14171a")
    }
    canvas.raw("</g>\n")
  }

  /// A number and a sign on the colour, as it stands in the legend too.
  static func drawBand(
    _ band: DrawingBox, number: Int, _ style: AnnotationStyle, isCompact: Bool,
    on canvas: inout AnnotationCanvas
  ) {
    canvas.rectangle(band, radius: 4, fill: style.colour)
    canvas.text(
      "\(number)", x: band.x + padding, baseline: band.y + 31, size: numberSize, font: .bold,
      fill: style.ink)
    let sign = band.x + compactWidth(number: number) - padding - signSide
    canvas.sign(style, x: sign, y: band.y + 8)
    if !isCompact {
      canvas.text(
        style.word, x: sign + signSide + 10, baseline: band.y + 29, size: wordSize, font: .bold,
        fill: style.ink)
    }
  }

  /// The width of number and sign with what surrounds them.
  static func compactWidth(number: Int) -> Double {
    TextFitting.width("\(number)", .bold) * numberSize + signSide + 8 + 2 * padding
  }

  /// The end of a path tells more than its beginning.
  private static func label(of mark: PictureMark) -> String {
    TextFitting.shortened(
      mark.label, to: (widestLabel - 2 * padding) / labelSize, .sans, headPart: 0.3)
  }
}
