/// Renders drawings that this package made, so that a code can be read back from its own pixels.
///
/// For our own output, not for scanning what others send: SVG and PostScript from elsewhere are
/// refused by ``PictureLoader``. The same limits hold all the same.
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

  /// What is refused as too large or too slow.
  package var limits: PictureLimits

  /// Makes a renderer.
  package init(limits: PictureLimits = .standard) { self.limits = limits }

  /// Renders a drawing in grey on white.
  ///
  /// - Parameters:
  ///   - data: the whole file.
  ///   - format: its kind.
  ///   - dotsPerInch: the resolution, 10 … 1200. To read a QR code back, choose it so that a
  ///     module has a whole number of pixels, at least 3: `25.4 * pixels / moduleMillimetres`.
  ///   - source: what to call the drawing in messages.
  /// - Returns: one picture for each page; SVG and EPS have one.
  /// - Throws: ``PictureError``: `rendererMissing` names the package to install, `malformed` says
  ///   that the drawing is wrong. Cancelling the task kills the child process.
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
          [
            "--format", "png", "--background-color", "white", "--dpi-x", "\(dotsPerInch)",
            "--dpi-y", "\(dotsPerInch)", $0,
          ]
        }
      ]
    case .eps:
      return [
        try await render(data, by: .ghostscript, fileName: "drawing.eps", source: source) {
          [
            "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pgmraw", "-dEPSCrop",
            // PostScript may print; keep that out of the picture.
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
    let (picture, damage) =
      child.program == RenderingChild.rsvg.program
      ? try PNGReader.read(outcome.output, source: source, limits: limits)
      : try NetpbmReader.read(outcome.output, source: source, limits: limits)
    if let damage { throw damage }
    return picture
  }
}
