import CliptagPlatform

/// The two values around which the brightness of gaps and of continued arcs clusters, and the
/// evidence that there are two.
///
/// Movement of the camera blurs gaps along it and leaves those across it, so the levels are
/// estimated for beginnings of similar direction. Where one level explains the values as well as
/// two, no bit is read: a blurred gap and an arc look the same.
struct BeginningLevels {
  /// The mean of gaps, relative to the arcs beside them.
  let lower: Double
  /// The mean of arcs that continue.
  let upper: Double
  /// The standard deviation from either.
  let spread: Double
  /// The probability that there are two levels.
  let certainty: Double

  /// The least number of values from which levels are estimated.
  static let leastCount = 10
  /// The least difference of two levels.
  private static let leastDifference = 0.1
  /// The density of arbitrary values: about one in 100 is a scratch or the edge of an obstruction.
  private static let stray = 0.004
  /// The parameters by which two levels exceed one, as a penalty (Bayesian information criterion);
  /// doubled because adjacent values are not independent.
  private static let penalty = 2.0
  /// The chance, relative to the peak of a level, that a clear value is wrong.
  private static let scratch = 0.002
  /// The least deviation, relative to the difference of the levels: no single value is trusted too
  /// much.
  private static let leastSpread = 0.09

  /// Estimates the levels by expectation maximisation.
  ///
  /// - Returns: `nil` with too few values, or without a difference.
  init?(_ values: [Double]) {
    guard values.count >= Self.leastCount else { return nil }
    let values = values.map { min(max($0, -0.5), 1.8) }
    let sorted = values.sorted()
    var (lower, upper) = (sorted[sorted.count / 8], sorted[sorted.count * 7 / 8])
    for _ in 0..<15 {
      let ends = (lower, upper)
      let low = values.filter { abs($0 - ends.0) < abs($0 - ends.1) }
      let high = values.filter { abs($0 - ends.0) >= abs($0 - ends.1) }
      guard !low.isEmpty, !high.isEmpty else { break }
      (lower, upper) = (Self.mean(low), Self.mean(high))
    }
    guard upper - lower > Self.leastDifference else { return nil }
    let ends = (lower, upper)
    let away = values.map { pow(min(abs($0 - ends.0), abs($0 - ends.1)), 2) }
    var spread = max(0.02, Self.mean(away).squareRoot())
    var share = 0.5
    for _ in 0..<25 {
      var low = (weight: 1e-9, sum: 0.0)
      var high = low
      var squares = 0.0
      let means = (lower, upper)
      for value in values {
        let a = share * Self.density(value, lower, spread) + 1e-12
        let b = (1 - share) * Self.density(value, upper, spread) + 1e-12
        let all = a + b + Self.stray
        low.weight += a / all
        low.sum += a / all * value
        high.weight += b / all
        high.sum += b / all * value
      }
      (lower, upper) = (low.sum / low.weight, high.sum / high.weight)
      for value in values {
        let a = share * Self.density(value, means.0, spread) + 1e-12
        let b = (1 - share) * Self.density(value, means.1, spread) + 1e-12
        let all = a + b + Self.stray
        squares += a / all * pow(value - lower, 2) + b / all * pow(value - upper, 2)
      }
      share = low.weight / (low.weight + high.weight)
      spread = max(0.02, (squares / (low.weight + high.weight)).squareRoot())
    }
    var two = 0.0
    for value in values {
      two += log(
        share * Self.density(value, lower, spread)
          + (1 - share) * Self.density(value, upper, spread) + Self.stray)
    }
    let evidence =
      two - Self.likelihoodOfOneLevel(values) - Self.penalty * log(Double(values.count))
    certainty = 1 / (1 + exp(-min(50, max(-50, evidence))))
    guard upper - lower > Self.leastDifference else { return nil }
    (self.lower, self.upper) = (lower, upper)
    self.spread = max(spread, Self.leastSpread * (upper - lower))
  }

  /// Returns the logarithm of the odds that a value belongs to the upper level: 0 if there may be
  /// just one.
  func odds(_ value: Double) -> Float {
    func likelihood(_ level: Double) -> Double {
      let away = (value - level) / spread
      return exp(-0.5 * away * away) + Self.scratch
    }
    // Beyond a level, the likelihood does not decrease.
    let high = value > upper ? 1 + Self.scratch : likelihood(upper)
    let low = value < lower ? 1 + Self.scratch : likelihood(lower)
    let either = (1 - certainty) / 2
    return Float(log((certainty * high + either) / (certainty * low + either)))
  }

  /// Returns the logarithm of the likelihood of the values if they have one level.
  private static func likelihoodOfOneLevel(_ values: [Double]) -> Double {
    var level = values.sorted()[values.count / 2]
    let mean = mean(values)
    var spread = max(0.02, Self.mean(values.map { pow($0 - mean, 2) }).squareRoot())
    for _ in 0..<5 {
      let weights = values.map { value in
        let density = density(value, level, spread)
        return density / (density + stray)
      }
      let all = max(1e-9, weights.reduce(0, +))
      level = zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / all
      let squares = zip(weights, values).reduce(0) { $0 + $1.0 * pow($1.1 - level, 2) }
      spread = max(0.02, (squares / all).squareRoot())
    }
    return values.reduce(0) { $0 + log(density($1, level, spread) + stray) }
  }

  private static func density(_ value: Double, _ mean: Double, _ spread: Double) -> Double {
    let away = (value - mean) / spread
    return exp(-0.5 * away * away) / (spread * 2.5066)
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }
}
