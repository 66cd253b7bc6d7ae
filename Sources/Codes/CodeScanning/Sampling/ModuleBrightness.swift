import Pictures

/// The brightness of each module of a symbol, sampled through a geometry.
struct ModuleBrightness: Sendable {
  /// The number of modules in a row.
  let width: Int
  /// The number of modules in a column.
  let height: Int
  /// The colours of the modules that do not depend on the contents, row by row.
  let known: [FunctionPatterns.Module]
  /// The values, row by row, 0 … 255.
  let values: [Float]
  /// Whether each module is in the picture and not in glare.
  private(set) var isSeen: [Bool]

  /// Positions across a module, from its edge, with their weights: a bell around the centre, which
  /// reduces noise and excludes the neighbours.
  private static let taps: [(place: Double, weight: Float)] = [
    (0.26, 0.25), (0.5, 0.5), (0.74, 0.25),
  ]

  /// Samples a symbol at nine points per module.
  ///
  /// - Parameters:
  ///   - patch: the part of the picture.
  ///   - geometry: the geometry of the symbol.
  ///   - known: the colours of the modules of its patterns, row by row.
  ///   - mayHaveGlare: whether large bright areas are taken for glare.
  init(
    of patch: PicturePatch, through geometry: SymbolGeometry, known: [FunctionPatterns.Module],
    mayHaveGlare: Bool = true
  ) {
    let (width, height) = (geometry.width, geometry.height)
    // The geometry is evaluated only at the modules' corners; within a module it is interpolated.
    var corners: [PicturePoint] = []
    corners.reserveCapacity((width + 1) * (height + 1))
    for row in 0...height {
      for column in 0...width { corners.append(geometry(Double(column), Double(row))) }
    }
    var values: [Float] = []
    var isSeen: [Bool] = []
    values.reserveCapacity(width * height)
    isSeen.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        let upper = row * (width + 1) + column
        let lower = upper + width + 1
        let (a, b, c, d) = (
          corners[upper], corners[upper + 1], corners[lower], corners[lower + 1]
        )
        var sum: Float = 0
        for (y, weightY) in Self.taps {
          let left = PicturePoint(x: a.x + (c.x - a.x) * y, y: a.y + (c.y - a.y) * y)
          let right = PicturePoint(x: b.x + (d.x - b.x) * y, y: b.y + (d.y - b.y) * y)
          for (x, weightX) in Self.taps {
            let point = PicturePoint(
              x: left.x + (right.x - left.x) * x, y: left.y + (right.y - left.y) * x)
            sum += patch.brightness(point) * weightX * weightY
          }
        }
        values.append(sum)
        isSeen.append(
          patch.isInside(PicturePoint(x: (a.x + d.x) / 2, y: (a.y + d.y) / 2)))
      }
    }
    self.width = width
    self.height = height
    self.known = known
    self.values = values
    self.isSeen = isSeen
    if mayHaveGlare { leaveOutGlare() }
  }

  /// Marks modules as not visible in a square of nine that are all at full brightness: data seldom
  /// has nine light modules together, and a reflection of a lamp hides the area.
  private mutating func leaveOutGlare() {
    let (width, height) = (width, height)
    var isBright = values.map { $0 >= 246 }
    for (index, module) in known.enumerated() where module == .light { isBright[index] = false }
    for row in 1..<height - 1 {
      for column in 1..<width - 1 {
        let middle = row * width + column
        let square = [-width - 1, -width, -width + 1, -1, 0, 1, width - 1, width, width + 1]
        guard isBright[middle], square.allSatisfy({ isBright[middle + $0] }) else { continue }
        for step in square { isSeen[middle + step] = false }
      }
    }
  }
}

/// The levels of dark and light around each module, which vary with uneven light, shadows and
/// glare.
struct LocalLevels: Sendable {
  /// The mean of the surrounding dark modules, row by row.
  private(set) var dark: [Float]
  /// The mean of the surrounding light modules, row by row.
  private(set) var light: [Float]
  /// The median of the differences between both.
  private(set) var typicalContrast: Float

  /// Computes the levels around each module.
  ///
  /// - Parameters:
  ///   - brightness: the modules.
  ///   - reach: the number of modules to each side that count as surrounding.
  init(of brightness: ModuleBrightness, reach: Int) {
    let (width, height) = (brightness.width, brightness.height)
    let values = brightness.values
    let known = brightness.known
    let mean = BoxSums(values, width: width, height: height).means(reach: reach)
    // First by the local mean, then twice by the middle between the means of both kinds.
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
      dark = Self.means(values, weights: isDark, width, height, reach, fallback: dark)
      light = Self.means(values, weights: isLight, width, height, reach, fallback: light)
      for index in values.indices { threshold[index] = (dark[index] + light[index]) / 2 }
    }
    // A sample of the modules is sufficient.
    let some = stride(from: 0, to: values.count, by: max(1, values.count / 400))
    var contrasts: [Float] = []
    for index in some { contrasts.append(light[index] - dark[index]) }
    contrasts.sort()
    typicalContrast = max(1, contrasts[contrasts.count / 2])
  }

  private static func means(
    _ values: [Float], weights: [Float], _ width: Int, _ height: Int, _ reach: Int,
    fallback: [Float]
  ) -> [Float] {
    let weighted = zip(values, weights).map { $0 * $1 }
    let sums = BoxSums(weighted, width: width, height: height).sums(reach: reach)
    let counts = BoxSums(weights, width: width, height: height).sums(reach: reach)
    return values.indices.map { counts[$0] > 0.5 ? sums[$0] / counts[$0] : fallback[$0] }
  }
}

/// Sums over squares of a grid, from a summed-area table.
private struct BoxSums {
  private let columns: Int
  private let rows: Int
  private var table: [Float]

  init(_ values: [Float], width: Int, height: Int) {
    columns = width
    rows = height
    let width = columns + 1
    table = [Float](repeating: 0, count: width * (rows + 1))
    for row in 0..<rows {
      var sum: Float = 0
      for column in 0..<columns {
        sum += values[row * columns + column]
        table[(row + 1) * width + column + 1] = table[row * width + column + 1] + sum
      }
    }
  }

  func sums(reach: Int) -> [Float] { around(reach).map(\.sum) }

  func means(reach: Int) -> [Float] { around(reach).map { $0.sum / $0.count } }

  private func around(_ reach: Int) -> [(sum: Float, count: Float)] {
    let width = columns + 1
    var result: [(sum: Float, count: Float)] = []
    result.reserveCapacity(columns * rows)
    for row in 0..<rows {
      let (top, bottom) = (max(0, row - reach) * width, min(rows, row + reach + 1) * width)
      let lines = (bottom - top) / width
      for column in 0..<columns {
        let (left, right) = (max(0, column - reach), min(columns, column + reach + 1))
        let sum =
          table[bottom + right] - table[bottom + left] - table[top + right] + table[top + left]
        result.append((sum, Float(lines * (right - left))))
      }
    }
    return result
  }
}
