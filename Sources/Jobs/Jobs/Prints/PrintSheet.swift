import AppClipCodeFiles
import AppClipCodes
public import CodeDrawing
import Foundation
import Invocation
public import Issuing
public import QRSymbol

/// A step of a job that prints the rows of a CSV file.
public enum SheetEvent: Sendable {
  /// What was done to read a file that is not in UTF-8.
  case read(TableNote)
  /// A warning about the label stock.
  case stockWarning(String)
  /// Every row may be issued; their approvals hold what speaks against them.
  case approved(ApprovedLabels)
  /// The layout of all labels is settled, and nothing is drawn yet.
  case designed(LabelSheetDesign)
  /// App Clip Codes of the file are not printed, because files of single codes hold QR codes.
  case appClipCodesLeftOut
  /// A choice that the posters of rows made for want of another, and the first row with it.
  case note(PrintNote, row: Int)
  /// The labels, pages or files that are proven, of all.
  case progress(done: Int, of: Int)
}

/// What the rows of a CSV file are printed from, and whether they may be issued.
public struct LabelRows: Sendable {
  /// The file, read.
  public var file: LabelFile
  /// The name of the file in messages.
  public var name: String
  /// The folder from which cells name files, empty for the current one; `nil` if they name none,
  /// because the table came from elsewhere, such as in a request.
  public var folder: String?
  /// The columns that are printed as captions, by name.
  public var captions: [String] = []
  /// Whether rows are issued although the check does not accept their URLs.
  public var unregistered = false
  /// Whether rows are refused that the check warns of.
  public var strict = false

  /// Reads a file of labels.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 or UTF-16, with or without a byte order mark, or Windows-1252.
  ///   - name: The name of the file in messages.
  ///   - folder: The folder from which cells name files, empty for the current one; `nil` if they
  ///     name none.
  ///   - separator: The byte between fields; `nil` for that of the header.
  ///   - urls: The URLs of a place, for rows that name a place and no URL.
  /// - Throws: `LabelRefusal` with every mistake of the file; an error of `urls`.
  public init(
    _ bytes: [UInt8], named name: String, in folder: String? = nil, separator: UInt8? = nil,
    urlsOfPlace urls: (String) throws -> [String] = { _ in [] }
  ) throws {
    let file = try LabelFile(bytes, separator: separator, urlsOfPlace: urls)
    guard file.problems.isEmpty else { throw LabelRefusal(problems: file.problems) }
    self.file = file
    self.name = name
    self.folder = folder
  }

  /// The name of the file in titles, which printers and readers of the document get: without its folder.
  var title: String { name == "-" ? "standard input" : (name as NSString).lastPathComponent }

  /// The positions of the caption columns, from 0.
  func captionColumns() throws(InputError) -> [Int] {
    try captions.map { column throws(InputError) in
      guard let index = file.column(named: column) else {
        throw .noColumn(.captions, name: column, columns: file.columns, file: name)
      }
      return index
    }
  }

  func approved(
    by issuer: Issuer, _ appClipCodes: LabelAppClipCodes = LabelAppClipCodes()
  ) throws -> ApprovedLabels {
    guard !(unregistered && strict) else { throw InputError.exclude(.unregistered, .strict) }
    return try issuer.approve(
      file, unregistered: unregistered, refusingWarnings: strict, appClipCodes: appClipCodes)
  }
}

/// Prints the rows of a CSV file on sheets of labels, with a manifest beside the PDF file.
///
/// All rows are checked before anything is drawn, and every label is read back from the finished
/// sheet before anything is recorded.
public struct PrintSheet: Job {
  /// The rows.
  public var rows: LabelRows
  /// The PDF file. The manifest has its name with `-manifest.csv`; a stream has none.
  public var destination: FileDestination
  /// The label stock.
  public var stock: LabelStock
  /// The first unused label of the first sheet, counted from 1 at the top left.
  public var start = 1
  /// The labels of a row without a number of its own, 1 to 10,000.
  public var copies = 1
  /// Whether the name of its item is printed on each label, in small letters below the captions.
  public var itemName = false
  /// Whether marks in the margins show where to cut.
  public var cutMarks = false
  /// Whether the labels' outlines are drawn.
  public var outlines = false
  /// The printing condition that the file is made for; `nil` for any.
  public var condition: PrintingCondition?
  /// The printer's resolution in dots per inch.
  public var dotsPerInch = 600.0
  /// The lowest error-correction level; raised where that costs no size.
  public var errorCorrection = QRSymbol.ErrorCorrection.medium
  /// The correction of the printer's offset and scale.
  package var calibration = PrinterCalibration.none
  /// The App Clip Code of rows that name none; `nil` for none.
  public var appClipCode: AppClipCodeChoice?
  /// Whether App Clip Codes replace the QR codes.
  public var appClipCodeOnly = false
  /// Whether a file whose colours are none of Apple's templates is accepted.
  public var allowsOwnColours = false
  /// Whether everything is made and proven, but nothing written and recorded.
  public var dryRun = false
  /// Whether the answer holds the bytes of the file, for a preview.
  public var returnsBytes = false

  /// The largest file whose bytes an answer holds: 256 MiB.
  private static let mostBytes = 1 << 28

  /// Makes a job.
  public init(_ rows: LabelRows, to destination: FileDestination, on stock: LabelStock) {
    self.rows = rows
    self.destination = destination
    self.stock = stock
  }

  /// The sheets of a finished job.
  public struct Output: Sendable {
    /// The layout of the labels.
    public let design: LabelSheetDesign
    /// The sheets.
    public let issued: IssuedSheet
    /// The results as the contract states them, one for each label.
    public let results: [IssueResult]
    /// The bytes of the file, where they were asked for and are 256 MiB at most.
    public let bytes: [UInt8]?
    /// The file that the printer took, or the reason why it did not; `nil` without a printer.
    public let handover: Result<Handover, any Error>?
  }

  /// Prints the sheets.
  ///
  /// - Throws: ``InputError`` for inputs outside their ranges; columns that the file does not have; `LabelRefusal` with
  ///   every row that may not be issued; `IssuingError`, `CodeDrawingError`, `TextError`,
  ///   `PictureError`; `RegistryError`; `CancellationError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (SheetEvent) -> Void
  ) async throws -> Output {
    guard (1...LabelFile.mostCopies).contains(copies) else {
      throw InputError.outOfRange(.copies, 1...Double(LabelFile.mostCopies))
    }
    guard start >= 1 else { throw InputError.outOfRange(.start, 1...(.infinity)) }
    guard start <= stock.count else {
      throw InputError.beyondStock(.start, label: start, count: stock.count, stock: stock.name)
    }
    if let note = rows.file.note { report(.read(note)) }
    for warning in stock.warnings { report(.stockWarning(warning)) }
    let issuer = workplace.issuer(isRehearsal: dryRun)
    let labels = try rows.approved(
      by: issuer,
      LabelAppClipCodes(
        usual: appClipCode, replacesQRCodes: appClipCodeOnly, folder: rows.folder,
        options: AppClipCode.Options(allowsOwnColours: allowsOwnColours)))
    report(.approved(labels))
    let design = try issuer.design(of: labels, options(workplace), for: destination)
    report(.designed(design))
    let total = rows.file.labelCount(copies: copies)
    var done = 0
    var bytes: [UInt8]?
    let issued = try await issuer.issue(
      design, to: destination,
      look: { path in
        if returnsBytes { bytes = Self.bytes(of: path) }
      }
    ) { count in
      done += count
      report(.progress(done: done, of: total))
    }
    return Output(
      design: design, issued: issued,
      results: issued.labels.map { $0.result(isRehearsal: dryRun) },
      bytes: bytes,
      handover: await workplace.handedOver(
        destination, pages: PageSize(width: stock.paper.width, height: stock.paper.height),
        isRehearsal: dryRun))
  }

  private func options(_ workplace: Workplace) throws -> LabelSheetOptions {
    var options = LabelSheetOptions(stock: stock)
    options.calibration = calibration
    options.start = start
    options.copies = copies
    options.captions = try rows.captionColumns()
    options.hasItemNames = itemName
    options.hasCutMarks = cutMarks
    options.hasOutlines = outlines
    options.dotsPerInch = dotsPerInch
    options.errorCorrection = errorCorrection
    options.title = "Labels from \(rows.title)"
    options.creationTime = workplace.creationTime(of: condition)
    options.condition = condition
    return options
  }

  private static func bytes(of path: String) -> [UInt8]? {
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    guard let size, size <= mostBytes else { return nil }
    return FileManager.default.contents(atPath: path).map { Array($0) }
  }
}

/// Prints the rows of a CSV file as files of one code each, with a manifest, in a folder.
public struct PrintCodeFiles: Job {
  /// The rows.
  public var rows: LabelRows
  /// The folder, which is made if it is missing.
  public var folder: String
  /// The kind of file, the size and the level of the codes.
  public var options: CodeFileOptions
  /// Whether everything is made and proven, but nothing written and recorded.
  public var dryRun = false

  /// Makes a job.
  public init(_ rows: LabelRows, in folder: String, as options: CodeFileOptions) {
    self.rows = rows
    self.folder = folder
    self.options = options
  }

  /// The files of a finished job.
  public struct Output: Sendable {
    /// The files.
    public let issued: IssuedFiles
    /// The results as the contract states them, one for each row.
    public let results: [IssueResult]
  }

  /// Makes the files.
  ///
  /// - Throws: As ``PrintSheet/run(in:reporting:)``.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (SheetEvent) -> Void
  ) async throws -> Output {
    if let note = rows.file.note { report(.read(note)) }
    if rows.file.rows.contains(where: { $0.appClipCode != nil }) { report(.appClipCodesLeftOut) }
    var options = options
    options.creationTime = workplace.creationTime
    options.captions = try rows.captionColumns()
    let issuer = workplace.issuer(isRehearsal: dryRun)
    let labels = try rows.approved(by: issuer)
    report(.approved(labels))
    let total = rows.file.rows.count
    var done = 0
    let issued = try await issuer.issue(labels, in: folder, as: options) { count in
      done += count
      report(.progress(done: done, of: total))
    }
    return Output(
      issued: issued, results: issued.labels.map { $0.result(isRehearsal: dryRun) })
  }
}

extension IssuedLabel {
  /// The result as the contract states it.
  ///
  /// - Parameter details: The facts of this kind of file; `nil` for those of a label.
  func result(isRehearsal: Bool, details: IssueResult.Details? = nil) -> IssueResult {
    IssueResult(
      drawing, payload: row.url, appClipCode: appClipCode, findings: findings, output: output,
      code: id, item: item, isRehearsal: isRehearsal,
      details: details
        ?? .label(row: row.number, page: position?.page, position: position?.label))
  }
}
