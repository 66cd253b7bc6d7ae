public import CodeDrawing
import CodeScanning
import Invocation
import Pictures
package import Registry

/// The posters of a file's rows, laid out and not yet drawn.
public struct PosterPages: Sendable {
  /// The rows.
  public let labels: ApprovedLabels
  /// The poster of each row, in the order of the rows.
  public private(set) var designs: [PrintDesign]
  /// The columns that the list of what was printed repeats, from 0.
  public var captions: [Int] = []
  /// The arrangement of several posters on each sheet of a file; `nil` for a page each.
  public var imposition: PosterImposition?
  /// The information in the file.
  public let information: PrintContent.FileInformation

  /// Gathers posters.
  ///
  /// - Parameters:
  ///   - designs: The poster of each row, in the order of the rows.
  ///   - labels: The rows, at least one.
  ///   - information: The information in the file.
  package init(
    _ designs: [PrintDesign], of labels: ApprovedLabels,
    information: PrintContent.FileInformation
  ) {
    self.designs = designs
    self.labels = labels
    self.information = information
  }

  /// Returns the facts of each row's print, row by row.
  ///
  /// - Parameters:
  ///   - artworks: The artwork of each row; `nil` for none.
  ///   - inOneFile: Whether all are in one file, in which the copies of a row follow each other.
  ///   - imposition: The arrangement of several posters on each sheet of it.
  package static func printedLabels(
    of labels: ApprovedLabels, on artworks: [PosterArtwork?], inOneFile: Bool,
    imposed imposition: PosterImposition? = nil, captions: [Int], language: (_ row: Int) -> String?
  ) -> [PrintedLabel] {
    let places = places(of: labels, on: artworks, imposed: imposition)
    return labels.rows.enumerated().map { index, row in
      let place = inOneFile ? places[index].first : nil
      return PrintedLabel(
        caption: row.row.caption(captions), row: row.row.number, sheet: place?.page,
        position: place?.label, copies: row.row.copies ?? 1, language: language(index))
    }
  }

  /// The place of a poster in a file.
  fileprivate struct Place {
    let page: Int
    /// The position on the sheet, from 1; `nil` for a page of its own.
    let label: Int?
  }

  /// Returns the places of each row's copies in a file, which follow each other.
  fileprivate static func places(
    of labels: ApprovedLabels, on artworks: [PosterArtwork?], imposed imposition: PosterImposition?
  ) -> [[Place]] {
    var (printed, pages) = (0, 0)
    return zip(labels.rows, artworks).map { row, artwork in
      (0..<(row.row.copies ?? 1)).map { _ in
        defer {
          printed += 1
          pages += artwork?.pageCount ?? 1
        }
        guard let count = imposition?.cells.count else {
          return Place(page: pages + (artwork?.page ?? 1), label: nil)
        }
        return Place(page: printed / count + 1, label: printed % count + 1)
      }
    }
  }

  /// The artwork of each row; `nil` for none.
  fileprivate var artworks: [PosterArtwork?] { designs.map { $0.content.poster?.artwork } }

  /// Returns the posters with the names that the record gave.
  fileprivate func named(_ names: [CodeLedger.PrintNames?]) throws -> PosterPages {
    var pages = self
    pages.designs = try zip(designs, names).map { try $0.named($1) }
    return pages
  }
}

/// A poster of a row that was printed, proven and recorded.
public struct IssuedPoster: Sendable {
  /// The row, its names in the record, and the page.
  public let label: IssuedLabel
  /// The poster.
  public let poster: Poster
}

/// Posters that were printed, proven and recorded.
public struct IssuedPosters: Sendable {
  /// Every poster, in the order of the pages or files.
  public let posters: [IssuedPoster]
  /// The list of posters; `nil` in a rehearsal, or for a stream.
  public let manifestPath: String?
  /// The number of other files in the folder; 0 for a single file.
  public let otherFiles: Int
}

extension Issuer {
  /// Prints the posters of rows, each on a page of one PDF file, with a list of them beside it.
  ///
  /// Every page of the finished file is rendered by poppler and decoded. Then all codes are
  /// recorded, and only then do the files appear: a failure leaves neither a file nor a record.
  ///
  /// - Parameters:
  ///   - pages: The posters.
  ///   - destination: The PDF file. The list has the same name with `-manifest.csv`; a stream has
  ///     none.
  ///   - progress: Called with a number of pages whenever some were proven.
  /// - Throws: ``IssuingError`` with code `unreadable-rendering` that names row and page, or
  ///   `cannot-create`; `TextError`, `CodeDrawingError`, `PictureError`, `RegistryError`, or
  ///   `CancellationError`.
  public func issue(
    _ pages: PosterPages, to destination: FileDestination,
    progress: (_ pages: Int) -> Void = { _ in }
  ) async throws -> IssuedPosters {
    do {
      return try await issueOnce(pages, to: destination, progress)
    } catch let taken as NamesTaken {
      return try await issue(pages.named(taken.names), to: destination)
    }
  }

  /// Prints the posters of rows, each in a file, with a list of them, in a folder.
  ///
  /// Files are named after the column `code` or `id`, else after the row's number. All are made in
  /// a folder beside it and proven there. Then all codes are recorded, and only then do the files
  /// appear: an earlier failure leaves neither files nor a record.
  ///
  /// - Parameters:
  ///   - pages: The posters.
  ///   - folder: The folder, made if it is missing. Files of these names in it are replaced.
  ///   - format: The kind of file.
  ///   - progress: Called with a number of files whenever some were proven.
  /// - Throws: ``LabelRefusal`` for rows whose names cannot be those of files; otherwise as
  ///   `issue(_:to:progress:)`.
  public func issue(
    _ pages: PosterPages, in folder: String, as format: DrawingFormat,
    progress: (_ files: Int) -> Void = { _ in }
  ) async throws -> IssuedPosters {
    do {
      return try await issueOnce(pages, in: folder, as: format, progress)
    } catch let taken as NamesTaken {
      return try await issue(pages.named(taken.names), in: folder, as: format)
    }
  }

  private func issueOnce(
    _ pages: PosterPages, in folder: String, as format: DrawingFormat,
    _ progress: (_ files: Int) -> Void
  ) async throws -> IssuedPosters {
    let files = try RowFiles(of: pages.labels, as: format, in: folder)
    defer { files.staging.discard() }
    try await Array(pages.designs.indices).inParallel { index in
      let printed = try await PrintedCode(
        pages.designs[index].content, as: format, named: files.output(ofRow: index))
      try files.write(printed.bytes, ofRow: index)
    } each: {
      progress(1)
    }
    var names: [CodeLedger.PrintNames?] = []
    if !isRehearsal {
      let labels = PosterPages.printedLabels(
        of: pages.labels, on: pages.artworks, inOneFile: false, captions: pages.captions
      ) { pages.designs[$0].language }
      names = try await files.putInPlace(
        recording: zip(pages.designs, labels).enumerated().map { index, print in
          print.0.item(output: files.output(ofRow: index), on: print.1)
        }, captions: pages.captions, in: ledger, checking: pages.check)
    }
    return IssuedPosters(
      posters: pages.designs.indices.compactMap { index in
        pages.issued(
          index, names.isEmpty ? nil : names[index], output: files.output(ofRow: index), at: nil)
      }, manifestPath: isRehearsal ? nil : files.listPath, otherFiles: files.otherFiles)
  }

  private func issueOnce(
    _ pages: PosterPages, to destination: FileDestination, _ progress: (_ pages: Int) -> Void
  ) async throws -> IssuedPosters {
    let listed = try ListedFile(destination, isRehearsal: isRehearsal)
    defer { listed.file.discard() }
    let run = try await PosterRun(pages, to: listed.file)
    try await run.prove(at: listed.file.temporaryPath, named: listed.name, progress)
    guard !isRehearsal else { return run.issued(as: listed.name, [], manifestPath: nil) }
    let names = try await listed.putInPlace(
      recording: run.items(output: listed.name), run.entries, of: pages.labels,
      captions: pages.captions, in: ledger, checking: pages.check)
    return run.issued(as: listed.name, names, manifestPath: listed.listPath)
  }
}

/// One file of posters, drawn.
private struct PosterRun {
  private let pages: PosterPages
  private let labels: [PrintedLabel]
  /// The row of every page, in the order of the file.
  let entries: [ListedFile.Entry]

  /// Draws all pages and flushes the file.
  init(_ pages: PosterPages, to sink: AtomicFile) async throws {
    self.pages = pages
    labels = PosterPages.printedLabels(
      of: pages.labels, on: pages.artworks, inOneFile: true, imposed: pages.imposition,
      captions: pages.captions
    ) {
      pages.designs[$0].language
    }
    let artworks = pages.artworks
    entries = PosterPages.places(of: pages.labels, on: artworks, imposed: pages.imposition)
      .enumerated().flatMap { row, places in
        places.map { ListedFile.Entry(row: row, position: ($0.page, $0.label)) }
      }
    if artworks.allSatisfy({ $0 == nil }) {
      _ = try write(entries[...], to: sink)
    } else {
      try sink.write(await joined(artworks))
    }
    try sink.flush()
  }

  /// Draws all pages, and lays them over their artworks.
  private func joined(_ artworks: [PosterArtwork?]) async throws -> [UInt8] {
    var parts: [[UInt8]] = []
    var rest = entries[...]
    while let first = rest.first {
      let artwork = artworks[first.row]
      let part = rest.prefix { artworks[$0.row] == artwork }
      rest = rest.dropFirst(part.count)
      let drawn = try write(part, to: MemorySink()).bytes
      parts.append(
        try await artwork?.ground.overlaid(with: drawn, count: part.count, page: artwork?.page ?? 1)
          ?? drawn)
    }
    return try await PDFGround.united(parts, named: "the posters")
  }

  /// Draws pages.
  private func write<Sink: ByteSink>(
    _ entries: ArraySlice<ListedFile.Entry>, to sink: Sink
  ) throws -> Sink {
    let information = pages.information
    var writer = try PDFWriter(
      to: sink,
      information: .init(
        title: information.title, language: information.language,
        creationTime: information.creationTime, condition: information.condition),
      outlinesText: information.outlinesText)
    let drawings = entries.compactMap { pages.designs[$0.row].content.poster?.page }
    let count = pages.imposition?.cells.count ?? 1
    for start in stride(from: 0, to: drawings.count, by: count) {
      try Task.checkCancellation()
      let sheet = Array(drawings[start..<min(start + count, drawings.count)])
      try writer.add(pages.imposition?.page(sheet) ?? sheet[0])
    }
    return try writer.finished()
  }

  /// Renders every page of the finished file with poppler and decodes it.
  func prove(
    at path: String, named name: String, _ progress: (_ pages: Int) -> Void
  ) async throws {
    let artworks = pages.artworks
    // One rendering serves all rows with the same artwork.
    var proofs: [(artwork: PosterArtwork, proof: ArtworkProof)] = []
    let proofOfRow = artworks.map { artwork -> ArtworkProof? in
      guard let artwork else { return nil }
      if let known = proofs.first(where: { $0.artwork == artwork }) { return known.proof }
      proofs.append((artwork, ArtworkProof(artwork)))
      return proofs.last?.proof
    }
    let sheets = Dictionary(grouping: entries, by: \.position.page)
    try await sheets.keys.sorted().map { sheets[$0] ?? [] }.inParallel { entries in
      let contents = entries.map { pages.designs[$0.row].content }
      guard let page = entries.first?.position.page, let first = contents.first?.poster?.sheet
      else { return 0 }
      let resolution = contents.map(\.proofResolution).max() ?? 0
      let sheet = pages.imposition?.sheet
      let picture = try await DocumentRenderer(limits: .ownDrawing).render(
        page: page, ofPDF: path, width: sheet?.width ?? first.width,
        height: sheet?.height ?? first.height, dotsPerInch: resolution, named: name)
      for (entry, content) in zip(entries, contents) {
        guard let poster = content.poster else { continue }
        let row = pages.labels.rows[entry.row].row.number
        let name = "\(name) (row \(row) on page \(page))"
        let part = pages.imposition.map { imposition in
          let cell = imposition.cells[(entry.position.label ?? 1) - 1]
          return picture.part(
            poster.sheet.moved(right: cell.x, down: cell.y), of: imposition.sheet.width)
        }
        try content.readBack(from: part ?? picture, named: name)
        try await proofOfRow[entry.row]?.check(
          picture, of: poster, dotsPerInch: resolution, named: name)
      }
      return entries.count
    } each: {
      progress($0)
    }
  }

  /// Returns the items to record, row by row.
  func items(output: String) -> [CodeLedger.PrintedItem] {
    zip(pages.designs, labels).map { $0.item(output: output, on: $1) }
  }

  /// Returns the printed posters with the names that the record gave.
  func issued(
    as output: String, _ names: [CodeLedger.PrintNames?], manifestPath: String?
  ) -> IssuedPosters {
    IssuedPosters(
      posters: entries.compactMap { entry in
        pages.issued(
          entry.row, names.isEmpty ? nil : names[entry.row], output: output, at: entry.position)
      }, manifestPath: manifestPath, otherFiles: 0)
  }
}

extension PosterPages {
  /// Checks that the names that are printed are those of the record.
  @Sendable fileprivate func check(_ names: [CodeLedger.PrintNames?]) throws {
    if zip(names, designs).contains(where: { $1.hasOtherName(than: $0) }) {
      throw NamesTaken(names: names)
    }
  }

  /// Returns the poster of a row with the names that the record gave.
  fileprivate func issued(
    _ index: Int, _ names: CodeLedger.PrintNames?, output: String,
    at position: (page: Int, label: Int?)?
  ) -> IssuedPoster? {
    let (row, content) = (labels.rows[index], designs[index].content)
    return content.poster.map { poster in
      IssuedPoster(
        label: IssuedLabel(
          row: row.row, findings: row.approval.verification.findings, drawing: content.drawing,
          appClipCode: content.appClipCode, id: names?.code, item: names?.item, output: output,
          position: position),
        poster: poster)
    }
  }
}
