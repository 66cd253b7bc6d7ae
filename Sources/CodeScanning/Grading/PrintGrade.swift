/// The estimated print quality of one QR code.
public struct PrintGrade: Hashable, Codable, Sendable {
  /// What has to stand beside every grade that is shown.
  public static let caveat = "uncalibrated; not an ISO/IEC 15415 verification"

  /// The code.
  public let code: DecodedCode
  /// Where the symbol's own top left, top right, bottom right and bottom left corners lie, in
  /// pixels of the whole picture.
  public let corners: [PicturePoint]
  /// Pixels of a module in the picture that was graded.
  public let modulePixels: Double
  /// Millimetres of a module, or `nil` when the resolution is not known.
  public let moduleMillimetres: Double?
  /// The parameters, those that could not be measured included.
  public let parameters: [GradedParameter]

  /// The lowest grade of all parameters that have one, in the steps of 2011: 4 (A) … 0 (F).
  public var overall: Int { parameters.compactMap(\.grade).min() ?? 0 }

  /// The lowest decimal grade, 0 … 4.
  public var decimal: Double { parameters.compactMap(\.decimal).min() ?? 0 }

  /// The letter of ``overall``.
  public var letter: String { Self.letter(overall) }

  /// One parameter.
  public subscript(name: GradedParameter.Name) -> GradedParameter? {
    parameters.first { $0.name == name }
  }

  /// The letter of a grade in steps: A, B, C, D, F for 4 … 0.
  package static func letter(_ grade: Int) -> String {
    ["F", "D", "C", "B", "A"][min(4, max(0, grade))]
  }
}

/// One parameter of print quality: what it is, how sure that is, and its grade.
public struct GradedParameter: Hashable, Codable, Sendable {
  /// The parameters, by the names of ISO/IEC 15415 and ISO/IEC 29158.
  public enum Name: String, CaseIterable, Codable, Sendable {
    /// Whether the modules, told apart by one threshold, can be corrected.
    case decode
    /// The difference of what the paper and the ink reflect, 0 … 1; the most that it can be where the
    /// paper's reflectance is not known.
    case symbolContrast
    /// (mean of the light modules − mean of the dark ones) ÷ mean of the light ones, 0 … 1.
    case cellContrast
    /// How clearly modules stand on one side of the threshold, right or wrong.
    case modulation
    /// The same, with modules on the wrong side counted as 0.
    case reflectanceMargin
    /// The part of the error correction that is left in the worst block, 0 … 1.
    case unusedErrorCorrection
    /// Wrong modules in the finder, timing and alignment patterns.
    case fixedPatternDamage
    /// Wrong modules in the two copies of the format information.
    case formatInformation
    /// Wrong modules in the two copies of the version information.
    case versionInformation
    /// The difference of a module's mean width and height, over their mean.
    case axialNonuniformity
    /// How far the crossings of the grid lie from where an even grid has them, in modules.
    case gridNonuniformity
    /// How much wider dark modules of the timing pattern are than they should be, in modules.
    case printGrowthAcross
    /// How much higher they are.
    case printGrowthDown
    /// The least width of the clear space around the symbol, in modules, 4 at most.
    case quietZone
  }

  /// How a value was come by.
  public enum Basis: String, Codable, Sendable {
    /// The picture tells it.
    case measured
    /// The picture tells it roughly, or under an assumption that the note names.
    case estimated
    /// Such a picture cannot tell it; the note says why.
    case notMeasured
  }

  /// A part that is counted for itself: a segment of the fixed patterns, a copy of a word.
  public struct Part: Hashable, Codable, Sendable {
    /// `A1`, `A2`, `A3`, `B1`, `B2`, `C`; `1`, `2` for copies.
    public let name: String
    /// Modules that are wrong.
    public let wrongModules: Int
    /// Modules that were looked at.
    public let modules: Int
    /// 0 … 4, in steps.
    public let grade: Int
  }

  /// Which parameter.
  public let name: Name
  /// How the value was come by.
  public let basis: Basis
  /// The value, as the parameter's name defines it; `nil` when not measured, and of parameters
  /// that are counted in parts.
  public let value: Double?
  /// The grade in the steps of 2011: 4 (A) … 0 (F), or `nil` when there is none.
  public let grade: Int?
  /// The grade with its place between the steps, 0 … 4 rounded down to tenths, or `nil`.
  ///
  /// It is interpolated linearly, in the manner of ISO/IEC 15415:2024; that edition's own tables
  /// could not be confirmed.
  public let decimal: Double?
  /// What the value does not say, or why there is none.
  public let note: String?
  /// The parts, where there are some.
  public let parts: [Part]

  /// The letter of the grade, or `nil` when there is none.
  public var letter: String? { grade.map(PrintGrade.letter) }

  init(
    _ name: Name, _ basis: Basis, _ value: Double? = nil, _ grade: GradePair? = nil,
    note: String? = nil, parts: [Part] = []
  ) {
    self.name = name
    self.basis = basis
    self.value = value
    self.grade = grade?.step
    decimal = grade.map { ($0.decimal * 10 + 1e-6).rounded(.down) / 10 }
    self.note = note
    self.parts = parts
  }
}
