/// The flags at the symbols: number, sign and verdict on the colour, with the label below.
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

  /// The flags with their positions; those of rejected codes are placed first.
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

  /// Draws a flag at its position.
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

  /// Draws a number and a sign on the colour, as in the legend.
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

  /// The width of number and sign with their padding.
  private static func compactWidth(number: Int) -> Double {
    TextFitting.width("\(number)", .bold) * numberSize + signSide + 8 + 2 * padding
  }

  /// The end of a path is more specific than its beginning.
  private static func label(of mark: PictureMark) -> String {
    TextFitting.shortened(
      mark.label, to: (widestLabel - 2 * padding) / labelSize, .sans, headPart: 0.3)
  }
}

/// Places the flags of many symbols so that they cover no symbol and no other flag, if possible.
///
/// The algorithm is greedy: one flag after another takes the first free position in a fixed order,
/// near ones first. A flag without a free position drops its text and shows only number and sign;
/// if even that has no free position, it is placed where it covers least.
struct FlagPlacement {
  /// A flag to be placed.
  struct Request {
    /// The symbol of the flag.
    let symbol: ConvexShape
    /// Its width and height with text.
    let full: (width: Double, height: Double)
    /// Its width and height without text.
    let compact: (width: Double, height: Double)
    /// The rank; lower ranks are placed first.
    let rank: Int
  }

  /// A flag with its position.
  struct Flag {
    let box: DrawingBox
    let isCompact: Bool
    /// The line from the flag to its symbol.
    let leader: (from: DrawingPoint, to: DrawingPoint)
  }

  /// The area in which flags may be placed.
  let area: DrawingBox

  /// The distances of a flag from its symbol.
  private static let nearGaps: [Double] = [12, 44, 90]
  private static let farGaps: [Double] = [12, 44, 90, 150, 230, 330]
  /// The minimum distance between flags.
  private static let distance = 5.0

  /// The flags in the order of the requests.
  func flags(for requests: [Request]) -> [Flag] {
    let symbols = requests.map(\.symbol)
    var placed = [Flag?](repeating: nil, count: requests.count)
    let order = requests.indices.sorted { (requests[$0].rank, $0) < (requests[$1].rank, $1) }
    for index in order {
      let others = symbols.indices.filter { $0 != index }.map { symbols[$0] }
      let flags = placed.compactMap { $0 }
      placed[index] = flag(for: requests[index], among: others, and: flags)
    }
    return placed.compactMap { $0 }
  }

  private func flag(
    for request: Request, among others: [ConvexShape], and flags: [Flag]
  ) -> Flag {
    var best: (flag: Flag, cost: Int)?
    for (size, gaps, isCompact) in [
      (request.full, Self.nearGaps, false), (request.compact, Self.farGaps, true),
    ] {
      for gap in gaps {
        for box in candidates(size, around: request.symbol.bounds, gap: gap) {
          let flag = Flag(
            box: box, isCompact: isCompact, leader: leader(from: box, to: request.symbol))
          let cost = cost(of: flag, at: request.symbol, among: others, and: flags)
          if cost == 0 { return flag }
          // Of equally bad positions the first is the nearest; only compact flags may cover
          // something.
          if isCompact, cost < best?.cost ?? .max { best = (flag, cost) }
        }
      }
    }
    // There is always a candidate, so the fallback is never drawn.
    let box = request.symbol.bounds
    return best?.flag
      ?? Flag(box: box, isCompact: true, leader: leader(from: box, to: request.symbol))
  }

  /// The positions above, below and beside a symbol, within the area.
  private func candidates(
    _ size: (width: Double, height: Double), around symbol: DrawingBox, gap: Double
  ) -> [DrawingBox] {
    let above = symbol.y - gap - size.height
    let below = symbol.bottom + gap
    let before = symbol.x - gap - size.width
    let behind = symbol.right + gap
    let columns = [symbol.x, symbol.centre.x - size.width / 2, symbol.right - size.width]
    let rows = [symbol.y, symbol.centre.y - size.height / 2, symbol.bottom - size.height]
    let places =
      columns.map { ($0, above) } + columns.map { ($0, below) } + rows.map { (behind, $0) }
      + rows.map { (before, $0) }
      + [(behind, above), (before, above), (behind, below), (before, below)]
    return places.map {
      DrawingBox(x: $0.0, y: $0.1, width: size.width, height: size.height).held(in: area)
    }
  }

  private func leader(
    from box: DrawingBox, to symbol: ConvexShape
  ) -> (from: DrawingPoint, to: DrawingPoint) {
    let target = symbol.nearestPoint(to: box.centre)
    return (box.nearestPoint(to: target), target)
  }

  /// The cost of what a flag would cover: a symbol costs more than a flag, and its own symbol most.
  private func cost(
    of flag: Flag, at symbol: ConvexShape, among others: [ConvexShape], and flags: [Flag]
  ) -> Int {
    let outline = flag.box.shape
    let roomy = flag.box.grown(by: Self.distance).shape
    let line = ConvexShape([flag.leader.from, flag.leader.to])
    var cost = outline.overlaps(symbol) ? 20 : 0
    for other in others {
      if roomy.overlaps(other) { cost += 8 }
      if line.overlaps(other) { cost += 2 }
    }
    for other in flags {
      if roomy.overlaps(other.box.shape) { cost += 6 }
      if line.overlaps(other.box.shape) { cost += 2 }
      if outline.overlaps(ConvexShape([other.leader.from, other.leader.to])) { cost += 3 }
    }
    return cost
  }
}
