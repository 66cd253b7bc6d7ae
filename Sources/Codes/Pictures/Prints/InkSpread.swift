/// The ink of a drawing in two tones, or in three.
///
/// Ink spreads from each tone over the lighter ones: what is darker than the middle tone, and what
/// is lighter, each spread as if there were but two.
package struct PrintedInk {
  private let dark: InkSpread
  private let light: (ink: InkSpread, middle: Float)?

  /// Prepares a drawing.
  ///
  /// - Parameter middle: The brightness of the third tone, between those of the others.
  package init(_ drawing: ProofRaster, middle: Float? = nil) {
    guard let middle else {
      (dark, light) = (InkSpread(of: drawing), nil)
      return
    }
    dark = InkSpread(of: drawing.mapped { value, _ in min(value, middle) })
    light = (InkSpread(of: drawing.mapped { value, _ in max(value, middle) }), middle)
  }

  /// Returns the drawing with every edge of a darker tone moved outwards by so many pixels.
  package func grown(by pixels: Double) -> ProofRaster {
    let dark = dark.grown(by: pixels)
    guard let light else { return dark }
    let other = light.ink.grown(by: pixels)
    return dark.mapped { value, index in value + other.values[index] - light.middle }
  }
}

/// The spread or loss of ink at every edge of a drawing, in parts of a pixel.
///
/// A pixel is dark if it is darker than the middle between the drawing's darkest and lightest. The
/// distance of each pixel to the nearest edge is exact (Felzenszwalb and Huttenlocher, 2012), and a
/// pixel that an edge passes is changed in part, so that a growth of a tenth of a pixel has an
/// effect.
package struct InkSpread {
  private let drawing: ProofRaster
  private let dark, light: Float
  /// From each pixel's middle to the nearest dark one's.
  private let toDark: [Float]
  /// From each pixel's middle to the nearest light one's.
  private let toLight: [Float]

  /// Measures the distances to the ink of a drawing and to its paper.
  package init(of drawing: ProofRaster) {
    self.drawing = drawing
    let darkest = drawing.values.min() ?? 0
    let lightest = drawing.values.max() ?? 255
    (dark, light) = (darkest, lightest)
    let threshold = (darkest + lightest) / 2
    let isDark = drawing.values.map { $0 < threshold }
    toDark = Self.distances(isDark, side: drawing.side)
    toLight = Self.distances(isDark.map { !$0 }, side: drawing.side)
  }

  /// Returns the drawing with every edge of the ink moved outwards; inwards by a negative distance.
  ///
  /// - Parameter pixels: how far; a line becomes wider by twice of that.
  package func grown(by pixels: Double) -> ProofRaster {
    let reach = Float(abs(pixels))
    let distances = pixels >= 0 ? toDark : toLight
    let target = pixels >= 0 ? dark : light
    return drawing.mapped { value, index in
      // An edge is half a pixel before the middle of the first pixel beyond it.
      let covered = min(1, max(0, reach + 1 - distances[index]))
      let moved = value * (1 - covered) + target * covered
      return pixels >= 0 ? min(value, moved) : max(value, moved)
    }
  }

  /// The distance of every place to the nearest marked one; zero at marked ones.
  private static func distances(_ isMarked: [Bool], side: Int) -> [Float] {
    let far = Float(4 * side * side)
    var squares = isMarked.map { $0 ? 0 : far }
    var line = [Float](repeating: 0, count: side)
    for (step, stride) in [(1, side), (side, 1)] {
      for start in 0..<side {
        for index in 0..<side { line[index] = squares[start * stride + index * step] }
        let lowest = lowerEnvelope(line)
        for index in 0..<side { squares[start * stride + index * step] = lowest[index] }
      }
    }
    return squares.map { $0.squareRoot() }
  }

  /// For each place the least of value and squared distance over all places of a line.
  private static func lowerEnvelope(_ values: [Float]) -> [Float] {
    var parabolas = [0]
    var borders: [Float] = [-.infinity]
    func meeting(_ first: Int, _ second: Int) -> Float {
      (values[second] + Float(second * second) - values[first] - Float(first * first))
        / Float(2 * (second - first))
    }
    for index in 1..<values.count {
      while parabolas.count > 1, meeting(parabolas[parabolas.count - 1], index) <= borders.last ?? 0
      {
        parabolas.removeLast()
        borders.removeLast()
      }
      borders.append(meeting(parabolas[parabolas.count - 1], index))
      parabolas.append(index)
    }
    var result = values
    var current = 0
    for index in values.indices {
      while current + 1 < parabolas.count, borders[current + 1] < Float(index) { current += 1 }
      let offset = Float(index - parabolas[current])
      result[index] = offset * offset + values[parabolas[current]]
    }
    return result
  }
}
