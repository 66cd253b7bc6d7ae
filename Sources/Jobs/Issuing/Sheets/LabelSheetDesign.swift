import AppClipCodes
import CliptagBasics
public import CodeDrawing
import Invocation
import QRSymbol

/// The look of a file's labels on their sheets, determined before anything is drawn.
///
/// All labels are alike: their codes have the version of the largest, modules of one size and one
/// place, captions have letters of one height. The look of a sheet is therefore known, and can be
/// changed, before it is printed.
public struct LabelSheetDesign: Sendable {
  /// The labels to print.
  public let labels: ApprovedLabels
  /// Options for the sheets.
  public let options: LabelSheetOptions
  /// The size of every QR code; `nil` if App Clip Codes replace them.
  public let codeSize: CodeSize?
  /// The version of every QR code; `nil` if App Clip Codes replace them.
  public let version: Int?
  /// The diameter of every App Clip Code, in millimetres; `nil` without any.
  public let appClipCodeDiameter: Double?
  /// The distance from which phones read every App Clip Code, in millimetres; `nil` without any.
  public let appClipCodeDistance: Double?
  /// The first row whose URL needs this version, and how many rows would do with a smaller one;
  /// `nil` where all need the same.
  public let deciding: (row: LabelFile.Row, smallerRows: Int)?
  /// The place of captions, and the height of their letters in points; `nil` without captions.
  public let captions: (place: LabelLayout.CaptionPlace, letterSize: Double)?
  /// The layout of each row's labels.
  let layouts: [LabelLayout]
  /// The names on each row's labels: `nil` for an App Clip Code that is not on record; empty if no
  /// names are printed.
  package let names: [CodeLedger.PrintNames?]

  /// Determines the look of labels.
  ///
  /// - Parameters:
  ///   - labels: The labels to print, at least one row.
  ///   - options: Options for the sheets.
  /// - Throws: ``LabelRefusal`` that names the rows whose App Clip Codes would be too small;
  ///   ``IssuingError`` with code `caption-too-long` that names row and column;
  ///   `CodeDrawingError`, `QRSymbolError`, `TextError`, or `CancellationError`.
  public init(_ labels: ApprovedLabels, _ options: LabelSheetOptions) throws {
    try self.init(labels, options, names: [])
  }

  /// Determines the look of labels with the names of their items, one for each row, or none.
  init(
    _ labels: ApprovedLabels, _ options: LabelSheetOptions, names: [CodeLedger.PrintNames?]
  ) throws {
    let isAlone = labels.appClipCodes.replacesQRCodes
    try Self.checkRoom(of: labels, options)
    let versions = try (isAlone ? [] : labels.rows).map {
      try SymbolPlan(
        bytes: Array($0.row.url.utf8), minimumErrorCorrection: options.errorCorrection
      ).version
    }
    let version = versions.max() ?? 1
    let contents = try labels.rows.enumerated().map { index, row in
      try Task.checkCancellation()
      return LabelDesigner.Content(
        symbol: isAlone
          ? nil
          : try QRSymbol(
            row.row.url, minimumErrorCorrection: options.errorCorrection, minimumVersion: version),
        appClipCode: row.appClipCode?.code,
        captions: options.captions.map { row.row.values[$0] },
        smallPrint: names.isEmpty ? nil : names[index]?.item)
    }
    let layouts = try Self.layouts(of: contents, labels, options)
    guard let first = layouts.first else {
      // Files without rows are refused when they are read.
      throw LabelRefusal(problems: [DocumentProblem(line: 1, column: 1, "The file has no row.")])
    }
    let smaller = versions.count { $0 < version }
    deciding = versions.firstIndex(of: version).flatMap { index in
      smaller == 0 ? nil : (labels.rows[index].row, smaller)
    }
    captions =
      layouts.lazy
      .compactMap { layout in layout.captionPlace.map { ($0, layout.letterSize ?? 0) } }.first
    codeSize = first.code?.size
    let appClipCode = layouts.lazy.compactMap(\.appClipCode).first
    appClipCodeDiameter = appClipCode?.diameter
    appClipCodeDistance = appClipCode?.readingDistance
    self.labels = labels
    self.options = options
    self.version = isAlone ? nil : version
    self.layouts = layouts
    self.names = names
  }

  /// Refuses the rows whose App Clip Codes would be smaller on these labels than they may be.
  private static func checkRoom(
    of labels: ApprovedLabels, _ options: LabelSheetOptions
  ) throws {
    let designer = LabelDesigner(
      shape: options.stock.shape, dotsPerInch: options.dotsPerInch, shaper: TextShaper())
    var objections: [BatchObjection] = []
    for row in labels.rows {
      do throws(CodeDrawingError) {
        if let code = row.appClipCode?.code {
          let room = designer.appClipCodeRoom(
            besideQRCode: !labels.appClipCodes.replacesQRCodes, hasLockup: code.hasLockup)
          _ = try AppClipCodeDrawing(code, side: room)
        }
      } catch {
        objections.append(
          labels.file.objection(
            to: row.row, in: LabelFile.appClipCodeColumn,
            .appClipCode("On these labels: \(error.message)")))
      }
    }
    guard objections.isEmpty else { throw LabelRefusal(objections: objections) }
  }

  private static func layouts(
    of contents: [LabelDesigner.Content], _ labels: ApprovedLabels, _ options: LabelSheetOptions
  ) throws -> [LabelLayout] {
    let designer = LabelDesigner(
      shape: options.stock.shape, dotsPerInch: options.dotsPerInch, shaper: TextShaper())
    do {
      return try designer.layouts(of: contents)
    } catch let problem as CaptionProblem {
      let row = labels.rows[problem.label].row
      let column = problem.caption.map { options.captions[$0] }
      let line = labels.file.position(ofColumn: column ?? 0, in: row).line
      throw IssuingError(
        .captionTooLong,
        "Row \(row.number) (line \(line)), "
          + (column.map { "column \(labels.file.columns[$0])" } ?? "the name of the item")
          + ": \(problem.message).", hint: problem.hint)
    } catch let error as TextError {
      // The row is found only by laying the rows out one by one.
      let index = contents.firstIndex {
        (try? designer.layouts(of: [$0])) == nil
      }
      guard let row = index.map({ labels.rows[$0].row }) else { throw error }
      let line = labels.file.position(ofColumn: 0, in: row).line
      throw IssuingError(
        .captionTooLong, "Row \(row.number) (line \(line)): \(error.message)",
        hint: error.advice, underlying: error)
    }
  }
}
