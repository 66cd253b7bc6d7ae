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
}
