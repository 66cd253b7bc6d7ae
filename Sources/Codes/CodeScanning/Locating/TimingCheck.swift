import Pictures

/// Examines the timing patterns between finder patterns, which determine a symbol's size exactly.
struct TimingCheck {
  private let pyramid: PicturePyramid

  /// The amount by which clear timing patterns reduce the cost of a triple: the better of both
  /// counts in full, the other by half.
  static let mostGain = 30.0

  init(_ pyramid: PicturePyramid) { self.pyramid = pyramid }

  /// Returns a triple with its sizes sorted by the fit of the timing patterns, and with its
  /// adjusted cost.
  func judged(
    _ triple: FinderTriple, cost: Double, modules: Double
  ) -> (triple: FinderTriple, cost: Double) {
    let corner = triple.topLeft
    let toRight = inner(corner, towards: triple.topRight, beside: triple.bottomLeft)
    let fromRight = inner(triple.topRight, towards: corner, beside: triple.bottomLeft)
    let toLower = inner(corner, towards: triple.bottomLeft, beside: triple.topRight)
    let fromLower = inner(triple.bottomLeft, towards: corner, beside: triple.topRight)
    let error = 0.3 + 0.03 * modules
    let scored = triple.sizes.map { size -> (size: Int, score: Double, clarity: Double) in
      let across = clarity(
        from: toRight, to: fromRight, size: size, triple.isInverted)
      let down = clarity(from: toLower, to: fromLower, size: size, triple.isInverted)
      let misfit = min(3, abs(modules + 7 - Double(size)) / error)
      // One clear pattern counts more than two half-clear ones.
      let clarity = max(across, down) + 0.5 * min(across, down)
      return (size, clarity - 0.05 * misfit * misfit, clarity)
    }
    let sorted = scored.sorted { ($0.score, $1.size) > ($1.score, $0.size) }
    let best = sorted.first?.clarity ?? 0
    return (
      FinderTriple(
        topLeft: corner, topRight: triple.topRight, bottomLeft: triple.bottomLeft,
        sizes: sorted.map(\.size), isInverted: triple.isInverted),
      cost - 20 * max(0, best)
    )
  }

  /// The pattern's module where a timing pattern ends, and the step towards the other pattern.
  private struct End {
    let point: PicturePoint
    let along: PicturePoint
    let aside: PicturePoint
  }

  private func inner(
    _ pattern: FinderPattern, towards other: FinderPattern, beside third: FinderPattern
  ) -> End {
    let corners = pattern.corners
    guard corners.count == 4 else {
      let none = PicturePoint(x: 0, y: 0)
      return End(point: pattern.centre, along: none, aside: none)
    }
    let right = (corners[1] + corners[2] - corners[0] - corners[3]) * (1 / 14)
    let down = (corners[3] + corners[2] - corners[0] - corners[1]) * (1 / 14)
    let steps = [right, down, right * -1, down * -1]
    func best(_ direction: PicturePoint) -> PicturePoint {
      // The axis that is closest to a direction.
      var result = steps[0]
      for step in steps.dropFirst() {
        let (a, b) = (step * (1 / max(1e-6, step.length)), result * (1 / max(1e-6, result.length)))
        if a.x * direction.x + a.y * direction.y > b.x * direction.x + b.y * direction.y {
          result = step
        }
      }
      return result
    }
    let along = best(other.centre - pattern.centre)
    let aside = best(third.centre - (pattern.centre + other.centre) * 0.5)
    return End(point: pattern.centre + along * 3 + aside * 3, along: along, aside: aside)
  }

  /// Returns the clarity of the alternation of dark and light between two ends, −1 to 1.
  private func clarity(from: End, to: End, size: Int, _ isInverted: Bool) -> Double {
    let modules = size - 13
    guard modules >= 8, from.point.isFinite, to.point.isFinite else { return 0 }
    let pixels = (to.point - from.point).length / Double(modules)
    let level = pyramid.level(bringing: pixels, downTo: 2)
    // In perspective, modules grow along the line.
    let growth = (max(1e-3, to.along.length) / max(1e-3, from.along.length)).squareRoot()
    var best = -1.0
    var values = [Double](repeating: 0, count: modules - 1)
    for shift in [0, -0.7, 0.7] {
      let (start, end) = (from.point + from.aside * shift, to.point + to.aside * shift)
      level.picture.pixels.withUnsafeBufferPointer { pixels in
        for index in values.indices {
          let part = Double(index + 1) / Double(modules)
          let place = part / (part + (1 - part) * growth)
          values[index] = level.brightness(at: start + (end - start) * place, pixels)
        }
      }
      best = max(best, Self.alternation(values) * (isInverted ? -1 : 1))
      // On a clear line, the lines beside it are not examined.
      if best > 0.8 { break }
    }
    return best
  }

  /// Returns the share of neighbours between which the grey values rise and fall in turn, dark at
  /// odd places.
  private static func alternation(_ values: [Double]) -> Double {
    guard values.count >= 3 else { return 0 }
    var (agreeing, all) = (0.0, 0.0)
    for index in 1..<values.count {
      // Values start at the module after the pattern's last, which is light.
      let step = values[index] - values[index - 1]
      agreeing += index % 2 == 1 ? -step : step
      all += abs(step)
    }
    return all > 0 ? agreeing / all : 0
  }
}
