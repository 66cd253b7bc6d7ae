import Basics
public import Pictures

/// A logo as pixels through which the ground may shine, ready for codes and posters.
///
/// Drawings are rendered once, at more pixels than a printer resolves at the size of a logo; every
/// format then gets the same honest picture instead of half a drawing.
public struct LogoPicture: Hashable, Sendable {
  /// The pixels of the long side of an SVG logo: 600 dots an inch up to 101 mm.
  package static let drawingSide = 2_400
  /// The resolution, in pixels per inch, that a logo is written at where it has more.
  package static let writtenResolution = 600.0
  /// How large a logo may be: 64 MiB, 25 megapixels.
  package static let limits = PictureLimits(fileBytes: 64 << 20, pixels: 25_000_000)

  /// The pixels.
  package let picture: TranslucentPicture
  /// What it was read from, as messages and reports name it.
  public let source: String
  /// What it shows, for those who cannot see it.
  public let alternativeText: String

  /// Pixels across.
  public var width: Int { picture.width }
  /// Pixels down.
  public var height: Int { picture.height }
  /// Whether red, green and blue are the same everywhere something is seen.
  package let isGrey: Bool

  /// Takes a picture.
  ///
  /// - Parameters:
  ///   - picture: the pixels; neither side may be 0.
  ///   - source: what messages call it.
  ///   - alternativeText: what it shows.
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

  /// Reads a logo: PNG and SVG with their transparency, all else that can be scanned as opaque.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - source: what messages call it.
  ///   - alternativeText: what it shows.
  /// - Throws: `PictureError`; files over 64 MiB or 25 megapixels are refused.
  public init(
    _ bytes: [UInt8], named source: String, alternativeText: String = "Logo"
  ) async throws(PictureError) {
    let picture = try await PictureLoader(limits: Self.limits).translucent(
      bytes, named: source, drawingSide: Self.drawingSide)
    self.init(picture, source: source, alternativeText: alternativeText)
  }

  /// The logo with exactly so many pixels, each the mean of what lies under it.
  ///
  /// - Precondition: both are at least 1.
  package func resampled(width: Int, height: Int) -> LogoPicture {
    guard (width, height) != (self.width, self.height) else { return self }
    let columns = AreaMean(from: self.width, to: width)
    let rows = AreaMean(from: self.height, to: height)
    let opacity = picture.opacity.pixels.map { Float($0) / 255 }
    let shrunkOpacity = rows.down(columns.across(opacity, width: self.width), width: width)
    func channel(_ plane: GreyPicture) -> GreyPicture {
      // What is hardly there hardly counts: the mean is of the light that is seen.
      let seen = zip(plane.pixels, opacity).map { Float($0) * $1 }
      let mean = rows.down(columns.across(seen, width: self.width), width: width)
      return GreyPicture(
        width: width, height: height,
        pixels: zip(mean, shrunkOpacity).map { $1 > 0 ? UInt8(min(255, $0 / $1 + 0.5)) : 255 })
    }
    let colour = picture.colour
    return LogoPicture(
      TranslucentPicture(
        colour: ColourPicture(
          red: channel(colour.red), green: channel(colour.green), blue: channel(colour.blue)),
        opacity: GreyPicture(
          width: width, height: height, pixels: shrunkOpacity.map { UInt8($0 * 255 + 0.5) })),
      source: source, alternativeText: alternativeText)
  }

  /// The logo for a printed width, with no more pixels than a printer at 600 dots an inch resolves.
  func written(width millimetres: Double) -> LogoPicture {
    let most = (millimetres / CodeSize.millimetresPerInch * Self.writtenResolution).rounded(.up)
    guard Double(width) > most, most >= 1 else { return self }
    let share = most / Double(width)
    return resampled(
      width: Int(most), height: max(1, Int((Double(height) * share).rounded())))
  }

  /// The logo on a ground without any transparency.
  func composited(on ground: Colour) -> ColourPicture {
    func channel(_ plane: GreyPicture, _ ground: UInt8) -> GreyPicture {
      let pixels = zip(plane.pixels, picture.opacity.pixels).map { value, opacity -> UInt8 in
        let seen = Int(value) * Int(opacity)
        let through = Int(ground) * (255 - Int(opacity))
        return UInt8((seen + through + 127) / 255)
      }
      return GreyPicture(width: width, height: height, pixels: pixels)
    }
    let colour = picture.colour
    return ColourPicture(
      red: channel(colour.red, ground.red), green: channel(colour.green, ground.green),
      blue: channel(colour.blue, ground.blue))
  }
}
