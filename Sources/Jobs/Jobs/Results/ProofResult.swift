public import CodeScanning
public import Issuing

/// The margins of a print by the trouble they were measured under, whose name is the key.
public struct ProofResult<Margin: Encodable & Sendable>: Encodable, Sendable {
  /// The margins, in the order of the troubles.
  public let margins: [(trouble: DesignProof.Trouble, margin: Margin)]

  init(_ margins: [(DesignProof.Trouble, Margin)]) { self.margins = margins }

  /// Encodes the object of the contract.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: NameKey.self)
    for (trouble, margin) in margins {
      try values.encode(margin, forKey: NameKey(stringValue: trouble.rawValue))
    }
  }
}

/// The margin of a QR code under one trouble, in the trouble's unit.
public struct MarginResult: Encodable, Hashable, Sendable {
  /// The most that zbar alone reads through; `nil` if it does not read the first step.
  public let zbar: Double?
  /// The most that our scanner reads through; `nil` if it does not read the first step.
  public let cliptag: Double?
  /// What a code in the field needs.
  public let needed: Double
  /// Whether the margin is what the field needs.
  public let enough: Bool

  init(_ margin: DesignProof.Margin) {
    zbar = margin.plain
    cliptag = margin.scanner
    needed = margin.needed
    enough = margin.isEnough
  }
}

/// The margin of an App Clip Code under one trouble, in the trouble's unit.
public struct AppClipCodeMarginResult: Encodable, Hashable, Sendable {
  /// The most that it is read through to the last bit; `nil` if the first step is not read.
  public let cliptag: Double?
  /// What a code in the field needs.
  public let needed: Double
  /// Whether the margin is what the field needs.
  public let enough: Bool

  init(_ margin: DesignProof.Margin) {
    cliptag = margin.scanner
    needed = margin.needed
    enough = margin.isEnough
  }
}

/// The proof of a QR code's design: its margins, and the grade that it would print with.
public struct DesignProofResult: Encodable, Sendable {
  /// The margins by trouble.
  public let margins: ProofResult<MarginResult>
  /// `nil` when the modules cannot be followed even in the file's own pixels.
  public let grade: GradeResult?

  init(_ proof: DesignProof) {
    margins = ProofResult(proof.margins.map { ($0.trouble, MarginResult($0)) })
    grade = proof.grade.map(GradeResult.init)
  }

  /// Encodes the object of the contract.
  public func encode(to encoder: any Encoder) throws {
    try margins.encode(to: encoder)
    var values = encoder.container(keyedBy: NameKey.self)
    try values.encodeIfPresent(grade, forKey: "grade")
  }
}

/// An estimated print quality.
public struct GradeResult: Encodable, Sendable {
  /// The grade as a letter, A to F.
  public let letter: String
  /// The grade in steps, 4 (A) to 0 (F).
  public let grade: Int
  /// The grade with decimals, 0 to 4.
  public let decimal: Double
  /// The sentence that belongs to every estimated grade.
  public let caveat: String
  /// The parameters, those that could not be measured included.
  public let parameters: [GradedParameterResult]

  init(_ grade: PrintGrade) {
    letter = grade.letter
    self.grade = grade.overall
    decimal = grade.decimal
    caveat = "estimated grade (\(PrintGrade.caveat))"
    parameters = grade.parameters.map(GradedParameterResult.init)
  }
}

/// One parameter of a print quality, by the names of ISO/IEC 15415.
public struct GradedParameterResult: Encodable, Sendable {
  /// A part of the symbol with damaged modules.
  public struct Part: Encodable, Hashable, Sendable {
    /// The name.
    public let name: String
    /// The number of wrong modules.
    public let wrongModules: Int
    /// The number of modules.
    public let modules: Int
    /// The grade in steps, 4 (A) to 0 (F).
    public let grade: Int
  }

  /// The name.
  public let name: String
  /// `measured`, `estimated` or `notMeasured`.
  public let basis: String
  /// The measured value; `nil` if it was not measured.
  public let value: Double?
  /// The grade as a letter, A to F.
  public let letter: String?
  /// The grade in steps, 4 (A) to 0 (F).
  public let grade: Int?
  /// The grade with decimals, 0 to 4.
  public let decimal: Double?
  /// A remark; `nil` for none.
  public let note: String?
  /// The parts of the symbol, as far as they were examined.
  public let parts: [Part]

  /// States a parameter.
  public init(_ parameter: GradedParameter) {
    name = parameter.name.rawValue
    basis = parameter.basis.rawValue
    value = parameter.value
    letter = parameter.letter
    grade = parameter.grade
    decimal = parameter.decimal
    note = parameter.note
    parts = parameter.parts.map {
      Part(name: $0.name, wrongModules: $0.wrongModules, modules: $0.modules, grade: $0.grade)
    }
  }
}

/// The key of an object whose names are values.
package struct NameKey: CodingKey, ExpressibleByStringLiteral {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(stringValue: String) { self.stringValue = stringValue }
  package init(stringLiteral value: String) { stringValue = value }
  package init?(intValue: Int) { nil }
}
