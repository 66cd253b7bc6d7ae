package import CodeScanning
package import Registry

/// The estimated print quality of a QR code in a picture: the `grade` object.
package struct PrintGradeResult: Encodable {
  let type = "grade"
  let source: String
  let page: Int?
  let payload: String
  let letter: String
  let grade: Int
  let decimal: Double
  let caveat: String
  let capture: String
  let dpi: Double?
  let modulePixels: Double
  let moduleSize: Double?
  let corners: [[Double]]
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
  private struct Parameter: Encodable {
    let name: String
    let value: Double?
    let letter: String?
    let grade: Int?
    let decimal: Double?
  }

  let type = "grade"
  let source: String
  let page: Int?
  let payload: String?
  let symbol = "app-clip-code"
  let letter: String
  let grade: Int
  let decimal: Double
  let caveat: String
  let diameterPixels: Double
  let corners: [[Double]]
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
