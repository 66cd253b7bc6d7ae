public import AppClipCodes

/// The estimated print quality of one App Clip Code.
///
/// No standard grades App Clip Codes. The parameters are those that decide whether a camera can
/// read one, in the manner of ISO/IEC 15415: each is graded 4 (A) to 0 (F), and the lowest counts.
/// The caveats of ``PrintGrade`` also apply: a picture is not a verifier.
public struct AppClipCodeGrade: Hashable, Sendable {
  /// The caveat that must accompany every displayed grade.
  public static let caveat = "uncalibrated; there is no standard for App Clip Codes"

  /// One parameter.
  public struct Parameter: Hashable, Sendable {
    /// The name of a parameter.
    public enum Name: String, CaseIterable, Sendable {
      /// The difference between the disc and the foreground arcs, relative to the lighter one.
      case contrast
      /// The difference between the disc and the arcs of the third colour, relative to the lighter
      /// one.
      case thirdContrast
      /// The difference between the two colours of arcs, relative to the lighter one.
      case colourContrast
      /// The deviation of the width of arcs, relative to their nominal width.
      case arcWidth
      /// The depth of the gaps between arcs, 0 to 1.
      case gapDepth
      /// The share of the 128 positions that were read unreliably or, if the code is known, wrong.
      case damage
    }

    /// The name of the parameter.
    public let name: Name
    /// The value; `nil` if the picture is too small to measure it.
    public let value: Double?
    /// The grade, 4 (A) to 0 (F); `nil` without a value.
    public let grade: Int?
    /// The grade with interpolation between the steps, 0 to 4 rounded down to tenths.
    public let decimal: Double?

    /// The letter of the grade.
    public var letter: String? { grade.map(PrintGrade.letter) }

    fileprivate init(_ name: Name, _ value: Double?, _ scale: GradeScale) {
      self.name = name
      self.value = value
      let pair = value.map { scale.grade($0) }
      grade = pair?.step
      decimal = pair.map { ($0.decimal * 10 + 1e-6).rounded(.down) / 10 }
    }
  }

  /// The code that was graded.
  public let code: SeenAppClipCode
  /// The parameters, including those that could not be measured.
  public let parameters: [Parameter]

  /// The lowest grade of all parameters that have one: 4 (A) to 0 (F).
  public var overall: Int { parameters.compactMap(\.grade).min() ?? 0 }
  /// The lowest decimal grade, 0 to 4.
  public var decimal: Double { parameters.compactMap(\.decimal).min() ?? 0 }
  /// The letter of ``overall``.
  public var letter: String { PrintGrade.letter(overall) }

  /// Grades a code.
  ///
  /// - Parameters:
  ///   - code: The code as seen.
  ///   - pattern: The expected pattern, if known.
  public init(of code: SeenAppClipCode, knownAs pattern: AppClipCodePattern? = nil) {
    self.code = code
    let print = code.print
    func contrast(_ one: Double, _ other: Double) -> Double {
      let light = max(one, other)
      return light <= 0 ? 0 : abs(one - other) / light
    }
    let unsure = AppClipCodeRing.positionsOfCode - code.reading.sureCount
    let wrong = pattern.map { code.reading.disagreements(with: $0) } ?? 0
    parameters = [
      Parameter(.contrast, contrast(print.disc, print.foreground), .cellContrast),
      Parameter(.thirdContrast, contrast(print.disc, print.third), .thirdContrast),
      Parameter(.colourContrast, contrast(print.foreground, print.third), .thirdContrast),
      Parameter(.arcWidth, print.arcWidth.map { abs($0 - 1) }, .arcWidth),
      Parameter(.gapDepth, print.gapDepth, .gapDepth),
      Parameter(
        .damage, Double(unsure + wrong) / Double(AppClipCodeRing.positionsOfCode), .arcDamage),
    ]
  }
}

extension GradeScale {
  /// Half of the thresholds for the foreground, because the third colour is halfway.
  fileprivate static let thirdContrast = GradeScale([0.15, 0.125, 0.1, 0.075])
  /// An arc and the adjacent space are equally wide: at twice the width, arcs touch.
  fileprivate static let arcWidth = GradeScale([0.15, 0.25, 0.35, 0.5])
  /// Like modulation: arcs and gaps are distinguished by their brightness.
  fileprivate static let gapDepth = modulation
  /// In a print without faults, a picture shows all positions; a match permits one in 33 to be wrong.
  fileprivate static let arcDamage = GradeScale([1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4])
}
