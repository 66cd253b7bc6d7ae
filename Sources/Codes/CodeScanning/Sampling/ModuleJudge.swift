/// The sampled modules of a symbol.
struct SampledModules: Hashable, Sendable {
  /// The number of modules in a row.
  let width: Int
  /// The number of modules in a column.
  let height: Int
  /// The darkness of each module, row by row, from +1 (certainly dark) to −1 (certainly light); 0
  /// is unknown.
  var darkness: [Float]

  /// The number of modules on a side of a square symbol.
  var size: Int { width }

  /// The darkness of one module.
  subscript(column: Int, row: Int) -> Float { darkness[row * width + column] }
}

extension SampledModules {
  /// Creates the modules of a square symbol with `size` modules on a side.
  init(size: Int, darkness: [Float]) { self.init(width: size, height: size, darkness: darkness) }
}

/// Determines the darkness of modules from their brightness.
enum ModuleJudge {
  /// Compares each module with the levels around it.
  ///
  /// The confidence is the distance to the middle between dark and light, relative to half the
  /// contrast. It is reduced if the contrast is low compared with the symbol's, and if a module is
  /// far brighter than the light ones around it, as in glare.
  static func byLevels(_ brightness: ModuleBrightness, _ levels: LocalLevels) -> SampledModules {
    let darkness = brightness.values.indices.map { index -> Float in
      guard brightness.isSeen[index] else { return 0 }
      let (offset, trust) = relative(brightness.values[index], levels, index)
      return soft(offset) * trust
    }
    return SampledModules(
      width: brightness.width, height: brightness.height, darkness: darkness)
  }

  /// Compares each module after the light that leaks in from its neighbours was removed: blur,
  /// motion and the dot gain of print.
  ///
  /// The leaks are measured in the symbol itself, first in its function patterns, then in all
  /// modules as decided so far (decision feedback equalisation).
  static func withoutLeaks(
    _ brightness: ModuleBrightness, _ levels: LocalLevels
  ) -> SampledModules? {
    let (width, height) = (brightness.width, brightness.height)
    let known = brightness.known
    var trusts = [Float](repeating: 0, count: width * height)
    let offsets = brightness.values.indices.map { index -> Float in
      guard brightness.isSeen[index] else { return 0 }
      let (offset, trust) = relative(brightness.values[index], levels, index)
      trusts[index] = trust
      return max(-2, min(2, offset))
    }
    func isKnown(_ index: Int) -> Bool { known[index] != .unknown }
    var decided = offsets.indices.map { index -> Float in
      isKnown(index) ? Float(known[index].rawValue) : soft(offsets[index] * 1.5)
    }
    for round in 0..<5 {
      guard
        let leaks = Leaks(
          of: offsets, decided, width: width, height: height,
          among: round == 0 ? isKnown : { trusts[$0] > 0.3 })
      else { return nil }
      let previous = decided
      for row in 0..<height {
        for column in 0..<width {
          let index = row * width + column
          guard !isKnown(index) else { continue }
          let own =
            offsets[index] - leaks.offset
            - leaks.fromNeighbours(previous, column, row, width, height)
          decided[index] = soft(own / leaks.own)
        }
      }
    }
    let darkness = decided.indices.map { isKnown($0) ? decided[$0] : decided[$0] * trusts[$0] }
    return SampledModules(width: width, height: height, darkness: darkness)
  }

  /// Returns the position of a brightness between light (−1) and dark (+1), and the trust in it.
  private static func relative(
    _ value: Float, _ levels: LocalLevels, _ index: Int
  ) -> (offset: Float, trust: Float) {
    let (dark, light) = (levels.dark[index], levels.light[index])
    let contrast = max(light - dark, 1)
    let offset = ((dark + light) / 2 - value) / (contrast / 2)
    var trust = min(1, 1.5 * contrast / (0.5 * levels.typicalContrast + contrast))
    if offset < -1.8 { trust *= max(0.2, 1 - (-1.8 - offset)) }
    return (offset, trust)
  }

  private static func soft(_ value: Float) -> Float { max(-1, min(1, value)) }
}

/// The influence of the neighbours on a module.
private struct Leaks {
  /// The influence of the module itself.
  let own: Float
  /// The common offset of all modules.
  let offset: Float
  /// The influence of each of the eight neighbours, and of the next ones horizontally and
  /// vertically.
  private let beside, above, falling, rising, besideNext, aboveNext: Float

  /// Measures the leaks by least squares, or returns `nil` if they cannot be determined.
  init?(
    of offsets: [Float], _ decided: [Float], width: Int, height: Int,
    among isUsed: (Int) -> Bool
  ) {
    var equations = NormalEquations(count: 8)
    for row in 0..<height {
      for column in 0..<width where isUsed(row * width + column) {
        let index = row * width + column
        let sums = Self.neighbours(decided, column, row, width, height)
        equations.add(
          [
            1, decided[index], sums.beside, sums.above, sums.falling, sums.rising, sums.besideNext,
            sums.aboveNext,
          ].map(Double.init),
          equals: Double(offsets[index]), weight: 1)
      }
    }
    // In the function patterns alone, the further ones are hard to separate from the nearest.
    for (index, weight) in [2.0, 2, 10, 10, 10, 10].enumerated() {
      equations.hold(index + 2, weight: weight)
    }
    guard let x = equations.solved(damping: 1e-4)?.map(Float.init), x[1] > 0.1 else { return nil }
    (offset, own, beside, above, falling, rising) = (x[0], x[1], x[2], x[3], x[4], x[5])
    (besideNext, aboveNext) = (x[6], x[7])
  }

  /// Returns the light that leaks into a module.
  func fromNeighbours(
    _ decided: [Float], _ column: Int, _ row: Int, _ width: Int, _ height: Int
  ) -> Float {
    let sums = Self.neighbours(decided, column, row, width, height)
    return beside * sums.beside + above * sums.above + falling * sums.falling
      + rising * sums.rising + besideNext * sums.besideNext + aboveNext * sums.aboveNext
  }

  private static func neighbours(
    _ decided: [Float], _ column: Int, _ row: Int, _ width: Int, _ height: Int
  ) -> (
    beside: Float, above: Float, falling: Float, rising: Float, besideNext: Float,
    aboveNext: Float
  ) {
    func at(_ x: Int, _ y: Int) -> Float {
      let (column, row) = (column + x, row + y)
      // The quiet zone is light.
      guard column >= 0, row >= 0, column < width, row < height else { return -1 }
      return decided[row * width + column]
    }
    return (
      at(-1, 0) + at(1, 0), at(0, -1) + at(0, 1), at(-1, -1) + at(1, 1), at(1, -1) + at(-1, 1),
      at(-2, 0) + at(2, 0), at(0, -2) + at(0, 2)
    )
  }
}
