import CliptagBasics

/// Renders drawings made by this package, so that a code can be read back from its pixels.
///
/// For the package's own output, not for pictures from elsewhere, which ``PictureLoader`` opens (it
/// refuses PostScript). The same limits apply.
package struct DocumentRenderer: Sendable {
  /// The kinds of drawing.
  package enum Format: String, CaseIterable, Sendable {
    /// Scalable Vector Graphics, by `rsvg-convert` (Debian: librsvg2-bin).
    case svg
    /// Encapsulated PostScript, by Ghostscript, cut to its bounding box (Debian: ghostscript).
    case eps
    /// Portable Document Format, every page, by `pdftoppm` (Debian: poppler-utils).
    case pdf
  }

  /// The limits of size and time.
  package var limits: PictureLimits

  /// Creates a renderer.
  package init(limits: PictureLimits = .standard) { self.limits = limits }

  /// Renders a drawing in grey on white.
  ///
  /// - Parameters:
  ///   - data: the whole file.
  ///   - format: the format.
  ///   - dotsPerInch: the resolution, 10 … 1200. To read a QR code back, choose it so that a module
  ///     has an integer number of pixels, at least 3: `25.4 * pixels / moduleMillimetres`.
  ///   - source: the name of the drawing in messages.
  /// - Returns: one picture per page; SVG and EPS have one.
  /// - Throws: ``PictureError``: `rendererMissing` names the package to install, `malformed`
  ///   indicates an invalid drawing. Cancelling the task kills the child process.
  package func render(
    _ data: [UInt8], as format: Format, dotsPerInch: Double, named source: String
  ) async throws(PictureError) -> [GreyPicture] {
    switch format {
    case .pdf:
      let document = try await PDFDocument(data, source: source, limits: limits)
      var pages: [GreyPicture] = []
      for page in 1...document.pageCount {
        pages.append(try await document.render(page: page, dotsPerInch: dotsPerInch))
      }
      return pages
    case .svg:
      return [
        try await render(data, by: .rsvg, fileName: "drawing.svg", source: source) {
          Self.png(dotsPerInch) + [$0]
        }
      ]
    case .eps:
      return [
        try await render(data, by: .ghostscript, fileName: "drawing.eps", source: source) {
          [
            "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pgmraw", "-dEPSCrop",
            // PostScript may print; its output must not end up in the picture.
            "-sstdout=%stderr", "-r\(dotsPerInch)", "-sOutputFile=%stdout", $0,
          ]
        }
      ]
    }
  }

  private func render(
    _ data: [UInt8], by child: RenderingChild, fileName: String, source: String,
    arguments: (_ file: String) -> [String]
  ) async throws(PictureError) -> GreyPicture {
    try limits.check(bytes: data.count, of: source)
    let folder = try PrivateFolder(holding: data, fileName: fileName, source: source)
    let outcome = try await child.run(
      arguments(folder.file), in: folder, outputLimit: min(limits.pixels, 1 << 40) + 1024,
      limits: limits, source: source)
    guard outcome.status == 0 else {
      throw outcome.status > 128
        ? child.failed(source, "it ended with status \(outcome.status)")
        : .malformed(source, "\(child.program) cannot draw it")
    }
    return child.program == RenderingChild.rsvg.program
      ? try PNGReader.readWhole(outcome.output, source: source, limits: limits)
      : try NetpbmReader.readWhole(outcome.output, source: source, limits: limits)
  }

  /// Renders some pages of a PDF file in place, so that a long one need not fit into memory.
  ///
  /// - Parameters:
  ///   - pages: the numbers of the pages, from 1.
  ///   - path: the file.
  ///   - width: the width of a page in millimetres, which bounds the picture.
  ///   - height: the height of a page in millimetres.
  ///   - dotsPerInch: the resolution; see ``resolution(nearest:width:height:)``.
  ///   - source: the name of the file in messages.
  /// - Returns: one picture per page, each from the top left corner of its page.
  /// - Throws: ``PictureError``, as ``render(_:as:dotsPerInch:named:)``.
  package func render(
    pages: ClosedRange<Int>, ofPDF path: String, width: Double, height: Double,
    dotsPerInch: Double, named source: String
  ) async throws(PictureError) -> [GreyPicture] {
    let resolution = resolution(nearest: dotsPerInch, width: width, height: height)
    let most =
      (width / 25.4 * resolution + 2).rounded(.up) * (height / 25.4 * resolution + 2).rounded(.up)
    // The child's home; the document stays in place.
    let home = try PrivateFolder(holding: [], fileName: "empty", source: source)
    let outcome = try await RenderingChild.pdftoppm.run(
      [
        "-q", "-gray", "-cropbox", "-r", "\(resolution)", "-f", "\(pages.lowerBound)", "-l",
        "\(pages.upperBound)", path,
      ], in: home, reading: [path], outputLimit: (Int(bounded: most) + 64) * pages.count,
      limits: limits,
      source: source)
    let pictures = GreyPicture.series(ofPGM: outcome.output)
    guard outcome.status == 0, pictures.count == pages.count else {
      throw .malformed(
        source,
        pages.count == 1
          ? "page \(pages.lowerBound) cannot be drawn"
          : "one of the pages \(pages.lowerBound) to \(pages.upperBound) cannot be drawn")
    }
    return pictures
  }

  /// Returns the resolution, in dots per inch, at which pages of a PDF file are rendered when another
  /// one is requested: 10 … 1200, and less if a page would have more pixels than the limit.
  ///
  /// - Parameters:
  ///   - dotsPerInch: the requested resolution.
  ///   - width: the width of a page in millimetres.
  ///   - height: the height of a page in millimetres.
  package func resolution(nearest dotsPerInch: Double, width: Double, height: Double) -> Double {
    let area = width * height / 25.4 / 25.4
    let fitting = (Double(limits.pixels) * 0.98 / max(area, 1e-9)).squareRoot()
    return min(max(dotsPerInch, 10), 1200, fitting)
  }

  /// Renders one page of a PDF file in place.
  ///
  /// - Throws: ``PictureError``, as ``render(pages:ofPDF:width:height:dotsPerInch:named:)``.
  package func render(
    page: Int, ofPDF path: String, width: Double, height: Double, dotsPerInch: Double,
    named source: String
  ) async throws(PictureError) -> GreyPicture {
    try await render(
      pages: page...page, ofPDF: path, width: width, height: height, dotsPerInch: dotsPerInch,
      named: source)[0]
  }

  /// Renders one page of a PDF file.
  ///
  /// - Throws: ``PictureError``, as `render(page:ofPDF:width:height:dotsPerInch:named:)` of a path.
  package func render(
    page: Int, ofPDF bytes: [UInt8], width: Double, height: Double, dotsPerInch: Double,
    named source: String
  ) async throws(PictureError) -> GreyPicture {
    let folder = try PrivateFolder(holding: bytes, fileName: "document.pdf", source: source)
    return try await render(
      page: page, ofPDF: folder.file, width: width, height: height, dotsPerInch: dotsPerInch,
      named: source)
  }

  /// A format to which a drawing can be converted.
  package enum Product: String, CaseIterable, Sendable {
    /// Portable Network Graphics, one pixel per pixel of the drawing.
    case png
    /// Portable Document Format, one page; text remains text.
    case pdf
  }

  /// Converts an SVG drawing, by `rsvg-convert` (Debian: librsvg2-bin).
  ///
  /// - Parameters:
  ///   - data: the whole SVG file.
  ///   - product: the target format.
  ///   - source: the name of the drawing in messages.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError``: `rendererMissing` names the package to install. Cancelling the
  ///   task kills the child process.
  package func convert(
    _ data: [UInt8], to product: Product, named source: String
  ) async throws(PictureError) -> [UInt8] {
    try await convert(data, ["--format", product.rawValue], source)
  }

  /// Renders an SVG drawing made by this package, in colour on white.
  ///
  /// - Parameters:
  ///   - data: the whole SVG file.
  ///   - dotsPerInch: the number of pixels per 25.4 mm of the drawing.
  ///   - source: the name of the drawing in messages.
  /// - Throws: ``PictureError``, as ``convert(_:to:named:)``; also `tooLarge`.
  package func drawColour(
    _ data: [UInt8], dotsPerInch: Double, named source: String
  ) async throws(PictureError) -> ColourPicture {
    let png = try await convert(data, Self.png(dotsPerInch), source)
    return try PNGReader.readColour(png, source: source, limits: limits)
  }

  /// Prints an HTML page made by this package, by `weasyprint` (Debian: weasyprint), as a tagged PDF
  /// file. What the page shows is in it: no other file and no address is opened.
  ///
  /// - Parameters:
  ///   - page: the whole page; its `@page` rules give the paper.
  ///   - source: the name of the page in messages.
  /// - Returns: the bytes of the file; the same page gives the same bytes.
  /// - Throws: ``PictureError``: `rendererMissing` names the package to install, `rendererFailed` and
  ///   `cancelled`. Cancelling the task kills the child process.
  package func print(_ page: [UInt8], named source: String) async throws(PictureError) -> [UInt8] {
    let child = RenderingChild.weasyprint
    let folder = try PrivateFolder(holding: page, fileName: "page.html", source: source)
    let outcome: RenderingChild.Outcome
    do throws(PictureError) {
      outcome = try await child.run(
        ["--quiet", "--pdf-variant", "pdf/ua-1", folder.file, "-"], in: folder,
        outputLimit: limits.fileBytes, limits: limits, source: source)
    } catch {
      switch error.code {
      case .cancelled: throw error
      case .rendererMissing:
        throw PictureError(
          error.code, source: source, message: error.message,
          hint: "Install it with: apt-get install \(child.package); or make a web page (.html).")
      default: throw Self.notPrinted(source, error.message)
      }
    }
    guard outcome.status == 0, !outcome.output.isEmpty else {
      throw Self.notPrinted(
        source, "\(child.program) ended with status \(outcome.status) instead of a PDF.")
    }
    return outcome.output
  }

  private static func notPrinted(_ source: String, _ message: String) -> PictureError {
    PictureError(
      .rendererFailed, source: source, message: message,
      hint: "Make a web page instead (.html), and print that with a browser.")
  }

  /// Returns the number of pages of a PDF file made by this package.
  package func pageCount(of pdf: [UInt8], named source: String) async throws(PictureError) -> Int {
    try await PDFDocument(pdf, source: source, limits: limits).pageCount
  }

  private func convert(
    _ data: [UInt8], _ arguments: [String], _ source: String
  ) async throws(PictureError) -> [UInt8] {
    try limits.check(bytes: data.count, of: source)
    let folder = try PrivateFolder(holding: data, fileName: "drawing.svg", source: source)
    // Without --unlimited, a picture of more than 10 MB inside the drawing is rejected as an
    // attack.
    let outcome = try await RenderingChild.rsvg.run(
      ["--unlimited"] + arguments + [folder.file], in: folder, outputLimit: limits.fileBytes,
      limits: limits, source: source)
    guard outcome.status == 0, !outcome.output.isEmpty else {
      throw RenderingChild.rsvg.failed(source, "it ended with status \(outcome.status)")
    }
    return outcome.output
  }

  /// Returns the options with which `rsvg-convert` draws in colour on white.
  private static func png(_ dotsPerInch: Double) -> [String] {
    [
      "--format", "png", "--background-color", "white", "--dpi-x", "\(dotsPerInch)", "--dpi-y",
      "\(dotsPerInch)",
    ]
  }
}
