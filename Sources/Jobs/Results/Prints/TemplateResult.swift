package import CodeDrawing

/// The `template` object of a listing of label stocks.
package struct TemplateResult: Encodable {
  let type = "template"
  let name: String
  let description: String?
  let paper: String?
  let labels: Int?
  let width: Double?
  let height: Double?
  let round: Bool?
  let codeSquare: Double?
  let warnings: [String]
  let problem: String?

  package init(_ entry: LabelStockLibrary.Listing) {
    let stock = entry.stock
    name = entry.name
    description = stock?.summary
    paper = stock?.paper.name
    labels = stock?.count
    (width, height) = (stock?.shape.width, stock?.shape.height)
    round = stock?.shape.isRound
    codeSquare = stock?.shape.codeSquare.width
    warnings = stock?.warnings ?? []
    problem = entry.problem?.message
  }
}

/// The `template` object of the positions of a stock's labels, in millimetres, in the order in
/// which they are printed.
package struct TemplateGeometryResult: Encodable {
  private struct Paper: Encodable {
    let width: Double
    let height: Double
  }

  private struct Label: Encodable {
    let x: Double
    let y: Double
    let width: Double
    let height: Double
  }

  let type = "template"
  let name: String
  private let paper: Paper
  private let labels: [Label]
  let round: Bool

  private enum CodingKeys: CodingKey { case type, name, paper, labels, round }

  package init(_ stock: LabelStock) {
    name = stock.name
    paper = Paper(width: stock.paper.width, height: stock.paper.height)
    labels = stock.frames.map {
      Label(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
    }
    round = stock.shape.isRound
  }
}

/// The `calibration-sheet` object of a sheet that shows how a printer places labels.
package struct CalibrationSheetResult: Encodable {
  let type = "calibration-sheet"
  let output: String
  let template: String
  let rulerAcross: Double
  let rulerDown: Double
  let dryRun: Bool

  package init(
    _ stock: LabelStock, rulers: (across: Double, down: Double), output: String, isRehearsal: Bool
  ) {
    (self.output, template) = (output, stock.name)
    (rulerAcross, rulerDown) = rulers
    dryRun = isRehearsal
  }
}

extension LabelShape {
  /// A Boolean value that indicates whether the label is a circle or a ring.
  package var isRound: Bool {
    switch self {
    case .round, .disc: true
    case .rectangle, .ellipse: false
    }
  }
}
