import Pictures

/// A picture at several sizes, each half of the previous one, so that in one of them a finder
/// pattern of any size has some pixels, and noise is averaged out.
struct PicturePyramid: Sendable {
  /// One size of the picture.
  struct Level: Sendable {
    let picture: GreyPicture
    /// The number of pixels of the original per pixel of this level.
    let scale: Double

    /// The longer side of the picture in pixels.
    var longSide: Int { max(picture.width, picture.height) }

    /// Returns the interpolated brightness at a point of the original.
    func brightness(at point: PicturePoint, _ pixels: UnsafeBufferPointer<UInt8>) -> Double {
      guard point.isFinite, picture.width > 1, picture.height > 1 else { return 0 }
      let x = min(max(point.x / scale - 0.5, 0), Double(picture.width) - 1.001)
      let y = min(max(point.y / scale - 0.5, 0), Double(picture.height) - 1.001)
      let (column, row) = (Int(x), Int(y))
      let (right, lower) = (x - Double(column), y - Double(row))
      let index = row * picture.width + column
      let upper = Double(pixels[index]) * (1 - right) + Double(pixels[index + 1]) * right
      let under =
        Double(pixels[index + picture.width]) * (1 - right)
        + Double(pixels[index + picture.width + 1]) * right
      return upper * (1 - lower) + under * lower
    }
  }

  /// The levels, from the original to the smallest.
  let levels: [Level]

  /// Halves a picture until its long side would fall below `smallestSide`.
  init(of picture: GreyPicture, smallestSide: Int) {
    var levels = [Level(picture: picture, scale: 1)]
    while let last = levels.last, max(last.picture.width, last.picture.height) / 2 >= smallestSide,
      min(last.picture.width, last.picture.height) >= 2
    {
      levels.append(Level(picture: Self.halved(last.picture), scale: last.scale * 2))
    }
    self.levels = levels
  }

  /// Returns the level at which a length in original pixels is nearest to, but not below, `wanted`
  /// pixels; the original if no level is that fine.
  func level(bringing length: Double, downTo wanted: Double) -> Level {
    levels.last { length / $0.scale >= wanted } ?? levels[0]
  }

  /// Returns the picture with each square of four pixels averaged into one.
  static func halved(_ picture: GreyPicture) -> GreyPicture {
    let (width, height) = (picture.width / 2, picture.height / 2)
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { out, count in
      picture.pixels.withUnsafeBufferPointer { pixels in
        for y in 0..<height {
          // Both rows are twice as long as the output, or one pixel longer.
          let upper = UnsafeBufferPointer(rebasing: pixels[2 * y * picture.width..<pixels.count])
          let lower = UnsafeBufferPointer(
            rebasing: pixels[(2 * y + 1) * picture.width..<pixels.count])
          let line = UnsafeMutableBufferPointer(rebasing: out[y * width..<(y + 1) * width])
          for x in 0..<width {
            let left = 2 &* x
            let above = UInt16(upper[left]) &+ UInt16(upper[left &+ 1])
            let below = UInt16(lower[left]) &+ UInt16(lower[left &+ 1])
            line[x] = UInt8(truncatingIfNeeded: (above &+ below &+ 2) >> 2)
          }
        }
      }
      count = width * height
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }
}
