import Pictures

extension PageDrawing {
  /// A PNG of the page with its bleed, drawn by librsvg from its SVG: grey where nothing is
  /// coloured, with its density.
  ///
  /// Codes stay crisp when they lie on the grid of dots, as the layouts of this module put them.
  ///
  /// - Parameters:
  ///   - title: what to call the page in messages.
  ///   - dotsPerInch: the resolution.
  /// - Throws: `PictureError`: `tooLarge` beyond the limits for pictures, `rendererMissing` names
  ///   the package to install; ``TextError`` when a font file cannot be read. Cancelling the task
  ///   ends the drawing.
  public func png(title: String, dotsPerInch: Double) async throws -> [UInt8] {
    let picture = try await DocumentRenderer(limits: .ownDrawing).drawColour(
      try svg(title: title), dotsPerInch: dotsPerInch, named: title)
    let density = Int((dotsPerInch / 0.0254).rounded())
    return picture.red == picture.green && picture.green == picture.blue
      ? try PNGWriter.grey(picture.red, pixelsPerMetre: density)
      : try PNGWriter.colour(picture, pixelsPerMetre: density)
  }

  /// A length moved to the printer's nearest dot.
  package static func snapped(_ length: Double, dotsPerInch: Double) -> Double {
    (length * dotsPerInch / 25.4).rounded() * 25.4 / dotsPerInch
  }
}
