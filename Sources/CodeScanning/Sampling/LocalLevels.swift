/// How bright dark and light are around each module: uneven light, shadows and glare make it
/// differ from place to place.
struct LocalLevels: Sendable {
  /// Row by row, the mean of the dark modules around.
  private(set) var dark: [Float]
  /// Row by row, the mean of the light modules around.
  private(set) var light: [Float]
  /// The middle of the differences between both.
  private(set) var typicalContrast: Float

  /// The levels around each module.
  ///
  /// - Parameters:
  ///   - brightness: the modules.
  ///   - reach: modules to each side that count as around.
  init(of brightness: ModuleBrightness, reach: Int) {
    let size = brightness.size
    let values = brightness.values
    let known = FunctionPatterns.of(size: size).modules
    let mean = BoxSums(values, size: size).means(reach: reach)
    // First by the mean around, then twice by the middle between the means of both kinds.
    var threshold = mean
    dark = mean
    light = mean
    for _ in 0..<3 {
      var isDark = [Float](repeating: 0, count: values.count)
      for index in values.indices where brightness.isSeen[index] {
        switch known[index] {
        case .dark: isDark[index] = 1
        case .light: isDark[index] = 0
        case .unknown: isDark[index] = values[index] < threshold[index] ? 1 : 0
        }
      }
      let isLight = values.indices.map { brightness.isSeen[$0] ? 1 - isDark[$0] : 0 }
      dark = Self.means(values, weights: isDark, size, reach, fallback: dark)
      light = Self.means(values, weights: isLight, size, reach, fallback: light)
      for index in values.indices { threshold[index] = (dark[index] + light[index]) / 2 }
    }
    // Some modules tell as much as all.
    let some = stride(from: 0, to: values.count, by: max(1, values.count / 400))
    var contrasts: [Float] = []
    for index in some { contrasts.append(light[index] - dark[index]) }
    contrasts.sort()
    typicalContrast = max(1, contrasts[contrasts.count / 2])
  }

  private static func means(
    _ values: [Float], weights: [Float], _ size: Int, _ reach: Int, fallback: [Float]
  ) -> [Float] {
    let sums = BoxSums(zip(values, weights).map { $0 * $1 }, size: size).sums(reach: reach)
    let counts = BoxSums(weights, size: size).sums(reach: reach)
    return values.indices.map { counts[$0] > 0.5 ? sums[$0] / counts[$0] : fallback[$0] }
  }
}

/// Sums over squares of a square grid, by a table of sums from the top left corner.
private struct BoxSums {
  private let size: Int
  private var table: [Float]

  init(_ values: [Float], size: Int) {
    self.size = size
    let width = size + 1
    table = [Float](repeating: 0, count: width * width)
    for row in 0..<size {
      var sum: Float = 0
      for column in 0..<size {
        sum += values[row * size + column]
        table[(row + 1) * width + column + 1] = table[row * width + column + 1] + sum
      }
    }
  }

  func sums(reach: Int) -> [Float] { around(reach).map(\.sum) }

  func means(reach: Int) -> [Float] { around(reach).map { $0.sum / $0.count } }

  private func around(_ reach: Int) -> [(sum: Float, count: Float)] {
    let width = size + 1
    var result: [(sum: Float, count: Float)] = []
    result.reserveCapacity(size * size)
    for row in 0..<size {
      let (top, bottom) = (max(0, row - reach) * width, min(size, row + reach + 1) * width)
      let rows = (bottom - top) / width
      for column in 0..<size {
        let (left, right) = (max(0, column - reach), min(size, column + reach + 1))
        let sum =
          table[bottom + right] - table[bottom + left] - table[top + right] + table[top + left]
        result.append((sum, Float(rows * (right - left))))
      }
    }
    return result
  }
}
