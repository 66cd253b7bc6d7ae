/// A PDF document whose pages are rendered by poppler in child processes; see ``RenderingChild``
/// for why.
struct PDFDocument: Sendable {
  /// Pages in the document, at least 1.
  let pageCount: Int

  private let folder: PrivateFolder
  private let source: String
  private let limits: PictureLimits
  private let sizes: [PDFInformation.Size]
  private let time: DocumentTime

  /// Asks poppler for the number of pages and their sizes.
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
        throw PictureError(
          .passwordProtected, source: source, message: "\(source) opens only with a password.",
          hint: "Save a copy without the password, for example by printing it to a file.")
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
  ///   - page: from 1 to `pageCount`.
  ///   - dotsPerInch: the resolution; a page that would have more pixels than the limit is
  ///     rendered at the highest that fits, because a poster's code is as large as the poster.
  func render(page: Int, dotsPerInch: Double) async throws(PictureError) -> GreyPicture {
    let bytes = try await netpbm(page: page, dotsPerInch: dotsPerInch, samples: 1)
    return try NetpbmReader.readWhole(bytes, source: source, limits: limits)
  }

  /// The same in colour.
  func renderColour(page: Int, dotsPerInch: Double) async throws(PictureError) -> ColourPicture? {
    let bytes = try await netpbm(page: page, dotsPerInch: dotsPerInch, samples: 3)
    return try NetpbmReader.readColour(bytes, source: source, limits: limits)
  }

  /// One page as a greymap, or with three samples a pixel as a pixmap.
  private func netpbm(
    page: Int, dotsPerInch: Double, samples: Int
  ) async throws(PictureError) -> [UInt8] {
    let size = sizes[page - 1]
    let inches = (width: size.width / 72, height: size.height / 72)
    let fitting = (Double(limits.pixels) * 0.98 / max(inches.width * inches.height, 1e-9))
      .squareRoot()
    let resolution = min(max(dotsPerInch, 10), 1200, fitting)
    // The area alone bounds no side: a page may be as thin as a hair and as long as the solar
    // system. Two sides of 2³⁰ still multiply to an `Int`.
    let longest = Double(min(limits.pixels, limits.side, 1 << 30))
    guard resolution >= 1, inches.width > 0, inches.height > 0,
      inches.width * resolution <= longest, inches.height * resolution <= longest
    else {
      throw .malformed(source, "page \(page) measures \(size.width) × \(size.height) points")
    }
    // A pixel more on each side for rounding, and the header.
    let most =
      (inches.width * resolution + 2).rounded(.up) * (inches.height * resolution + 2).rounded(.up)
      * Double(samples) + 64
    let outcome = try await time.run(limits) { limits throws(PictureError) in
      try await RenderingChild.pdftoppm.run(
        ["-q"] + (samples == 1 ? ["-gray"] : []) + [
          "-cropbox", "-r", "\(resolution)", "-f", "\(page)", "-l", "\(page)", folder.file,
        ], in: folder, outputLimit: Int(most), limits: limits, source: source)
    }
    guard outcome.status == 0, !outcome.output.isEmpty else {
      // A page that cannot be drawn within the memory ends the child by a signal or an abort.
      throw outcome.status > 128
        ? RenderingChild.pdftoppm.failed(source, "page \(page) ended it (status \(outcome.status))")
        : .malformed(source, "page \(page) cannot be drawn")
    }
    return outcome.output
  }
}
