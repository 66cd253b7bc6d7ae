/// The estimated print quality of one QR code.
public struct PrintGrade: Hashable, Codable, Sendable {
  /// The caveat that must accompany every displayed grade.
  public static let caveat = "uncalibrated; not an ISO/IEC 15415 verification"

  /// The code.
  public let code: DecodedCode
  /// The symbol's top left, top right, bottom right and bottom left corners, in pixels of the whole
  /// picture.
  public let corners: [PicturePoint]
  /// The size of a module in pixels of the graded picture.
  public let modulePixels: Double
  /// The size of a module in millimetres, or `nil` if the resolution is unknown.
  public let moduleMillimetres: Double?
  /// The parameters, including those that could not be measured.
  public let parameters: [GradedParameter]
  /// The grade of the damage that is certainly the print's, in the steps of 2011: error correction
  /// and patterns with only those modules counted as wrong that are at least halfway between the
  /// threshold and the mean of the other side, as blur and noise do not make them. `nil` if it was
  /// not measured.
  package var certainDamage: Int?

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

  /// Returns the letter of a grade in steps: A, B, C, D, F for 4 … 0.
  package static func letter(_ grade: Int) -> String {
    ["F", "D", "C", "B", "A"][min(4, max(0, grade))]
  }
}

/// One parameter of print quality with its reliability and its grade.
public struct GradedParameter: Hashable, Codable, Sendable {
  /// The parameters, by the names of ISO/IEC 15415 and ISO/IEC 29158.
  public enum Name: String, CaseIterable, Codable, Sendable {
    /// Whether the modules, separated by one threshold, can be corrected.
    case decode
    /// The difference between the reflectances of paper and ink, 0 … 1; an upper bound if the
    /// paper's reflectance is unknown.
    case symbolContrast
    /// (mean of the light modules − mean of the dark ones) ÷ mean of the light ones, 0 … 1.
    case cellContrast
    /// The distance of modules from the threshold, on the right side or not.
    case modulation
    /// The modulation, with modules on the wrong side counted as 0.
    case reflectanceMargin
    /// The unused share of the error correction in the worst block, 0 … 1.
    case unusedErrorCorrection
    /// Wrong modules in the finder, timing and alignment patterns.
    case fixedPatternDamage
    /// Wrong modules in the two copies of the format information.
    case formatInformation
    /// Wrong modules in the two copies of the version information.
    case versionInformation
    /// The difference between a module's mean width and height, over their mean.
    case axialNonuniformity
    /// The deviation of the crossings of the grid from a uniform grid, in modules.
    case gridNonuniformity
    /// The excess width of dark modules of the timing pattern, in modules.
    case printGrowthAcross
    /// The excess height of dark modules of the timing pattern, in modules.
    case printGrowthDown
    /// The least width of the clear space around the symbol, in modules, at most 4.
    case quietZone
  }

  /// The basis of a value.
  public enum Basis: String, Codable, Sendable {
    /// Measured in the picture.
    case measured
    /// Estimated from the picture roughly, or under an assumption given in the note.
    case estimated
    /// Not measurable in such a picture; the note gives the reason.
    case notMeasured
  }

  /// A separately counted part: a segment of the fixed patterns, a copy of a word.
  public struct Part: Hashable, Codable, Sendable {
    /// `A1`, `A2`, `A3`, `B1`, `B2`, `C`; `1`, `2` for copies.
    public let name: String
    /// The number of wrong modules.
    public let wrongModules: Int
    /// The number of examined modules.
    public let modules: Int
    /// The grade, 0 … 4, in steps.
    public let grade: Int
  }

  /// The name of the parameter.
  public let name: Name
  /// The basis of the value.
  public let basis: Basis
  /// The value, as defined by the parameter's name; `nil` if it was not measured, and for
  /// parameters that are counted in parts.
  public let value: Double?
  /// The grade in the steps of 2011: 4 (A) … 0 (F), or `nil`.
  public let grade: Int?
  /// The grade with interpolation between the steps, 0 … 4 rounded down to tenths, or `nil`.
  ///
  /// It is interpolated linearly, in the manner of ISO/IEC 15415:2024; that edition's tables could
  /// not be confirmed.
  public let decimal: Double?
  /// The limitations of the value, or the reason that there is none.
  public let note: String?
  /// The parts, if any.
  public let parts: [Part]

  /// The letter of the grade, or `nil`.
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
