/// A picture file or document that was opened, page by page.
public struct PictureFile: Sendable {
  /// What was read: a path, `standard input`, or the name that the caller gave.
  public let source: String
  /// The kind of file, by its content.
  public let format: PictureFormat
  /// Pages of a PDF or TIFF; 1 for everything else.
  public let pageCount: Int

  /// Where it says it was taken: JPEG, PNG, HEIC, AVIF, WebP and TIFF may.
  public internal(set) var position: PicturePosition?

  /// Whether pages are worth telling apart: of every PDF, and of a TIFF that has several.
  public var isDocument: Bool { format == .pdf || pageCount > 1 }

  /// Whether it is drawn and not taken: no other picture can be taken of it.
  public var isDrawing: Bool { format == .pdf || format == .svg }

  let load: @Sendable (_ page: Int) async throws(PictureError) -> LoadedPicture

  /// Decodes or renders one page.
  ///
  /// - Parameter number: the page, from 1 to ``pageCount``.
  /// - Throws: ``PictureError``; `noSuchPage` outside that range, `cancelled` as soon as the task
  ///   is. Other pages stay readable.
  public func page(_ number: Int) async throws(PictureError) -> LoadedPicture {
    guard (1...max(1, pageCount)).contains(number), pageCount > 0 else {
      throw PictureError(
        .noSuchPage, source: source,
        message: "\(source) has no page \(number); it has \(pageCount).",
        hint: "Ask for a page from 1 to \(pageCount).")
    }
    return try await load(number)
  }
}

/// A picture or a page that was opened: a first look at it, and a closer one on demand.
///
/// Photographs and scans have far more pixels than a code in them needs, and noise that is gone from
/// the average of some. So the first look at 12 megapixels has half its sides, the first look at a
/// PDF page has 200 dots an inch and at an SVG drawing 2,400 pixels; ``closerLook()`` shows all, or
/// twice that. Positions are given in pixels of ``width`` × ``height``, whichever look they were
/// found in.
public struct LoadedPicture: Sendable {
  /// What was read: a path, `standard input`, or the name that the caller gave.
  public let source: String
  /// The page, from 1; always 1 for anything but PDF and TIFF.
  public let page: Int
  /// Pixels across, as displayed: a picture's own, of a PDF page or an SVG drawing the first
  /// look's.
  public let width: Int
  /// Pixels down, as displayed.
  public let height: Int
  /// The first look. Upright; never larger than `width` × `height`.
  public let firstLook: GreyPicture
  /// What was wrong with the file when only a part of it could be decoded, else `nil`. What is
  /// missing is white or grey. A code found all the same is a code; when none is found, throw
  /// this instead of reporting an empty picture.
  public let damage: PictureError?
  /// Set when neither the first look nor a closer one has the pixels that the smallest code on so large
  /// a page needs.
  package let parts: PictureParts?
  /// Whether it is so large that a search of the whole would not see the smallest code in it.
  package let isLarge: Bool

  private let closer: (@Sendable () async throws(PictureError) -> GreyPicture)?
  private let colour: (@Sendable () async throws(PictureError) -> ColourPicture?)?
  private let dark: (@Sendable () async throws(PictureError) -> GreyPicture)?

  init(
    source: String, page: Int = 1, width: Int, height: Int, firstLook: GreyPicture,
    damage: PictureError? = nil, parts: PictureParts? = nil, isLarge: Bool = false,
    closer: (@Sendable () async throws(PictureError) -> GreyPicture)? = nil,
    colour: (@Sendable () async throws(PictureError) -> ColourPicture?)? = nil,
    dark: (@Sendable () async throws(PictureError) -> GreyPicture)? = nil
  ) {
    self.source = source
    self.page = page
    self.width = width
    self.height = height
    self.firstLook = firstLook
    self.damage = damage
    self.parts = parts
    self.isLarge = isLarge || parts != nil
    self.closer = closer
    self.colour = colour
    self.dark = dark
  }

  /// The same picture with more pixels, or `nil` when the first look shows all there are.
  ///
  /// Decodes or renders again; may take as long as ``PictureLimits/timePerPage``.
  public func closerLook() async throws(PictureError) -> GreyPicture? {
    guard let closer else { return nil }
    return try await closer()
  }

  /// The first look in colour, or `nil` when the file holds no colour.
  ///
  /// Decodes or renders again; may take as long as ``PictureLimits/timePerPage``.
  public func colourLook() async throws(PictureError) -> ColourPicture? {
    guard let colour else { return nil }
    return try await colour()
  }

  /// The first look with black behind everything that is transparent, where it has white otherwise; `nil`
  /// when nothing is.
  ///
  /// Decodes or renders again; may take as long as ``PictureLimits/timePerPage``.
  package func lookOnDarkGround() async throws(PictureError) -> GreyPicture? {
    guard let picture = try await dark?(), picture != firstLook else { return nil }
    return picture
  }

  /// The picture in colour, small enough to be kept. Decodes or renders it again.
  ///
  /// - Parameter longestSide: The most pixels across and down, at least 1.
  /// - Throws: ``PictureError`` when the picture cannot be had in colour.
  package func smallCopy(longestSide: Int) async throws(PictureError) -> SmallCopy {
    let look = try await colourLook() ?? ColourPicture(firstLook)
    return SmallCopy(
      picture: look.shrunk(longSide: longestSide), originalWidth: width, originalHeight: height)
  }
}

/// A picture made small, and how large it was.
package struct SmallCopy: Hashable, Sendable {
  /// The pixels.
  package let picture: ColourPicture
  /// Pixels across in the picture that was read.
  package let originalWidth: Int
  /// Pixels down in it.
  package let originalHeight: Int

  /// Puts a copy together.
  package init(picture: ColourPicture, originalWidth: Int, originalHeight: Int) {
    self.picture = picture
    self.originalWidth = originalWidth
    self.originalHeight = originalHeight
  }
}
