/// Weighted linear least squares with few unknowns, by the normal equations.
struct NormalEquations {
  private let count: Int
  /// The upper triangle, row by row in a full square.
  private var square: [Double]
  private var right: [Double]

  init(count: Int) {
    self.count = count
    square = [Double](repeating: 0, count: count * count)
    right = [Double](repeating: 0, count: count)
  }

  /// Adds the equation `row · unknowns = value`.
  mutating func add(_ row: [Double], equals value: Double, weight: Double) {
    for i in 0..<count where row[i] != 0 {
      let factor = row[i] * weight
      right[i] += factor * value
      for j in i..<count { square[i * count + j] += factor * row[j] }
    }
  }

  /// Holds an unknown near a value.
  mutating func hold(_ index: Int, at value: Double = 0, weight: Double) {
    square[index * count + index] += weight
    right[index] += weight * value
  }

  /// Returns the unknowns, or `nil` if the equations do not determine them.
  ///
  /// - Parameter damping: a term added to the diagonal, relative to its mean.
  func solved(damping: Double) -> [Double]? {
    var l = square
    let mean = (0..<count).reduce(0) { $0 + square[$1 * count + $1] } / Double(count)
    // Cholesky: the square is L Lᵀ, stored as its transpose in the upper triangle.
    for i in 0..<count {
      for j in i..<count {
        var sum = l[i * count + j] + (i == j ? damping * mean : 0)
        for k in 0..<i { sum -= l[k * count + i] * l[k * count + j] }
        if i == j {
          guard sum > 1e-12 * mean else { return nil }
          l[i * count + i] = sum.squareRoot()
        } else {
          l[i * count + j] = sum / l[i * count + i]
        }
      }
    }
    var x = right
    for i in 0..<count {
      for k in 0..<i { x[i] -= l[k * count + i] * x[k] }
      x[i] /= l[i * count + i]
    }
    for i in (0..<count).reversed() {
      for k in i + 1..<count { x[i] -= l[i * count + k] * x[k] }
      x[i] /= l[i * count + i]
    }
    return x.allSatisfy(\.isFinite) ? x : nil
  }
}

/// Weighted linear least squares with many unknowns, where every equation contains only a few that
/// are near each other.
struct BandedEquations {
  private let count: Int
  /// The largest distance between two unknowns of an equation.
  private let reach: Int
  /// The diagonal and the elements to its right, row by row.
  private var band: [Double]
  private var right: [Double]

  init(count: Int, reach: Int) {
    self.count = count
    self.reach = reach
    band = [Double](repeating: 0, count: count * (reach + 1))
    right = [Double](repeating: 0, count: count)
  }

  /// Adds the equation `Σ factor · unknown = value`; the indices must ascend.
  mutating func add(_ terms: [(index: Int, factor: Double)], equals value: Double, weight: Double) {
    for (place, term) in terms.enumerated() {
      let factor = term.factor * weight
      right[term.index] += factor * value
      let row = term.index * reach
      for other in terms[place...] { band[row + other.index] += factor * other.factor }
    }
  }

  /// Returns the unknowns, or `nil` if the equations do not determine them.
  func solved() -> [Double]? {
    // Cholesky: the square is Lᵀ's transpose times Lᵀ, which replaces the band. The element (i, j)
    // is at i · (reach + 1) + j − i.
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
