import CliptagBasics
public import CodeDrawing
import Invocation
import CodeScanning
import Foundation
import Pictures
public import QRSymbol
import Registry

/// Options for labels on sheets.
public struct LabelSheetOptions: Sendable {
  /// The sheet.
  public var stock: LabelStock
  /// The calibration of the printer.
  package var calibration = PrinterCalibration.none
  /// The first label that is used on the first sheet, from 1 to the labels of a sheet.
  public var start = 1
  /// The labels of a row that does not say how many, at least 1.
  public var copies = 1
  /// The columns that are printed as captions, from 0.
  public var captions: [Int] = []
  /// Whether the name of its item is printed on each label, in small letters below the captions.
  public var hasItemNames = false
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
  /// The creation time in the document, in seconds since 1970.
  public var creationTime: Int?
  /// The printing condition of a PDF/X-4 file; `nil` for other files.
  public var condition: PrintingCondition?

  /// Options for a sheet.
  public init(stock: LabelStock) { self.stock = stock }
}

/// Sheets of labels that were printed, proven and recorded.
public struct IssuedSheet: Sendable {
  /// Every label, in the order of the sheets.
  public let labels: [IssuedLabel]
  /// The sheets.
  public let pageCount: Int
  /// The list of labels and positions; `nil` in a rehearsal, or for a stream.
  public let manifestPath: String?
}

extension Issuer {
  /// Prints a sheet of labels, with a list of labels and positions beside it.
  ///
  /// - Parameters:
  ///   - labels: The labels to print.
  ///   - destination: The PDF file.
  ///   - options: Options for the sheets.
  ///   - progress: Called with a number of labels whenever some were proven.
  /// - Throws: The errors of ``LabelSheetDesign/init(_:_:)`` and `issue(_:to:progress:)`.
  public func issue(
    _ labels: ApprovedLabels, to destination: FileDestination, on options: LabelSheetOptions,
    progress: (_ labels: Int) -> Void = { _ in }
  ) async throws -> IssuedSheet {
    try await issue(
      design(of: labels, options, for: destination), to: destination, progress: progress)
  }

  /// Determines the look of labels, with the names that their items have or will have if they are
  /// printed.
  ///
  /// - Parameters:
  ///   - labels: The labels to print.
  ///   - options: Options for the sheets.
  ///   - destination: The PDF file, from which the names of items follow.
  /// - Throws: The errors of ``LabelSheetDesign/init(_:_:)``, or `RegistryError`.
  public func design(
    of labels: ApprovedLabels, _ options: LabelSheetOptions, for destination: FileDestination
  ) throws -> LabelSheetDesign {
    guard options.hasItemNames else { return try LabelSheetDesign(labels, options) }
    let codes: [CodeID?] =
      labels.appClipCodes.replacesQRCodes
      ? labels.rows.map { $0.appClipCode?.id }
      : try ledger.printedNames(of: labels.rows.map(\.approval))
    let names = try zip(codes, labels.printedLabels(options)).map { code, label in
      try code.map {
        CodeLedger.PrintNames(
          code: $0, item: try CodeItem.name(of: $0, printedTo: destination.name, on: label))
      }
    }
    return try LabelSheetDesign(labels, options, names: names)
  }

  /// Prints a designed sheet of labels, with a list of labels and positions beside it.
  ///
  /// The finished sheets are rendered by poppler, and every label's code is compared with its drawing
  /// module by module, cut out and decoded separately. Then all codes are recorded, and only then do
  /// the files appear: a failure leaves neither a file nor a record.
  ///
  /// - Parameters:
  ///   - design: The labels and their look.
  ///   - destination: The PDF file. The list has the same name with `-manifest.csv`; a stream has
  ///     none.
  ///   - look: Called with the path of the finished and proven PDF file, before it is recorded and
  ///     put in place, or goes away after a rehearsal.
  ///   - progress: Called with a number of labels whenever some were proven.
  /// - Throws: ``IssuingError`` with code `unreadable-rendering` that names row and sheet, or
  ///   `cannot-create`; `CodeDrawingError`, `PictureError`, `RegistryError`, or
  ///   `CancellationError`.
  public func issue(
    _ design: LabelSheetDesign, to destination: FileDestination,
    look: (_ path: String) async throws -> Void = { _ in },
    progress: (_ labels: Int) -> Void = { _ in }
  ) async throws -> IssuedSheet {
    do {
      return try await issueOnce(design, to: destination, look: look, progress: progress)
    } catch let taken as NamesTaken {
      let named = try LabelSheetDesign(design.labels, design.options, names: taken.names)
      return try await issue(named, to: destination, look: look)
    }
  }

  private func issueOnce(
    _ design: LabelSheetDesign, to destination: FileDestination,
    look: (_ path: String) async throws -> Void, progress: (_ labels: Int) -> Void
  ) async throws -> IssuedSheet {
    let options = design.options
    let listed = try ListedFile(destination, isRehearsal: isRehearsal)
    let (name, sheet) = (listed.name, listed.file)
    defer { sheet.discard() }
    let run = try SheetRun(design, to: sheet)
    if case .stream = destination {
      try await run.prove(at: sheet.temporaryPath, named: "the sheet", progress)
    } else {
      try await run.prove(at: sheet.temporaryPath, named: name, progress)
    }
    try await look(sheet.temporaryPath)
    guard !isRehearsal else { return run.issued(as: name, [], manifestPath: nil) }
    let names = try await listed.putInPlace(
      recording: run.items(output: name),
      run.labels.map { .init(row: $0.row, position: ($0.place.page, $0.place.position)) },
      of: design.labels, captions: options.captions, in: ledger
    ) { names in
      if options.hasItemNames, names != design.names { throw NamesTaken(names: names) }
    }
    return run.issued(as: name, names, manifestPath: listed.listPath)
  }
}

/// One run of sheets: their labels and positions.
private struct SheetRun {
  /// One label on a sheet.
  struct Label: Sendable {
    /// The index of its row.
    let row: Int
    /// The sheet and the label on it.
    let place: LabelPositions.Position
    /// The QR code with its quiet zone on the sheet, in millimetres; nil without one.
    let box: DrawingBox?
    /// The App Clip Code with its clear space on the sheet, in millimetres; nil without one.
    let appClipCodeBox: DrawingBox?
  }

  /// The labels and their look.
  let design: LabelSheetDesign
  /// Every label, in the order of the sheets.
  private(set) var labels: [Label] = []

  /// The pixels of a module in the first look at a sheet.
  private static let pixelsPerModule = 3.0
  /// The pixels of a module in the closer look at a sheet with a label that the first one does not
  /// prove.
  private static let pixelsPerModuleCloser = 5.0
  /// The most sheets that one process of the renderer draws: its start takes as long as drawing some.
  private static let mostSheetsTogether = 16
  /// The most pixels that one process of the renderer draws, which are in memory together.
  private static let mostPixelsTogether = 6e6

  private var options: LabelSheetOptions { design.options }
  private var rows: [ApprovedLabels.Row] { design.labels.rows }

  /// Draws all sheets, each written as soon as it is full, and flushes the file.
  init(_ design: LabelSheetDesign, to sink: AtomicFile) throws {
    self.design = design
    let options = design.options
    var writer = try PDFWriter(
      to: sink,
      information: .init(
        title: options.title, creationTime: options.creationTime, condition: options.condition))
    let frames = options.stock.frames.map(options.calibration.moved)
    var positions = LabelPositions(labelsPerPage: frames.count, start: options.start)
    var page = emptyPage
    var pageNumber = 1
    for (index, (row, layout)) in zip(design.labels.rows, design.layouts).enumerated() {
      try Task.checkCancellation()
      for _ in 0..<(row.row.copies ?? options.copies) {
        let place = positions.next()
        if place.page != pageNumber {
          try add(page, to: &writer)
          page = emptyPage
          pageNumber = place.page
        }
        let frame = frames[place.position - 1]
        page.elements += layout.elements(in: frame)
        labels.append(
          Label(
            row: index, place: place, box: layout.codeBox(in: frame),
            appClipCodeBox: layout.appClipCodeBox(in: frame)))
      }
    }
    try add(page, to: &writer)
    _ = try writer.finished()
    try sink.flush()
  }

  private var emptyPage: PageDrawing {
    PageDrawing(width: options.stock.paper.width, height: options.stock.paper.height)
  }

  /// Writes a sheet, with the lines that are on every one above the codes' quiet zones.
  private func add(_ page: PageDrawing, to writer: inout PDFWriter<AtomicFile>) throws {
    let (stock, calibration) = (options.stock, options.calibration)
    // As thin as printers draw.
    let style = PageDrawing.LineStyle(width: 0.1)
    var page = page
    if options.hasOutlines {
      for frame in stock.frames {
        page.elements.append(.line(stock.shape.outline(in: calibration.applied(to: frame)), style))
      }
    }
    let markStyle = PageDrawing.LineStyle(width: style.width, colour: page.markColour)
    for mark in options.hasCutMarks ? stock.cutMarks : [] {
      let (start, end) = (calibration.applied(to: mark.start), calibration.applied(to: mark.end))
      page.elements.append(.line(.segment(from: start, to: end), markStyle))
    }
    try writer.add(page)
  }

  /// Renders every sheet of the finished file with poppler, compares every label's code with its
  /// drawing, cuts it out and decodes it separately.
  func prove(
    at path: String, named name: String, _ progress: (_ labels: Int) -> Void
  ) async throws {
    var rest = labels[...]
    var sheets: [ArraySlice<Label>] = []
    while let page = rest.first?.place.page {
      sheets.append(rest.prefix { $0.place.page == page })
      rest = rest.drop { $0.place.page == page }
    }
    let resolution = resolution(pixelsPerModule: Self.pixelsPerModule)
    let paper = options.stock.paper
    let pixels = paper.width * paper.height * resolution * resolution
    // Every processor shall have some.
    let count = max(
      1,
      min(
        Self.mostSheetsTogether, Int(bounded: Self.mostPixelsTogether / pixels),
        (sheets.count + 3) / 4)
    )
    let parts = stride(from: 0, to: sheets.count, by: count).map { start in
      sheets[start..<min(start + count, sheets.count)]
    }
    try await parts.inParallel { part in
      let pictures = try await render(part, of: path, resolution, named: name)
      for (sheet, picture) in zip(part, pictures) {
        try await prove(sheet, in: picture, resolution, at: path, named: name)
      }
      return part.reduce(0) { $0 + $1.count }
    } each: {
      progress($0)
    }
  }

  /// The resolution, in pixels per millimetre, that gives a module a number of pixels, or more if App
  /// Clip Codes need them.
  private func resolution(pixelsPerModule: Double) -> Double {
    let wanted = max(
      design.codeSize.map { pixelsPerModule / $0.moduleSize } ?? 0,
      design.appClipCodeDiameter.map { Double(PrintedCode.pixelsAcrossDisc) / $0 } ?? 0)
    let paper = options.stock.paper
    return Self.renderer.resolution(
      nearest: 25.4 * wanted, width: paper.width, height: paper.height) / 25.4
  }

  private static let renderer = DocumentRenderer(limits: .ownDrawing)

  /// Renders consecutive sheets at a resolution in pixels per millimetre.
  private func render(
    _ sheets: ArraySlice<ArraySlice<Label>>, of path: String, _ resolution: Double,
    named name: String
  ) async throws -> [GreyPicture] {
    guard let first = sheets.first?.first?.place.page, let last = sheets.last?.first?.place.page
    else { return [] }
    let paper = options.stock.paper
    return try await Self.renderer.render(
      pages: first...last, ofPDF: path, width: paper.width, height: paper.height,
      dotsPerInch: 25.4 * resolution, named: name)
  }

  /// Proves a sheet from its picture, or from a closer look at it.
  private func prove(
    _ sheet: ArraySlice<Label>, in picture: GreyPicture, _ resolution: Double, at path: String,
    named name: String
  ) async throws {
    guard try fault(on: sheet, in: picture, resolution, named: name) != nil else { return }
    let closer = self.resolution(pixelsPerModule: Self.pixelsPerModuleCloser)
    let pictures = try await render([sheet], of: path, closer, named: name)
    for picture in pictures {
      guard let fault = try fault(on: sheet, in: picture, closer, named: name) else { continue }
      throw IssuingError(
        .unreadableRendering,
        "\(name) was not written: the pixels of \(fault).",
        hint: "Use larger labels, fewer captions or a shorter URL; if it persists, report it "
          + "with the URL.")
    }
  }

  /// Returns the first label with a QR code that a picture does not show, and what its pixels do
  /// instead.
  ///
  /// - Throws: ``IssuingError`` for an App Clip Code that the picture does not show.
  private func fault(
    on sheet: ArraySlice<Label>, in picture: GreyPicture, _ resolution: Double, named name: String
  ) throws -> String? {
    let paper = options.stock.paper
    for label in sheet {
      try Task.checkCancellation()
      let layout = design.layouts[label.row]
      let spot =
        "row \(rows[label.row].row.number) on page \(label.place.page), "
        + "label \(label.place.position)"
      if let drawing = layout.appClipCode, let box = label.appClipCodeBox {
        try AppClipCodeProofSampler().readBack(
          picture, at: picture.place(of: drawing, in: box, ofSheet: paper.width),
          expecting: drawing.code, "\(name) (\(spot))")
      }
      guard let code = layout.code, let box = label.box,
        let fault = try SymbolProof(code).fault(in: picture, at: box, resolution: resolution)
      else { continue }
      return "\(spot) \(fault)"
    }
    return nil
  }

  /// Returns the items to record, row by row.
  func items(output: String) -> [CodeLedger.PrintedItem] {
    zip(rows, design.labels.printedLabels(options)).enumerated().map { index, printed in
      let (row, label) = printed
      return CodeLedger.PrintedItem(
        row.approval, symbol: design.layouts[index].code.map { IssuedCode.Symbol($0) },
        output: output, name: design.names.isEmpty ? nil : design.names[index]?.code, label: label,
        appClipCode: row.appClipCode?.id)
    }
  }

  /// Returns the printed sheet with the names that the record gave.
  func issued(
    as output: String, _ names: [CodeLedger.PrintNames?], manifestPath: String?
  ) -> IssuedSheet {
    let issued = labels.map { label in
      let name = names.isEmpty ? nil : names[label.row]
      return IssuedLabel(
        row: rows[label.row].row,
        findings: rows[label.row].approval.verification.findings,
        drawing: design.layouts[label.row].code,
        appClipCode: design.layouts[label.row].appClipCode,
        id: name?.code, item: name?.item, output: output,
        position: (label.place.page, label.place.position))
    }
    return IssuedSheet(
      labels: issued, pageCount: labels.last?.place.page ?? 0, manifestPath: manifestPath)
  }
}

extension ApprovedLabels {
  /// Returns the facts of each row's labels on the sheets, row by row.
  fileprivate func printedLabels(_ options: LabelSheetOptions) -> [PrintedLabel] {
    var positions = LabelPositions(labelsPerPage: options.stock.count, start: options.start)
    return rows.map { row in
      let copies = row.row.copies ?? options.copies
      let first = positions.next()
      for _ in 1..<copies { _ = positions.next() }
      return PrintedLabel(
        caption: row.row.caption(options.captions), row: row.row.number, sheet: first.page,
        position: first.position, copies: copies)
    }
  }
}

extension PrinterCalibration {
  /// Returns the frame of a label moved to where it is printed; it keeps its size, because modules
  /// are whole dots.
  fileprivate func moved(_ frame: DrawingBox) -> DrawingBox {
    let centre = applied(to: frame.centre)
    return frame.moved(right: centre.x - frame.centre.x, down: centre.y - frame.centre.y)
  }
}
