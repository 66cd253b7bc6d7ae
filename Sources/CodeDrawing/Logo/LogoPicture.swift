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

/// A stream of a PDF file: its bytes, and what its dictionary holds besides the length.
struct PDFStream {
  let bytes: [UInt8]
  let entries: String
}

extension LogoPicture {
  /// The image and its soft mask as PDF streams (ISO 32000-1, 8.9.5 and 11.6.5.3): grey when the
  /// logo is grey, so that it prints with black ink alone, else red, green and blue. There is no
  /// mask where nothing shines through.
  func pdfImage(_ compressor: Compressor) -> (colour: PDFStream, mask: PDFStream?) {
    func stream(_ planes: [GreyPicture]) -> PDFStream {
      PDFStream(
        bytes: compressor.compressed(interleaved(planes)),
        entries: "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) "
          + "/BitsPerComponent 8 /ColorSpace /Device\(planes.count == 1 ? "Gray" : "RGB") "
          + "/Filter /FlateDecode")
    }
    let colour = picture.colour
    let isOpaque = picture.opacity.pixels.allSatisfy { $0 == 255 }
    return (
      stream(isGrey ? [colour.red] : [colour.red, colour.green, colour.blue]),
      isOpaque ? nil : stream([picture.opacity])
    )
  }

  private func interleaved(_ planes: [GreyPicture]) -> [UInt8] {
    guard planes.count > 1 else { return planes[0].pixels }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * planes.count)
    for index in 0..<width * height {
      for plane in planes { bytes.append(plane.pixels[index]) }
    }
    return bytes
  }

  /// Appends an SVG element that fills a box with the logo, as a PNG inside the file.
  func appendElement(
    to file: inout ByteText, box: DrawingBox
  ) throws(PictureError) {
    let png = try PNGWriter.translucent(picture)
    PictureMarkup.appendElement(png, type: "image/png", to: &file, box: box)
  }

  /// Appends PostScript level 2 that paints the logo on a ground into a box, in a system that
  /// counts downwards.
  func appendPostScript(to file: inout ByteText, box: DrawingBox, ground: Colour) {
    let colour = composited(on: ground)
    let isGrey = isGrey && ground.isGrey
    PictureMarkup.beginPostScript(
      to: &file, box: box, width: width, height: height, isGrey: isGrey)
    let digits = Array("0123456789abcdef".utf8)
    let planes = isGrey ? [colour.red] : [colour.red, colour.green, colour.blue]
    var line: [UInt8] = []
    for index in 0..<width * height {
      for plane in planes {
        line.append(digits[Int(plane.pixels[index] >> 4)])
        line.append(digits[Int(plane.pixels[index] & 15)])
      }
      if line.count >= 234 {
        file.append(line + [UInt8(ascii: "\n")])
        line = []
      }
    }
    file.append(line)
    file.append(">\ngrestore\n")
  }
}

/// SVG 1.1 refers to a picture by XLink, which every reader of SVG 2 still knows.
let xlinkNamespace = " xmlns:xlink=\"http://www.w3.org/1999/xlink\""

/// Base 64 of RFC 4648 with padding.
func base64(_ bytes: [UInt8]) -> [UInt8] {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(bytes[start + $1]) : 0) }
    for digit in 0..<4 {
      text.append(
        digit <= group.count ? digits[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
    }
  }
  return text
}
