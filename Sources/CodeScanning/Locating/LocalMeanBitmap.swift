import Pictures

/// The sums of the pixels above and to the left of each corner of a pixel, so that the sum of any
/// rectangle takes four look-ups. Sums wrap at 2³², and differences come out right all the same
/// for rectangles of less than 2²⁴ pixels.
struct PixelSums: Sendable {
  let width: Int
  let height: Int
  /// `width + 1` sums for each of `height + 1` rows.
  fileprivate let sums: [UInt32]

  init(of picture: GreyPicture) {
    let (width, height) = (picture.width, picture.height)
    (self.width, self.height) = (width, height)
    let line = width + 1
    sums = [UInt32](unsafeUninitializedCapacity: line * (height + 1)) { out, count in
      for x in 0..<line { out[x] = 0 }
      picture.pixels.withUnsafeBufferPointer { pixels in
        for y in 0..<height {
          let (above, here) = (y * line, (y + 1) * line)
          let row = UnsafeBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
          var sum: UInt32 = 0
          out[here] = 0
          for x in 0..<width {
            sum &+= UInt32(row[x])
            out[here &+ x &+ 1] = out[above &+ x &+ 1] &+ sum
          }
        }
      }
      count = line * (height + 1)
    }
  }
}

/// A picture in black and white: a pixel is dark where it is darker than the mean of the square
/// window around it. That evens out light and shadow, as long as the window holds both dark and
/// light: it must be larger than the core of a finder pattern.
struct LocalMeanBitmap: Sendable {
  let width: Int
  let height: Int
  /// Row by row, 1 for dark and 0 for light.
  let isDark: [UInt8]

  /// - Parameters:
  ///   - picture: the grey picture.
  ///   - sums: its sums.
  ///   - reach: pixels of the window to each side of its middle.
  ///   - offset: how much darker than the mean a dark pixel is at least.
  init(of picture: GreyPicture, sums: PixelSums, reach: Int, offset: UInt32) {
    let (width, height) = (picture.width, picture.height)
    (self.width, self.height) = (width, height)
    // 259 times the square of 2·1023 + 1 is just below 2³²: nothing below overflows.
    let reach = min(1023, max(1, reach))
    isDark = [UInt8](unsafeUninitializedCapacity: width * height) { out, count in
      picture.pixels.withUnsafeBufferPointer { pixels in
        sums.sums.withUnsafeBufferPointer { sums in
          for y in 0..<height {
            let (first, end) = (max(0, y - reach), min(height, y + reach + 1))
            let line = Line(
              pixels: UnsafeBufferPointer(rebasing: pixels[y * width..<(y + 1) * width]),
              above: UnsafeBufferPointer(
                rebasing: sums[first * (width + 1)..<(first + 1) * (width + 1)]),
              below: UnsafeBufferPointer(
                rebasing: sums[end * (width + 1)..<(end + 1) * (width + 1)]),
              rows: UInt32(end - first), reach: reach, offset: offset)
            line.threshold(
              into: UnsafeMutableBufferPointer(rebasing: out[y * width..<(y + 1) * width]))
          }
        }
      }
      count = width * height
    }
  }

  /// What the threshold of one row needs.
  private struct Line {
    let pixels: UnsafeBufferPointer<UInt8>
    /// The row of sums where the window begins, and the one where it ends.
    let above: UnsafeBufferPointer<UInt32>
    let below: UnsafeBufferPointer<UInt32>
    let rows: UInt32
    let reach: Int
    let offset: UInt32

    func threshold(into out: UnsafeMutableBufferPointer<UInt8>) {
      let width = pixels.count
      let (inner, end) = (min(reach, width), max(min(reach, width), width - reach))
      for x in 0..<inner { out[x] = edge(x) }
      // Away from the border the area is constant, and the loop is done many pixels at once.
      // In floating point, because every processor multiplies several of those at once; sums stay
      // below 2³¹.
      let area = Float(rows &* UInt32(2 * reach + 1))
      let (reach, offset) = (reach, Int32(offset))
      guard let above = above.baseAddress, let below = below.baseAddress,
        let pixels = pixels.baseAddress, let out = out.baseAddress
      else { return }
      for x in inner..<end {
        let sum =
          below[x &+ reach &+ 1] &- below[x &- reach] &- above[x &+ reach &+ 1]
          &+ above[x &- reach]
        let level = Float(Int32(pixels[x]) &+ offset) * area
        out[x] = level < Float(Int32(bitPattern: sum)) ? 1 : 0
      }
      for x in end..<width { out[x] = edge(x) }
    }

    private func edge(_ x: Int) -> UInt8 {
      let (first, last) = (max(0, x - reach), min(pixels.count, x + reach + 1))
      let sum = below[last] &- below[first] &- above[last] &+ above[first]
      return (UInt32(pixels[x]) &+ offset) &* (rows &* UInt32(last - first)) < sum ? 1 : 0
    }
  }
}

/// A picture at several sizes, each half of the one before, so that a finder pattern of any size
/// is some pixels large, and noise averaged out, in one of them.
struct PicturePyramid: Sendable {
  /// One size of the picture.
  struct Level: Sendable {
    let picture: GreyPicture
    /// How many pixels of the original one pixel of this level stands for.
    let scale: Double
  }

  /// From the original to the smallest.
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

  /// The level at which a length of so many original pixels is nearest to, but not below,
  /// `wanted` pixels; the original when none is that fine.
  func level(bringing length: Double, downTo wanted: Double) -> Level {
    levels.last { length / $0.scale >= wanted } ?? levels[0]
  }

  /// Each pixel the mean of four.
  private static func halved(_ picture: GreyPicture) -> GreyPicture {
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
            let sum =
              UInt16(upper[2 &* x]) &+ UInt16(upper[2 &* x &+ 1]) &+ UInt16(lower[2 &* x])
              &+ UInt16(lower[2 &* x &+ 1])
            line[x] = UInt8(truncatingIfNeeded: (sum &+ 2) >> 2)
          }
        }
      }
      count = width * height
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }
}
