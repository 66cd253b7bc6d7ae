/// An SVG drawing from elsewhere, rendered by librsvg in child processes.
///
/// It stays open by default, like PDF: proofs of codes come as SVG, and a viewer shows them
/// without asking. What it may refer to is bounded: librsvg fetches nothing from the network, runs
/// no scripts, and reads only files beside or below the drawing, which lies alone in a folder of
/// its own.
struct SVGPicture: Sendable {
  /// The long side of the first look, in pixels: a code that takes a tenth of a poster still has
  /// 8 pixels a module.
  private static let longSide = 2400

  private let folder: PrivateFolder
  private let source: String
  private let limits: PictureLimits
  /// How large it is to be printed, if it says so.
  private let inches: (width: Double, height: Double)?

  init(_ bytes: [UInt8], source: String, limits: PictureLimits) throws(PictureError) {
    self.source = source
    self.limits = limits
    inches = SVGSize.inches(of: bytes)
    folder = try PrivateFolder(holding: bytes, fileName: "drawing.svg", source: source)
  }

  /// Renders the drawing in grey on white, as large as fits into a square.
  ///
  /// - Parameters:
  ///   - scale: 1 for the first look, 2 for twice its sides.
  ///   - ground: the colour behind it.
  func render(scale: Int, ground: String = "white") async throws(PictureError) -> GreyPicture {
    let png = try await png(longSide: Self.longSide * scale, ground: ground)
    return try PNGReader.readWhole(png, source: source, limits: limits)
  }

  /// What is packed in a gzip file (RFC 1952), as SVGZ is; `nil` when the bytes are no such file.
  ///
  /// - Throws: ``PictureError``, when it is damaged, too large, or holds no SVG.
  static func unpacked(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> [UInt8]? {
    guard bytes.count > 18, bytes.starts(with: [0x1F, 0x8B, 0x08]) else { return nil }
    let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    try limits.check(bytes: size, of: source)
    guard let drawing = Decompressor.gunzip(bytes, size: size) else {
      throw .malformed(source, "what is packed in it is damaged")
    }
    guard PictureFormat.recognise(drawing) == .svg else {
      throw .unsupported(source, "a packed file that holds no SVG")
    }
    return drawing
  }

  /// The first look in colour.
  func renderColour() async throws(PictureError) -> ColourPicture {
    try PNGReader.readColour(
      try await png(longSide: Self.longSide, ground: "white"), source: source, limits: limits)
  }

  /// The drawing without a ground, with as many pixels along its long side.
  func renderTranslucent(longSide: Int) async throws(PictureError) -> TranslucentPicture {
    try PNGReader.readTranslucent(
      try await png(longSide: longSide, ground: nil), source: source, limits: limits)
  }

  /// A large drawing in parts, at the resolution that its smallest code needs; `nil` of one that a look
  /// at the whole shows as well, or that does not say how large it is.
  var parts: PictureParts? {
    guard let inches, PageResolution.isLarge(inches: inches) else { return nil }
    let resolution = PageResolution(inches: inches)
    return PictureParts(
      width: resolution.width, height: resolution.height, shortfall: resolution.shortfall
    ) { area throws(PictureError) in
      let png = try await draw(
        [
          "--background-color", "white", "--width", "\(resolution.width)", "--height",
          "\(resolution.height)", "--page-width", "\(area.width)", "--page-height",
          "\(area.height)",
          "--left=-\(area.x)", "--top=-\(area.y)",
        ], outputLimit: area.width * area.height * 4 + (1 << 16))
      return try PNGReader.readWhole(png, source: source, limits: limits)
    }
  }

  private func png(longSide: Int, ground: String?) async throws(PictureError) -> [UInt8] {
    let most = Int(Double(max(0, limits.pixels)).squareRoot())
    let side = max(1, min(longSide, most))
    return try await draw(
      [
        "--background-color", ground ?? "none", "--keep-aspect-ratio", "--width", "\(side)",
        "--height", "\(side)",
      ], outputLimit: side * side * 4 + (1 << 16))
  }

  private func draw(
    _ options: [String], outputLimit: Int
  ) async throws(PictureError) -> [UInt8] {
    let outcome = try await RenderingChild.rsvg.run(
      ["--format", "png"] + options + [folder.file], in: folder, outputLimit: outputLimit,
      limits: limits, source: source)
    guard outcome.status == 0 else {
      throw outcome.status > 128
        ? RenderingChild.rsvg.failed(source, "it ended with status \(outcome.status)")
        : .malformed(source, "librsvg cannot draw it")
    }
    return outcome.output
  }
}
