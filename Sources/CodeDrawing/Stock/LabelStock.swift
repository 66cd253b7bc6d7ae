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
