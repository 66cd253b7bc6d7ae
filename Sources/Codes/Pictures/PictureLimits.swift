/// The limits of a picture, checked before memory is allocated for it.
public struct PictureLimits: Hashable, Sendable {
  /// The largest size of a file, in bytes.
  public var fileBytes: Int
  /// The largest number of pixels of one picture or page, at full resolution.
  public var pixels: Int
  /// The largest number of pixels on a side: a decoder keeps whole rows, at up to forty bytes per
  /// pixel.
  public var side: Int
  /// The largest number of pages of a document.
  public var pages: Int
  /// The time limit for rendering one page, by the wall clock.
  public var timePerPage: Duration
  /// The time limit for rendering all pages of a document, concurrently or in sequence.
  public var timePerDocument: Duration
  /// The largest address space of a rendering program, in bytes.
  public var rendererMemory: Int

  /// Creates limits. The defaults admit pictures from every camera and every poster sold today: 256
  /// MiB, 100 megapixels, 1,000,000 pixels on a side, 500 pages, 20 s per page, 15 times that for a
  /// document, 2 GiB for the renderer.
  public init(
    fileBytes: Int = 256 << 20, pixels: Int = 100_000_000, side: Int = 1_000_000, pages: Int = 500,
    timePerPage: Duration = .seconds(20), timePerDocument: Duration? = nil,
    rendererMemory: Int = 2 << 30
  ) {
    self.fileBytes = fileBytes
    self.pixels = pixels
    self.side = side
    self.pages = pages
    self.timePerPage = timePerPage
    self.timePerDocument = timePerDocument ?? timePerPage * 15
    self.rendererMemory = rendererMemory
  }

  /// The default limits.
  public static let standard = PictureLimits()

  /// The limits for drawings made by this package: they are not hostile, and a machine may be busy,
  /// so a page has two minutes.
  package static let ownDrawing = PictureLimits(
    timePerPage: .seconds(120), timePerDocument: .seconds(86_400))

  /// The limits for reports and lists made by this package: ten minutes and 4 GiB, for thousands of
  /// stops or hundreds of photographs.
  package static let ownPages = PictureLimits(
    fileBytes: 1 << 30, pages: 100_000, timePerPage: .seconds(600), rendererMemory: 4 << 30)

  /// Throws if the product of the sides exceeds ``pixels`` or is zero, or a side exceeds ``side``.
  func check(width: Int, height: Int, of source: String) throws(PictureError) {
    guard width > 0, height > 0 else {
      throw .malformed(source, "its header gives a size of \(width) × \(height) pixels")
    }
    guard max(width, height) <= side else {
      throw PictureError(
        .tooLarge, source: source,
        message: "\(source) is \(width) × \(height) pixels; the limit is \(side) along a side.",
        hint: "Cut out the part with the code, and try again.")
    }
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    guard overflow || product > pixels else { return }
    throw PictureError(
      .tooLarge, source: source,
      message: "\(source) is \(width) × \(height) pixels; the limit is \(pixels) pixels in all.",
      hint: "Scale the picture down or cut out the part with the code, and try again.")
  }

  /// Throws if a document has more than ``pages`` pages.
  func check(pages count: Int, of source: String) throws(PictureError) {
    guard count > pages else { return }
    throw PictureError(
      .tooLarge, source: source, message: "\(source) has \(count) pages; the limit is \(pages).",
      hint: "Split the document and scan the parts.")
  }

  /// Throws if a file has more than ``fileBytes`` bytes.
  func check(bytes: Int, atLeast: Bool = false, of source: String) throws(PictureError) {
    guard bytes > fileBytes else { return }
    throw PictureError(
      .tooLarge, source: source,
      message: "\(source) has \(atLeast ? "more than " : "")\(atLeast ? fileBytes : bytes) bytes; "
        + "the limit is \(fileBytes).",
      hint: "Save the picture smaller, or split the document, and try again.")
  }
}
