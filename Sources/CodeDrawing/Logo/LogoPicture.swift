public import Pictures

/// A logo as pixels through which the ground may shine, ready for codes and posters.
///
/// Drawings are rendered once, at more pixels than a printer resolves at the size of a logo; every
/// format then gets the same honest picture instead of half a drawing.
public struct LogoPicture: Hashable, Sendable {
  /// The pixels of the long side of an SVG logo: 600 dots an inch up to 101 mm.
  public static let drawingSide = 2_400
  /// The resolution, in pixels per inch, that a logo is written at where it has more.
  public static let writtenResolution = 600.0
  /// How large a logo may be: 64 MiB, 25 megapixels.
  public static let limits = PictureLimits(fileBytes: 64 << 20, pixels: 25_000_000)

  /// The pixels.
  public let picture: TranslucentPicture
  /// What it was read from, as messages and reports name it.
  public let source: String
  /// What it shows, for those who cannot see it.
  public let alternativeText: String

  /// Pixels across.
  public var width: Int { picture.width }
  /// Pixels down.
  public var height: Int { picture.height }
  /// Whether red, green and blue are the same everywhere something is seen.
  public let isGrey: Bool

  /// Takes a picture.
  ///
  /// - Parameters:
  ///   - picture: the pixels; neither side may be 0.
  ///   - source: what messages call it.
  ///   - alternativeText: what it shows.
  public init(_ picture: TranslucentPicture, source: String, alternativeText: String = "Logo") {
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
  /// - Throws: `PictureError`; files over ``limits`` are refused.
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
  public func resampled(width: Int, height: Int) -> LogoPicture {
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

/// Means over the pixels that lie under each of a new number of pixels along one side.
private struct AreaMean {
  private let parts: [[(index: Int, weight: Float)]]

  init(from old: Int, to new: Int) {
    let scale = Double(old) / Double(new)
    parts = (0..<new).map { pixel in
      let (start, end) = (Double(pixel) * scale, Double(pixel + 1) * scale)
      return (Int(start)..<min(old, Int(end.rounded(.up)))).map { index in
        let overlap = min(end, Double(index + 1)) - max(start, Double(index))
        return (index, Float(max(0, overlap) / scale))
      }
    }
  }

  func across(_ values: [Float], width: Int) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(values.count / width * parts.count)
    for start in stride(from: 0, to: values.count, by: width) {
      for part in parts {
        result.append(part.reduce(0) { $0 + values[start + $1.index] * $1.weight })
      }
    }
    return result
  }

  func down(_ values: [Float], width: Int) -> [Float] {
    var result = [Float](repeating: 0, count: parts.count * width)
    for (row, part) in parts.enumerated() {
      for (index, weight) in part {
        for column in 0..<width {
          result[row * width + column] += values[index * width + column] * weight
        }
      }
    }
    return result
  }
}
