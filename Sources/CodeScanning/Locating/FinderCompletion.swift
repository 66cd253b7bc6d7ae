import Pictures

/// Predicts the third finder pattern of a symbol of which glare, dirt or the border of the picture
/// left only two.
struct FinderCompletion {
  private let finders: [LocatedFinder]
  private let pyramid: PicturePyramid

  /// Pairs that are tried, the likeliest first, and how good both patterns must be.
  private static let maximumPairs = 8
  private static let leastQuality = 0.8

  /// Two patterns of one symbol, and how many modules lie between their middles.
  private struct Pair {
    let first: LocatedFinder
    let second: LocatedFinder
    /// Modules along a side of the symbol, also when the two stand across its diagonal.
    let modules: Double
    let isDiagonal: Bool
    let cost: Double
  }

  init(_ finders: [LocatedFinder], in pyramid: PicturePyramid) {
    self.finders = finders
    self.pyramid = pyramid
  }

  /// Triples of two patterns and a predicted third.
  ///
  /// - Parameter used: the middles of patterns that belong to a triple beyond doubt.
  func triples(without used: Set<PicturePoint>) -> [(triple: FinderTriple, cost: Double)] {
    let free = finders.filter {
      $0.quality > Self.leastQuality && $0.hasDirection && !used.contains($0.centre)
    }
    let timing = TimingCheck(pyramid)
    var result: [(triple: FinderTriple, cost: Double)] = []
    for pair in pairs(of: free) {
      for (corner, other, third) in completions(of: pair) {
        let isClockwise =
          (other.centre - corner.centre).cross(third.pattern.centre - corner.centre) > 0
        let triple = FinderTriple(
          topLeft: corner, topRight: isClockwise ? other : third.pattern,
          bottomLeft: isClockwise ? third.pattern : other,
          sizes: SymbolSizes(modules: pair.modules).likeliest, isInverted: pair.first.isInverted)
        // What is seen of the third counts for less than a pattern that was found.
        let cost = pair.cost + 30 - 10 * third.likeness
        result.append(timing.judged(triple, cost: cost, modules: pair.modules))
      }
    }
    return result
  }

  private func pairs(of free: [LocatedFinder]) -> [Pair] {
    let grid = FinderGrid(free)
    var pairs: [Pair] = []
    for (index, first) in free.enumerated() {
      for other in grid.neighbours(of: index, within: 205) where other > index {
        let second = free[other]
        if let row = FinderGrouping.pair(first, second, other) {
          pairs.append(
            Pair(
              first: first, second: second, modules: row.pair.modules, isDiagonal: false,
              cost: row.pair.cost))
        } else if let modules = Self.modulesAcross(first, second) {
          pairs.append(
            Pair(first: first, second: second, modules: modules, isDiagonal: true, cost: 4))
        }
      }
    }
    // Small symbols first: their patterns are the more likely to belong together.
    pairs.sort {
      ($0.cost + $0.modules / 5, $0.first.centre.y, $0.second.centre.y)
        < ($1.cost + $1.modules / 5, $1.first.centre.y, $1.second.centre.y)
    }
    return Array(pairs.prefix(Self.maximumPairs))
  }

  /// The modules of a side when two patterns stand across the diagonal.
  private static func modulesAcross(_ a: LocatedFinder, _ b: LocatedFinder) -> Double? {
    let there = a.frame.coordinates(of: b.centre)
    let back = b.frame.coordinates(of: a.centre)
    guard a.isInverted == b.isInverted, abs(there.x) > 9, abs(there.y) > 9, abs(back.x) > 9,
      abs(back.y) > 9, (0.75...1.33).contains(abs(there.x / there.y)),
      (0.75...1.33).contains(abs(back.x / back.y))
    else { return nil }
    let modules = (abs(there.x * back.x) * abs(there.y * back.y)).squareRoot().squareRoot()
    return (10...190).contains(modules) ? modules : nil
  }

  /// The pattern at the right angle, the other, and the third, which the picture hardly shows:
  /// either may be the corner, and the symbol may lie on either side.
  private func completions(
    of pair: Pair
  ) -> [(corner: FinderPattern, other: FinderPattern, third: FinderTemplate.Match)] {
    let (a, b) = (pair.first, pair.second)
    let reach = min(8, 1.5 + 0.12 * pair.modules)
    var result: [(corner: FinderPattern, other: FinderPattern, third: FinderTemplate.Match)] = []
    func match(_ frame: PlaneFrame, at point: PicturePoint) -> FinderTemplate.Match? {
      FinderTemplate(frame: frame, isInverted: a.isInverted)
        .bestMatch(around: point, reach: reach, in: pyramid)
    }
    if pair.isDiagonal {
      // The corner is missing: it lies on an axis of each.
      let there = a.frame.coordinates(of: b.centre)
      for corner in [a.frame(there.x, 0), a.frame(0, there.y)] {
        guard let match = match(a.frame, at: corner) else { continue }
        let isClockwise = (a.centre - match.pattern.centre).cross(b.centre - match.pattern.centre)
        let (first, second) = isClockwise > 0 ? (a.pattern, b.pattern) : (b.pattern, a.pattern)
        // Here the third stands in the corner's place.
        result.append(
          (match.pattern, first, FinderTemplate.Match(pattern: second, likeness: match.likeness)))
      }
      return result
    }
    for (corner, other) in [(a, b), (b, a)] {
      let there = corner.frame.coordinates(of: other.centre)
      for side in [pair.modules, -pair.modules] {
        let isAcross = abs(there.x) > abs(there.y)
        let point = isAcross ? corner.frame(0, side) : corner.frame(side, 0)
        guard let third = match(corner.frame, at: point) else { continue }
        result.append((corner.pattern, other.pattern, third))
      }
    }
    return result
  }
}
