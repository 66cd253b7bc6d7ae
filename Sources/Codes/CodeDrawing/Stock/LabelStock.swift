import CliptagBasics

/// One kind of label sheet: its paper and the positions of its labels. All lengths are in
/// millimetres.
public struct LabelStock: Hashable, Sendable {
  /// A sheet of paper.
  public struct Paper: Hashable, Sendable {
    /// The name, such as `A4`; `Other` without a name.
    public let name: String
    /// The width as fed into the printer.
    public let width: Double
    /// The height as fed into the printer.
    public let height: Double

    /// Makes a paper size.
    public init(_ name: String, width: Double, height: Double) {
      self.name = name
      self.width = width
      self.height = height
    }

    /// The size A4, 210 × 297 mm (ISO 216).
    public static let a4 = LabelStock.Paper("A4", width: 210, height: 297)
    /// The size US Letter, 8.5 × 11 inches.
    public static let letter = LabelStock.Paper("US Letter", width: 215.9, height: 279.4)
  }

  /// Labels in columns and rows. A staggered sheet has several grids.
  public struct Grid: Hashable, Sendable {
    /// The number of labels side by side, at least 1.
    public let columns: Int
    /// The number of labels one below the other, at least 1.
    public let rows: Int
    /// The distance from the left edge of the sheet to the first label.
    public let left: Double
    /// The distance from the top edge of the sheet to the first label.
    public let top: Double
    /// The distance from the left edge of a label to that of the next one; ignored with one column.
    public let pitchX: Double
    /// The distance from the top edge of a label to that of the next one; ignored with one row.
    public let pitchY: Double

    /// Makes a grid.
    public init(
      columns: Int, rows: Int, left: Double, top: Double, pitchX: Double, pitchY: Double
    ) {
      self.columns = columns
      self.rows = rows
      self.left = left
      self.top = top
      self.pitchX = pitchX
      self.pitchY = pitchY
    }
  }

  /// The maker, such as `Avery`; empty for a custom stock.
  public let brand: String
  /// The maker's number, such as `L7163`.
  public let part: String
  /// The purpose of the labels, as stated by the source.
  public let summary: String
  /// The sheet.
  public let paper: Paper
  /// The outline of every label.
  public let shape: LabelShape
  /// The positions of the labels.
  public let grids: [Grid]
  /// The source of the measures: a file, or the reference against which this entry was checked.
  public let source: String

  /// Makes a stock.
  public init(
    brand: String = "", part: String, summary: String = "", paper: Paper, shape: LabelShape,
    grids: [Grid], source: String = ""
  ) {
    self.brand = brand
    self.part = part
    self.summary = summary
    self.paper = paper
    self.shape = shape
    self.grids = grids
    self.source = source
  }

  /// The brand and part, by which the stock is requested.
  public var name: String { brand.isEmpty ? part : "\(brand) \(part)" }

  /// The number of labels on a sheet.
  public var count: Int { grids.reduce(0) { $0 + $1.columns * $1.rows } }

  /// The box of every label on the sheet, row by row from the top, each row from the left.
  public var frames: [DrawingBox] {
    var frames: [DrawingBox] = []
    for grid in grids {
      for row in 0..<grid.rows {
        for column in 0..<grid.columns {
          frames.append(
            DrawingBox(
              x: grid.left + Double(column) * grid.pitchX,
              y: grid.top + Double(row) * grid.pitchY, width: shape.width, height: shape.height))
        }
      }
    }
    // Staggered grids: labels whose tops differ only by rounding are in one row.
    return frames.sorted {
      let (first, second) = (($0.y * 10).rounded(), ($1.y * 10).rounded())
      return (first, $0.x) < (second, $1.x)
    }
  }

  // MARK: Checks

  /// The distance by which a label may exceed the edge of the sheet before it counts as a mistake:
  /// sheets whose labels fill the paper are rounded to points.
  private static let tolerance = 0.6
  /// The overlap of labels above which it counts as a mistake.
  private static let overlap = 0.35
  /// The difference of the two side margins above which a warning is given.
  private static let asymmetry = 1.0

  /// Checks that the labels are on the sheet and do not overlap.
  ///
  /// Templates contain typing errors: a pitch of 210 mm for 21.0, four columns for two. Printing
  /// such a sheet would waste it.
  ///
  /// - Throws: ``CodeDrawingError`` with code `invalid-stock`, with the numbers.
  public func check() throws(CodeDrawingError) {
    let lengths = [paper.width, paper.height, shape.width, shape.height]
    guard lengths.allSatisfy({ $0.isFinite && $0 > 0 && $0 <= CodeSize.largestWidth }),
      (1...Self.mostLabels).contains(count)
    else {
      throw .invalidStock(
        self,
        "A label of \(shape.width.shortly) × \(shape.height.shortly) mm, "
          + "\(count) of them, on \(paper.width.shortly) × \(paper.height.shortly) mm are not a valid sheet"
      )
    }
    let frames = frames
    for (index, frame) in frames.enumerated() {
      let beyond = max(
        -frame.x, -frame.y, frame.right - paper.width, frame.bottom - paper.height)
      guard beyond <= Self.tolerance else {
        throw .invalidStock(
          self,
          "Label \(index + 1) runs \(beyond.shortly) mm off the paper: it extends from "
            + "\(frame.x.shortly), \(frame.y.shortly) to \(frame.right.shortly), "
            + "\(frame.bottom.shortly) mm on \(paper.width.shortly) × \(paper.height.shortly) mm")
      }
    }
    if let (first, second, depth) = overlapping(frames) {
      throw .invalidStock(
        self, "Labels \(first + 1) and \(second + 1) overlap by \(depth.shortly) mm")
    }
  }

  /// The warnings to read before printing on the stock, as sentences.
  public var warnings: [String] {
    let frames = frames
    let left = frames.map(\.x).min() ?? 0
    let right = paper.width - (frames.map(\.right).max() ?? 0)
    guard abs(left - right) > Self.asymmetry else { return [] }
    return [
      "The sheet's margins are \(left.shortly) mm on the left and \(right.shortly) mm on the right, "
        + "which may be a mistake of the template: print a calibration sheet and hold it against "
        + "the stock."
    ]
  }

  /// The maximum number of labels on a sheet.
  static let mostLabels = 2_000

  /// The first two labels that overlap, and the depth.
  private func overlapping(_ frames: [DrawingBox]) -> (Int, Int, Double)? {
    // In the order of their tops, only labels that follow closely can overlap.
    for (index, frame) in frames.enumerated() {
      for other in frames.indices.dropFirst(index + 1) {
        let next = frames[other]
        // Rows are sorted by tops rounded to tenths.
        if next.y > frame.bottom + 0.1 { break }
        let depth = depth(frame, next)
        if depth > Self.overlap { return (index, other, depth) }
      }
    }
    return nil
  }

  private func depth(_ first: DrawingBox, _ second: DrawingBox) -> Double {
    let across = abs(first.x - second.x)
    let down = abs(first.y - second.y)
    switch shape {
    case .rectangle(let width, let height, _): return min(width - across, height - down)
    case .round(let diameter), .disc(let diameter, _):
      return diameter - (across * across + down * down).squareRoot()
    case .ellipse(let width, let height):
      // Two equal ellipses stretched to circles.
      let down = down * width / height
      return width - (across * across + down * down).squareRoot()
    }
  }

  // MARK: Stock in one line

  /// Reads a stock from one line: `WIDTHxHEIGHT,COLUMNSxROWS,LEFT,TOP,PITCHX,PITCHY[,PAPER]`, in
  /// millimetres or the units behind the lengths.
  ///
  /// A single number in the place of `WIDTHxHEIGHT` is the diameter of round labels. The paper is
  /// a name such as `A4` (the default) or `Letter`, or again `WIDTHxHEIGHT`.
  ///
  /// - Throws: ``CodeDrawingError`` with code `invalid-stock` for a fault of the line, or of the
  ///   sheet that it describes.
  public init(custom text: String) throws(CodeDrawingError) {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " }.lowercased() }
    guard (6...7).contains(fields.count) else {
      throw .customStock(text, "it has \(fields.count) fields, not 6 or 7")
    }
    let numbers = try fields[2...5].map { field throws(CodeDrawingError) in
      try Self.number(field, of: text)
    }
    let counts = fields[1].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard counts.count == 2, let columns = counts[0], let rows = counts[1],
      (1...Self.mostLabels).contains(columns), (1...Self.mostLabels).contains(rows)
    else { throw .customStock(text, "“\(fields[1])” is not a number of columns and rows with x") }
    self.init(
      part: text, paper: try Self.paper(fields.count == 7 ? fields[6] : "a4", of: text),
      shape: try Self.shape(fields[0], of: text),
      grids: [
        Grid(
          columns: columns, rows: rows, left: numbers[0], top: numbers[1], pitchX: numbers[2],
          pitchY: numbers[3])
      ])
    try check()
  }

  /// Whether a template's name is a custom stock instead.
  static func isCustom(_ name: String) -> Bool {
    name.contains(",")
      && name.prefix { $0 == " " || $0.isNumber || $0 == "." }.contains {
        $0.isNumber
      }
  }

  private static let papers: [String: Paper] = [
    "a4": .a4, "letter": .letter, "a3": Paper("A3", width: 297, height: 420),
    "a5": Paper("A5", width: 148, height: 210), "a6": Paper("A6", width: 105, height: 148),
    "legal": Paper("US Legal", width: 215.9, height: 355.6), "us-letter": .letter,
  ]

  private static func shape(_ field: String, of text: String) throws(CodeDrawingError) -> LabelShape
  {
    guard field.contains("x") else { return .round(diameter: try number(field, of: text)) }
    guard let (width, height) = Length.pair(field, separatedBy: "x") else {
      throw .customStock(text, "“\(field)” is not two lengths with x")
    }
    return .rectangle(width: width, height: height, cornerRadius: 0)
  }

  private static func paper(_ field: String, of text: String) throws(CodeDrawingError) -> Paper {
    if let paper = papers[field] { return paper }
    if field.first?.isNumber == true, let (width, height) = Length.pair(field, separatedBy: "x") {
      return Paper("Other", width: width, height: height)
    }
    guard let size = try? PaperSize(field) else {
      throw .customStock(text, "no paper is named “\(field)”")
    }
    return Paper(field.uppercased(), width: size.width, height: size.height)
  }

  private static func number(_ field: String, of text: String) throws(CodeDrawingError) -> Double {
    guard let value = Length.millimetres(field), abs(value) <= CodeSize.largestWidth else {
      throw .customStock(text, "“\(field)” is not a length")
    }
    return value
  }
}

/// Assigns the labels of one sheet after another.
package struct LabelPositions: Hashable, Sendable {
  /// One label of a print run.
  package struct Position: Hashable, Sendable {
    /// The sheet, from 1.
    package let page: Int
    /// The label on its sheet, from 1, in the order of ``LabelStock/frames``.
    package let position: Int
  }

  /// The number of labels on a sheet.
  package let labelsPerPage: Int
  /// The first label that is used, from 1: those before it have already been printed.
  package let start: Int
  private var used = 0

  /// Begins a print run.
  ///
  /// - Parameters:
  ///   - labelsPerPage: The number of labels on a sheet, at least 1.
  ///   - start: The first unused label of the first sheet, from 1 to `labelsPerPage`.
  package init(labelsPerPage: Int, start: Int = 1) {
    precondition(labelsPerPage > 0 && (1...labelsPerPage).contains(start))
    self.labelsPerPage = labelsPerPage
    self.start = start
  }

  /// The next label.
  package mutating func next() -> Position {
    let index = start - 1 + used
    used += 1
    return Position(page: index / labelsPerPage + 1, position: index % labelsPerPage + 1)
  }

  /// The number of sheets for a number of labels.
  package func pages(for labels: Int) -> Int {
    labels == 0 ? 0 : (start - 1 + labels - 1) / labelsPerPage + 1
  }
}
