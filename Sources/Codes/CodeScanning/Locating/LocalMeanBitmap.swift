import Pictures

/// The sums of the pixels above and to the left of each corner of a pixel, so that the sum of any
/// rectangle takes four look-ups. Sums wrap at 2³², but differences are right for rectangles of
/// less than 2²⁴ pixels.
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

/// A picture in black and white: a pixel is dark if it is darker than the mean of the square window
/// around it. That compensates for uneven light, as long as the window contains both dark and
/// light: it must be larger than the core of a finder pattern.
struct LocalMeanBitmap: Sendable {
  let width: Int
  let height: Int
  /// Row by row, 1 for dark and 0 for light.
  let isDark: [UInt8]

  /// - Parameters:
  ///   - picture: the grey picture.
  ///   - sums: the sums of the picture.
  ///   - reach: the number of pixels of the window to each side of its centre.
  ///   - offset: the least difference between the mean and a dark pixel.
  init(of picture: GreyPicture, sums: PixelSums, reach: Int, offset: UInt32) {
    let (width, height) = (picture.width, picture.height)
    (self.width, self.height) = (width, height)
    // 259 times the square of 2·1023 + 1 is just below 2³²: there is no overflow below.
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

  /// The input for the threshold of one row.
  private struct Line {
    let pixels: UnsafeBufferPointer<UInt8>
    /// The rows of sums where the window begins and ends.
    let above: UnsafeBufferPointer<UInt32>
    let below: UnsafeBufferPointer<UInt32>
    let rows: UInt32
    let reach: Int
    let offset: UInt32

    func threshold(into out: UnsafeMutableBufferPointer<UInt8>) {
      let width = pixels.count
      let (inner, end) = (min(reach, width), max(min(reach, width), width - reach))
      for x in 0..<inner { out[x] = edge(x) }
      // Away from the border the area is constant, and the loop is vectorised. It uses floating
      // point, because every processor multiplies several of those at once; sums are below 2³¹.
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
