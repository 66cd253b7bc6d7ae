public import CodeDrawing
public import QRSymbol
public import Registry

/// The printing of a file of labels on sheets.
///
/// Used in this order: ``CheckedLabelFile/objections()``, ``draw(to:)``, ``prove(_:at:named:progress:)``, and only
/// then is the file put in place and recorded. The rows are read again for each step, so that a
/// long file needs little memory.
public struct LabelSheetJob: Sendable {
  /// How labels are printed.
  public struct Options: Sendable {
    /// The sheet.
    public var stock: LabelStock
    /// What the printer does to it.
    public var calibration = PrinterCalibration.none
    /// The first label that is used on the first sheet, from 1.
    public var start = 1
    /// The labels of a row that does not say how many.
    public var copies = 1
    /// The columns that are printed as captions.
    public var captions: [Int] = []
    /// Whether marks in the margins show where to cut.
    public var hasCutMarks = false
    /// Whether the labels' outlines are drawn.
    public var hasOutlines = false
    /// The printer's resolution.
    public var dotsPerInch = 600.0
    /// The lowest error-correction level.
    public var errorCorrection = QRSymbol.ErrorCorrection.medium
    /// The title of the document.
    public var title = "Labels"
    /// When the document says it was made, in seconds since 1970.
    public var creationTime: Int?

    /// Options for a sheet.
    public init(stock: LabelStock) { self.stock = stock }
  }

  /// One label on a sheet.
  public struct Label: Hashable, Sendable {
    /// Its row in the file, from 1.
    public let row: Int
    /// The sheet and the label on it.
    public let place: LabelPositions.Position
    /// The code with its quiet zone on the sheet, in millimetres.
    public let box: DrawingBox
    /// The side of a module in millimetres.
    public let moduleSize: Double
    /// The version of the symbol.
    public let version: Int
    /// The level of the symbol.
    public let errorCorrection: QRSymbol.ErrorCorrection

    /// What the registry keeps of the code.
    public var symbol: IssuedCode.Symbol {
      func thousandths(_ length: Double) -> Double { (length * 1000).rounded() / 1000 }
      return IssuedCode.Symbol(
        version: version, errorCorrection: errorCorrection.rawValue,
        moduleSize: thousandths(moduleSize), width: thousandths(box.width))
    }
  }

  /// The file and what decides on its rows.
  public let rows: CheckedLabelFile
  /// How it is printed.
  public let options: Options

  /// The file.
  public var file: LabelFile { rows.file }

  /// Plans a print run.
  public init(_ rows: CheckedLabelFile, options: Options) {
    self.rows = rows
    self.options = options
  }

  /// The labels of the run.
  public var labelCount: Int { file.labelCount(copies: options.copies) }

  /// The sheets of the run.
  public var pageCount: Int {
    LabelPositions(labelsPerPage: options.stock.count, start: options.start).pages(for: labelCount)
  }

  /// The code of a row as it is printed on a label.
  ///
  /// - Parameters:
  ///   - row: The row of the file.
  ///   - label: Where it is printed, from ``draw(to:)``.
  public func drawing(of row: LabelFile.Row, on label: Label) throws -> CodeDrawing {
    try CodeDrawing(
      QRSymbol(row.url, minimumErrorCorrection: options.errorCorrection),
      size: CodeSize.Request(
        moduleSize: label.moduleSize, dotsPerInch: options.dotsPerInch))
  }
}
