/// Opens pictures and documents from files, standard input or memory.
///
/// PNG, JPEG, PNM and BMP are decoded here. All else is decoded by other programs in child
/// processes within limits: HEIC, AVIF, WebP, TIFF and GIF by libvips, SVG by librsvg, PDF pages
/// by poppler. What a file is, its content says and not its name. Nothing is allocated for a
/// picture before its size was held against ``PictureLimits``.
public struct PictureLoader: Sendable {
  /// What messages call standard input.
  public static let standardInputName = "standard input"

  /// What is refused as too large.
  public var limits: PictureLimits
  /// The resolution of a PDF page's first look, in dots per inch, 10 … 1200.
  public var dotsPerInch: Double
  /// The fewest pixels that the long side of a picture of pixels keeps in the first look.
  public var firstLookPixels: Int

  /// The long side from which on a picture of pixels is searched part by part. Cameras of 50 megapixels
  /// have 8,160.
  private static let largeSide = 8_192
  /// How many frames of an animation may be empty before it counts as empty.
  static let mostEmptyFrames = 64

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - limits: what is refused as too large.
  ///   - dotsPerInch: the resolution of a PDF page's first look.
  ///   - firstLookPixels: the fewest pixels that the long side of a picture of pixels (all but PDF
  ///     and SVG) keeps in the first look; `Int.max` shows every one in full.
  public init(
    limits: PictureLimits = .standard, dotsPerInch: Double = 200, firstLookPixels: Int = 1600
  ) {
    self.limits = limits
    self.dotsPerInch = dotsPerInch
    self.firstLookPixels = firstLookPixels
  }

  /// Opens a file.
  ///
  /// - Parameter path: the file's path; it is also the name in messages.
  /// - Throws: ``PictureError``: `notFound`, `unreadable`, `isDirectory`, `tooLarge`,
  ///   `cancelled` as soon as the task is, and what ``open(_:named:)`` throws.
  public func open(path: String) async throws(PictureError) -> PictureFile {
    try await open(path: path, named: path)
  }

  /// Opens a file that goes by another name in messages.
  package func open(
    path: String, named source: String
  ) async throws(PictureError) -> PictureFile {
    try await open(try await bytes(path: path, named: source), named: source)
  }

  /// Reads a file whole, within the limits.
  package func bytes(
    path: String, named source: String? = nil
  ) async throws(PictureError) -> [UInt8] {
    let limits = limits
    let source = source ?? path
    return try await Uninterruptible.run(source) { _ throws(PictureError) in
      try FileReader.read(path: path, name: source, limits: limits)
    }
  }

  /// Opens what comes on standard input, read to its end; waits until the other side closes. When
  /// the task is cancelled, what comes next on standard input is still read, and lost.
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
  ///   - source: what to call it in messages.
  /// - Throws: ``PictureError``: `notAPicture`, `unsupportedFormat`, `tooLarge`, `malformed`, and
  ///   where a child process decodes, `passwordProtected`, `rendererMissing`, `rendererFailed` and
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
    return file
  }

  /// Opens a picture with its transparency.
  ///
  /// PNG keeps its alpha; an SVG drawing has no ground. Other formats are opaque; of documents the
  /// first page is taken.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - source: what to call it in messages.
  ///   - drawingSide: the pixels of the long side of an SVG drawing, which has no pixels of its own.
  /// - Throws: ``PictureError``; a picture that is damaged is not opened in part.
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

  // MARK: - How each kind of file becomes a first look, a closer one, and one in colour

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
    var read = try PNGReader.read(bytes, source: source, limits: limits)
    if read.picture.isUniform, let animation = AnimatedPNG(bytes) {
      // The first frame that shows something.
      for frame in animation.frames(atMost: Self.mostEmptyFrames) {
        guard let shown = try? PNGReader.read(frame, source: source, limits: limits),
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
      read, source,
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

  /// A picture that cannot be decoded at a fraction of the size for a fraction of the time, so that
  /// both looks come from one decoding.
  ///
  /// The first is smaller all the same: in the average of some pixels noise and grain disappear.
  private func whole(
    _ read: (picture: GreyPicture, damage: PictureError?), _ source: String, page: Int = 1,
    colour: @escaping @Sendable () async throws(PictureError) -> ColourPicture?,
    dark: Closer? = nil
  ) -> LoadedPicture {
    let picture = read.picture
    let factor = max(1, max(picture.width, picture.height) / max(1, firstLookPixels))
    return LoadedPicture(
      source: source, page: page, width: picture.width, height: picture.height,
      firstLook: picture.reduced(by: factor), damage: read.damage,
      isLarge: max(picture.width, picture.height) > Self.largeSide,
      closer: factor == 1 ? nil : again(source) { () throws(PictureError) in picture },
      colour: { () throws(PictureError) in try await colour()?.reduced(by: factor) },
      dark: dark.map { Self.reduced($0, by: factor) })
  }

  /// A closer look at a picture, or one at it over another ground.
  private typealias Closer = @Sendable () async throws(PictureError) -> GreyPicture

  /// The same look, smaller.
  private static func reduced(_ look: @escaping Closer, by factor: Int) -> Closer {
    { () async throws(PictureError) -> GreyPicture in try await look().reduced(by: factor) }
  }

  /// Work that is done only when somebody asks for it, off the caller's thread.
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
