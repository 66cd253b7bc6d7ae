/// The estimated print quality of one QR code.
public struct PrintGrade: Hashable, Sendable {
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
