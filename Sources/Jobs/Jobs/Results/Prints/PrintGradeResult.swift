package import CodeScanning
package import Registry

/// The estimated print quality of a QR code in a picture: the `grade` object.
package struct PrintGradeResult: Encodable {
  /// The type of the object.
  let type = "grade"
  /// The picture.
  let source: String
  /// The page of a document, from 1.
  let page: Int?
  /// The text exactly as decoded.
  let payload: String
  /// The grade as a letter, A to F.
  let letter: String
  /// The grade in steps, 4 (A) to 0 (F).
  let grade: Int
  /// The grade with decimals, 0 to 4.
  let decimal: Double
  /// The sentence that belongs to every estimated grade.
  let caveat: String
  /// `photograph` or `flatbed`.
  let capture: String
  /// The scanner's resolution in dots per inch; `nil` for a photograph.
  let dpi: Double?
  /// The side of a module in pixels.
  let modulePixels: Double
  /// The side of a module in millimetres; `nil` for a photograph.
  let moduleSize: Double?
  /// The corners in pixels, clockwise from the symbol's own top left, each as x and y.
  let corners: [[Double]]
  /// The parameters, those that could not be measured included.
  let parameters: [GradedParameterResult]

  package init(
    _ grade: PrintGrade, source: String, page: Int?, capture: PrintGrader.Capture
  ) {
    let stated = GradeResult(grade)
    (self.source, self.page) = (source, page)
    payload = grade.code.text
    (letter, self.grade, decimal) = (stated.letter, stated.grade, stated.decimal)
    caveat = stated.caveat
    if case .flatbed(let dotsPerInch) = capture { dpi = dotsPerInch } else { dpi = nil }
    self.capture = dpi == nil ? "photograph" : "flatbed"
    modulePixels = grade.modulePixels
    moduleSize = grade.moduleMillimetres
    corners = grade.corners.map { [$0.x, $0.y] }
    parameters = stated.parameters
  }
}

/// The estimated print quality of an App Clip Code in a picture: the `grade` object.
package struct AppClipCodeGradeResult: Encodable {
  /// One parameter of the print quality.
  private struct Parameter: Encodable {
    /// The name.
    let name: String
    /// The measured value; `nil` if it was not measured.
    let value: Double?
    /// The grade as a letter, A to F.
    let letter: String?
    /// The grade in steps, 4 (A) to 0 (F).
    let grade: Int?
    /// The grade with decimals, 0 to 4.
    let decimal: Double?
  }

  /// The type of the object.
  let type = "grade"
  /// The picture.
  let source: String
  /// The page of a document, from 1.
  let page: Int?
  /// The text of the code on record; `nil` for an unknown code.
  let payload: String?
  /// The name of the symbology.
  let symbol = "app-clip-code"
  /// The grade as a letter, A to F.
  let letter: String
  /// The grade in steps, 4 (A) to 0 (F).
  let grade: Int
  /// The grade with decimals, 0 to 4.
  let decimal: Double
  /// The sentence that belongs to every estimated grade.
  let caveat: String
  /// The diameter of the disc in pixels.
  let diameterPixels: Double
  /// The corners of the square around the disc in pixels, each as x and y.
  let corners: [[Double]]
  /// The parameters, those that could not be measured included.
  private let parameters: [Parameter]

  private enum CodingKeys: CodingKey {
    case type, source, page, payload, symbol, letter, grade, decimal, caveat, diameterPixels
    case corners, parameters
  }

  /// - Parameter known: The code on record.
  package init(_ grade: AppClipCodeGrade, source: String, page: Int?, knownAs known: IssuedCode?) {
    (self.source, self.page) = (source, page)
    payload = known?.payload
    (letter, self.grade, decimal) = (grade.letter, grade.overall, grade.decimal)
    caveat = "estimated grade (\(AppClipCodeGrade.caveat))"
    diameterPixels = (grade.code.diameter * 10).rounded() / 10
    corners = grade.code.corners.map { [$0.x, $0.y] }
    parameters = grade.parameters.map {
      Parameter(
        name: $0.name.rawValue, value: $0.value, letter: $0.letter, grade: $0.grade,
        decimal: $0.decimal)
    }
  }
}
