import Pictures
import QRSymbol

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
    let (side, dots) = (symbol.size, size.dotsPerModule)
    let rowBytes = (size.dotsAcross + 7) / 8
    let quietZone = [UInt8](
      repeating: 0, count: CodeSize.quietZoneModules * dots * rowBytes)
    var rows = quietZone
    rows.reserveCapacity(size.dotsAcross * rowBytes)
    for row in 0..<side {
      var line = [UInt8](repeating: 0, count: rowBytes)
      for column in 0..<side where symbol.modules[row * side + column] != 0 {
        let first = (CodeSize.quietZoneModules + column) * dots
        line.setBits(first..<first + dots)
      }
      for _ in 0..<dots { rows.append(contentsOf: line) }
    }
    rows.append(contentsOf: quietZone)
    return rows
  }
}

extension [UInt8] {
  /// Sets bits, counted from the highest of the first byte; the range is not empty.
  fileprivate mutating func setBits(_ range: Range<Int>) {
    let (first, last) = (range.lowerBound / 8, (range.upperBound - 1) / 8)
    let head: UInt8 = 0xFF >> UInt8(range.lowerBound % 8)
    let tail: UInt8 = 0xFF << UInt8(7 - (range.upperBound - 1) % 8)
    guard first < last else {
      self[first] |= head & tail
      return
    }
    self[first] |= head
    for index in first + 1..<last { self[index] = 0xFF }
    self[last] |= tail
  }
}
