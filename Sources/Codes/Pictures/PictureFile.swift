#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An opened picture file or document, read page by page.
public struct PictureFile: Sendable {
  /// The name of the input: a path, `standard input`, or a name given by the caller.
  public let source: String
  /// The kind of file, according to its content.
  public let format: PictureFormat
  /// The number of pages of a PDF or TIFF; 1 for all other formats.
  public let pageCount: Int

  /// The recorded position of the picture: JPEG, PNG, HEIC, AVIF, WebP and TIFF may have one.
  public internal(set) var position: PicturePosition?
  /// The recorded time at which the picture was taken.
  public internal(set) var taken: Date?

  /// A Boolean value that indicates whether page numbers are meaningful: in every PDF, and in a
  /// TIFF with several.
  public var isDocument: Bool { format == .pdf || pageCount > 1 }

  /// A Boolean value that indicates whether it is a drawing rather than a photograph: it cannot be
  /// photographed again.
  public var isDrawing: Bool { format == .pdf || format == .svg }

  let load: @Sendable (_ page: Int) async throws(PictureError) -> LoadedPicture

  /// Decodes or renders one page.
  ///
  /// - Parameter number: the number of the page, 1 to ``pageCount``.
  /// - Throws: ``PictureError``; `noSuchPage` outside that range, `cancelled` as soon as the task
  ///   is cancelled. Other pages remain readable.
  public func page(_ number: Int) async throws(PictureError) -> LoadedPicture {
    guard (1...max(1, pageCount)).contains(number), pageCount > 0 else {
      throw PictureError(
        .noSuchPage, source: source,
        message: "\(source) has no page \(number); it has \(pageCount).",
        hint: "Give a page from 1 to \(pageCount).")
    }
    return try await load(number)
  }
}

/// An opened picture or page: a first look, and a closer one on demand.
///
/// Photographs and scans have far more pixels than a code in them needs, and noise that averaging
/// removes. Therefore the first look at 12 megapixels has half the sides, the first look at a PDF
/// page has 200 dots per inch and at an SVG drawing 2,400 pixels; ``closerLook()`` has all pixels,
/// or twice the resolution. Positions are in pixels of ``width`` × ``height``, regardless of the
/// look.
public struct LoadedPicture: Sendable {
  /// The name of the input: a path, `standard input`, or a name given by the caller.
  public let source: String
  /// The number of the page, from 1; always 1 except for PDF and TIFF.
  public let page: Int
  /// The displayed width in pixels: the picture's own, or that of the first look for a PDF page or
  /// an SVG drawing.
  public let width: Int
  /// The displayed height in pixels.
  public let height: Int
  /// The first look: upright, never larger than `width` × `height`.
  public let firstLook: GreyPicture
  /// The error in the file if only a part could be decoded, else `nil`. Missing parts are white or
  /// grey. A code found in the rest is valid; if none is found, throw this error instead of
  /// reporting an empty picture.
  public let damage: PictureError?
  /// The parts of the page, if neither the first look nor a closer one has the pixels that the
  /// smallest code on such a large page needs.
  package let parts: PictureParts?
  /// A Boolean value that indicates whether the picture is so large that a search of the whole
  /// would miss the smallest code.
  package let isLarge: Bool

  /// A Boolean value that indicates whether enough pixels may be coloured for a code; `false` only
  /// if decoding showed that they are not.
  package let mayBeColourful: Bool

  private let closer: (@Sendable () async throws(PictureError) -> GreyPicture)?
  private let colour: (@Sendable () async throws(PictureError) -> ColourPicture?)?
  private let dark: (@Sendable () async throws(PictureError) -> GreyPicture)?

  init(
    source: String, page: Int = 1, width: Int, height: Int, firstLook: GreyPicture,
    damage: PictureError? = nil, parts: PictureParts? = nil, isLarge: Bool = false,
    mayBeColourful: Bool = true,
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
    self.mayBeColourful = mayBeColourful
    self.closer = closer
    self.colour = colour
    self.dark = dark
  }

  /// Returns the picture with more pixels, or `nil` if the first look has all of them.
  ///
  /// Decodes or renders again; may take as long as ``PictureLimits/timePerPage``.
  public func closerLook() async throws(PictureError) -> GreyPicture? {
    guard let closer else { return nil }
    return try await closer()
  }

  /// Returns the first look in colour, or `nil` if the file has no colour.
  ///
  /// Decodes or renders again; may take as long as ``PictureLimits/timePerPage``.
  public func colourLook() async throws(PictureError) -> ColourPicture? {
    guard let colour else { return nil }
    return try await colour()
  }

  /// Returns the first look with a black background behind transparent parts, instead of white;
  /// `nil` if nothing is transparent.
  ///
  /// Decodes or renders again; may take as long as ``PictureLimits/timePerPage``.
  package func lookOnDarkGround() async throws(PictureError) -> GreyPicture? {
    guard let picture = try await dark?(), picture != firstLook else { return nil }
    return picture
  }

  /// Returns the picture in colour, small enough to be stored. Decodes or renders it again.
  ///
  /// - Parameter longestSide: The most pixels on a side, at least 1.
  /// - Throws: ``PictureError`` if the picture cannot be decoded in colour.
  package func smallCopy(longestSide: Int) async throws(PictureError) -> SmallCopy {
    let look = try await colourLook() ?? ColourPicture(firstLook)
    return SmallCopy(
      picture: look.shrunk(longSide: longestSide), originalWidth: width, originalHeight: height)
  }
}

/// A reduced picture and its original size.
package struct SmallCopy: Hashable, Sendable {
  /// The pixels.
  package let picture: ColourPicture
  /// The width of the original in pixels.
  package let originalWidth: Int
  /// The height of the original in pixels.
  package let originalHeight: Int

  /// Creates a copy.
  package init(picture: ColourPicture, originalWidth: Int, originalHeight: Int) {
    self.picture = picture
    self.originalWidth = originalWidth
    self.originalHeight = originalHeight
  }
}
