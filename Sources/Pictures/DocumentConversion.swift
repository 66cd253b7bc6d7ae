extension DocumentRenderer {
  /// What a drawing can be converted to.
  package enum Product: String, CaseIterable, Sendable {
    /// Portable Network Graphics, one pixel for each of the drawing's own.
    case png
    /// Portable Document Format, one page; its text stays text.
    case pdf
  }

  /// Converts an SVG drawing that this package made, by `rsvg-convert` (Debian: librsvg2-bin).
  ///
  /// - Parameters:
  ///   - data: the whole SVG file.
  ///   - product: what to make of it.
  ///   - source: what to call the drawing in messages.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError``: `rendererMissing` names the package to install. Cancelling the
  ///   task kills the child process.
  package func convert(
    _ data: [UInt8], to product: Product, named source: String
  ) async throws(PictureError) -> [UInt8] {
    try limits.check(bytes: data.count, of: source)
    let folder = try PrivateFolder(holding: data, fileName: "drawing.svg", source: source)
    // Without --unlimited, a picture of more than 10 MB inside the drawing counts as an attack.
    let outcome = try await RenderingChild.rsvg.run(
      ["--unlimited", "--format", product.rawValue, folder.file], in: folder,
      outputLimit: limits.fileBytes, limits: limits, source: source)
    guard outcome.status == 0, !outcome.output.isEmpty else {
      throw RenderingChild.rsvg.failed(source, "it ended with status \(outcome.status)")
    }
    return outcome.output
  }

  /// Draws an SVG drawing that this package made, in colour on white.
  ///
  /// - Parameters:
  ///   - data: the whole SVG file.
  ///   - dotsPerInch: how many pixels 25.4 mm of the drawing become.
  ///   - source: what to call the drawing in messages.
  /// - Throws: ``PictureError``, as ``convert(_:to:named:)``; also `tooLarge`.
  package func drawColour(
    _ data: [UInt8], dotsPerInch: Double, named source: String
  ) async throws(PictureError) -> ColourPicture {
    try limits.check(bytes: data.count, of: source)
    let folder = try PrivateFolder(holding: data, fileName: "drawing.svg", source: source)
    let outcome = try await RenderingChild.rsvg.run(
      [
        "--unlimited", "--format", "png", "--background-color", "white",
        "--dpi-x", "\(dotsPerInch)", "--dpi-y", "\(dotsPerInch)", folder.file,
      ], in: folder, outputLimit: limits.fileBytes, limits: limits, source: source)
    guard outcome.status == 0, !outcome.output.isEmpty else {
      throw RenderingChild.rsvg.failed(source, "it ended with status \(outcome.status)")
    }
    return try PNGReader.readColour(outcome.output, source: source, limits: limits)
  }
}
