/// A picture in memory: one byte a pixel, 0 black to 255 white, rows from the top, no padding.
public struct GreyPicture: Hashable, Sendable {
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// `width * height` bytes, row by row.
  public let pixels: [UInt8]

  /// Makes a picture.
  ///
  /// - Precondition: `pixels.count == width * height`.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width >= 0 && height >= 0 && pixels.count == width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}

extension GreyPicture {
  /// The picture with each square of `factor` × `factor` pixels averaged into one; what is left
  /// over at the right and at the bottom is dropped.
  ///
  /// - Parameter factor: 1 … the shorter side.
  func reduced(by factor: Int) -> GreyPicture {
    let columns = width / max(1, factor)
    let rows = height / max(1, factor)
    guard factor > 1, columns > 0, rows > 0 else { return self }
    let area = UInt32(factor * factor)
    let small = [UInt8](unsafeUninitializedCapacity: columns * rows) { out, count in
      pixels.withUnsafeBufferPointer { stored in
        // Down first, where one addition follows the other in memory, then across.
        var sums = [UInt32](repeating: 0, count: columns * factor)
        for row in 0..<rows {
          for column in sums.indices { sums[column] = 0 }
          for line in row * factor..<(row + 1) * factor {
            let start = line * width
            for column in sums.indices { sums[column] &+= UInt32(stored[start + column]) }
          }
          for column in 0..<columns {
            var sum = area / 2
            for part in column * factor..<(column + 1) * factor { sum &+= sums[part] }
            out[row * columns + column] = UInt8(truncatingIfNeeded: sum / area)
          }
        }
      }
      count = columns * rows
    }
    return GreyPicture(width: columns, height: rows, pixels: small)
  }
}

extension ColourPicture {
  /// The picture with each square of `factor` × `factor` pixels averaged into one.
  func reduced(by factor: Int) -> ColourPicture {
    ColourPicture(
      red: red.reduced(by: factor), green: green.reduced(by: factor), blue: blue.reduced(by: factor)
    )
  }
}

/// Means over the pixels that lie under each of a new number of pixels along one side.
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

  /// Rows of `width` values, each shrunk or stretched.
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

  /// Columns of rows of `width` values, each shrunk or stretched.
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
