/// A smooth shift along one axis over a symbol: a surface of equidistant cubic B-splines.
///
/// It minimises the sum of the squared deviations of the edges and of the squared third differences
/// between neighbouring splines (P-splines; Eilers and Marx, 1996). Linear and quadratic
/// deformations have no cost, so the border of the symbol and the area hidden by a logo follow
/// their surroundings.
struct GridSpline {
  /// The cost of third differences over a module: the surface is smoothed over slightly more than
  /// that.
  private static let stiffness = 3.0
  /// The distance between splines in modules, and the largest number of such steps: a large symbol
  /// bends as slowly over its side as a small one.
  private static let (modulesApart, mostSteps) = (3, 24)

  /// The differences along each axis, and the mixed ones, of which there are three each.
  private static let thirdDifferences: [(factors: [[Double]], share: Double)] = [
    ([[-1, 3, -3, 1]], 1), ([[-1], [3], [-3], [1]], 1),
    ([[-1, 2, -1], [1, -2, 1]], 3), ([[-1, 1], [2, -2], [-1, 1]], 3),
  ]

  /// The number of splines along a side.
  private let count: Int
  /// The distance between splines in modules.
  private let step: Double
  private let coefficients: [Double]

  /// - Returns: `nil` if the edges do not determine a surface.
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

  /// Returns the shift at a point of the symbol.
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

  /// Returns the splines that contribute at a point, with their factors.
  private static func near(
    _ u: Double, _ v: Double, _ step: Double, _ count: Int
  ) -> [(index: Int, factor: Double)] {
    let ((column, across), (row, down)) = (parts(u / step, count), parts(v / step, count))
    return (0..<16).map { index in
      let (y, x) = (index / 4, index % 4)
      return ((row + y) * count + column + x, down[y] * across[x])
    }
  }

  /// Returns the first of four splines that contribute at a position on a line, and their heights
  /// there.
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
