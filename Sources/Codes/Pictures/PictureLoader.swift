/// Opens pictures and documents from files, standard input or memory.
///
/// PNG, JPEG, PNM and BMP are decoded in this process. All other formats are decoded by other
/// programs in child processes within limits: HEIC, AVIF, WebP, TIFF and GIF by libvips, SVG by
/// librsvg, PDF pages by poppler. The format is determined by the content, not by the name. Memory
/// for a picture is allocated only after its size was checked against ``PictureLimits``.
public struct PictureLoader: Sendable {
  /// The name of standard input in messages.
  public static let standardInputName = "standard input"

  /// The limits of size and time.
  public var limits: PictureLimits
  /// The resolution of a PDF page's first look, in dots per inch, 10 … 1200.
  public var dotsPerInch: Double
  /// The fewest pixels that the long side of a raster picture keeps in the first look.
  public var firstLookPixels: Int

  /// The long side from which a raster picture is searched part by part. Cameras of 50 megapixels
  /// have 8,160.
  private static let largeSide = 8_192
  /// The number of empty frames after which an animation counts as empty.
  static let mostEmptyFrames = 64

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - limits: the limits of size and time.
  ///   - dotsPerInch: the resolution of a PDF page's first look.
  ///   - firstLookPixels: the fewest pixels that the long side of a raster picture (all but PDF and
  ///     SVG) keeps in the first look; with `Int.max` the first look has all pixels.
  public init(
    limits: PictureLimits = .standard, dotsPerInch: Double = 200, firstLookPixels: Int = 1600
  ) {
    self.limits = limits
    self.dotsPerInch = dotsPerInch
    self.firstLookPixels = firstLookPixels
  }

  /// Opens a file.
  ///
  /// - Parameter path: the file's path, which is also its name in messages.
  /// - Throws: ``PictureError``: `notFound`, `unreadable`, `isDirectory`, `tooLarge`, `cancelled`
  ///   as soon as the task is cancelled, and the errors of ``open(_:named:)``.
  public func open(path: String) async throws(PictureError) -> PictureFile {
    try await open(path: path, named: path)
  }

  /// Opens a file with another name in messages.
  package func open(
    path: String, named source: String
  ) async throws(PictureError) -> PictureFile {
    try await open(try await bytes(path: path, named: source), named: source)
  }

  /// Reads a whole file, within the limits.
  package func bytes(
    path: String, named source: String? = nil
  ) async throws(PictureError) -> [UInt8] {
    let limits = limits
    let source = source ?? path
    return try await Uninterruptible.run(source) { _ throws(PictureError) in
      try FileReader.read(path: path, name: source, limits: limits)
    }
  }

  /// Opens the contents of standard input, read to its end; waits until the other side closes it.
  /// If the task is cancelled, the next input is still read, and lost.
  ///
  /// - Throws: as ``open(path:)``.
  public func openStandardInput() async throws(PictureError) -> PictureFile {
    try await open(try await standardInput(), named: Self.standardInputName)
  }

  /// Reads standard input to its end.
  package func standardInput() async throws(PictureError) -> [UInt8] {
    let limits = limits
    return try await Uninterruptible.run(Self.standardInputName) { _ throws(PictureError) in
      try FileReader.read(descriptor: 0, name: Self.standardInputName, limits: limits)
    }
  }

  /// Opens a picture in memory.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - source: the name of the picture in messages.
  /// - Throws: ``PictureError``: `notAPicture`, `unsupportedFormat`, `tooLarge`, `malformed`, and
  ///   if a child process decodes, `passwordProtected`, `rendererMissing`, `rendererFailed` and
  ///   `timedOut`.
  public func open(
    _ bytes: [UInt8], named source: String
  ) async throws(PictureError) -> PictureFile {
    try limits.check(bytes: bytes.count, of: source)
    if let drawing = try SVGPicture.unpacked(bytes, source: source, limits: limits) {
      return try await open(drawing, named: source)
    }
    guard let format = PictureFormat.recognise(bytes) else {
      if let start = PictureFormat.recogniseCutShort(bytes) {
        throw .malformed(source, "a \(start) starts in it and ends after \(bytes.count) bytes")
      }
      throw .notAPicture(source, empty: bytes.isEmpty)
    }
    var file = try await file(bytes, format, source)
    file.position = EXIF.position(of: bytes, format: format)
    file.taken = EXIF.taken(of: bytes, format: format)
    return file
  }

  /// Opens a picture with its transparency.
  ///
  /// PNG keeps its alpha; an SVG drawing and the first page of a PDF document have no background.
  /// Other formats are opaque; of documents the first page is opened.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - source: the name of the picture in messages.
  ///   - drawingSide: the long side of a drawing or page, which has no resolution, in pixels.
  /// - Throws: ``PictureError``; a damaged picture is not opened in part.
  package func translucent(
    _ bytes: [UInt8], named source: String, drawingSide: Int
  ) async throws(PictureError) -> TranslucentPicture {
    var loader = self
    loader.firstLookPixels = .max
    let file = try await loader.open(bytes, named: source)
    let limits = limits
    switch file.format {
    case .png:
      return try await Uninterruptible.run(source) { _ throws(PictureError) in
        try PNGReader.readTranslucent(bytes, source: source, limits: limits)
      }
    case .svg:
      let drawing = try SVGPicture.unpacked(bytes, source: source, limits: limits) ?? bytes
      return try await SVGPicture(drawing, source: source, limits: limits)
        .renderTranslucent(longSide: drawingSide)
    case .pdf:
      return try await PDFDocument(bytes, source: source, limits: limits)
        .renderTranslucent(longSide: drawingSide)
    default:
      let page = try await file.page(1)
      if let damage = page.damage { throw damage }
      if let colour = try await page.colourLook() { return TranslucentPicture(opaque: colour) }
      return TranslucentPicture(opaque: ColourPicture(page.firstLook))
    }
  }

  private func file(
    _ bytes: [UInt8], _ format: PictureFormat, _ source: String
  ) async throws(PictureError) -> PictureFile {
    switch format {
    case .png: return single(format, source) { () throws(PictureError) in try png(bytes, source) }
    case .jpeg: return single(format, source) { () throws(PictureError) in try jpeg(bytes, source) }
    case .pnm: return single(format, source) { () throws(PictureError) in try pnm(bytes, source) }
    case .bmp: return single(format, source) { () throws(PictureError) in try bmp(bytes, source) }
    case .heic, .avif, .webp, .tiff, .gif: return try await vips(bytes, format, source)
    case .svg: return try svg(bytes, source)
    case .pdf: return try await pdf(bytes, source)
    default: throw .unsupported(source, format: format)
    }
  }

  // MARK: - The looks of each kind of file

  private func single(
    _ format: PictureFormat, _ source: String,
    _ load: @escaping @Sendable () throws(PictureError) -> LoadedPicture
  ) -> PictureFile {
    PictureFile(source: source, format: format, pageCount: 1) { _ throws(PictureError) in
      try await Uninterruptible.run(source) { _ throws(PictureError) in try load() }
    }
  }

  private func png(_ bytes: [UInt8], _ source: String) throws(PictureError) -> LoadedPicture {
    var bytes = bytes
    var read = try PNGReader.readNoticingColour(bytes, source: source, limits: limits)
    if read.picture.isUniform, let animation = AnimatedPNG(bytes) {
      // Use the first frame that is not empty.
      for frame in animation.frames(atMost: Self.mostEmptyFrames) {
        guard let shown = try? PNGReader.readNoticingColour(frame, source: source, limits: limits),
          !shown.picture.isUniform
        else { continue }
        (bytes, read) = (frame, shown)
        break
      }
    }
    let onBlack: Closer? =
      PNGReader.mayBeTranslucent(bytes)
      ? again(source) { [bytes] () throws(PictureError) -> GreyPicture in
        try PNGReader.readTranslucent(bytes, source: source, limits: limits).onBlack
      } : nil
    return whole(
      (read.picture, read.damage), source, mayBeColourful: read.mayBeColourful,
      colour: again(source) { [bytes] () throws(PictureError) in
        try PNGReader.readColour(bytes, source: source, limits: limits)
      },
      dark: onBlack)
  }

  private func pnm(_ bytes: [UInt8], _ source: String) throws(PictureError) -> LoadedPicture {
    whole(
      try NetpbmReader.read(bytes, source: source, limits: limits), source,
      colour: again(source) { () throws(PictureError) in
        try NetpbmReader.readColour(bytes, source: source, limits: limits)
      })
  }

  /// Returns both looks of a picture from one decoding, for formats that cannot be decoded faster
  /// at a fraction of the size.
  ///
  /// The first look is still reduced: averaging removes noise and grain.
  private func whole(
    _ read: (picture: GreyPicture, damage: PictureError?), _ source: String, page: Int = 1,
    mayBeColourful: Bool = true,
    colour: @escaping @Sendable () async throws(PictureError) -> ColourPicture?,
    dark: Closer? = nil
  ) -> LoadedPicture {
    let picture = read.picture
    let factor = max(1, max(picture.width, picture.height) / max(1, firstLookPixels))
    return LoadedPicture(
      source: source, page: page, width: picture.width, height: picture.height,
      firstLook: picture.reduced(by: factor), damage: read.damage,
      isLarge: max(picture.width, picture.height) > Self.largeSide,
      mayBeColourful: mayBeColourful,
      closer: factor == 1 ? nil : again(source) { () throws(PictureError) in picture },
      colour: { () throws(PictureError) in try await colour()?.reduced(by: factor) },
      dark: dark.map { Self.reduced($0, by: factor) })
  }

  /// A closer look at a picture, or a look at it on another background.
  private typealias Closer = @Sendable () async throws(PictureError) -> GreyPicture

  /// Returns the same look, reduced.
  private static func reduced(_ look: @escaping Closer, by factor: Int) -> Closer {
    { () async throws(PictureError) -> GreyPicture in try await look().reduced(by: factor) }
  }

  /// Returns work that runs on demand, off the caller's thread.
  private func again<Look: Sendable>(
    _ source: String, _ load: @escaping @Sendable () throws(PictureError) -> Look
  ) -> @Sendable () async throws(PictureError) -> Look {
    { () async throws(PictureError) in
      try await Uninterruptible.run(source) { _ throws(PictureError) in try load() }
    }
  }

  private func jpeg(_ bytes: [UInt8], _ source: String) throws(PictureError) -> LoadedPicture {
    let header = try JPEGReader.header(of: bytes, source: source, limits: limits)
    let reduction = JPEGReader.reduction(of: header, keeping: firstLookPixels)
    let (picture, damage) = try JPEGReader.read(
      bytes, header: header, reduction: reduction, source: source)
    return LoadedPicture(
      source: source, width: header.width, height: header.height, firstLook: picture,
      damage: damage, isLarge: max(header.width, header.height) > Self.largeSide,
      closer: reduction == 1
        ? nil
        : again(source) { () throws(PictureError) in
          try JPEGReader.read(bytes, header: header, reduction: 1, source: source).picture
        },
      colour: again(source) { () throws(PictureError) in
        try JPEGReader.readColour(bytes, header: header, reduction: reduction, source: source)
      })
  }

  private func pdf(_ bytes: [UInt8], _ source: String) async throws(PictureError) -> PictureFile {
    let document = try await PDFDocument(bytes, source: source, limits: limits)
    let dotsPerInch = dotsPerInch
    return PictureFile(source: source, format: .pdf, pageCount: document.pageCount) {
      page throws(PictureError) in
      let first = try await document.render(page: page, dotsPerInch: dotsPerInch)
      return LoadedPicture(
        source: source, page: page, width: first.width, height: first.height, firstLook: first,
        parts: document.parts(ofPage: page, unlessWider: first.width),
        isLarge: document.isLarge(page: page),
        closer: { () throws(PictureError) in
          try await document.render(page: page, dotsPerInch: dotsPerInch * 2)
        },
        colour: { () throws(PictureError) in
          try await document.renderColour(page: page, dotsPerInch: dotsPerInch)
        })
    }
  }

  private func bmp(_ bytes: [UInt8], _ source: String) throws(PictureError) -> LoadedPicture {
    whole(
      try BMPReader.read(bytes, source: source, limits: limits), source,
      colour: again(source) { () throws(PictureError) in
        try BMPReader.readColour(bytes, source: source, limits: limits)
      })
  }

  private func vips(
    _ bytes: [UInt8], _ format: PictureFormat, _ source: String
  ) async throws(PictureError) -> PictureFile {
    let picture = try await VipsPicture(bytes, format: format, source: source, limits: limits)
    return PictureFile(source: source, format: format, pageCount: picture.pageCount) {
      page throws(PictureError) in
      let frame = try await picture.shownFrame(ofPage: page)
      let onBlack: Closer = { () async throws(PictureError) -> GreyPicture in
        try await picture.read(page: frame.number, isOnDark: true)
      }
      return whole(
        (frame.picture, nil), source, page: page,
        colour: { () async throws(PictureError) -> ColourPicture? in
          try await picture.readColour(page: frame.number)
        }, dark: picture.mayBeTranslucent ? onBlack : nil)
    }
  }

  private func svg(_ bytes: [UInt8], _ source: String) throws(PictureError) -> PictureFile {
    let drawing = try SVGPicture(bytes, source: source, limits: limits)
    return PictureFile(source: source, format: .svg, pageCount: 1) { _ throws(PictureError) in
      let first = try await drawing.render(scale: 1)
      return LoadedPicture(
        source: source, width: first.width, height: first.height, firstLook: first,
        parts: drawing.parts,
        closer: { () throws(PictureError) in try await drawing.render(scale: 2) },
        colour: { () throws(PictureError) in try await drawing.renderColour() },
        dark: { () throws(PictureError) in try await drawing.render(scale: 1, ground: "black") })
    }
  }
}
