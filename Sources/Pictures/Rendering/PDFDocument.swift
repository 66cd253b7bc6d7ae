/// A PDF document whose pages are rendered by poppler in child processes; see ``RenderingChild``
/// for why.
struct PDFDocument: Sendable {
  /// Pages in the document, at least 1.
  let pageCount: Int

  private let folder: PrivateFolder
  private let source: String
  private let limits: PictureLimits
  private let sizes: [PDFInformation.Size]

  /// Asks poppler for the number of pages and their sizes.
  init(_ bytes: [UInt8], source: String, limits: PictureLimits) async throws(PictureError) {
    self.source = source
    self.limits = limits
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
    let (picture, damage) = try NetpbmReader.read(bytes, source: source, limits: limits)
    if let damage { throw damage }
    return picture
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
    let longest = Double(min(limits.pixels, 1 << 30))
    guard resolution >= 1, inches.width > 0, inches.height > 0,
      inches.width * resolution <= longest, inches.height * resolution <= longest
    else {
      throw .malformed(source, "page \(page) measures \(size.width) × \(size.height) points")
    }
    // A pixel more on each side for rounding, and the header.
    let most =
      (inches.width * resolution + 2).rounded(.up) * (inches.height * resolution + 2).rounded(.up)
      * Double(samples) + 64
    let outcome = try await RenderingChild.pdftoppm.run(
      ["-q"] + (samples == 1 ? ["-gray"] : []) + [
        "-cropbox", "-r", "\(resolution)", "-f", "\(page)", "-l", "\(page)", folder.file,
      ], in: folder, outputLimit: Int(most), limits: limits, source: source)
    guard outcome.status == 0, !outcome.output.isEmpty else {
      // A page that cannot be drawn within the memory ends the child by a signal or an abort.
      throw outcome.status > 128
        ? RenderingChild.pdftoppm.failed(source, "page \(page) ended it (status \(outcome.status))")
        : .malformed(source, "page \(page) cannot be drawn")
    }
    return outcome.output
  }
}

/// What `pdfinfo` tells of a document: how many pages, and how large each is.
///
/// It writes the document's own title, author and so on first, with whatever line ends and words
/// the document holds, so a title can look like any line. What follows comes from the page tree
/// alone. Hence only the last "Pages:" counts, and only the sizes after it.
struct PDFInformation {
  /// Width and height in points, 1/72 inch; finite.
  typealias Size = (width: Double, height: Double)

  /// Pages in the document, or `nil` when it is not told.
  let pageCount: Int?
  /// The sizes of page 1 and on, without a gap.
  let sizes: [Size]

  /// Reads what `pdfinfo -f 1 -l N` wrote to its standard output.
  init(_ output: [UInt8]) {
    // By bytes: a carriage return before the line feed would make one character of both.
    let lines = output.split(separator: 0x0A)
    guard let last = lines.lastIndex(where: { $0.starts(with: "Pages:".utf8) }) else {
      pageCount = nil
      sizes = []
      return
    }
    pageCount = Int(String(decoding: lines[last].dropFirst(6).filter { $0 != 0x20 }, as: UTF8.self))
    var sizes: [Size] = []
    for line in lines[last...].dropFirst() {
      if let size = Self.size(ofPage: sizes.count + 1, in: line) { sizes.append(size) }
    }
    self.sizes = sizes
  }

  /// The size in a line such as `Page    1 size:  595 x 842 pts (A4)`.
  private static func size(ofPage page: Int, in line: ArraySlice<UInt8>) -> Size? {
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count >= 6, words[0] == "Page", words[1] == "\(page)", words[2] == "size:",
      words[4] == "x", let width = Double(words[3]), let height = Double(words[5]),
      width.isFinite, height.isFinite
    else { return nil }
    return (width, height)
  }
}
