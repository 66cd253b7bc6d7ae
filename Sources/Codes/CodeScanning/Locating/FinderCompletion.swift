import Pictures

/// Predicts the third finder pattern of a symbol of which glare, dirt or the border of the picture
/// leaves only two.
struct FinderCompletion {
  private let finders: [LocatedFinder]
  private let pyramid: PicturePyramid

  /// The number of pairs that are tried, the likeliest first, and the least quality of both
  /// patterns.
  private static let maximumPairs = 8
  private static let leastQuality = 0.8

  /// Two patterns of one symbol.
  private struct Pair {
    let first: LocatedFinder
    let second: LocatedFinder
    /// The distance between the centres of adjacent patterns in modules, also if the two are
    /// diagonal.
    let modules: Double
    let isDiagonal: Bool
    let cost: Double
  }

  init(_ finders: [LocatedFinder], in pyramid: PicturePyramid) {
    self.finders = finders
    self.pyramid = pyramid
  }

  /// Returns triples of two patterns and a predicted third.
  ///
  /// - Parameter used: the centres of patterns that certainly belong to a triple.
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
        // The likeness of the third counts less than a pattern that was found.
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
    // Small symbols first: their patterns are more likely to belong together.
    pairs.sort {
      ($0.cost + $0.modules / 5, $0.first.centre.y, $0.second.centre.y)
        < ($1.cost + $1.modules / 5, $1.first.centre.y, $1.second.centre.y)
    }
    return Array(pairs.prefix(Self.maximumPairs))
  }

  /// Returns the modules of a side if two patterns are diagonal.
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

  /// Returns the pattern at the right angle, the other, and the third, which is hardly visible:
  /// either may be the corner, and the symbol may be on either side.
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
      // The corner is missing: it is on an axis of each pattern.
      let there = a.frame.coordinates(of: b.centre)
      for corner in [a.frame(there.x, 0), a.frame(0, there.y)] {
        guard let match = match(a.frame, at: corner) else { continue }
        let isClockwise = (a.centre - match.pattern.centre).cross(b.centre - match.pattern.centre)
        let (first, second) = isClockwise > 0 ? (a.pattern, b.pattern) : (b.pattern, a.pattern)
        // Here the third pattern takes the corner's place.
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

/// A template of the 7 × 7 modules of a finder pattern in a known frame, to be matched nearby.
private struct FinderTemplate {
  /// A step is a module.
  let frame: PlaneFrame
  let isInverted: Bool

  /// The likeliest position of a pattern.
  struct Match {
    let pattern: FinderPattern
    /// The correlation of the grey values with the pattern, −1 to 1.
    let likeness: Double
  }

  /// Below this likeness, the picture gives less information than the prediction.
  private static let leastLikeness = 0.45

  /// Dark modules as 1 and light as −1, less the mean, so that uniform grey gives zero.
  private static let weights: [Double] = {
    let values = (0..<49).map { index -> Double in
      let ring = max(abs(index % 7 - 3), abs(index / 7 - 3))
      return ring == 2 ? -1 : 1
    }
    let mean = values.reduce(0, +) / 49
    return values.map { $0 - mean }
  }()

  /// Returns the likeliest position, or the point itself if nothing resembles a pattern.
  ///
  /// - Parameters:
  ///   - point: the predicted position, in pixels of the original.
  ///   - reach: the radius of the search, in modules.
  func bestMatch(
    around point: PicturePoint, reach: Double, in pyramid: PicturePyramid
  ) -> Match? {
    guard frame.isSound, point.isFinite, reach <= 10 else { return nil }
    let original = pyramid.levels[0].picture
    guard point.x > 0, point.y > 0, point.x < Double(original.width),
      point.y < Double(original.height)
    else { return nil }
    let module = min(frame.right.length, frame.down.length)
    let level = pyramid.level(bringing: module, downTo: 2)
    var best = (x: 0.0, y: 0.0, scale: 1.0, likeness: -1.0)
    level.picture.pixels.withUnsafeBufferPointer { pixels in
      func look(_ x: Double, _ y: Double, _ scale: Double) {
        let middle = point + frame.right * x + frame.down * y
        let likeness = likeness(at: middle, scale: scale, level, pixels)
        if likeness > best.likeness { best = (x, y, scale, likeness) }
      }
      for y in stride(from: -reach, through: reach, by: 0.8) {
        for x in stride(from: -reach, through: reach, by: 0.8) { look(x, y, 1) }
      }
      for step in [0.4, 0.2, 0.1] {
        let from = best
        for scale in [from.scale - step / 4, from.scale, from.scale + step / 4] {
          for y in [from.y - step, from.y, from.y + step] {
            for x in [from.x - step, from.x, from.x + step] { look(x, y, scale) }
          }
        }
      }
    }
    if best.likeness < Self.leastLikeness { best = (0, 0, 1, max(0, best.likeness) / 2) }
    let middle = point + frame.right * best.x + frame.down * best.y
    let (right, down) = (frame.right * (3.5 * best.scale), frame.down * (3.5 * best.scale))
    let corners = [
      middle - right - down, middle + right - down, middle + right + down,
      middle - right + down,
    ]
    return Match(
      pattern: FinderPattern(
        centre: middle, corners: right.cross(down) > 0 ? corners : corners.reversed(),
        modulePixels: (frame.right.length + frame.down.length) / 2 * best.scale),
      likeness: best.likeness)
  }

  private func likeness(
    at middle: PicturePoint, scale: Double, _ level: PicturePyramid.Level,
    _ pixels: UnsafeBufferPointer<UInt8>
  ) -> Double {
    var (sum, squares, product) = (0.0, 0.0, 0.0)
    for row in 0..<7 {
      for column in 0..<7 {
        let point =
          middle + frame.right * (scale * Double(column - 3)) + frame.down
          * (scale * Double(row - 3))
        let grey = level.brightness(at: point, pixels)
        sum += grey
        squares += grey * grey
        product -= grey * Self.weights[row * 7 + column]
      }
    }
    // The sum of the squared weights is 49 − 17² / 49.
    let spread = (squares - sum * sum / 49) * (49 - 289.0 / 49)
    guard spread > 49 else { return 0 }
    return product / spread.squareRoot() * (isInverted ? -1 : 1)
  }
}
