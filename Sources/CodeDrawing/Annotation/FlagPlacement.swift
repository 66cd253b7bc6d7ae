/// Finds places for the flags of many symbols, so that they cover no symbol and not each other
/// where that can be avoided.
///
/// Greedy: one flag after another takes the first free place in a fixed order, near ones first. A
/// flag that finds none gives up its words and shows only number and sign; where not even that
/// has a free place, it lies where it covers least.
struct FlagPlacement {
  /// A flag that needs a place.
  struct Request {
    /// The symbol that it belongs to.
    let symbol: ConvexShape
    /// Its size with words, as width and height.
    let full: (width: Double, height: Double)
    /// Its size without.
    let compact: (width: Double, height: Double)
    /// Lower ones choose first.
    let rank: Int
  }

  /// A flag with its place.
  struct Flag {
    let box: DrawingBox
    let isCompact: Bool
    /// The line from the flag to its symbol.
    let leader: (from: DrawingPoint, to: DrawingPoint)
  }

  /// Where flags may lie.
  let area: DrawingBox

  /// How far from its symbol a flag may be.
  private static let nearGaps: [Double] = [12, 44, 90]
  private static let farGaps: [Double] = [12, 44, 90, 150, 230, 330]
  /// What flags keep free between them.
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
          // Of equally bad places the first is the nearest; only small flags may cover something.
          if isCompact, cost < best?.cost ?? .max { best = (flag, cost) }
        }
      }
    }
    // There is always a candidate, so the last resort is never drawn.
    let box = request.symbol.bounds
    return best?.flag
      ?? Flag(box: box, isCompact: true, leader: leader(from: box, to: request.symbol))
  }

  /// Places above, below and beside a symbol, within the area.
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

  /// What a flag would cover: a symbol is worse than a flag, and its own symbol is worst.
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
