import CliptagPlatform

/// Combines finder patterns that may belong to one symbol.
///
/// A pattern's sides indicate the directions of its neighbours: along its axes, an integer number
/// of modules away. All angles and ratios are measured in the patterns' frames and not in the
/// picture, so a tilted symbol is as good as a frontal one. The number of modules between two
/// patterns is their distance divided by the geometric mean of both modules, which is exact in
/// perspective: the map from modules to pixels along a line is a Möbius transformation, for which
/// (f(a) − f(b))² = f′(a) f′(b) (a − b)².
struct FinderGrouping {
  /// The triples, likeliest first.
  let triples: [FinderTriple]
  /// A Boolean value that indicates whether two patterns seem to belong to a symbol whose third is
  /// lost.
  let showsPair: Bool

  /// The triples that almost certainly are those of symbols.
  var certainTriples: [FinderTriple] { Array(triples.prefix(while: \.isCertain)) }

  /// The treatment of two patterns that seem to belong to a symbol whose third is lost.
  enum Pairs {
    case ignored
    /// Their presence is reported.
    case seen
    /// They are reported, and the third pattern is predicted.
    case completed
  }

  /// The distances between the centres of two patterns of the smallest and of the largest symbol in
  /// modules, with a tolerance for poor measurements.
  private static let modules = 9.5...205.0
  /// The number of partners tried on each side of a pattern, and of triples kept for each.
  private static let partners = 8
  private static let triplesOfEach = 12

  /// Two adjacent patterns, seen from the first.
  struct Pair {
    let other: Int
    /// The distance between the centres in modules.
    let modules: Double
    /// The disagreement of both patterns' axes with the line between them.
    let cost: Double
  }

  /// Three patterns and their disagreement.
  fileprivate struct Candidate {
    let corner: Int
    let right: Int
    let lower: Int
    let modules: Double
    var cost: Double
  }

  /// The cost from which no triple is worth an attempt: of 1,590 symbols that were read, 99 in 100
  /// had less than −5, and none more than −1; of 1,975 triples that led to nothing, half had more
  /// than 6.
  private static let costOfUseless = 6.0
  /// The same for round patterns, which have up to 20 in strong perspective.
  private static let costOfUselessRings = 25.0
  /// The largest cost of two patterns with a timing pattern between them.
  private static let costOfLikelyPair = 14.0

  init(
    _ finders: [LocatedFinder], in pyramid: PicturePyramid, maximumTriples: Int, pairs: Pairs
  ) {
    let grid = FinderGrid(finders)
    var candidates: [Candidate] = []
    for index in finders.indices {
      candidates += Self.candidates(around: index, among: finders, grid)
    }
    candidates.removeAll { $0.cost > Self.costOfUselessRings + TimingCheck.mostGain }
    candidates.sort { ($0.cost, $0.corner, $0.right) < ($1.cost, $1.corner, $1.right) }
    let timing = TimingCheck(pyramid)
    var judged = candidates.prefix(maximumTriples).map { candidate in
      let triple = Self.triple(candidate, of: finders)
      return timing.judged(triple, cost: candidate.cost, modules: candidate.modules)
    }
    if pairs == .ignored {
      showsPair = false
    } else {
      var used = Set<PicturePoint>()
      for (triple, cost) in judged where cost < FinderTriple.costOfCertain {
        used.formUnion([triple.topLeft.centre, triple.topRight.centre, triple.bottomLeft.centre])
      }
      let completed = FinderCompletion(finders, in: pyramid).triples(without: used)
      showsPair = completed.contains { $0.cost < Self.costOfLikelyPair }
      if pairs == .completed { judged += completed }
    }
    judged.removeAll {
      $0.cost > ($0.triple.isRound ? Self.costOfUselessRings : Self.costOfUseless)
    }
    judged.sort { $0.cost < $1.cost }
    triples = judged.prefix(maximumTriples).map { judged in
      var triple = judged.triple
      triple.cost = judged.cost
      return triple
    }
  }

  /// Returns the likeliest triples with their right angle at a pattern.
  private static func candidates(
    around index: Int, among finders: [LocatedFinder], _ grid: FinderGrid
  ) -> [Candidate] {
    let finder = finders[index]
    // Partners to the right, below, to the left and above in the pattern's frame.
    var sides: [[Pair]] = [[], [], [], []]
    for other in grid.neighbours(of: index, within: modules.upperBound) {
      guard let (side, pair) = pair(finder, finders[other], other) else { continue }
      sides[side].append(pair)
    }
    for side in sides.indices {
      sides[side].sort {
        ($0.cost + $0.modules / 40, $0.other) < ($1.cost + $1.modules / 40, $1.other)
      }
      sides[side] = Array(sides[side].prefix(partners))
    }
    var result: [Candidate] = []
    if finder.hasDirection {
      for side in sides.indices {
        // The next side clockwise: first right of the corner, then below.
        for first in sides[side] {
          for second in sides[(side + 1) % 4] {
            if let candidate = candidate(index, first, second, of: finders) {
              result.append(candidate)
            }
          }
        }
      }
    } else {
      // For a round pattern, the side of a partner is determined by the other partner.
      let partners = sides.joined().map { pair in
        (pair: pair, place: finder.frame.coordinates(of: finders[pair.other].centre))
      }
      for first in partners {
        for second in partners {
          let turn = atan2(
            first.place.cross(second.place),
            first.place.x * second.place.x + first.place.y * second.place.y)
          guard abs(turn - .pi / 2) < 0.5 else { continue }
          if let candidate = candidate(index, first.pair, second.pair, of: finders) {
            result.append(candidate)
          }
        }
      }
    }
    result.sort { ($0.cost, $0.right, $0.lower) < ($1.cost, $1.right, $1.lower) }
    return Array(result.prefix(triplesOfEach))
  }

  /// Returns the side of the first pattern on which the second is, and the pair, if they may be
  /// adjacent.
  static func pair(
    _ a: LocatedFinder, _ b: LocatedFinder, _ other: Int
  ) -> (side: Int, pair: Pair)? {
    let there = a.frame.coordinates(of: b.centre)
    let back = b.frame.coordinates(of: a.centre)
    // The axes of a round pattern are arbitrary: only the length counts.
    let far = (
      a.hasDirection ? max(abs(there.x), abs(there.y)) : there.length,
      b.hasDirection ? max(abs(back.x), abs(back.y)) : back.length
    )
    let aside = (min(abs(there.x), abs(there.y)), min(abs(back.x), abs(back.y)))
    guard a.isInverted == b.isInverted, far.0 > 4, far.1 > 4, far.0 < 3 * far.1,
      far.1 < 3 * far.0
    else { return nil }
    let modules = (far.0 * far.1).squareRoot()
    let slant = (
      a.hasDirection ? aside.0 / far.0 : 0, b.hasDirection ? aside.1 / far.1 : 0
    )
    guard Self.modules.contains(modules), slant.0 < 0.36, slant.1 < 0.36 else { return nil }
    let stretch = log(far.0 / far.1)
    let cost =
      (slant.0 * slant.0 + slant.1 * slant.1) / (0.08 * 0.08) + stretch * stretch / (0.3 * 0.3)
    let side = abs(there.x) > abs(there.y) ? (there.x > 0 ? 0 : 2) : (there.y > 0 ? 1 : 3)
    return (side, Pair(other: other, modules: modules, cost: cost))
  }

  /// Returns a corner with two partners, unless they do not form a square.
  private static func candidate(
    _ corner: Int, _ first: Pair, _ second: Pair, of finders: [LocatedFinder]
  ) -> Candidate? {
    let ratio = log(first.modules / second.modules)
    guard abs(ratio) < 0.45 else { return nil }
    let (right, lower) = (finders[first.other], finders[second.other])
    let modules = (first.modules * second.modules).squareRoot()
    let diagonal = (
      misfit(ofDiagonalFrom: right, to: lower, modules),
      misfit(ofDiagonalFrom: lower, to: right, modules)
    )
    guard diagonal.0 < 1.2, diagonal.1 < 1.2 else { return nil }
    let quality = finders[corner].quality + right.quality + lower.quality
    let sizes = SymbolSizes(modules: modules)
    let cost =
      first.cost + second.cost + ratio * ratio / (0.1 * 0.1)
      + (diagonal.0 * diagonal.0 + diagonal.1 * diagonal.1) / (0.25 * 0.25)
      + sizes.misfit * sizes.misfit + 4 * (3 - quality) + 2 * log(modules / 14)
    return Candidate(
      corner: corner, right: first.other, lower: second.other, modules: modules, cost: cost)
  }

  /// Returns the deviation of the third side from the diagonal of a square, as a logarithm: by its
  /// direction, or by its length if a pattern has no direction.
  private static func misfit(
    ofDiagonalFrom finder: LocatedFinder, to other: LocatedFinder, _ modules: Double
  ) -> Double {
    let place = finder.frame.coordinates(of: other.centre)
    guard finder.hasDirection else { return abs(log(place.length / (2.0.squareRoot() * modules))) }
    guard abs(place.x) > 1, abs(place.y) > 1 else { return .infinity }
    return abs(log(abs(place.x / place.y)))
  }

  private static func triple(
    _ candidate: Candidate, of finders: [LocatedFinder]
  ) -> FinderTriple {
    let (corner, right) = (finders[candidate.corner], finders[candidate.right])
    let lower = finders[candidate.lower]
    let sizes = SymbolSizes(modules: candidate.modules).likeliest
    return FinderTriple(
      topLeft: corner.pattern, topRight: right.pattern, bottomLeft: lower.pattern, sizes: sizes,
      isInverted: corner.isInverted)
  }
}

/// The possible sizes of a symbol with a given distance between its patterns in modules.
struct SymbolSizes {
  /// The sizes, of 21, 25 … 177, likeliest first.
  let likeliest: [Int]
  /// The deviation from the nearest size, relative to the usual error.
  let misfit: Double

  init(modules: Double) {
    let measured = modules + 7
    let error = 0.3 + 0.03 * modules
    let version = Int((min(max(measured, 21), 177) - 17) / 4 + 0.5)
    let nearest = min(40, max(1, version))
    misfit = min(3, abs(measured - Double(17 + 4 * nearest)) / error)
    // At least one size more on each side, and as many as three errors permit.
    let reach = max(1, Int((3 * error / 4).rounded(.up)))
    let sizes: [Int] = (max(1, nearest - reach)...min(40, nearest + reach)).map { 17 + 4 * $0 }
    likeliest = sizes.sorted { abs(Double($0) - measured) < abs(Double($1) - measured) }
  }
}

/// Finder patterns sorted by position, so that partners are found without a full search.
struct FinderGrid {
  private let finders: [LocatedFinder]
  /// The indices from left to right.
  private let order: [Int]

  init(_ finders: [LocatedFinder]) {
    self.finders = finders
    order = finders.indices.sorted {
      (finders[$0].centre.x, finders[$0].centre.y, $0)
        < (finders[$1].centre.x, finders[$1].centre.y, $1)
    }
  }

  /// Returns the patterns of about the same size within a number of modules of one.
  func neighbours(of index: Int, within modules: Double) -> [Int] {
    let finder = finders[index]
    let reach = 2 * modules * finder.modulePixels
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if finders[order[middle]].centre.x < finder.centre.x - reach {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var result: [Int] = []
    for other in order[low...] {
      let there = finders[other]
      guard there.centre.x <= finder.centre.x + reach else { break }
      guard other != index, abs(there.centre.y - finder.centre.y) <= reach,
        there.modulePixels < 2.5 * finder.modulePixels,
        finder.modulePixels < 2.5 * there.modulePixels
      else { continue }
      result.append(other)
    }
    return result
  }
}
