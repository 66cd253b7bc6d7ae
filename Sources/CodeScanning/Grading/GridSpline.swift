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
