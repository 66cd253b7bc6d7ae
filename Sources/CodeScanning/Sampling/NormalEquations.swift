/// Weighted linear least squares with few unknowns, by the normal equations.
struct NormalEquations {
  private let count: Int
  /// The upper triangle is kept, row by row in a full square.
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

  /// Holds one unknown near a value.
  mutating func hold(_ index: Int, at value: Double = 0, weight: Double) {
    square[index * count + index] += weight
    right[index] += weight * value
  }

  /// The unknowns, or `nil` when the equations do not determine them.
  ///
  /// - Parameter damping: added to the diagonal, as a part of its mean.
  func solved(damping: Double) -> [Double]? {
    var l = square
    let mean = (0..<count).reduce(0) { $0 + square[$1 * count + $1] } / Double(count)
    // Cholesky: the square is L Lᵀ, kept as its transpose in the upper triangle.
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
