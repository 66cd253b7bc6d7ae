import CliptagBasics
public import Pictures

/// A logo for codes and posters: pixels with transparency, and the original for files that can hold
/// it.
///
/// Drawings stay vectors in PDF and SVG, and in EPS unless they are translucent; JPEG files in CMYK
/// keep their inks in PDF. Otherwise drawings are rendered once, with more pixels than a printer
/// resolves at the size of a logo.
public struct LogoPicture: Hashable, Sendable {
  /// The pixels of the long side of a drawing: 600 dots per inch up to 101 mm.
  package static let drawingSide = 2_400
  /// The maximum resolution, in pixels per inch, at which a logo is written.
  package static let writtenResolution = 600.0
  /// The resolution, in pixels per inch, below which the edges of a logo look soft.
  package static let leastResolution = 200.0
  /// The maximum size of a logo: 64 MiB, 25 megapixels.
  package static let limits = PictureLimits(fileBytes: 64 << 20, pixels: 25_000_000)

  /// The pixels.
  package let picture: TranslucentPicture
  /// The vectors or inks; `nil` for pixels in red, green and blue.
  package private(set) var original: OriginalPicture?
  /// Whether it is made of vectors, not of pixels.
  private var isDrawing = false
  /// The name of its source in messages and reports.
  public let source: String
  /// The text alternative.
  public let alternativeText: String

  /// The width in pixels.
  public var width: Int { picture.width }
  /// The height in pixels.
  public var height: Int { picture.height }
  /// Whether red, green and blue are equal in all visible pixels.
  package let isGrey: Bool

  /// Whether no pixel is translucent.
  var isOpaque: Bool { picture.opacity.pixels.allSatisfy { $0 == 255 } }

  /// Makes a logo from a picture.
  ///
  /// - Parameters:
  ///   - picture: The pixels; neither side may be 0.
  ///   - source: Its name in messages.
  ///   - alternativeText: The text alternative.
  package init(_ picture: TranslucentPicture, source: String, alternativeText: String = "Logo") {
    self.picture = picture
    self.source = source
    self.alternativeText = alternativeText
    let (red, green, blue) = (picture.colour.red, picture.colour.green, picture.colour.blue)
    isGrey = red.pixels.indices.allSatisfy {
      picture.opacity.pixels[$0] == 0
        || red.pixels[$0] == green.pixels[$0] && green.pixels[$0] == blue.pixels[$0]
    }
  }

  /// Reads a logo: PNG, SVG and the first page of a PDF file with their transparency, all other
  /// readable formats as opaque.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - source: Its name in messages.
  ///   - alternativeText: The text alternative.
  ///   - formats: The formats of the files that it goes into: each needs other programs.
  /// - Throws: `PictureError`; files over 64 MiB or 25 megapixels are refused.
  public init(
    _ bytes: [UInt8], named source: String, alternativeText: String = "Logo",
    for formats: Set<DrawingFormat> = Set(DrawingFormat.allCases)
  ) async throws(PictureError) {
    let format = PictureFormat.recognise(bytes)
    let bytes =
      format == .pdf
      ? try await PDFPicture.page(of: bytes, named: source, limits: Self.limits) : bytes
    let picture = try await PictureLoader(limits: Self.limits).translucent(
      bytes, named: source, drawingSide: Self.drawingSide)
    self.init(picture, source: source, alternativeText: alternativeText)
    original = try await OriginalPicture(
      bytes, named: source, for: Set(formats.map(\.target)), isGrey: isGrey,
      limits: Self.limits)
    isDrawing = original?.isDrawing == true
  }

  /// The resolution if it is printed so large that it has too few pixels; `nil` for enough, and for
  /// vectors.
  ///
  /// - Parameter millimetres: The printed width.
  func coarse(width millimetres: Double) -> CoarsePicture? {
    let resolution = Double(width) * CodeSize.millimetresPerInch / millimetres
    guard !isDrawing, resolution < Self.leastResolution else { return nil }
    return CoarsePicture(
      source: source, dotsPerInch: Int(bounded: resolution),
      least: Int(bounded: Self.leastResolution))
  }

  /// The warning against printing it so large; `nil` for none.
  ///
  /// - Parameter millimetres: The printed width.
  func warning(width millimetres: Double) -> LogoWarning? {
    coarse(width: millimetres).map { coarse in
      let enough =
        (millimetres / CodeSize.millimetresPerInch * Self.leastResolution).rounded(.up)
      return LogoWarning(
        code: "logo-coarse",
        message: "The logo is \(width) pixels wide, \(coarse.dotsPerInch) to the printed inch.",
        hint: "Give an SVG or PDF file, or \(Int(bounded: enough)) pixels or more.")
    }
  }

  /// The logo with an exact number of pixels, each the mean of the area under it.
  ///
  /// - Precondition: Both are at least 1.
  package func resampled(width: Int, height: Int) -> LogoPicture {
    guard (width, height) != (self.width, self.height) else { return self }
    var resampled = LogoPicture(
      picture.resampled(width: width, height: height), source: source,
      alternativeText: alternativeText)
    (resampled.original, resampled.isDrawing) = (original, isDrawing)
    return resampled
  }

  /// The logo for a printed width, with no more pixels than a printer with 600 dots per inch
  /// resolves.
  func written(width millimetres: Double) -> LogoPicture {
    let most = (millimetres / CodeSize.millimetresPerInch * Self.writtenResolution).rounded(.up)
    guard Double(width) > most, most >= 1 else { return self }
    let share = most / Double(width)
    return resampled(
      width: Int(bounded: most), height: max(1, Int(bounded: (Double(height) * share).rounded())))
  }

  /// The logo composited on a ground, without transparency.
  func composited(on ground: Colour) -> ColourPicture {
    picture.composited(red: ground.red, green: ground.green, blue: ground.blue)
  }
}

/// A picture with too few pixels for its printed size.
package struct CoarsePicture: Hashable, Sendable {
  /// The name of its source.
  package let source: String
  /// The pixels to the inch.
  package let dotsPerInch: Int
  /// The least that looks sharp.
  package let least: Int
}

extension DrawingFormat {
  /// The kind of file whose pictures a file of the format has: a page is drawn as PNG from its SVG.
  fileprivate var target: OriginalPicture.Target {
    switch self {
    case .svg, .png: .svg
    case .pdf: .pdf
    case .eps: .eps
    }
  }
}
