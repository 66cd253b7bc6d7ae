package import CodeDrawing
package import QRSymbol
package import Registry

/// The printing of a file of labels on sheets.
///
/// Used in this order: ``CheckedLabelFile/objections()``, ``draw(to:)``, ``prove(_:at:named:progress:)``, and only
/// then is the file put in place and recorded. The rows are read again for each step, so that a
/// long file needs little memory.
package struct LabelSheetJob: Sendable {
  /// How labels are printed.
  package struct Options: Sendable {
    /// The sheet.
    package var stock: LabelStock
    /// What the printer does to it.
    package var calibration = PrinterCalibration.none
    /// The first label that is used on the first sheet, from 1.
    package var start = 1
    /// The labels of a row that does not say how many.
    package var copies = 1
    /// The columns that are printed as captions.
    package var captions: [Int] = []
    /// Whether marks in the margins show where to cut.
    package var hasCutMarks = false
    /// Whether the labels' outlines are drawn.
    package var hasOutlines = false
    /// The printer's resolution.
    package var dotsPerInch = 600.0
    /// The lowest error-correction level.
    package var errorCorrection = QRSymbol.ErrorCorrection.medium
    /// The title of the document.
    package var title = "Labels"
    /// When the document says it was made, in seconds since 1970.
    package var creationTime: Int?

    /// Options for a sheet.
    package init(stock: LabelStock) { self.stock = stock }
  }

  /// One label on a sheet.
  package struct Label: Hashable, Sendable {
    /// Its row in the file, from 1.
    package let row: Int
    /// The sheet and the label on it.
    package let place: LabelPositions.Position
    /// The code with its quiet zone on the sheet, in millimetres.
    package let box: DrawingBox
    /// The side of a module in millimetres.
    package let moduleSize: Double
    /// The version of the symbol.
    package let version: Int
    /// The level of the symbol.
    package let errorCorrection: QRSymbol.ErrorCorrection

    /// What the registry keeps of the code.
    package var symbol: IssuedCode.Symbol {
      func thousandths(_ length: Double) -> Double { (length * 1000).rounded() / 1000 }
      return IssuedCode.Symbol(
        version: version, errorCorrection: errorCorrection.rawValue,
        moduleSize: thousandths(moduleSize), width: thousandths(box.width))
    }
  }

  /// The file and what decides on its rows.
  package let rows: CheckedLabelFile
  /// How it is printed.
  package let options: Options

  /// The file.
  package var file: LabelFile { rows.file }

  /// Plans a print run.
  package init(_ rows: CheckedLabelFile, options: Options) {
    self.rows = rows
    self.options = options
  }

  /// The labels of the run.
  package var labelCount: Int { file.labelCount(copies: options.copies) }

  /// The sheets of the run.
  package var pageCount: Int {
    LabelPositions(labelsPerPage: options.stock.count, start: options.start).pages(for: labelCount)
  }

  /// The code of a row as it is printed on a label.
  ///
  /// - Parameters:
  ///   - row: The row of the file.
  ///   - label: Where it is printed, from ``draw(to:)``.
  package func drawing(of row: LabelFile.Row, on label: Label) throws -> CodeDrawing {
    try CodeDrawing(
      QRSymbol(row.url, minimumErrorCorrection: options.errorCorrection),
      size: CodeSize.Request(
        moduleSize: label.moduleSize, dotsPerInch: options.dotsPerInch))
  }
}
