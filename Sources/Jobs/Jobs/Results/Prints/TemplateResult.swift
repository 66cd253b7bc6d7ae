package import CodeDrawing

/// The `template` object of a listing of label stocks.
package struct TemplateResult: Encodable {
  /// The type of the object.
  let type = "template"
  /// The name of the label stock.
  let name: String
  /// The stock in words; `nil` if its file is not valid.
  let description: String?
  /// The name of the paper.
  let paper: String?
  /// The number of labels on a sheet.
  let labels: Int?
  /// The width of a label in millimetres.
  let width: Double?
  /// The height of a label in millimetres.
  let height: Double?
  /// Whether the label is a circle or a ring.
  let round: Bool?
  /// The side of the largest code on a label, in millimetres.
  let codeSquare: Double?
  /// The warnings about its file.
  let warnings: [String]
  /// The reason that its file is not valid; `nil` for a valid one.
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
  /// The size of the paper, in millimetres.
  private struct Paper: Encodable {
    /// The width.
    let width: Double
    /// The height.
    let height: Double
  }

  /// A label on the paper, in millimetres.
  private struct Label: Encodable {
    /// The distance from the left edge.
    let x: Double
    /// The distance from the top edge.
    let y: Double
    /// The width.
    let width: Double
    /// The height.
    let height: Double
  }

  /// The type of the object.
  let type = "template"
  /// The name of the label stock.
  let name: String
  /// The size of the paper.
  private let paper: Paper
  /// The labels of a sheet, in the order of printing.
  private let labels: [Label]
  /// Whether the label is a circle or a ring.
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
  /// The type of the object.
  let type = "calibration-sheet"
  /// The file.
  let output: String
  /// The name of the label stock.
  let template: String
  /// The length of the ruler across, in millimetres.
  let rulerAcross: Double
  /// The length of the ruler down, in millimetres.
  let rulerDown: Double
  /// Whether no file was written.
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

/// The `poster-template` object of a kind of poster.
package struct PosterTemplateResult: Encodable {
  /// The type of the object.
  let type = "poster-template"
  /// The name of the template.
  let name: String
  /// The use, in a few words.
  let description: String
  /// The width of the trimmed page in millimetres.
  let width: Double
  /// The height of the trimmed page in millimetres.
  let height: Double
  /// The usual bleed in millimetres.
  let bleed: Double
  /// Whether the page is printed mirrored.
  let mirrored: Bool
  /// Whether a built-in design lays out a face.
  let design: Bool
  /// The names of the places for codes, words and pictures.
  let places: [String]

  package init(_ template: PosterTemplate) {
    name = template.name
    description = template.title
    (width, height, bleed) = (template.width, template.height, template.bleed)
    mirrored = template.isMirrored
    design = template.hasDesign
    places = template.placeNames
  }
}
