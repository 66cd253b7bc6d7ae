import CliptagBasics

/// A PDF document whose pages are rendered by poppler in child processes; see ``RenderingChild``
/// for the reasons.
struct PDFDocument: Sendable {
  /// The number of pages, at least 1.
  let pageCount: Int

  private let folder: PrivateFolder
  private let source: String
  private let limits: PictureLimits
  private let sizes: [PDFInformation.Size]
  private let time: DocumentTime

  /// Gets the number of pages and their sizes from poppler.
  init(_ bytes: [UInt8], source: String, limits: PictureLimits) async throws(PictureError) {
    self.source = source
    self.limits = limits
    time = DocumentTime(limits.timePerDocument, source: source)
    folder = try PrivateFolder(holding: bytes, fileName: "document.pdf", source: source)
    let outcome = try await RenderingChild.pdfinfo.run(
      ["-f", "1", "-l", "\(limits.pages)", folder.file], in: folder, outputLimit: 1 << 22,
      keepingMessages: true, limits: limits, source: source)
    guard outcome.status == 0 else {
      if String(decoding: outcome.messages, as: UTF8.self).contains("Incorrect password") {
        throw .passwordProtected(source)
      }
      throw .malformed(source, "it is not a complete PDF document")
    }
    let information = PDFInformation(outcome.output)
    guard let count = information.pageCount, count > 0 else {
      throw .malformed(source, "it has no pages")
    }
    try limits.check(pages: count, of: source)
    pageCount = count
    sizes = information.sizes
    guard sizes.count == count else {
      throw .malformed(source, "the sizes of its pages are missing")
    }
  }

  /// Renders one page in grey.
  ///
  /// - Parameters:
  ///   - page: the number of the page, 1 to `pageCount`.
  ///   - dotsPerInch: the resolution; a page that would have more pixels than the limit is rendered
  ///     at the highest resolution that fits, because a poster's code is as large as the poster.
  func render(page: Int, dotsPerInch: Double) async throws(PictureError) -> GreyPicture {
    let bytes = try await netpbm(page: page, dotsPerInch: dotsPerInch, samples: 1)
    return try NetpbmReader.readWhole(bytes, source: source, limits: limits)
  }

  /// Renders one page in colour.
  func renderColour(page: Int, dotsPerInch: Double) async throws(PictureError) -> ColourPicture? {
    let bytes = try await netpbm(page: page, dotsPerInch: dotsPerInch, samples: 3)
    return try NetpbmReader.readColour(bytes, source: source, limits: limits)
  }

  /// The size of the first page in points.
  var firstSize: (width: Double, height: Double)? { sizes.first.map { ($0.width, $0.height) } }

  /// Renders the first page on a transparent background with the given number of pixels along its
  /// long side.
  func renderTranslucent(longSide: Int) async throws(PictureError) -> TranslucentPicture {
    try PNGReader.readTranslucent(
      try await convert(
        by: .pdftocairo, ["-png", "-singlefile", "-transp", "-scale-to", "\(longSide)"],
        outputLimit: longSide * longSide * 4 + (1 << 16)), source: source, limits: limits)
  }

  /// Returns the first page as SVG.
  func svg() async throws(PictureError) -> [UInt8] {
    try await convert(by: .pdftocairo, ["-svg"], outputLimit: limits.fileBytes)
  }

  /// Returns the first page as EPS; one with transparency as pixels.
  func postScript() async throws(PictureError) -> [UInt8] {
    try await convert(by: .pdftops, ["-eps", "-level3"], outputLimit: limits.fileBytes)
  }

  /// Returns the output of a program for the first page.
  private func convert(
    by child: RenderingChild, _ options: [String], outputLimit: Int
  ) async throws(PictureError) -> [UInt8] {
    let outcome = try await child.run(
      options + ["-f", "1", "-l", "1", folder.file, "-"], in: folder, outputLimit: outputLimit,
      limits: limits, source: source)
    guard outcome.status == 0, !outcome.output.isEmpty else {
      throw outcome.status > 128
        ? child.failed(source, "it ended with status \(outcome.status)")
        : .malformed(source, "its page cannot be converted")
    }
    return outcome.output
  }

  /// Returns whether a page is so large that its smallest code is not visible in the first look.
  func isLarge(page: Int) -> Bool { PageResolution.isLarge(inches: inches(ofPage: page)) }

  /// Returns a large page in parts, at the resolution that its smallest code needs.
  ///
  /// - Parameter width: the width in pixels of the first look, which may be sufficient.
  func parts(ofPage page: Int, unlessWider width: Int) -> PictureParts? {
    guard isLarge(page: page) else { return nil }
    let resolution = PageResolution(inches: inches(ofPage: page))
    guard Double(width) < Double(resolution.width) * 0.9 else { return nil }
    return PictureParts(
      width: resolution.width, height: resolution.height, shortfall: resolution.shortfall
    ) { area throws(PictureError) in
      let bytes = try await draw(
        page: page,
        ["-gray", "-r", "\(resolution.dotsPerInch)"]
          + ["-x", "\(area.x)", "-y", "\(area.y)", "-W", "\(area.width)", "-H", "\(area.height)"],
        outputLimit: area.width * area.height + 64)
      return try NetpbmReader.readWhole(bytes, source: source, limits: limits)
    }
  }

  private func inches(ofPage page: Int) -> (width: Double, height: Double) {
    (sizes[page - 1].width / 72, sizes[page - 1].height / 72)
  }

  /// Renders one page as a greymap, or with three samples per pixel as a pixmap.
  private func netpbm(
    page: Int, dotsPerInch: Double, samples: Int
  ) async throws(PictureError) -> [UInt8] {
    let size = sizes[page - 1]
    let inches = inches(ofPage: page)
    let fitting = (Double(limits.pixels) * 0.98 / max(inches.width * inches.height, 1e-9))
      .squareRoot()
    let resolution = min(max(dotsPerInch, 10), 1200, fitting)
    // The area alone does not bound the sides: a page may be extremely thin and long. The product
    // of two sides of 2³⁰ still fits into an `Int`.
    let longest = Double(min(limits.pixels, limits.side, 1 << 30))
    guard resolution >= 1, inches.width > 0, inches.height > 0,
      inches.width * resolution <= longest, inches.height * resolution <= longest
    else {
      throw .malformed(source, "page \(page) measures \(size.width) × \(size.height) points")
    }
    // One more pixel on each side for rounding, plus the header.
    let most =
      (inches.width * resolution + 2).rounded(.up) * (inches.height * resolution + 2).rounded(.up)
      * Double(samples) + 64
    return try await draw(
      page: page, (samples == 1 ? ["-gray"] : []) + ["-r", "\(resolution)"],
      outputLimit: Int(bounded: most))
  }

  /// Returns the output of `pdftoppm` for one page.
  private func draw(
    page: Int, _ options: [String], outputLimit: Int
  ) async throws(PictureError) -> [UInt8] {
    let outcome = try await time.run(limits) { limits throws(PictureError) in
      try await RenderingChild.pdftoppm.run(
        ["-q"] + options + ["-cropbox", "-f", "\(page)", "-l", "\(page)", folder.file],
        in: folder, outputLimit: outputLimit, limits: limits, source: source)
    }
    guard outcome.status == 0, !outcome.output.isEmpty else {
      // A page that cannot be drawn within the memory limit ends the child by a signal or an abort.
      throw outcome.status > 128
        ? RenderingChild.pdftoppm.failed(source, "page \(page) ended it (status \(outcome.status))")
        : .malformed(source, "page \(page) cannot be drawn")
    }
    return outcome.output
  }
}

extension PictureError {
  /// The error for a document that opens only with a password.
  static func passwordProtected(_ source: String) -> PictureError {
    PictureError(
      .passwordProtected, source: source, message: "\(source) opens only with a password.",
      hint: "Save a copy without the password, for example by printing it to a file.")
  }
}
