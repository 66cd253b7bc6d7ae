import CliptagBasics
import Pictures
import QRSymbol

extension CodeDrawing {
  /// The longest side of a PNG in pixels: the size that a reader can hold at one byte per pixel.
  private static let longestPictureSide = 10_000

  /// The longest side of a PNG with a logo, which takes up to three bytes per pixel.
  private static let longestLogoPictureSide = 5_000

  /// A PNG whose pixels are the printer's dots, with its density: one bit per pixel, or eight bits
  /// per channel with a logo. Light dots are transparent without a ground.
  func png() throws(CodeDrawingError) -> [UInt8] {
    let side = size.dotsAcross
    let limit = logo == nil ? Self.longestPictureSide : Self.longestLogoPictureSide
    guard side <= limit else {
      let fitting = limit / size.modulesAcross
      let resolution = size.dotsPerInch * Double(fitting) / Double(size.dotsPerModule)
      throw .pictureTooLarge(
        pixels: side, limit: limit, dotsPerInch: resolution.rounded(.down))
    }
    let metresPerInch = CodeSize.millimetresPerInch / 1_000
    let density = Int(bounded: (size.dotsPerInch / metresPerInch).rounded())
    do {
      if let logo {
        guard colours.hasGround else {
          return try PNGWriter.translucent(translucentDots(with: logo), pixelsPerMetre: density)
        }
        let dots = dots(with: logo)
        return dots.red == dots.green && dots.green == dots.blue
          ? try PNGWriter.grey(dots.red, pixelsPerMetre: density)
          : try PNGWriter.colour(dots, pixelsPerMetre: density)
      }
      return try PNGWriter.oneBit(
        width: side, height: side, packedRows: packedDots(), palette: palette,
        pixelsPerMetre: density)
    } catch {
      throw .cannotEncode(error)
    }
  }

  /// The code in colour with its logo, one pixel per dot.
  private func dots(with logo: CodeLogo) -> ColourPicture {
    dots(with: resampled(logo).composited(on: colours.background), of: logo)
  }

  /// The code in colour with its logo, one pixel per dot; light dots are transparent.
  private func translucentDots(with logo: CodeLogo) -> TranslucentPicture {
    let picture = resampled(logo).picture
    return TranslucentPicture(
      colour: dots(with: picture.colour, of: logo),
      opacity: dots(light: 0, dark: 255, with: picture.opacity, of: logo))
  }

  private func dots(with painted: ColourPicture, of logo: CodeLogo) -> ColourPicture {
    let (light, dark) = (colours.background, colours.foreground)
    return ColourPicture(
      red: dots(light: light.red, dark: dark.red, with: painted.red, of: logo),
      green: dots(light: light.green, dark: dark.green, with: painted.green, of: logo),
      blue: dots(light: light.blue, dark: dark.blue, with: painted.blue, of: logo))
  }

  /// The logo with one pixel per dot.
  private func resampled(_ logo: CodeLogo) -> LogoPicture {
    let (box, dot) = (logo.box, Double(size.dotsPerModule))
    return logo.picture.resampled(
      width: max(1, Int(bounded: (box.width * dot).rounded())),
      height: max(1, Int(bounded: (box.height * dot).rounded())))
  }

  /// One channel of the code with that of its logo.
  private func dots(
    light: UInt8, dark: UInt8, with painted: GreyPicture, of logo: CodeLogo
  ) -> GreyPicture {
    let (side, dot) = (size.dotsAcross, Double(size.dotsPerModule))
    let left = Int(bounded: (logo.box.x * dot).rounded())
    let top = Int(bounded: (logo.box.y * dot).rounded())
    var pixels = greyPicture(pixelsPerModule: size.dotsPerModule).pixels.map {
      $0 == 0 ? dark : light
    }
    for row in 0..<painted.height {
      let start = (top + row) * side + left
      pixels.replaceSubrange(
        start..<start + painted.width,
        with: painted.pixels[row * painted.width..<(row + 1) * painted.width])
    }
    return GreyPicture(width: side, height: side, pixels: pixels)
  }

  /// The palette; `nil` for black on white, which every program reads as grey.
  private var palette: PNGWriter.Palette? {
    colours == .blackOnWhite
      ? nil
      : PNGWriter.Palette(
        clear: colours.background.channels, set: colours.foreground.channels,
        isClearTransparent: !colours.hasGround)
  }

  /// Rows of dots, eight per byte, the leftmost in the highest bit, 1 for dark.
  func packedDots() -> [UInt8] {
    let (side, dots) = (symbol.size, size.dotsPerModule)
    let rowBytes = (size.dotsAcross + 7) / 8
    let quietZone = [UInt8](
      repeating: 0, count: size.quietZone * dots * rowBytes)
    var rows = quietZone
    rows.reserveCapacity(size.dotsAcross * rowBytes)
    for row in 0..<side {
      var line = [UInt8](repeating: 0, count: rowBytes)
      for column in 0..<side where symbol.modules[row * side + column] != 0 {
        let first = (size.quietZone + column) * dots
        line.setBits(first..<first + dots)
      }
      for _ in 0..<dots { rows.append(contentsOf: line) }
    }
    rows.append(contentsOf: quietZone)
    return rows
  }
}

extension [UInt8] {
  /// Sets bits, counted from the highest of the first byte; the range must not be empty.
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

extension PageDrawing {
  /// The maximum number of pixels of a page.
  package static let mostPixels = 72_000_000.0

  /// The number of pixels of a sheet.
  package static func pixels(of sheet: PaperSize, bleed: Double, dotsPerInch: Double) -> Double {
    pixels(width: sheet.width, height: sheet.height, bleed: bleed, dotsPerInch: dotsPerInch)
  }

  private static func pixels(
    width: Double, height: Double, bleed: Double, dotsPerInch: Double
  ) -> Double {
    (width + 2 * bleed) * (height + 2 * bleed) * dotsPerInch * dotsPerInch / (25.4 * 25.4)
  }

  /// A PNG of the page with its bleed, drawn by librsvg from its SVG, with its density: grey if it
  /// has no colours.
  ///
  /// Codes are sharp if they lie on the grid of dots, as in the layouts of this module.
  ///
  /// - Parameters:
  ///   - title: The name of the page in messages.
  ///   - dotsPerInch: The resolution.
  /// - Throws: `PictureError`: `tooLarge` beyond the limits for pictures, `rendererMissing` names
  ///   the package to install; ``TextError`` when a font file cannot be read. Cancelling the task
  ///   ends the drawing.
  public func png(title: String, dotsPerInch: Double) async throws -> [UInt8] {
    let pixels = Self.pixels(width: width, height: height, bleed: bleed, dotsPerInch: dotsPerInch)
    guard pixels <= Self.mostPixels else {
      let fitting = dotsPerInch * (Self.mostPixels / pixels).squareRoot()
      throw CodeDrawingError.pageTooLarge(dotsPerInch, fitting: fitting)
    }
    let picture = try await DocumentRenderer(limits: .ownDrawing).drawColour(
      try svg(title: title), dotsPerInch: dotsPerInch, named: title)
    let density = Int(bounded: (dotsPerInch / 0.0254).rounded())
    return picture.red == picture.green && picture.green == picture.blue
      ? try PNGWriter.grey(picture.red, pixelsPerMetre: density)
      : try PNGWriter.colour(picture, pixelsPerMetre: density)
  }
}
