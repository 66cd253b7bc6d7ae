import CliptagBasics
import ArgumentParser
import CodeDrawing
import Foundation
import Invocation
import Issuing
import Jobs
import QRSymbol

/// `cliptag sheet CSV -o FILE`
struct SheetCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "Print codes on sheets of labels, one for each row of a CSV file.",
    discussion: """
      The first line of the CSV file has its columns: url, and optionally place, copies, and \
      columns to print as captions. The whole file is checked before the drawing, and \
      every label is read back from the finished sheet before it is written. Beside it a file \
      …-manifest.csv lists the labels. Print at 100 %, without fitting to the page.
      A column app-clip-code has the SVG file of an App Clip Code, relative to the CSV file.

      Templates are those of the system (package glabels-data) and of cliptag; any other \
      sheet is a line of millimetres, or of lengths with units such as 1in: WIDTHxHEIGHT,COLUMNSxROWS,LEFT,TOP,PITCHX,PITCHY,PAPER, \
      or the diameter of round labels instead of WIDTHxHEIGHT. If labels are printed beside \
      their places, print a calibration sheet, measure, and store the numbers for the printer.

      With --format, no sheet is printed: every row becomes a separate file in a folder, named \
      by its column code or id, else by its number, with a manifest.csv.

      Examples:
        cliptag sheet Samples/fruta/tables.csv -o tables.pdf --template L7163 \\
          --caption label --caption floor
        cliptag sheet Samples/fruta/tables.csv -o round.pdf --template 2525K \\
          --start 8 --copies 2 --error-correction L
        cliptag sheet Samples/fruta/tables.csv -o cut.pdf --cut-marks --outlines \\
          --template 60x40,3x6,15,20,60,42,A4
        cliptag sheet --list-templates "avery l71"
        cliptag sheet --calibration-sheet --template L7163 -o calibration.pdf
        cliptag sheet Samples/fruta/tables.csv -o tables.pdf --template L7163 \\
          --printer office --offset 0.6,-0.4 --scale 1.002,1
        cliptag sheet Samples/fruta/tables.csv -o tables --format svg --width 25
      """)

  @Argument(
    help: ArgumentHelp("The CSV file; - for standard input.", valueName: "csv"),
    completion: .file(extensions: ["csv"]))
  var csv: String?
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The PDF file, - for standard output; with --format the folder.", valueName: "file"),
    completion: .file(extensions: ["pdf"]))
  var output: String?
  @OptionGroup(title: "The sheet") var sheet: SheetOptions
  @OptionGroup(title: "The printer") var printer: PrinterOptions
  @OptionGroup(title: "App Clip Codes") var appClip: AppClipCodeOptions
  @OptionGroup(title: "Printing") var printing: PrintOnOptions
  @OptionGroup var press: PressOptions
  @Flag(help: "List the templates, filtered by words instead of a CSV file.")
  var listTemplates = false
  @Flag(help: "Print the labels' outlines and rulers on plain paper, to measure the printer.")
  var calibrationSheet = false
  @OptionGroup var approvals: ApprovalOptions
  @Flag(name: [.long, .customShort("n")], help: "Make and verify the labels, but write nothing.")
  var dryRun = false
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !listTemplates else { return }
    guard let output else { throw ValidationError("Give the output file with -o.") }
    try printing.validate(sheet.format == nil ? [output] : [])
    guard sheet.format == nil else { return try validateFiles() }
    guard sheet.template != nil else {
      throw ValidationError("Give the sheet with --template; --list-templates shows them.")
    }
    guard calibrationSheet != (csv != nil) else {
      throw ValidationError(
        calibrationSheet ? "A calibration sheet needs no CSV file." : "Give the CSV file.")
    }
    guard !global.json || output != "-" else {
      throw ValidationError("--json and -o - both use standard output: give a file.")
    }
    guard output == "-" || output.lowercased().hasSuffix(".pdf") else {
      throw ValidationError(
        "Sheets are PDF files: give \(output.withEnding("pdf").printable), not \(output.printable)."
      )
    }
  }

  private func validateFiles() throws {
    guard csv != nil, output != "-" else {
      throw ValidationError("--format needs a CSV file, and a folder for -o.")
    }
    guard sheet.template == nil, !calibrationSheet, !sheet.itemName, !sheet.cutMarks,
      !sheet.outlines,
      appClip.appClipCode == nil, !appClip.appClipCodeOnly, press.outputIntent == nil
    else {
      throw ValidationError("--format makes single files; leave the options of sheets out.")
    }
  }

  func execute(_ console: Console) async throws {
    let library = LabelStockLibrary()
    guard !listTemplates else { return try console.list(library.listing(matching: csv ?? "")) }
    guard let output else { return }
    if let format = sheet.format, let csv {
      return try await makeFiles(of: format, from: csv, in: output, console)
    }
    guard let template = sheet.template else { return }
    let stock = try library.stock(named: template)
    // An unknown printer is refused before a calibration is stored.
    let queue = try await printing.queue()
    let calibration = try printer.calibration(keeping: !dryRun, console)
    guard let csv else {
      for warning in stock.warnings { console.warn(warning) }
      return try await makeCalibrationSheet(stock, calibration, output, queue, console)
    }
    try await console.showingRefusal(of: csv) {
      var job = PrintSheet(try rows(csv), to: console.destination(output), on: stock)
      job.start = sheet.start
      job.copies = sheet.copies
      job.itemName = sheet.itemName
      job.cutMarks = sheet.cutMarks
      job.outlines = sheet.outlines
      job.dotsPerInch = sheet.dpi ?? queue?.dotsPerInch ?? 600
      job.condition = try press.condition
      job.errorCorrection = sheet.errorCorrection
      job.calibration = calibration
      job.appClipCode = appClip.appClipCode
      job.appClipCodeOnly = appClip.appClipCodeOnly
      job.allowsOwnColours = appClip.ownColours
      job.dryRun = dryRun
      let bar = ProgressBar(console)
      defer { bar.hide() }
      var workplace = try global.workplace(matching, isRehearsal: dryRun, console)
      workplace.printer = queue
      let printed = try await job.run(in: workplace) { console.show($0, on: bar) }
      bar.hide()
      if output != "-" { console.show(printed, at: output, dryRun: dryRun) }
      console.show(printed.handover)
    }
  }

  private func makeFiles(
    of format: DrawingFormat, from csv: String, in folder: String, _ console: Console
  ) async throws {
    try await console.showingRefusal(of: csv) {
      var options = CodeFileOptions(
        format: format,
        size: CodeSize.Request(
          width: sheet.width, moduleSize: sheet.moduleSize, dotsPerInch: sheet.dpi ?? 600))
      options.errorCorrection = sheet.errorCorrection
      var job = PrintCodeFiles(try rows(csv), in: folder, as: options)
      job.dryRun = dryRun
      let bar = ProgressBar(console)
      defer { bar.hide() }
      let workplace = try global.workplace(matching, isRehearsal: dryRun, console)
      let printed = try await job.run(in: workplace) { console.show($0, on: bar) }
      bar.hide()
      console.show(printed, in: folder, dryRun: dryRun)
    }
  }

  /// The rows of the file, read once.
  private func rows(_ csv: String) throws -> LabelRows {
    var rows = try LabelRows(at: csv, separator: sheet.separator?.byte, approvals)
    rows.captions = sheet.caption
    return rows
  }

  private func makeCalibrationSheet(
    _ stock: LabelStock, _ calibration: PrinterCalibration, _ output: String,
    _ queue: PrinterQueue?, _ console: Console
  ) async throws {
    let sheet = CalibrationSheet(stock, calibration: calibration)
    var writer = try PDFWriter(
      to: MemorySink(),
      information: .init(
        title: "Calibration of \(stock.name)", creationTime: SourceDate.seconds))
    try writer.add(sheet.page(titled: stock.name, shaper: TextShaper()))
    let bytes = try writer.finished().bytes
    if output == "-" {
      if !dryRun { console.write(bytes) }
      return
    }
    if !dryRun { try AtomicFile(path: output, bytes: bytes).commit() }
    console.result(
      of: CalibrationSheetResult(
        stock, rulers: (sheet.rulerAcross, sheet.rulerDown), output: output, isRehearsal: dryRun),
      text: """
        \(dryRun ? "would write" : "wrote") \(output)
          print     on plain paper at 100 %, and lay it over a sheet of \(stock.name)
          offset    the shift of the outlines to the right and down: --offset X,Y
          scale     \(Int(bounded: sheet.rulerAcross)) and \(Int(bounded: sheet.rulerDown)) divided by the lengths of the \
        printed rulers: --scale X,Y
          store     both with --printer NAME
        """)
    if let queue {
      console.show(
        try await queue.handOver(
          output, width: stock.paper.width, height: stock.paper.height, isRehearsal: dryRun))
    }
  }
}

extension LabelRows {
  /// Reads the CSV file of an argument; `-` is standard input.
  ///
  /// - Parameter urls: The URLs of a place, for rows that name a place and no URL.
  init(
    at csv: String, separator: UInt8? = nil, _ approvals: ApprovalOptions,
    urlsOfPlace urls: (String) throws -> [String] = { _ in [] }
  ) throws {
    try self.init(
      InputFile.bytes(of: csv, limit: LabelFile.largestByteCount), named: csv,
      in: csv == "-" ? "" : (csv as NSString).deletingLastPathComponent, separator: separator,
      urlsOfPlace: urls)
    unregistered = approvals.unregistered
    strict = approvals.strict
  }
}

extension Console {
  /// Prints label stocks.
  func list(_ listing: [LabelStockLibrary.Listing]) throws {
    guard !listing.isEmpty else {
      throw Failure(
        "no-template", .nothingFound, "No label stock matches these words.",
        hint: "Use fewer words, such as the maker's number alone.")
    }
    for entry in listing {
      result(of: TemplateResult(entry), text: entry.text)
    }
  }
}

extension LabelStockLibrary.Listing {
  fileprivate var text: String {
    guard let stock else { return "\(name)  is not printable: \(problem?.message ?? "")" }
    func short(_ length: Double) -> String {
      String(format: "%.4g", (length * 10).rounded() / 10)
    }
    let size =
      stock.shape.isRound
      ? "\(short(stock.shape.width)) mm round"
      : "\(short(stock.shape.width)) × \(short(stock.shape.height)) mm"
    let note = stock.warnings.isEmpty ? "" : "  (uneven margins)"
    return "\(name)  \(stock.count) of \(size) on \(stock.paper.name)  \(stock.summary)\(note)"
  }
}

extension Console {
  /// Shows the mistakes of a file of labels, and the reason that it was refused.
  func showingRefusal(of source: String, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let refusal as LabelRefusal {
      _ = show(refusal.problems, refusal.objections, source: source)
      say(refusal.advice(name))
    }
  }

  /// Says what was done to read a file of rows.
  func show(_ note: TableNote) { say("note: \(note.sentence)") }

  /// Shows a step of a job that prints the rows of a file.
  func show(_ event: SheetEvent, on bar: ProgressBar) {
    switch event {
    case .read(let note): show(note)
    case .stockWarning(let text): warn(text)
    case .appClipCodesLeftOut:
      say(
        "note: files of single codes contain QR codes; App Clip Codes are printed on sheets only.")
    case .approved(let labels):
      warn(of: labels.rows.map { ($0.row.number, $0.approval.verification.findings) })
    case .designed(let design): show(design)
    case .note(let note, let row): show(note, "row \(row): ")
    case .progress(let done, let total): bar.show(done, of: total)
    }
  }

  /// Prints the look of all labels of a sheet, and the warnings about it, before they are printed.
  private func show(_ design: LabelSheetDesign) {
    let words = design.captions.map { captions in
      ", words \(captions.place.rawValue) it in letters of "
        + "\((captions.letterSize * 10).rounded() / 10) points"
    }
    let code = design.codeSize.map { size in
      "a code \(size.width.inThousandths) mm wide, modules of "
        + "\(size.moduleSize.inThousandths) mm (\(size.dotsPerModule) dots)"
    }
    let appClipCode = design.appClipCodeDiameter.map {
      "an App Clip Code \($0.inThousandths) mm across"
    }
    say(
      "every label: \([code, appClipCode].compactMap { $0 }.joined(separator: ", "))"
        + (words ?? ""))
    if let (row, smallerRows) = design.deciding, let version = design.version {
      say(
        "note: row \(row.number) has a long URL that determines the size of all: it needs a code of "
          + "version \(version); a smaller one suffices for \(rowCount(smallerRows)).")
    }
    for warning in design.codeSize?.warnings ?? [] {
      warn("\(warning.message) \(warning.hint)")
    }
  }

  /// Shows a printed sheet.
  func show(_ printed: PrintSheet.Output, at output: String, dryRun: Bool) {
    let (issued, design) = (printed.issued, printed.design)
    if json {
      for label in printed.results { result(of: label, text: "") }
      return
    }
    let stock = design.options.stock
    var codes: ConsoleText = ""
    if let size = design.codeSize, let version = design.version {
      codes += """

          modules   \(size.moduleSize.inThousandths) mm on every label, codes of version \
        \(version)
        """
    }
    if let diameter = design.appClipCodeDiameter, let distance = design.appClipCodeDistance {
      codes += """

          app clip  codes \(diameter.inThousandths) mm across, all 128 positions of each read back; \
        phones read them from up to \(Int(bounded: distance)) mm
        """
    }
    result(
      .null,
      text: """
        \(dryRun ? "would write" : "wrote") \(output)
          labels    \(issued.labels.count) of \(rowCount(design.labels.rows.count)), each read back \
        from the finished sheet
          sheets    \(issued.pageCount) of \(stock.name), \(stock.count.of("label")) each\
        \(codes)
          manifest  \(issued.manifestPath ?? "none")
        """)
  }

  /// Shows a folder of files.
  func show(_ printed: PrintCodeFiles.Output, in folder: String, dryRun: Bool) {
    let issued = printed.issued
    say(others: issued.otherFiles, in: folder)
    guard !show(printed.results, of: issued.labels) else { return }
    result(
      .null,
      text: """
        \(dryRun ? "would write" : "wrote") \(rowCount(issued.labels.count)) to \(folder), each \
        file read back from its pixels
          manifest  \(issued.manifestPath ?? "none")
        """)
  }
}

extension Console {
  /// Prints the warnings about the codes of rows, each kind once, and the results for a program.
  ///
  /// - Returns: Whether a program takes the results.
  private func show(_ results: [IssueResult], of labels: [IssuedLabel]) -> Bool {
    var warned: Set<String> = []
    for label in labels {
      for warning in label.drawing?.warnings ?? [] where warned.insert(warning.code).inserted {
        warn("row \(label.row.number): \(warning.text)")
      }
    }
    if json { for facts in results { result(of: facts, text: "") } }
    return json
  }

  /// Says that a folder has files that are not of this run.
  private func say(others count: Int, in folder: String) {
    guard count > 0 else { return }
    say(
      "note: \(folder) also contains \(count) "
        + "\(count == 1 ? "file that is" : "files that are") not of this run; the manifest "
        + "lists only these. Use an empty folder to print a whole run.")
  }

  /// Shows printed posters.
  func show(_ printed: PrintPosters.Output, at output: String, dryRun: Bool) {
    say(others: printed.issued.otherFiles, in: output)
    let labels = printed.issued.posters.map(\.label)
    guard !show(printed.results, of: labels), output != "-" else { return }
    let rows = rowCount(Set(labels.map(\.row.number)).count)
    let positions = labels.compactMap(\.position)
    let count =
      positions.contains { $0.label != nil }
      ? "\(labels.count.of("poster")) of \(rows) on \(Set(positions.map(\.page)).count.of("sheet"))"
      : "\(labels.count.of(positions.isEmpty ? "file" : "page")) of \(rows)"
    result(
      .null,
      text: """
        \(dryRun ? "would write" : "wrote") \(output)
          posters   \(count), each read back from the finished file
          manifest  \(printed.issued.manifestPath ?? "none")
        """)
  }
}

extension LabelRefusal {
  /// Returns the advice on the next step, in addition to that of each mistake.
  fileprivate func advice(_ name: (JobInput) -> String) -> String {
    if objections.isEmpty { return "Nothing was printed. Correct the file." }
    return objections.allSatisfy(\.isForWarnings)
      ? "Nothing was printed. Correct the cause of the warnings, or leave \(name(.strict)) out."
      : "Nothing was printed. Correct the file or the registry, or add \(name(.unregistered))."
  }
}
