import Pictures

extension CodeDrawing {
  /// The longest side of a PNG in pixels: what a reader can hold as one byte a pixel.
  static let longestPictureSide = 10_000

  /// A PNG of one bit a pixel whose pixels are the printer's dots, with its density.
  func png() throws(CodeDrawingError) -> [UInt8] {
    let side = size.dotsAcross
    guard side <= Self.longestPictureSide else {
      let fitting = Self.longestPictureSide / size.modulesAcross
      let resolution = size.dotsPerInch * Double(fitting) / Double(size.dotsPerModule)
      throw .pictureTooLarge(
        pixels: side, limit: Self.longestPictureSide, dotsPerInch: resolution.rounded(.down))
    }
    let metresPerInch = CodeSize.millimetresPerInch / 1_000
    do {
      return try PNGWriter.oneBit(
        width: side, height: side, packedRows: packedDots(), palette: palette,
        pixelsPerMetre: Int((size.dotsPerInch / metresPerInch).rounded()))
    } catch {
      throw CodeDrawingError(
        .cannotEncode, error.message, hint: error.hint, underlying: error)
    }
  }

  /// None for black on white, which every program reads as grey.
  private var palette: PNGWriter.Palette? {
    colours == .blackOnWhite
      ? nil
      : PNGWriter.Palette(clear: colours.background.channels, set: colours.foreground.channels)
  }

  /// Rows of dots, eight a byte, the leftmost in the highest bit, 1 for dark.
  func packedDots() -> [UInt8] {
    let side = size.dotsAcross
    var rows: [UInt8] = []
    rows.reserveCapacity((side + 7) / 8 * side)
    for row in 0..<size.modulesAcross {
      var line = [UInt8](repeating: 0, count: (side + 7) / 8)
      for column in 0..<size.modulesAcross where isDark(column, row) {
        for dot in column * size.dotsPerModule..<(column + 1) * size.dotsPerModule {
          line[dot / 8] |= 0x80 >> UInt8(dot % 8)
        }
      }
      for _ in 0..<size.dotsPerModule { rows.append(contentsOf: line) }
    }
    return rows
  }
}
