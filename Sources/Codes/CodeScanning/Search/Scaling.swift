import Pictures

/// Reduces pictures by averaging areas, and enlarges them by interpolation.
enum Scaling {
  /// Returns the picture reduced to a long side of `longSide` pixels by averaging areas, which
  /// removes noise and paper grain; unchanged if it is not longer.
  static func reduced(_ picture: GreyPicture, longSide: Int) -> GreyPicture {
    let long = max(picture.width, picture.height)
    guard long > longSide, longSide > 0 else { return picture }
    let width = max(1, (picture.width * longSide + long / 2) / long)
    let height = max(1, (picture.height * longSide + long / 2) / long)
    let columns = spans(from: picture.width, to: width)
    let rows = spans(from: picture.height, to: height)
    var line = [Float](repeating: 0, count: width)
    var sum = [Float](repeating: 0, count: width)
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { out, count in
      picture.pixels.withUnsafeBufferPointer { pixels in
        var done = -1
        for y in 0..<height {
          let span = rows[y]
          for x in 0..<width { sum[x] = 0 }
          for row in span.first...span.last {
            // A row on the border between two output rows counts for both.
            if row != done {
              reduce(pixels, row * picture.width, columns, into: &line)
              done = row
            }
            let weight = span.weight(of: row)
            for x in 0..<width { sum[x] += line[x] * weight }
          }
          for x in 0..<width {
            out[y * width + x] = UInt8(min(255, max(0, sum[x] + 0.5)))
          }
        }
      }
      count = width * height
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  /// The pixels that one output pixel averages, with the weights of the outermost two.
  private struct Span {
    let first: Int
    let last: Int
    let firstWeight: Float
    let lastWeight: Float
    let innerWeight: Float

    func weight(of index: Int) -> Float {
      index == first ? firstWeight : index == last ? lastWeight : innerWeight
    }
  }

  private static func spans(from count: Int, to wanted: Int) -> [Span] {
    let step = Double(count) / Double(wanted)
    return (0..<wanted).map { index in
      let start = Double(index) * step
      let end = min(Double(count), start + step)
      let first = Int(start)
      let last = max(first, min(count - 1, Int((end).rounded(.up)) - 1))
      let firstPart = first == last ? end - start : Double(first + 1) - start
      return Span(
        first: first, last: last, firstWeight: Float(firstPart / step),
        lastWeight: Float((end - Double(last)) / step), innerWeight: Float(1 / step))
    }
  }

  private static func reduce(
    _ pixels: UnsafeBufferPointer<UInt8>, _ start: Int, _ columns: [Span],
    into line: inout [Float]
  ) {
    for (x, span) in columns.enumerated() {
      var value = Float(pixels[start + span.first]) * span.firstWeight
      if span.last > span.first {
        var inner: Int32 = 0
        var index = span.first + 1
        while index < span.last {
          inner += Int32(pixels[start + index])
          index += 1
        }
        value += Float(inner) * span.innerWeight
        value += Float(pixels[start + span.last]) * span.lastWeight
      }
      line[x] = value
    }
  }

  /// Returns the picture at twice its width and height, by the cubic kernel of Catmull and Rom:
  /// zbar needs about three pixels per module.
  static func doubled(_ picture: GreyPicture) -> GreyPicture {
    let (width, height) = (picture.width, picture.height)
    guard width > 0, height > 0 else { return picture }
    // Doubles the width first, in 16 bits because the kernel overshoots.
    let wideRow = width * 2
    let wide = [Int16](unsafeUninitializedCapacity: wideRow * height) { wide, count in
      picture.pixels.withUnsafeBufferPointer { pixels in
        for y in 0..<height {
          let row = UnsafeBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
          for x in 0..<width {
            // Outside the picture, the edge continues.
            let isInside = x >= 2 && x + 2 < width
            func sample(_ step: Int) -> Int32 {
              Int32(row[isInside ? x + step : min(width - 1, max(0, x + step))])
            }
            let (left, right) = halves(
              sample(-2), sample(-1), sample(0), sample(1), sample(2))
            wide[y * wideRow + x * 2] = Int16(truncatingIfNeeded: left)
            wide[y * wideRow + x * 2 + 1] = Int16(truncatingIfNeeded: right)
          }
        }
      }
      count = wideRow * height
    }
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { out, count in
      wide.withUnsafeBufferPointer { wide in
        for y in 0..<height {
          let rows = (-2...2).map { min(height - 1, max(0, y + $0)) * wideRow }
          let (a, b, c, d, e) = (rows[0], rows[1], rows[2], rows[3], rows[4])
          for x in 0..<wideRow {
            let (upper, lower) = halves(
              Int32(wide[a + x]), Int32(wide[b + x]), Int32(wide[c + x]), Int32(wide[d + x]),
              Int32(wide[e + x]))
            out[y * 2 * wideRow + x] = UInt8(min(255, max(0, upper)))
            out[(y * 2 + 1) * wideRow + x] = UInt8(min(255, max(0, lower)))
          }
        }
      }
      count = width * height * 4
    }
    return GreyPicture(width: wideRow, height: height * 2, pixels: pixels)
  }

  /// Returns the values a quarter before and a quarter after the middle of five samples. The
  /// weights are the kernel's at a quarter, times 128.
  private static func halves(
    _ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32, _ e: Int32
  ) -> (before: Int32, after: Int32) {
    (
      (-3 &* a &+ 29 &* b &+ 111 &* c &- 9 &* d &+ 64) >> 7,
      (-9 &* b &+ 111 &* c &+ 29 &* d &- 3 &* e &+ 64) >> 7
    )
  }
}
