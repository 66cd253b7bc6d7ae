extension DocumentRenderer {
  /// Renders one page of a PDF file that stays where it is, so that a long one need not fit into
  /// memory.
  ///
  /// - Parameters:
  ///   - page: from 1.
  ///   - path: the file.
  ///   - width: of the page in millimetres, to bound the picture.
  ///   - height: of the page in millimetres.
  ///   - dotsPerInch: the resolution, 10 … 1200; lower where the page would have more pixels than
  ///     the limit.
  ///   - source: what to call the file in messages.
  /// - Throws: ``PictureError``, as ``render(_:as:dotsPerInch:named:)``.
  package func render(
    page: Int, ofPDF path: String, width: Double, height: Double, dotsPerInch: Double,
    named source: String
  ) async throws(PictureError) -> GreyPicture {
    let area = width * height / 25.4 / 25.4
    let fitting = (Double(limits.pixels) * 0.98 / max(area, 1e-9)).squareRoot()
    let resolution = min(max(dotsPerInch, 10), 1200, fitting)
    let most =
      (width / 25.4 * resolution + 2).rounded(.up) * (height / 25.4 * resolution + 2).rounded(.up)
    // The child's home; the document is read where it is.
    let home = try PrivateFolder(holding: [], fileName: "empty", source: source)
    let outcome = try await RenderingChild.pdftoppm.run(
      ["-q", "-gray", "-cropbox", "-r", "\(resolution)", "-f", "\(page)", "-l", "\(page)", path],
      in: home, outputLimit: Int(most) + 64, limits: limits, source: source)
    guard outcome.status == 0, !outcome.output.isEmpty else {
      throw .malformed(source, "page \(page) cannot be drawn")
    }
    let (picture, damage) = try NetpbmReader.read(outcome.output, source: source, limits: limits)
    if let damage { throw damage }
    return picture
  }
}
