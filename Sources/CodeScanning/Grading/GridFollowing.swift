import Pictures

/// The grid of a printed symbol, followed by the edges of all of its modules.
///
/// An edge between a dark and a light module tells along its normal how far the grid is off there.
/// A smooth sheet goes through all of them, and edges are sought again where it says, nearer and
/// with less trust in those that stand apart, until nothing moves.
struct GridFollowing {
  /// The crossings that have edges around them, and where they are seen.
  private let crossings: [PlaneMap.Match]
  /// The part of all crossings that they are.
  let seenPart: Double

  /// Passes over all edges, at most.
  private static let mostPasses = 8
  /// A pass that moves no edge by more modules than this is the last.
  private static let leastMove = 0.01
  /// A crossing is seen when this many edges of both directions are this near, in modules.
  private static let (leastEdges, reach) = (5, 4.6)

  /// - Returns: `nil` when too few edges are seen.
  init?(of measured: MeasuredSymbol, in light: LinearLight) {
    let size = measured.size
    var known: (Double, Double) -> (du: Double, dv: Double) = measured.bend
    var edges: ModuleEdges
    var (pass, move) = (0, Double.infinity)
    repeat {
      edges = ModuleEdges(of: measured, in: light, isFirst: pass == 0, known: known)
      guard let across = GridSpline(fitting: edges.vertical, size: size),
        let down = GridSpline(fitting: edges.horizontal, size: size)
      else { return nil }
      known = { (across.at($0, $1), down.at($0, $1)) }
      move = 0
      for edge in edges.vertical { move = max(move, abs(across.at(edge.u, edge.v) - edge.known)) }
      for edge in edges.horizontal { move = max(move, abs(down.at(edge.u, edge.v) - edge.known)) }
      pass += 1
    } while pass < 2 || pass < Self.mostPasses && move > Self.leastMove
    let isSeen = zip(Self.seen(by: edges.vertical, size), Self.seen(by: edges.horizontal, size))
      .map { $0 && $1 }
    seenPart = Double(isSeen.count { $0 }) / Double(isSeen.count)
    crossings = isSeen.indices.filter { isSeen[$0] }.map { index in
      let (u, v) = (Double(index % (size + 1)), Double(index / (size + 1)))
      let shift = known(u, v)
      return PlaneMap.Match(u: u, v: v, seen: measured.placeOnPlane(u + shift.du, v + shift.dv))
    }
  }

  /// Whether enough edges are around each crossing, row by row.
  private static func seen(by edges: [ModuleEdges.Edge], _ size: Int) -> [Bool] {
    var counts = [Int](repeating: 0, count: (size + 1) * (size + 1))
    func range(_ t: Double) -> ClosedRange<Int> {
      max(0, Int((t - reach).rounded(.up)))...min(size, Int(t + reach))
    }
    for edge in edges {
      for row in range(edge.v) {
        for column in range(edge.u) { counts[row * (size + 1) + column] += 1 }
      }
    }
    return counts.map { $0 >= leastEdges }
  }

  /// The largest distance of a crossing from an even grid, in modules; `nil` without such a grid.
  ///
  /// The even grid is the one that fits all crossings best: of a flatbed scan with straight sides
  /// of their own lengths and angles, of a photograph as a flat square is seen in perspective.
  func nonuniformity(isFlat: Bool) -> Double? {
    guard let even = isFlat ? Self.affine(crossings) : PlaneMap(fitting: crossings)?.callAsFunction
    else { return nil }
    var largest = 0.0
    for crossing in crossings {
      let (u, v) = (crossing.u, crossing.v)
      // What a module measures there, so that perspective does not count.
      let across = even(u + 0.5, v).distance(to: even(u - 0.5, v))
      let down = even(u, v + 0.5).distance(to: even(u, v - 0.5))
      largest = max(largest, 2 * crossing.seen.distance(to: even(u, v)) / (across + down))
    }
    return largest.isFinite ? largest : nil
  }

  private static func affine(
    _ crossings: [PlaneMap.Match]
  ) -> ((Double, Double) -> PicturePoint)? {
    var across = NormalEquations(count: 3)
    var down = NormalEquations(count: 3)
    for crossing in crossings {
      let row = [1, crossing.u, crossing.v]
      across.add(row, equals: crossing.seen.x, weight: 1)
      down.add(row, equals: crossing.seen.y, weight: 1)
    }
    guard let x = across.solved(damping: 0), let y = down.solved(damping: 0) else { return nil }
    return { u, v in
      PicturePoint(x: x[0] + x[1] * u + x[2] * v, y: y[0] + y[1] * u + y[2] * v)
    }
  }
}

/// A smooth shift along one axis over a symbol: a surface of cubic B-splines that stand evenly.
///
/// Of all such surfaces it is the one for which the squares of what edges are off and of the third
/// differences between neighbouring splines have the least sum (P-splines; Eilers and Marx, 1996).
/// A stretch, a slant and an even bend cost nothing, so that the border of the symbol and what a
/// logo hides follow their surroundings.
struct GridSpline {
  /// What third differences cost over a module: it smooths over a little more than that.
  private static let stiffness = 3.0
  /// Modules between splines, and how many such steps there are at most: a large symbol bends as
  /// slowly as a small one over its side.
  private static let (modulesApart, mostSteps) = (3, 24)

  /// Along each axis, and the mixed ones, of which there are three of each.
  private static let thirdDifferences: [(factors: [[Double]], share: Double)] = [
    ([[-1, 3, -3, 1]], 1), ([[-1], [3], [-3], [1]], 1),
    ([[-1, 2, -1], [1, -2, 1]], 3), ([[-1, 1], [2, -2], [-1, 1]], 3),
  ]

  /// Splines along a side.
  private let count: Int
  /// Modules between them.
  private let step: Double
  private let coefficients: [Double]

  /// - Returns: `nil` when the edges do not determine a surface.
  init?(fitting edges: [ModuleEdges.Edge], size: Int) {
    let steps = min(Self.mostSteps, size / Self.modulesApart)
    let count = steps + 3
    let step = Double(size) / Double(steps)
    self.count = count
    self.step = step
    var equations = BandedEquations(count: count * count, reach: 3 * count + 3)
    for edge in edges {
      let near = Self.near(edge.u, edge.v, step, count)
      equations.add(near, equals: edge.known + edge.shift, weight: edge.weight)
    }
    let cost = Self.stiffness / (step * step * step * step)
    for (factors, share) in Self.thirdDifferences {
      for row in 0...count - factors.count {
        for column in 0...count - factors[0].count {
          let terms = factors.enumerated().flatMap { y, line in
            line.enumerated().map { x, factor in ((row + y) * count + column + x, factor) }
          }
          equations.add(terms, equals: 0, weight: cost * share)
        }
      }
    }
    guard let solved = equations.solved() else { return nil }
    coefficients = solved
  }

  /// The shift at a place of the symbol.
  func at(_ u: Double, _ v: Double) -> Double {
    let ((column, across), (row, down)) = (
      Self.parts(u / step, count), Self.parts(v / step, count)
    )
    var sum = 0.0
    for y in 0..<4 {
      let index = (row + y) * count + column
      let line = SIMD4(
        coefficients[index], coefficients[index + 1], coefficients[index + 2],
        coefficients[index + 3])
      sum += down[y] * (line * across).sum()
    }
    return sum
  }

  /// The splines that reach a place, and how much.
  private static func near(
    _ u: Double, _ v: Double, _ step: Double, _ count: Int
  ) -> [(index: Int, factor: Double)] {
    let ((column, across), (row, down)) = (parts(u / step, count), parts(v / step, count))
    return (0..<16).map { index in
      let (y, x) = (index / 4, index % 4)
      return ((row + y) * count + column + x, down[y] * across[x])
    }
  }

  /// The first of four splines that reach a place on a line, and their heights there.
  private static func parts(_ t: Double, _ count: Int) -> (first: Int, heights: SIMD4<Double>) {
    let first = min(count - 4, max(0, Int(t)))
    let x = t - Double(first)
    let rest = 1 - x
    return (
      first,
      SIMD4(
        rest * rest * rest, 4 - 3 * x * x * (2 - x), 4 - 3 * rest * rest * (2 - rest), x * x * x)
        / 6
    )
  }
}

/// Weighted linear least squares of many unknowns, of which every equation holds only some that
/// stand near each other.
struct BandedEquations {
  private let count: Int
  /// The farthest that two unknowns of an equation stand apart.
  private let reach: Int
  /// Row by row, the diagonal and what is right of it.
  private var band: [Double]
  private var right: [Double]

  init(count: Int, reach: Int) {
    self.count = count
    self.reach = reach
    band = [Double](repeating: 0, count: count * (reach + 1))
    right = [Double](repeating: 0, count: count)
  }

  /// Adds the equation `Σ factor · unknown = value`; the indices rise.
  mutating func add(_ terms: [(index: Int, factor: Double)], equals value: Double, weight: Double) {
    for (place, term) in terms.enumerated() {
      let factor = term.factor * weight
      right[term.index] += factor * value
      let row = term.index * reach
      for other in terms[place...] { band[row + other.index] += factor * other.factor }
    }
  }

  /// The unknowns, or `nil` when the equations do not determine them.
  func solved() -> [Double]? {
    // Cholesky: the square is Lᵀ's transpose times Lᵀ, which takes the band's place. The element
    // (i, j) stands at i · (reach + 1) + j − i.
    var l = band
    var x = right
    let least = 1e-12 * (0..<count).reduce(0) { max($0, band[$1 * (reach + 1)]) }
    for i in 0..<count {
      let row = i * reach
      let diagonal = l[row + i]
      guard diagonal > least else { return nil }
      let last = min(count - 1, i + reach)
      for j in i + 1..<max(i + 1, last + 1) where l[row + j] != 0 {
        let factor = l[row + j] / diagonal
        let lower = j * reach
        for k in j...last { l[lower + k] -= factor * l[row + k] }
        x[j] -= factor * x[i]
      }
    }
    for i in (0..<count).reversed() {
      let row = i * reach
      for j in i + 1..<max(i + 1, min(count, i + reach + 1)) { x[i] -= l[row + j] * x[j] }
      x[i] /= l[row + i]
    }
    return x.allSatisfy(\.isFinite) ? x : nil
  }
}
