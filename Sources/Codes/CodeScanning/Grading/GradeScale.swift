/// The thresholds of the grades of a parameter of print quality, with interpolation.
struct GradeScale: Sendable {
  /// The thresholds of grades 4, 3, 2 and 1: descending if more is better, ascending if less is.
  let thresholds: [Double]
  private let moreIsBetter: Bool

  init(_ thresholds: [Double]) {
    self.thresholds = thresholds
    moreIsBetter = thresholds[0] > thresholds[3]
  }

  /// For modules that are distinguished by their brightness (ISO/IEC 15415:2011, modulation).
  static let modulation = GradeScale([0.5, 0.4, 0.3, 0.2])
  /// ISO/IEC 15415:2011, symbol contrast.
  static let symbolContrast = GradeScale([0.7, 0.55, 0.4, 0.2])
  /// ISO/IEC TR 29158:2011, cell contrast.
  static let cellContrast = GradeScale([0.3, 0.25, 0.2, 0.15])
  /// ISO/IEC 15415:2011, axial nonuniformity.
  static let axialNonuniformity = GradeScale([0.06, 0.08, 0.1, 0.12])
  /// ISO/IEC 15415:2011, grid nonuniformity.
  static let gridNonuniformity = GradeScale([0.38, 0.5, 0.63, 0.75])
  /// ISO/IEC 15415:2011, unused error correction.
  static let unusedErrorCorrection = GradeScale([0.62, 0.5, 0.37, 0.25])
  /// The number of wrong modules of a corner, and of a copy of the format or version information.
  static let wrongModules = GradeScale([0, 1, 2, 3])
  /// The share of a timing pattern that is wrong.
  static let timing = GradeScale([0, 0.07, 0.11, 0.14])
  /// The share of the alignment patterns that is wrong.
  static let alignment = GradeScale([0, 0.1, 0.2, 0.3])

  /// Returns the grade of a value: the step of 2011, and the decimal by interpolation between the
  /// steps. Below grade 1 the decimal decreases to 0 at the value 0, or, if less is better, at one
  /// more step like the last.
  func grade(_ value: Double) -> GradePair {
    // Tolerates rounding errors of values on a threshold.
    let slack = 1e-9
    let step = thresholds.firstIndex {
      moreIsBetter ? value >= $0 - slack : value <= $0 + slack
    }
    guard let step, step > 0 else {
      guard step == nil else { return .best }
      let end = moreIsBetter ? 0 : 2 * thresholds[3] - thresholds[2]
      let part = (value - end) / (thresholds[3] - end)
      return GradePair(step: 0, decimal: min(0.999, max(0, part)))
    }
    let (worse, better) = (thresholds[step], thresholds[step - 1])
    let part = (value - worse) / (better - worse)
    return GradePair(step: 4 - step, decimal: Double(4 - step) + min(0.999, max(0, part)))
  }

  /// Returns the value that earns a grade of 0 … 4 if more is better.
  func value(earning grade: Double) -> Double {
    let whole = min(3, max(0, Int(grade)))
    let worse = whole == 0 ? 0 : thresholds[4 - whole]
    return worse + (thresholds[3 - whole] - worse) * (grade - Double(whole))
  }
}

/// A grade in the steps of ISO/IEC 15415:2011 and as a decimal.
struct GradePair: Hashable, Sendable {
  /// The step, 0 … 4.
  let step: Int
  /// The decimal, 0 … 4, between the step and the next.
  let decimal: Double

  static let best = GradePair(step: 4, decimal: 4)
  static let failed = GradePair(step: 0, decimal: 0)

  static func lower(_ first: GradePair, _ second: GradePair) -> GradePair {
    GradePair(step: min(first.step, second.step), decimal: min(first.decimal, second.decimal))
  }

  /// Returns the overlay of modulation (ISO/IEC 15415:2011, Annex on modulation): for each grade,
  /// modules that do not reach it count as errors; the result is the best grade that the errors
  /// also allow.
  ///
  /// - Parameter notional: returns the grade that remains if everything with a modulation below the
  ///   given one is an error.
  static func overlaid(_ notional: (_ least: Double) -> GradePair) -> GradePair {
    let scale = GradeScale.modulation
    let step = (0...4).map { min($0, notional(scale.value(earning: Double($0))).step) }.max() ?? 0
    let decimal = (0...40).map { tenth in
      let grade = Double(tenth) / 10
      return min(grade, notional(scale.value(earning: grade)).decimal)
    }
    return GradePair(step: step, decimal: decimal.max() ?? 0)
  }
}
