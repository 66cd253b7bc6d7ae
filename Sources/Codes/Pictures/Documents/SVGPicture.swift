import CliptagBasics

/// An SVG drawing from elsewhere, rendered by librsvg in child processes.
///
/// Like PDF, SVG is read by default: proofs of codes come as SVG, and a viewer shows them without
/// asking. The references in it are restricted: librsvg fetches nothing from the network, runs no
/// scripts, and reads only files beside or below the drawing, which is the only file in its folder.
struct SVGPicture: Sendable {
  /// The long side of the first look, in pixels: a code that takes a tenth of a poster still has 8
  /// pixels per module. A long strip has more, so that its short side has some.
  private static let longSide = 2400
  private static let shortSide = 300.0
  /// The largest side that librsvg draws (cairo has less than 32,768).
  private static let largestSide = 32_000

  private let folder: PrivateFolder
  let source: String
  private let limits: PictureLimits
  /// The printed size, if the drawing gives it.
  private let inches: (width: Double, height: Double)?
  /// The long side as a multiple of the short one.
  private var aspect: Double {
    inches.map { max($0.width, $0.height) / min($0.width, $0.height) } ?? 1
  }
  /// The time for the parts of a large drawing: all are one page.
  private let time: DocumentTime

  init(_ bytes: [UInt8], source: String, limits: PictureLimits) throws(PictureError) {
    self.source = source
    self.limits = limits
    inches = SVGSize.inches(of: bytes)
    time = DocumentTime(limits.timePerPage, source: source)
    folder = try PrivateFolder(holding: bytes, fileName: "drawing.svg", source: source)
  }

  /// Renders the drawing in grey, as large as fits into a square.
  ///
  /// - Parameters:
  ///   - scale: 1 for the first look, 2 for twice the size.
  ///   - ground: the background colour.
  func render(scale: Int, ground: String = "white") async throws(PictureError) -> GreyPicture {
    let png = try await png(longSide: longSide * scale, ground: ground)
    return try PNGReader.readWhole(png, source: source, limits: limits)
  }

  /// Returns the contents of a gzip file (RFC 1952) such as SVGZ; `nil` if the bytes are not a gzip
  /// file.
  ///
  /// - Throws: ``PictureError`` if it is damaged, too large, or contains no SVG.
  static func unpacked(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> [UInt8]? {
    guard bytes.count > 18, bytes.starts(with: [0x1F, 0x8B, 0x08]) else { return nil }
    let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    try limits.check(bytes: size, of: source)
    guard let drawing = Decompressor.gunzip(bytes, size: size) else {
      throw .malformed(source, "its compressed data is damaged")
    }
    guard PictureFormat.recognise(drawing) == .svg else {
      throw .unsupported(source, "a compressed file without an SVG")
    }
    return drawing
  }

  /// Renders the first look in colour.
  func renderColour() async throws(PictureError) -> ColourPicture {
    try PNGReader.readColour(
      try await png(longSide: longSide, ground: "white"), source: source, limits: limits)
  }

  /// Renders the drawing on a transparent background with the given number of pixels along its long
  /// side.
  func renderTranslucent(longSide: Int) async throws(PictureError) -> TranslucentPicture {
    try PNGReader.readTranslucent(
      try await png(longSide: longSide, ground: nil), source: source, limits: limits)
  }

  /// Converts the drawing to `pdf` or `svg`, as large as fits into a square; it stays vectors.
  func converted(to format: String, longSide: Int) async throws(PictureError) -> [UInt8] {
    try await run(
      [
        "--format", format, "--keep-aspect-ratio", "--width", "\(longSide)", "--height",
        "\(longSide)",
      ], outputLimit: limits.fileBytes)
  }

  /// A large drawing in parts, at the resolution that its smallest code needs; `nil` if the first
  /// look is sufficient, or the drawing gives no size.
  var parts: PictureParts? {
    guard let inches, PageResolution.isLarge(inches: inches) else { return nil }
    let resolution = PageResolution(inches: inches, atMost: 4e8)
    return PictureParts(
      width: resolution.width, height: resolution.height, shortfall: resolution.shortfall
    ) { area throws(PictureError) in
      let png = try await time.run(limits) { limits throws(PictureError) in
        try await draw(
          [
            "--background-color", "white", "--width", "\(resolution.width)", "--height",
            "\(resolution.height)", "--page-width", "\(area.width)", "--page-height",
            "\(area.height)",
            "--left=-\(area.x)", "--top=-\(area.y)",
          ], outputLimit: area.width * area.height * 4 + (1 << 16), limits)
      }
      return try PNGReader.readWhole(png, source: source, limits: limits)
    }
  }

  private var longSide: Int { max(Self.longSide, Int(bounded: Self.shortSide * aspect)) }

  private func png(longSide: Int, ground: String?) async throws(PictureError) -> [UInt8] {
    // A strip has pixels to spare.
    let spare = max(1, aspect * Self.shortSide / Double(Self.longSide))
    let most = Int(bounded: (Double(max(0, limits.pixels)) * spare).squareRoot())
    let side = max(1, min(longSide, most, Self.largestSide))
    return try await draw(
      [
        "--background-color", ground ?? "none", "--keep-aspect-ratio", "--width", "\(side)",
        "--height", "\(side)",
      ], outputLimit: (Int(bounded: Double(side) / aspect) + 1) * side * 4 + (1 << 16))
  }

  private func draw(
    _ options: [String], outputLimit: Int, _ limits: PictureLimits? = nil
  ) async throws(PictureError) -> [UInt8] {
    try await run(["--format", "png"] + options, outputLimit: outputLimit, limits)
  }

  private func run(
    _ options: [String], outputLimit: Int, _ limits: PictureLimits? = nil
  ) async throws(PictureError) -> [UInt8] {
    let outcome = try await RenderingChild.rsvg.run(
      options + [folder.file], in: folder, outputLimit: outputLimit, limits: limits ?? self.limits,
      source: source)
    guard outcome.status == 0 else {
      throw outcome.status > 128
        ? RenderingChild.rsvg.failed(source, "it ended with status \(outcome.status)")
        : .malformed(source, "librsvg cannot draw it")
    }
    return outcome.output
  }
}
