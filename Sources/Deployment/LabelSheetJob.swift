public import CodeDrawing
public import Invocation
public import QRSymbol
public import Registry

/// The printing of a file of labels on sheets.
///
/// Used in this order: ``objections()``, ``draw(to:)``, ``prove(_:at:named:progress:)``, and only
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
    /// Whether codes are printed although the check does not accept them.
    public var unregistered = false
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

  /// The file.
  public let file: LabelFile
  /// How it is printed.
  public let options: Options
  let check: InvocationCheck

  /// Plans a print run.
  ///
  /// - Parameters:
  ///   - file: A file without problems.
  ///   - check: What decides whether a payload is accepted.
  ///   - registry: What the check asks.
  /// - Throws: What the registry throws.
  public init(
    _ file: LabelFile, check: InvocationCheck, in registry: any RegistryStore, options: Options
  ) throws {
    self.file = file
    self.check = try check.inMemory(of: registry)
    self.options = options
  }

  /// The labels of the run.
  public var labelCount: Int { file.labelCount(copies: options.copies) }

  /// The sheets of the run.
  public var pageCount: Int {
    LabelPositions(labelsPerPage: options.stock.count, start: options.start).pages(for: labelCount)
  }

  /// What may not be printed: every row is checked before anything is drawn.
  ///
  /// - Returns: In the order of the rows.
  /// - Throws: What the directory throws.
  public func objections() throws -> [BatchObjection] {
    var objections: [BatchObjection] = []
    for row in file.rows() {
      try Task.checkCancellation()
      let found = try check.examine(payload: row.url, carrier: .url, location: .notAsked)
      let order = BatchRow.Order(url: row.url, placeID: row.placeID)
      if found.verdict != .accepted, !options.unregistered {
        objections.append(objection(to: row, in: "url", .refused(found)))
      } else if let problem = order.placeProblem(found) {
        objections.append(objection(to: row, in: "place", .wrongPlace(problem)))
      }
    }
    return objections
  }

  /// What ground a row's code is printed on.
  ///
  /// - Throws: ``IssueRefusal``, or what the directory throws.
  public func approval(of row: LabelFile.Row) throws -> Approval {
    try check.approve(row.url, unregistered: options.unregistered)
  }

  private func objection(
    to row: LabelFile.Row, in column: String, _ reason: BatchObjection.Reason
  ) -> BatchObjection {
    let index = file.column(named: column) ?? 0
    let (line, column) = file.position(ofColumn: index, inRow: row.number)
    return BatchObjection(row: row.number, line: line, column: column, reason: reason)
  }

  /// The code of a row as it is printed on a label.
  ///
  /// - Parameter label: Where it is printed, from ``draw(to:)``.
  public func drawing(of row: LabelFile.Row, on label: Label) throws -> CodeDrawing {
    try CodeDrawing(
      QRSymbol(row.url, minimumErrorCorrection: options.errorCorrection),
      size: CodeSize.Request(
        moduleSize: label.moduleSize, dotsPerInch: options.dotsPerInch))
  }
}
