import Pictures

/// Converts grey to black and white.
enum Threshold: Hashable, Sendable {
  /// One threshold for the whole picture, which splits the histogram best (Otsu, 1979).
  case otsu
  /// A threshold for every pixel: the mean of the square window of `window` pixels around it, less
  /// `offset`. Compensates for uneven light.
  case localMean(window: Int, offset: Int)

  func applied(to picture: GreyPicture) -> GreyPicture {
    switch self {
    case .otsu: Self.split(picture, at: Self.otsuLevel(picture.pixels))
    case .localMean(let window, let offset):
      Self.localMean(picture, reach: window / 2, offset: offset)
    }
  }

  private static func split(_ picture: GreyPicture, at level: UInt8) -> GreyPicture {
    GreyPicture(
      width: picture.width, height: picture.height,
      pixels: picture.pixels.map { $0 > level ? 255 : 0 })
  }

  /// Returns the level with the largest variance between the pixels up to it and those above.
  static func otsuLevel(_ pixels: [UInt8]) -> UInt8 {
    var histogram = [Int](repeating: 0, count: 256)
    for pixel in pixels { histogram[Int(pixel)] += 1 }
    return split(of: histogram).level
  }

  /// The share of the variance that the best threshold explains in a picture of two tones.
  private static let shareOfTwoTones = 0.92

  /// Returns whether a picture has two tones, as graphics and screens have.
  static func showsTwoTones(_ picture: GreyPicture) -> Bool {
    var histogram = [Int](repeating: 0, count: 256)
    let step = max(1, picture.pixels.count / 20_000)
    for index in stride(from: 0, to: picture.pixels.count, by: step) {
      histogram[Int(picture.pixels[index])] += 1
    }
    return split(of: histogram).share > shareOfTwoTones
  }

  /// Returns the best level of a histogram, and the share of the variance that it explains.
  private static func split(of histogram: [Int]) -> (level: UInt8, share: Double) {
    let total = Double(histogram.reduce(0, +))
    let squares = histogram.enumerated().reduce(0.0) {
      $0 + Double($1.offset * $1.offset * $1.element)
    }
    let sum = histogram.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
    var best: (level: UInt8, variance: Double) = (127, -1)
    var below = 0.0
    var sumBelow = 0.0
    for level in 0..<255 {
      below += Double(histogram[level])
      sumBelow += Double(level * histogram[level])
      guard below > 0, below < total else { continue }
      let difference = sumBelow / below - (sum - sumBelow) / (total - below)
      let variance = below * (total - below) * difference * difference
      if variance > best.variance { best = (UInt8(level), variance) }
    }
    let variance = squares * total - sum * sum
    return (best.level, variance > 0 ? best.variance / variance : 0)
  }

  private static func localMean(_ picture: GreyPicture, reach: Int, offset: Int) -> GreyPicture {
    let (width, height) = (picture.width, picture.height)
    // The sum of each column over the rows of the window. One row of sums instead of a table of the
    // whole picture, which would take nine times the picture's memory.
    var columns = [Int32](repeating: 0, count: width)
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { out, count in
      picture.pixels.withUnsafeBufferPointer { pixels in
        columns.withUnsafeMutableBufferPointer { columns in
          func add(_ row: Int, _ sign: Int32) {
            let row = UnsafeBufferPointer(rebasing: pixels[row * width..<(row + 1) * width])
            for x in 0..<width { columns[x] &+= sign &* Int32(row[x]) }
          }
          for y in 0..<min(reach, height) { add(y, 1) }
          for y in 0..<height {
            if y + reach < height { add(y + reach, 1) }
            if y > reach { add(y - reach - 1, -1) }
            let rows = min(height, y + reach + 1) - max(0, y - reach)
            var sum = columns.prefix(reach).reduce(0) { $0 + Int($1) }
            for x in 0..<width {
              if x + reach < width { sum += Int(columns[x + reach]) }
              if x > reach { sum -= Int(columns[x - reach - 1]) }
              let area = rows * (min(width, x + reach + 1) - max(0, x - reach))
              // pixel ≤ mean − offset, without a division.
              let isDark = (Int(pixels[y * width + x]) + offset) * area <= sum
              out[y * width + x] = isDark ? 0 : 255
            }
          }
        }
      }
      count = width * height
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }
}
