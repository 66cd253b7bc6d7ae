/// One kind of label sheet: what paper it is and where its labels are. All lengths are millimetres.
public struct LabelStock: Hashable, Sendable {
  /// A sheet of paper.
  public struct Paper: Hashable, Sendable {
    /// What it is called, such as `A4`; `Other` where it has no name.
    public let name: String
    /// The width as it goes through the printer.
    public let width: Double
    /// The height as it goes through the printer.
    public let height: Double

    /// Makes a paper size.
    public init(_ name: String, width: Double, height: Double) {
      self.name = name
      self.width = width
      self.height = height
    }
  }

  /// Labels in columns and rows. A staggered sheet has several grids.
  public struct Grid: Hashable, Sendable {
    /// How many labels stand beside each other, at least 1.
    public let columns: Int
    /// How many labels stand below each other, at least 1.
    public let rows: Int
    /// From the left edge of the sheet to the first label.
    public let left: Double
    /// From the top edge of the sheet to the first label.
    public let top: Double
    /// From the left edge of a label to that of the next one; ignored with one column.
    public let pitchX: Double
    /// From the top edge of a label to that of the next one; ignored with one row.
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
  /// What the labels are for, in the words of the source.
  public let summary: String
  /// The sheet.
  public let paper: Paper
  /// The outline of every label.
  public let shape: LabelShape
  /// Where the labels are.
  public let grids: [Grid]
  /// Where the measures come from: a file, or what this table's entry was checked against.
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

  /// Brand and part, as the stock is asked for.
  public var name: String { brand.isEmpty ? part : "\(brand) \(part)" }

  /// The labels of a sheet.
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
    // Staggered grids: labels whose tops differ by rounding only stand in one row.
    return frames.sorted {
      let (first, second) = (($0.y * 10).rounded(), ($1.y * 10).rounded())
      return (first, $0.x) < (second, $1.x)
    }
  }
}

extension LabelStock {
  /// How far a label may run over the edge of the sheet before it is taken for a mistake: sheets
  /// whose labels fill the paper are rounded to points.
  private static let tolerance = 0.6
  /// How far labels may overlap before it is taken for a mistake.
  private static let overlap = 0.35
  /// How far the two side margins may differ before it is worth a warning.
  private static let asymmetry = 1.0

  /// Shows that the labels lie on the sheet and not on each other.
  ///
  /// Templates hold typing errors: a pitch of 210 mm for 21.0, four columns for two. Printing such
  /// a sheet would waste it.
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
          + "\(count) of them, on \(paper.width.shortly) × \(paper.height.shortly) mm make no sheet"
      )
    }
    let frames = frames
    for (index, frame) in frames.enumerated() {
      let beyond = max(
        -frame.x, -frame.y, frame.right - paper.width, frame.bottom - paper.height)
      guard beyond <= Self.tolerance else {
        throw .invalidStock(
          self,
          "Label \(index + 1) runs \(beyond.shortly) mm off the paper: it lies from "
            + "\(frame.x.shortly), \(frame.y.shortly) to \(frame.right.shortly), "
            + "\(frame.bottom.shortly) mm on \(paper.width.shortly) × \(paper.height.shortly) mm")
      }
    }
    if let (first, second, depth) = overlapping(frames) {
      throw .invalidStock(
        self, "Labels \(first + 1) and \(second + 1) overlap by \(depth.shortly) mm")
    }
  }

  /// What a user should know before printing on the stock, as sentences.
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

  /// The most labels of one sheet.
  static let mostLabels = 2_000

  /// The first two labels that lie on each other, and how deep.
  private func overlapping(_ frames: [DrawingBox]) -> (Int, Int, Double)? {
    // In the order of their tops, only those that follow closely can overlap.
    for (index, frame) in frames.enumerated() {
      for other in frames.indices.dropFirst(index + 1) {
        let next = frames[other]
        // Rows are sorted by tops that are rounded to tenths.
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
}

extension Double {
  /// At most two digits behind the point, for sentences.
  var shortly: String {
    let hundredths = Int((self * 100).rounded())
    let sign = hundredths < 0 ? "-" : ""
    let whole = abs(hundredths) / 100
    let part = abs(hundredths) % 100
    guard part != 0 else { return "\(sign)\(whole)" }
    let digits = part % 10 == 0 ? "\(part / 10)" : (part < 10 ? "0\(part)" : "\(part)")
    return "\(sign)\(whole).\(digits)"
  }
}

/// Hands out the labels of sheet after sheet, one by one.
package struct LabelPositions: Hashable, Sendable {
  /// One label of a print run.
  package struct Position: Hashable, Sendable {
    /// The sheet, from 1.
    package let page: Int
    /// The label on its sheet, from 1, as ``LabelStock/frames`` counts them.
    package let position: Int
  }

  /// The labels of one sheet.
  package let labelsPerPage: Int
  /// The first label that is used, from 1: those before it have been printed already.
  package let start: Int
  private var used = 0

  /// Begins a print run.
  ///
  /// - Parameters:
  ///   - labelsPerPage: The labels of one sheet, at least 1.
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

  /// The sheets that a number of labels takes.
  package func pages(for labels: Int) -> Int {
    labels == 0 ? 0 : (start - 1 + labels - 1) / labelsPerPage + 1
  }
}

/// A thin straight line on a sheet, in millimetres.
package struct SheetLine: Hashable, Sendable {
  /// Where it begins.
  package let start: DrawingPoint
  /// Where it ends.
  package let end: DrawingPoint

  /// Makes a line.
  package init(from start: DrawingPoint, to end: DrawingPoint) {
    self.start = start
    self.end = end
  }
}

extension LabelStock {
  /// The length of a cut mark.
  private static let markLength = 5.0
  /// Between a label and its cut marks, so that none is left on the label.
  private static let markGap = 1.0
  /// What is not worth a mark.
  private static let shortestMark = 1.5

  /// Marks in the sheet's margins that show where to cut plain paper into labels.
  ///
  /// Each edge of a column has one above and one below all labels, each edge of a row one on the
  /// left and one on the right. Margins too narrow for a mark stay empty.
  package var cutMarks: [SheetLine] {
    let frames = frames
    guard let first = frames.first else { return [] }
    let bounds = frames.reduce(first) { bounds, frame in
      let x = min(bounds.x, frame.x)
      let y = min(bounds.y, frame.y)
      return DrawingBox(
        x: x, y: y, width: max(bounds.right, frame.right) - x,
        height: max(bounds.bottom, frame.bottom) - y)
    }
    var lines: [SheetLine] = []
    for (before, behind) in Self.margins(bounds.y, bounds.bottom, within: paper.height) {
      for x in Self.edges(frames.flatMap { [$0.x, $0.right] }) {
        lines.append(
          SheetLine(from: DrawingPoint(x: x, y: before), to: DrawingPoint(x: x, y: behind)))
      }
    }
    for (before, behind) in Self.margins(bounds.x, bounds.right, within: paper.width) {
      for y in Self.edges(frames.flatMap { [$0.y, $0.bottom] }) {
        lines.append(
          SheetLine(from: DrawingPoint(x: before, y: y), to: DrawingPoint(x: behind, y: y)))
      }
    }
    return lines
  }

  /// Where marks lie before and behind the labels, along one direction.
  private static func margins(
    _ low: Double, _ high: Double, within length: Double
  ) -> [(Double, Double)] {
    let before = (max(0, low - markGap - markLength), low - markGap)
    let behind = (high + markGap, min(length, high + markGap + markLength))
    return [before, behind].filter { $0.1 - $0.0 >= shortestMark }
  }

  /// Each place once; labels that touch share theirs.
  private static func edges(_ places: [Double]) -> [Double] {
    var edges: [Double] = []
    for place in places.sorted() where edges.last.map({ place - $0 > 0.05 }) ?? true {
      edges.append(place)
    }
    return edges
  }
}
