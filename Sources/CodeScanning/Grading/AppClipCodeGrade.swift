public import AppClipCodes

/// The estimated print quality of one App Clip Code.
///
/// No standard grades App Clip Codes. The parameters are those that decide whether a camera reads one, in
/// the manner of ISO/IEC 15415: each is graded 4 (A) to 0 (F), and the lowest counts. The caveats of
/// ``PrintGrade`` hold here, too: a picture is no verifier.
public struct AppClipCodeGrade: Hashable, Sendable {
  /// What has to stand beside every grade that is shown.
  public static let caveat = "uncalibrated; there is no standard for App Clip Codes"

  /// One parameter.
  public struct Parameter: Hashable, Sendable {
    /// What is graded.
    public enum Name: String, CaseIterable, Sendable {
      /// The difference of the disc and the foreground's arcs, as a part of the lighter one.
      case contrast
      /// The difference of the disc and the third colour's arcs, likewise.
      case thirdContrast
      /// The difference of the two colours of arcs, likewise.
      case colourContrast
      /// How much wider or narrower arcs are than they should be, as a part of their width.
      case arcWidth
      /// How deep the gaps between arcs are, 0 to 1.
      case gapDepth
      /// The part of the 128 positions that were not surely read or, where the code is known, read wrong.
      case damage
    }

    /// What is graded.
    public let name: Name
    /// Its value; nothing where the picture is too small to tell.
    public let value: Double?
    /// 4 (A) to 0 (F); nothing where there is no value.
    public let grade: Int?
    /// The grade with its place between the steps, 0 to 4 rounded down to tenths.
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
  /// The parameters, those that could not be measured included.
  public let parameters: [Parameter]

  /// The lowest grade of all parameters that have one: 4 (A) to 0 (F).
  public var overall: Int { parameters.compactMap(\.grade).min() ?? 0 }
  /// The lowest decimal grade, 0 to 4.
  public var decimal: Double { parameters.compactMap(\.decimal).min() ?? 0 }
  /// The letter of ``overall``.
  public var letter: String { PrintGrade.letter(overall) }

  /// Grades a code that was seen.
  ///
  /// - Parameters:
  ///   - code: What was seen.
  ///   - pattern: What it should be, where that is known.
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
  /// Half of what is asked of the foreground: the third colour lies half way.
  fileprivate static let thirdContrast = GradeScale([0.15, 0.125, 0.1, 0.075])
  /// An arc and the space beside it are equally wide: at twice the width they touch.
  fileprivate static let arcWidth = GradeScale([0.15, 0.25, 0.35, 0.5])
  /// As modulation: what must be told apart by its brightness.
  fileprivate static let gapDepth = modulation
  /// Up to half, one, two and four times what a match lets pass as wrong.
  fileprivate static let arcDamage = GradeScale([
    AppClipCodeIndex.Match.mostWrong / 2, AppClipCodeIndex.Match.mostWrong,
    2 * AppClipCodeIndex.Match.mostWrong, 4 * AppClipCodeIndex.Match.mostWrong,
  ])
}
