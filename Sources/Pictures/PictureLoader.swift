/// Opens pictures and PDF documents from files, standard input or memory.
///
/// PNG, JPEG and PNM are decoded here; PDF pages are rendered by poppler's `pdftoppm` in a child
/// process. What a file is, its content says and not its name. Nothing is allocated for a picture
/// before its size was held against ``PictureLimits``.
public struct PictureLoader: Sendable {
  /// What messages call standard input.
  public static let standardInputName = "standard input"

  /// What is refused as too large.
  public var limits: PictureLimits
  /// The resolution of a PDF page's first look, in dots per inch, 10 … 1200.
  public var dotsPerInch: Double
  /// The fewest pixels that a JPEG's long side keeps in the first look.
  public var firstLookPixels: Int

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - limits: what is refused as too large.
  ///   - dotsPerInch: the resolution of a PDF page's first look.
  ///   - firstLookPixels: the fewest pixels that a JPEG's long side keeps in the first look;
  ///     `Int.max` decodes every JPEG in full.
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
    let limits = limits
    let bytes = try await Uninterruptible.run(path) { _ throws(PictureError) in
      try FileReader.read(path: path, limits: limits)
    }
    return try await open(bytes, named: path)
  }

  /// Opens what comes on standard input, read to its end; waits until the other side closes. When
  /// the task is cancelled, what comes next on standard input is still read, and lost.
  ///
  /// - Throws: as ``open(path:)``.
  public func openStandardInput() async throws(PictureError) -> PictureFile {
    let name = Self.standardInputName
    let limits = limits
    let bytes = try await Uninterruptible.run(name) { _ throws(PictureError) in
      try FileReader.read(descriptor: 0, name: name, limits: limits)
    }
    return try await open(bytes, named: name)
  }

  /// Opens a picture in memory.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - source: what to call it in messages.
  /// - Throws: ``PictureError``: `notAPicture`, `unsupportedFormat`, `tooLarge`, `malformed`, and
  ///   for PDF `passwordProtected`, `rendererMissing`, `rendererFailed` and `timedOut`.
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
    switch format {
    case .png: return single(format, source) { () throws(PictureError) in try png(bytes, source) }
    case .jpeg: return single(format, source) { () throws(PictureError) in try jpeg(bytes, source) }
    case .pnm: return single(format, source) { () throws(PictureError) in try pnm(bytes, source) }
    case .pdf: return try await pdf(bytes, source)
    default: throw .unsupported(source, format: format)
    }
  }

  private func single(
    _ format: PictureFormat, _ source: String,
    _ load: @escaping @Sendable () throws(PictureError) -> LoadedPicture
  ) -> PictureFile {
    PictureFile(source: source, format: format, pageCount: 1) { _ throws(PictureError) in
      try await Uninterruptible.run(source) { _ throws(PictureError) in try load() }
    }
  }

  private func png(_ bytes: [UInt8], _ source: String) throws(PictureError) -> LoadedPicture {
    let (picture, damage) = try PNGReader.read(bytes, source: source, limits: limits)
    return LoadedPicture(
      source: source, width: picture.width, height: picture.height, firstLook: picture,
      damage: damage,
      colour: again(source) { () throws(PictureError) in
        try PNGReader.readColour(bytes, source: source, limits: limits)
      })
  }

  private func pnm(_ bytes: [UInt8], _ source: String) throws(PictureError) -> LoadedPicture {
    let (picture, damage) = try NetpbmReader.read(bytes, source: source, limits: limits)
    return LoadedPicture(
      source: source, width: picture.width, height: picture.height, firstLook: picture,
      damage: damage,
      colour: again(source) { () throws(PictureError) in
        try NetpbmReader.readColour(bytes, source: source, limits: limits)
      })
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
      damage: damage,
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
        closer: { () throws(PictureError) in
          try await document.render(page: page, dotsPerInch: dotsPerInch * 2)
        },
        colour: { () throws(PictureError) in
          try await document.renderColour(page: page, dotsPerInch: dotsPerInch)
        })
    }
  }
}
