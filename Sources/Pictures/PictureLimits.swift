/// How much a picture may cost before it is refused. Checked before memory is taken for it.
public struct PictureLimits: Hashable, Sendable {
  /// The largest file, in bytes.
  public var fileBytes: Int
  /// The most pixels that one picture or page may have, at full resolution.
  public var pixels: Int
  /// The most pixels that a picture may have across or down: a decoder keeps whole rows, at up to
  /// forty bytes a pixel.
  public var side: Int
  /// The most pages that a document may have.
  public var pages: Int
  /// The longest that rendering one page may take, on the wall clock.
  public var timePerPage: Duration
  /// The longest that rendering all pages of a document may take together, beside each other or one
  /// after the other.
  public var timePerDocument: Duration
  /// The most address space that a rendering program may take, in bytes.
  public var rendererMemory: Int

  /// Makes limits. The defaults let every camera and every poster through that is sold today:
  /// 256 MiB, 100 megapixels, 1,000,000 pixels a side, 500 pages, 20 s a page, 15 times that for a
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

  /// The defaults.
  public static let standard = PictureLimits()

  /// For drawings that this package made: nothing in them is hostile, and a machine may be busy, so
  /// that a page has two minutes.
  package static let ownDrawing = PictureLimits(
    timePerPage: .seconds(120), timePerDocument: .seconds(86_400))

  /// Refuses a picture whose sides multiply to more than ``pixels``, or to nothing, or one of which
  /// is longer than ``side``.
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

  /// Refuses a document of more than ``pages``.
  func check(pages count: Int, of source: String) throws(PictureError) {
    guard count > pages else { return }
    throw PictureError(
      .tooLarge, source: source, message: "\(source) has \(count) pages; the limit is \(pages).",
      hint: "Split the document and scan the parts.")
  }

  /// Refuses a file of more than ``fileBytes``.
  func check(bytes: Int, atLeast: Bool = false, of source: String) throws(PictureError) {
    guard bytes > fileBytes else { return }
    throw PictureError(
      .tooLarge, source: source,
      message: "\(source) has \(atLeast ? "more than " : "")\(atLeast ? fileBytes : bytes) bytes; "
        + "the limit is \(fileBytes).",
      hint: "Save the picture smaller, or split the document, and try again.")
  }
}
