import AppClipCodeFiles
import AppClipCodes
import CliptagBasics
public import CodeDrawing
import Invocation
public import Issuing
import Pictures
import QRSymbol
import Registry

/// Prints a poster for each row of a CSV file, on the pages of one PDF file or as files in a folder,
/// with a manifest.
///
/// A row changes what ``PrintPosters/poster`` has by columns that are named as the options of a
/// poster: `headline`, `brand`, `call-to-action`, `place-name`, `target-caption`, `language`,
/// `design`, `paper`, `landscape`, `accent`, `ink`, `palette`, `width` and `distance`; an empty field changes nothing. A column
/// with the name of an own field of an artwork or template has its words. The columns `artwork`,
/// `logo` and `image` have the files of the row's artwork, logo and photo, relative to the folder of
/// the rows, and `template` has the name or the file of its template. All rows are
/// checked and laid out before anything is drawn, and every page of the finished
/// files is read back before anything is recorded.
public struct PrintPosters: Job {
  /// The destination of posters.
  public enum Target: Sendable {
    /// The pages of a PDF file. The manifest has its name with `-manifest.csv`; a stream has none.
    case pages(FileDestination)
    /// A folder with a file for each row and the manifest, which is made if it is missing.
    case folder(String, as: DrawingFormat)
  }

  /// The rows.
  public var rows: LabelRows
  /// The destination.
  public var target: Target
  /// The sheet that as many posters as fit are placed on, with cut marks; `nil` for a page each.
  public var sheet: String?
  /// The poster of a row that changes nothing. Its URL, its outputs and its approval are not used.
  public var poster = PrintPoster(url: "")
  /// Whether everything is made and proven, but nothing written and recorded.
  public var dryRun = false

  /// Makes a job.
  public init(_ rows: LabelRows, to target: Target) {
    self.rows = rows
    self.target = target
  }

  /// The posters of a finished job.
  public struct Output: Sendable {
    /// The posters.
    public let issued: IssuedPosters
    /// The results as the contract states them, one for each page or file.
    public let results: [IssueResult]
    /// The file that the printer took, or the reason why it did not; `nil` without a printer, and
    /// for a folder.
    public let handover: Result<Handover, any Error>?
  }

  /// Prints the posters.
  ///
  /// - Throws: ``InputError`` for inputs that exclude each other; `LabelRefusal` with every row that
  ///   may not be issued, or has a mistake, or words without room; `IssuingError`, `TextError`,
  ///   `CodeDrawingError`, `PictureError`; `RegistryError`; `CancellationError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (SheetEvent) -> Void
  ) async throws -> Output {
    try poster.validate()
    if sheet != nil {
      guard case .pages = target else { throw InputError.exclude(.sheet, .format) }
      guard poster.artwork == nil, rows.file.column(named: "artwork") == nil else {
        throw InputError.exclude(.sheet, .artwork)
      }
      guard !poster.cropMarks else { throw InputError.exclude(.sheet, .cropMarks) }
    }
    if let note = rows.file.note { report(.read(note)) }
    let issuer = workplace.issuer(isRehearsal: dryRun)
    let artworks = try await artworks()
    let jobs = try rows.file.posters(
      like: poster, to: target, on: artworks, with: try await templates())
    let labels = try rows.approved(
      by: issuer,
      LabelAppClipCodes(
        usual: poster.appClipCode, replacesQRCodes: poster.appClipCodeOnly, folder: rows.folder,
        options: AppClipCode.Options(allowsOwnColours: poster.allowsOwnColours)))
    report(.approved(labels))
    let pages = try await pages(
      jobs, of: labels, pictures(), on: artworks, by: issuer, in: workplace, reporting: report)
    let total: Int
    var done = 0
    func progress(_ count: Int) {
      done += count
      report(.progress(done: done, of: total))
    }
    let issued: IssuedPosters
    var handover: Result<Handover, any Error>?
    switch target {
    case .pages(let destination):
      total = rows.file.labelCount()
      issued = try await issuer.issue(pages, to: destination, progress: progress)
      let sheet = pages.imposition.map { PageSize(width: $0.sheet.width, height: $0.sheet.height) }
      let sizes = sheet.map { [$0] } ?? Set(pages.designs.map(\.content.pageSize))
      handover = await workplace.handedOver(
        destination, pages: sizes.count == 1 ? sizes.first : nil, isRehearsal: dryRun)
    case .folder(let folder, let format):
      total = rows.file.rows.count
      issued = try await issuer.issue(pages, in: folder, as: format, progress: progress)
    }
    return Output(
      issued: issued, results: issued.results(jobs, isRehearsal: dryRun), handover: handover)
  }

  /// Lays out every row.
  ///
  /// - Throws: `LabelRefusal` with the rows whose words or codes find no room.
  private func pages(
    _ jobs: [PrintPoster], of labels: ApprovedLabels, _ pictures: [PrintPoster.Pictures],
    on artworks: [PosterArtwork?], by issuer: Issuer, in workplace: Workplace,
    reporting report: (SheetEvent) -> Void
  ) throws -> PosterPages {
    let jobs = zip(jobs, labels.rows).map { $0.spoken(at: $1.approval.verification.place) }
    let captions = try rows.captionColumns()
    let names = try issuer.ledger.printedNames(of: labels.rows.map(\.approval))
    let inOneFile = if case .pages = target { true } else { false }
    let imposition = try sheet.map { try self.imposition(of: jobs, on: PaperSize($0)) }
    let printed = PosterPages.printedLabels(
      of: labels, on: artworks, inOneFile: inOneFile, imposed: imposition, captions: captions
    ) { jobs[$0].language }
    var designs: [PrintDesign] = []
    var problems: [DocumentProblem] = []
    var notes: Set<PrintNote> = []
    for (index, (job, row)) in zip(jobs, labels.rows).enumerated() {
      try Task.checkCancellation()
      let hint: Hint
      do {
        let artwork = artworks[index]
        var job = job
        // Its files were read.
        job.artwork = artwork.map { PosterArtworkFile([], named: $0.source) }
        job.logo = pictures[index].logo.map { PosterLogo([], named: $0.source) }
        job.image = pictures[index].image.map { PosterLogo([], named: $0.source) }
        try job.validate()
        let artworkNotes = try job.check(artwork)
        try job.checkPlaces(on: artwork)
        let words = try PosterWords(
          job, for: row.approval, pictures[index], on: artwork,
          appClipCode: row.appClipCode?.code.kind, in: workplace)
        for note in artworkNotes + [words.note].compactMap(\.self) where notes.insert(note).inserted
        {
          report(.note(note, row: row.row.number))
        }
        designs.append(
          try job.design(
            of: row.approval, words.content, on: artwork,
            appClipCode: row.appClipCode.map {
              PrintedAppClipCode($0, replacesQRCode: job.appClipCodeOnly)
            },
            named: names[index],
            printedTo: job.outputs[0].destination.name, on: printed[index], by: issuer,
            in: workplace))
        if let note = designs.last?.content.poster?.coarsePicture.map(PrintNote.init),
          notes.insert(note).inserted
        {
          report(.note(note, row: row.row.number))
        }
        continue
      } catch let error as InputError {
        hint = Hint(error.sentence(naming: \.hyphenated))
      } catch let error as TextError {
        hint = "\(error.message) \(error.advice)"
      } catch let error as CodeDrawingError {
        hint = "\(error.message) \(error.advice)"
      } catch let error as QRSymbolError {
        hint = "\(error.message) \(error.advice)"
      } catch let error as IssuingError where error.code == .unusableArtwork {
        hint = "\(error.message) \(error.advice)"
      }
      problems.append(rows.file.problem(in: row.row, column: 0, hint))
    }
    guard problems.isEmpty else { throw LabelRefusal(problems: problems) }
    var information = PrintContent.FileInformation(
      title: "Posters from \(rows.title)", language: poster.language ?? "en",
      creationTime: workplace.creationTime(of: poster.condition),
      outlinesText: poster.outlinesText)
    information.condition = poster.condition
    var pages = PosterPages(designs, of: labels, information: information)
    pages.captions = captions
    pages.imposition = imposition
    return pages
  }

  /// Reads the artwork of each row: the file in its column, else the usual one; `nil` without one.
  private func artworks() async throws -> [PosterArtwork?] {
    try await values(in: "artwork", usual: poster.readArtwork()) { name in
      var job = poster
      job.artwork = PosterArtworkFile(
        try file(name, limits: LogoPicture.limits), named: name,
        fields: poster.artwork?.fields ?? [])
      return try await job.readArtwork()
    }
  }

  /// Reads the template of each row likewise, by its name or from a file.
  private func templates() async throws -> [PosterTemplate?] {
    try await values(in: "template", usual: poster.template) { name in
      name.lowercased().hasSuffix(".json")
        ? try PosterTemplate(file(name, limits: PosterTemplate.limits), named: name)
        : try PosterTemplate(named: name)
    }
  }

  /// Reads the logo and the photo of each row likewise.
  private func pictures() async throws -> [PrintPoster.Pictures] {
    let format = if case .folder(_, let format) = target { format } else { DrawingFormat.pdf }
    let usual = try await poster.readPictures(for: [format])
    func column(
      _ column: String, _ alternativeText: String, usual: LogoPicture?
    ) async throws -> [LogoPicture?] {
      try await values(in: column, usual: usual) { name in
        try await PosterLogo(file(name, limits: LogoPicture.limits), named: name)
          .picture(alternativeText, for: [format])
      }
    }
    let logos = try await column("logo", "Logo", usual: usual.logo)
    let images = try await column("image", "Photo", usual: usual.image)
    return zip(logos, images).map { PrintPoster.Pictures(logo: $0, image: $1) }
  }

  /// Reads a file that a row names.
  ///
  /// - Throws: `PictureError`.
  private func file(_ name: String, limits: PictureLimits) throws -> [UInt8] {
    guard let folder = rows.folder else {
      throw PictureError(
        .unreadable, source: name, message: "A table that was sent names no files.",
        hint: "Leave the field empty.")
    }
    return try FileReader.readPlain(path: name.path(from: folder), name: name, limits: limits)
  }

  /// Reads what a column of each row names, each once; rows without one have the usual value.
  ///
  /// - Throws: `LabelRefusal` with the rows whose file cannot be read, or is refused.
  private func values<Value>(
    in name: String, usual: Value?, _ read: (_ name: String) async throws -> Value?
  ) async throws -> [Value?] {
    guard let column = rows.file.column(named: name) else {
      return rows.file.rows.map { _ in usual }
    }
    var known: [String: Value] = [:]
    var problems: [DocumentProblem] = []
    var values: [Value?] = []
    for row in rows.file.rows {
      let field = row.values[column]
      guard !field.isEmpty else {
        values.append(usual)
        continue
      }
      if known[field] == nil {
        do {
          known[field] = try await read(field)
        } catch let error as PictureError {
          problems.append(
            rows.file.problem(
              in: row, column: column,
              Hint("the \(name) cannot be read: \(error.message) \(error.hint)")))
        } catch let error as any CodedError {
          problems.append(
            rows.file.problem(in: row, column: column, Hint("\(error.message) \(error.hint)")))
        }
      }
      values.append(known[field])
    }
    guard problems.isEmpty else { throw LabelRefusal(problems: problems) }
    return values
  }

  /// Arranges the posters, which must have one size, on sheets.
  ///
  /// - Throws: `LabelRefusal` with the rows of another size than the first one; `CodeDrawingError`
  ///   with code `no-room`.
  private func imposition(
    of jobs: [PrintPoster], on sheet: PaperSize
  ) throws -> PosterImposition {
    let sizes = try jobs.map { try $0.trimmedSize }
    let size = try sizes.first ?? poster.trimmedSize
    let problems = zip(rows.file.rows, sizes).filter { $1 != size }.map { row, _ in
      rows.file.problem(
        in: row, column: rows.file.column(named: "paper") ?? 0,
        "posters on one sheet have one size: give this row the paper of the first.")
    }
    guard problems.isEmpty else { throw LabelRefusal(problems: problems) }
    return try PosterImposition(
      width: size.width, height: size.height, bleed: (jobs.first ?? poster).usedBleed, on: sheet,
      dotsPerInch: poster.dotsPerInch ?? 600)
  }
}

extension LabelFile {
  /// Returns the poster of each row: the usual one with the changes of the row's columns.
  ///
  /// - Throws: `LabelRefusal` with every field that holds no value of its column.
  func posters(
    like usual: PrintPoster, to target: PrintPosters.Target, on artworks: [PosterArtwork?],
    with templates: [PosterTemplate?]
  ) throws(LabelRefusal) -> [PrintPoster] {
    let outputs =
      switch target {
      case .pages(let destination): rows.map { _ in PrintOutput(destination, as: .pdf) }
      case .folder(let folder, let format):
        try self.outputs(as: format, in: folder).map { PrintOutput(.file($0), as: format) }
      }
    var problems: [DocumentProblem] = []
    let posters = rows.indices.map { index in
      let (row, output, artwork) = (rows[index], outputs[index], artworks[index])
      var poster = usual
      poster.url = row.url
      poster.outputs = [output]
      func text(_ column: String) -> String? {
        self.column(named: column).map { row.values[$0] }.flatMap { $0.isEmpty ? nil : $0 }
      }
      func value<Value>(_ column: String, _ advice: String, _ read: (String) -> Value?) -> Value? {
        guard let text = text(column) else { return nil }
        if let value = read(text) { return value }
        problems.append(
          problem(
            in: row, column: self.column(named: column) ?? 0,
            Hint("“\(text.printable)” is not a valid \(column): \(advice).")))
        return nil
      }
      func length(_ column: String) -> Double? {
        value(column, "write millimetres, such as 80, or 8cm") { text in
          Length.millimetres(text).flatMap { $0 > 0 ? $0 : nil }
        }
      }
      func colour(_ column: String) -> Colour? {
        value(column, "write d81f26, #fff, or navy") { Colour($0) }
      }
      poster.template = templates[index]
      let names = artwork?.fields.map(\.name) ?? poster.template?.placeNames ?? []
      for name in names where !PosterContent.wordNames.contains(name) {
        // An empty field of a row is no text.
        if let column = self.column(named: name) { poster.texts[name] = row.values[column] }
      }
      poster.headline = text("headline") ?? poster.headline
      poster.brand = text("brand") ?? poster.brand
      poster.callToAction = text("call-to-action") ?? poster.callToAction
      poster.placeName = text("place-name") ?? poster.placeName
      poster.targetCaption = text("target-caption") ?? poster.targetCaption
      poster.language = text("language") ?? poster.language
      let designs = PosterDesign.allCases.map(\.rawValue).joined(separator: ", ")
      poster.design =
        value("design", "use one of \(designs)") { PosterDesign(rawValue: $0.lowercased()) }
        ?? poster.design
      poster.paper =
        value("paper", "write a name such as A4, or millimetres such as 100x150") { text in
          (try? PaperSize(text)).map { _ in text }
        } ?? poster.paper
      poster.accent = colour("accent") ?? poster.accent
      poster.palette = colour("palette") ?? poster.palette
      poster.ink = colour("ink") ?? poster.ink
      poster.landscape =
        value("landscape", "write yes or no") { ["yes": true, "no": false][$0.lowercased()] }
        ?? poster.landscape
      poster.width = length("width") ?? poster.width
      poster.distance = length("distance") ?? poster.distance
      return poster
    }
    guard problems.isEmpty else { throw LabelRefusal(problems: problems.sorted()) }
    return posters
  }

  /// A mistake in a field of a row, or in the row as a whole.
  ///
  /// - Parameter index: The column, from 0.
  fileprivate func problem(in row: Row, column index: Int, _ hint: Hint) -> DocumentProblem {
    let (line, column) = position(ofColumn: index, in: row)
    return DocumentProblem(at: DocumentPosition(line: line, column: column), advising: hint)
  }
}

extension IssuedPosters {
  /// The results as the contract states them.
  ///
  /// - Parameter jobs: The poster of each row of the file.
  fileprivate func results(_ jobs: [PrintPoster], isRehearsal: Bool) -> [IssueResult] {
    posters.map { issued in
      issued.label.result(
        isRehearsal: isRehearsal,
        details: .posterOfRow(
          PosterResult(issued.poster, design: jobs[issued.label.row.number - 1].designName),
          row: issued.label.row.number, page: issued.label.position?.page))
    }
  }
}
