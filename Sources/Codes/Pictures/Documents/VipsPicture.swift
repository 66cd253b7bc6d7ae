/// A picture in one of the formats that libvips decodes in child processes: HEIC, AVIF, WebP, TIFF
/// and GIF. See ``RenderingChild`` for the reasons.
///
/// The page is the first non-empty frame of an animation, the primary picture of a HEIC file, or
/// any page of a TIFF file. Orientation is applied: libheif's transformations, EXIF's for the
/// others.
struct VipsPicture: Sendable {
  /// The number of pages, at least 1; more than 1 for TIFF only.
  let pageCount: Int

  private let folder: PrivateFolder
  private let source: String
  private let format: PictureFormat
  private let limits: PictureLimits
  private let firstHeader: VipsHeader
  private let time: DocumentTime

  /// Gets the size and the number of pages from libvips, without decoding.
  init(
    _ bytes: [UInt8], format: PictureFormat, source: String, limits: PictureLimits
  ) async throws(PictureError) {
    self.source = source
    self.format = format
    self.limits = limits
    time = DocumentTime(limits.timePerDocument, source: source)
    folder = try PrivateFolder(holding: bytes, fileName: "picture", source: source)
    firstHeader = try await Self.header(of: folder.file, in: folder, format, source, limits)
    pageCount = format == .tiff ? max(1, firstHeader.pages) : 1
    try limits.check(pages: pageCount, of: source)
  }

  /// A Boolean value that indicates whether the picture may be translucent.
  var mayBeTranslucent: Bool { firstHeader.mayBeTranslucent }

  /// Returns the frame shown for a page: the page itself for TIFF, or the first frame of an
  /// animation that is not of a single colour.
  func shownFrame(
    ofPage page: Int
  ) async throws(PictureError) -> (picture: GreyPicture, number: Int) {
    let first = try await read(page: page)
    guard format != .tiff, firstHeader.pages > 1, first.isUniform else { return (first, page) }
    for number in 2...min(firstHeader.pages, PictureLoader.mostEmptyFrames) {
      guard let frame = try? await read(page: number) else { break }
      if !frame.isUniform { return (frame, number) }
    }
    return (first, page)
  }

  /// Decodes one page or frame at full size, upright, in grey on white or on black.
  func read(page: Int, isOnDark: Bool = false) async throws(PictureError) -> GreyPicture {
    let bytes = try await netpbm(page: page, as: ".pgm", samples: 1, isOnDark: isOnDark)
    return try NetpbmReader.readWhole(bytes, source: source, limits: limits)
  }

  /// Decodes one page in colour.
  func readColour(page: Int) async throws(PictureError) -> ColourPicture? {
    let bytes = try await netpbm(page: page, as: ".ppm", samples: 3)
    return try NetpbmReader.readColour(bytes, source: source, limits: limits)
  }

  private func netpbm(
    page: Int, as kind: String, samples: Int, isOnDark: Bool = false
  ) async throws(PictureError) -> [UInt8] {
    let isNumbered = format == .tiff || page > 1
    let file = isNumbered ? "\(folder.file)[page=\(page - 1)]" : folder.file
    let header =
      page == 1
      ? firstHeader : try await Self.header(of: file, in: folder, format, source, limits)
    // Two bytes per sample at most, plus the file's header.
    let most = header.width * header.height * samples * 2 + 1024
    // Both operations turn a picture upright. A thumbnail that may only shrink, with the largest
    // size that libvips allows, works row by row; but in a TIFF it takes pages that halve in size
    // for one picture.
    let output = "\(kind)[background=\(isOnDark ? 0 : 255)]"
    let operation =
      isNumbered
      ? ["autorot", file, output] : ["thumbnail", file, output, "10000000", "--size", "down"]
    let outcome = try await time.run(limits) { limits throws(PictureError) in
      try await RenderingChild.vips.run(
        operation, in: folder, outputLimit: most, limits: limits, source: source)
    }
    try Self.check(outcome, .vips, format, source)
    return outcome.output
  }

  private static func header(
    of file: String, in folder: PrivateFolder, _ format: PictureFormat, _ source: String,
    _ limits: PictureLimits
  ) async throws(PictureError) -> VipsHeader {
    let outcome = try await RenderingChild.vipsheader.run(
      ["-a", file], in: folder, outputLimit: 1 << 22, limits: limits, source: source)
    try check(outcome, .vipsheader, format, source)
    guard let header = VipsHeader(outcome.output) else {
      throw .malformed(source, "its \(format) data has no readable size")
    }
    try limits.check(width: header.width, height: header.height, of: source)
    return header
  }

  private static func check(
    _ outcome: RenderingChild.Outcome, _ child: RenderingChild, _ format: PictureFormat,
    _ source: String
  ) throws(PictureError) {
    guard outcome.status != 0 else { return }
    // A picture that cannot be decoded within the memory limit ends the child by a signal or an
    // abort.
    throw outcome.status > 128
      ? child.failed(source, "it ended with status \(outcome.status)")
      : .malformed(source, "libvips cannot decode its \(format) data")
  }
}
