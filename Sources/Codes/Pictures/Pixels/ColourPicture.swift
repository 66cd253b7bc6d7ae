/// A colour picture in memory: red, green and blue, each a separate picture of the same size.
///
/// The values are those of the file; colour profiles are ignored.
public struct ColourPicture: Hashable, Sendable {
  /// The red channel, 0 … 255.
  public let red: GreyPicture
  /// The green channel.
  public let green: GreyPicture
  /// The blue channel.
  public let blue: GreyPicture

  /// Creates a picture from its channels.
  ///
  /// - Precondition: all three have the same size.
  public init(red: GreyPicture, green: GreyPicture, blue: GreyPicture) {
    precondition(red.width == green.width && green.width == blue.width)
    precondition(red.height == green.height && green.height == blue.height)
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The width in pixels.
  public var width: Int { red.width }
  /// The height in pixels.
  public var height: Int { red.height }

  /// Creates a picture from three consecutive planes.
  ///
  /// - Precondition: there are three times `width` × `height` bytes.
  package init(width: Int, height: Int, planes: [UInt8]) {
    let size = width * height
    func plane(_ index: Int) -> GreyPicture {
      GreyPicture(
        width: width, height: height, pixels: Array(planes[index * size..<(index + 1) * size]))
    }
    self.init(red: plane(0), green: plane(1), blue: plane(2))
  }

  /// Creates a colour picture from a grey one.
  public init(_ grey: GreyPicture) { self.init(red: grey, green: grey, blue: grey) }

  /// The picture in grey, as ITU-R BT.601 weighs the channels.
  var grey: GreyPicture {
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { out, count in
      count = width * height
      red.pixels.withUnsafeBufferPointer { red in
        green.pixels.withUnsafeBufferPointer { green in
          blue.pixels.withUnsafeBufferPointer { blue in
            // The weights of cpng_read, so that both ways of reading give the same picture.
            for index in 0..<count {
              let light =
                19_595 &* UInt32(red[index]) &+ 38_470 &* UInt32(green[index])
                &+ 7_471 &* UInt32(blue[index]) &+ 32_768
              out[index] = UInt8(truncatingIfNeeded: light >> 16)
            }
          }
        }
      }
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  /// The least difference between red, green and blue of a pixel that counts as coloured.
  private static let leastChroma = 40

  /// A Boolean value that indicates whether at least one pixel in fifty is coloured: a code needs
  /// that share of a picture.
  package var isColourful: Bool {
    let (red, green, blue) = (red.pixels, green.pixels, blue.pixels)
    let step = max(1, red.count / 20_000)
    var seen = 0
    var coloured = 0
    for index in stride(from: 0, to: red.count, by: step) {
      let (r, g, b) = (Int(red[index]), Int(green[index]), Int(blue[index]))
      seen += 1
      if max(r, g, b) - min(r, g, b) >= Self.leastChroma { coloured += 1 }
    }
    return coloured * 50 >= seen && seen > 0
  }

  /// Returns the displayed picture, if its rows are stored in the given orientation.
  package func upright(from orientation: PictureOrientation) -> ColourPicture {
    ColourPicture(
      red: red.upright(from: orientation), green: green.upright(from: orientation),
      blue: blue.upright(from: orientation))
  }

  /// Returns the picture with each square of `factor` × `factor` pixels averaged into one.
  func reduced(by factor: Int) -> ColourPicture {
    ColourPicture(
      red: red.reduced(by: factor), green: green.reduced(by: factor), blue: blue.reduced(by: factor)
    )
  }

  /// Returns the picture reduced by the smallest integer factor that brings its long side down to
  /// `longSide` pixels or less, each pixel the average of a square; unchanged if it is not longer.
  ///
  /// - Parameter longSide: at least 1.
  /// - Returns: the smaller picture and the factor; the remainder at the right and at the bottom is
  ///   dropped.
  package func fitted(longSide: Int) -> (picture: ColourPicture, factor: Int) {
    let long = max(width, height)
    let wanted = (long + longSide - 1) / max(1, longSide)
    // A picture of one line cannot be reduced along its short side.
    let factor = max(1, min(wanted, min(width, height)))
    return (reduced(by: factor), factor)
  }

  /// Returns the picture reduced to a long side of exactly `longSide` pixels, each pixel the mean
  /// of the area it covers; unchanged if it is not longer.
  ///
  /// - Parameter longSide: at least 1.
  package func shrunk(longSide: Int) -> ColourPicture {
    let long = max(width, height)
    guard long > longSide, longSide > 0 else { return self }
    func side(_ pixels: Int) -> Int {
      max(1, Int((Double(pixels) * Double(longSide) / Double(long)).rounded()))
    }
    let (columns, rows) = (side(width), side(height))
    // By an integer factor first: that is exact, fast, and needs no fractions of pixels.
    let factor = max(1, min(long / longSide, min(width, height)))
    let coarse = reduced(by: factor)
    let across = AreaMean(from: coarse.width, to: columns)
    let down = AreaMean(from: coarse.height, to: rows)
    func plane(_ plane: GreyPicture) -> GreyPicture {
      let values = across.across(plane.pixels.map(Float.init), width: plane.width)
      let means = down.down(values, width: columns)
      return GreyPicture(
        width: columns, height: rows, pixels: means.map { UInt8(max(0, min(255, $0 + 0.5))) })
    }
    return ColourPicture(
      red: plane(coarse.red), green: plane(coarse.green), blue: plane(coarse.blue))
  }
}

/// A translucent colour picture in memory, such as a logo.
package struct TranslucentPicture: Hashable, Sendable {
  /// The colours, not multiplied by the opacity.
  package let colour: ColourPicture
  /// The opacity of each pixel: 0 transparent, 255 opaque.
  package let opacity: GreyPicture

  /// Creates a picture.
  ///
  /// - Precondition: both parts have the same size.
  package init(colour: ColourPicture, opacity: GreyPicture) {
    precondition(colour.width == opacity.width && colour.height == opacity.height)
    self.colour = colour
    self.opacity = opacity
  }

  /// The picture in grey on black.
  var onBlack: GreyPicture {
    let (red, green, blue) = (colour.red.pixels, colour.green.pixels, colour.blue.pixels)
    let pixels = [UInt8](unsafeUninitializedCapacity: red.count) { out, count in
      for index in red.indices {
        // ITU-R BT.601, in parts of 1,000.
        let light = 299 * Int(red[index]) + 587 * Int(green[index]) + 114 * Int(blue[index])
        out[index] = UInt8(light * Int(opacity.pixels[index]) / 255_000)
      }
      count = red.count
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  /// Creates an opaque picture.
  package init(opaque colour: ColourPicture) {
    let count = colour.width * colour.height
    self.init(
      colour: colour,
      opacity: GreyPicture(
        width: colour.width, height: colour.height, pixels: [UInt8](repeating: 255, count: count)))
  }

  /// The width in pixels.
  package var width: Int { colour.width }
  /// The height in pixels.
  package var height: Int { colour.height }

  /// Returns the picture with an exact number of pixels, each the mean of the area under it.
  ///
  /// - Precondition: both are at least 1.
  package func resampled(width: Int, height: Int) -> TranslucentPicture {
    let columns = AreaMean(from: self.width, to: width)
    let rows = AreaMean(from: self.height, to: height)
    let opacity = opacity.pixels.map { Float($0) / 255 }
    let shrunkOpacity = rows.down(columns.across(opacity, width: self.width), width: width)
    func channel(_ plane: GreyPicture) -> GreyPicture {
      // Colours are weighted by opacity: the mean is of the visible light.
      let seen = zip(plane.pixels, opacity).map { Float($0) * $1 }
      let mean = rows.down(columns.across(seen, width: self.width), width: width)
      return GreyPicture(
        width: width, height: height,
        pixels: zip(mean, shrunkOpacity).map { $1 > 0 ? UInt8(min(255, $0 / $1 + 0.5)) : 255 })
    }
    return TranslucentPicture(
      colour: ColourPicture(
        red: channel(colour.red), green: channel(colour.green), blue: channel(colour.blue)),
      opacity: GreyPicture(
        width: width, height: height, pixels: shrunkOpacity.map { UInt8($0 * 255 + 0.5) }))
  }

  /// Returns the picture composited on a ground of one colour, without transparency.
  package func composited(red: UInt8, green: UInt8, blue: UInt8) -> ColourPicture {
    func channel(_ plane: GreyPicture, _ ground: UInt8) -> GreyPicture {
      let pixels = zip(plane.pixels, opacity.pixels).map { value, opacity -> UInt8 in
        let seen = Int(value) * Int(opacity)
        let through = Int(ground) * (255 - Int(opacity))
        return UInt8((seen + through + 127) / 255)
      }
      return GreyPicture(width: width, height: height, pixels: pixels)
    }
    return ColourPicture(
      red: channel(colour.red, red), green: channel(colour.green, green),
      blue: channel(colour.blue, blue))
  }
}

/// Resamples one dimension by the means of the areas that the new pixels cover.
package struct AreaMean {
  private let parts: [[(index: Int, weight: Float)]]

  /// - Precondition: both are at least 1.
  package init(from old: Int, to new: Int) {
    let scale = Double(old) / Double(new)
    parts = (0..<new).map { pixel in
      let (start, end) = (Double(pixel) * scale, Double(pixel + 1) * scale)
      return (Int(start)..<min(old, Int(end.rounded(.up)))).map { index in
        let overlap = min(end, Double(index + 1)) - max(start, Double(index))
        return (index, Float(max(0, overlap) / scale))
      }
    }
  }

  /// Resamples rows of `width` values.
  package func across(_ values: [Float], width: Int) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(values.count / width * parts.count)
    for start in stride(from: 0, to: values.count, by: width) {
      for part in parts {
        result.append(part.reduce(0) { $0 + values[start + $1.index] * $1.weight })
      }
    }
    return result
  }

  /// Resamples the columns of rows of `width` values.
  package func down(_ values: [Float], width: Int) -> [Float] {
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
