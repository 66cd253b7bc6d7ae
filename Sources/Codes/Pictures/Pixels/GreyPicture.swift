import CliptagPlatform

/// A grey picture in memory: one byte per pixel, 0 black to 255 white, rows from the top, no
/// padding.
public struct GreyPicture: Hashable, Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The `width * height` bytes, row by row.
  public let pixels: [UInt8]

  /// Creates a picture.
  ///
  /// - Precondition: `pixels.count == width * height`.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width >= 0 && height >= 0 && pixels.count == width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Returns the picture with each square of `factor` × `factor` pixels averaged into one; the
  /// remainder at the right and at the bottom is dropped.
  ///
  /// - Parameter factor: 1 … the shorter side.
  func reduced(by factor: Int) -> GreyPicture {
    let columns = width / max(1, factor)
    let rows = height / max(1, factor)
    guard factor > 1, columns > 0, rows > 0 else { return self }
    let area = UInt32(factor * factor)
    let small = [UInt8](unsafeUninitializedCapacity: columns * rows) { out, count in
      pixels.withUnsafeBufferPointer { stored in
        // Sum columns first, where additions run through consecutive memory, then rows.
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

  /// Returns the picture with each pixel repeated `factor` times across and down.
  ///
  /// - Parameter factor: 1 or more.
  package func enlarged(by factor: Int) -> GreyPicture {
    let columns = width * factor
    let large = [UInt8](unsafeUninitializedCapacity: columns * height * factor) { out, count in
      for row in 0..<height {
        let first = row * factor * columns
        for column in 0..<columns { out[first + column] = pixels[row * width + column / factor] }
        for copy in 1..<max(1, factor) {
          for column in 0..<columns { out[first + copy * columns + column] = out[first + column] }
        }
      }
      count = columns * height * factor
    }
    return GreyPicture(width: columns, height: height * factor, pixels: large)
  }

  /// A Boolean value that indicates whether all pixels have the same value.
  package var isUniform: Bool {
    pixels.withUnsafeBytes { bytes in
      // Every byte equals the next one; faster than a loop.
      guard let start = bytes.baseAddress, bytes.count > 1 else { return true }
      return memcmp(start, start + 1, bytes.count - 1) == 0
    }
  }

  /// Returns the area outside which all pixels have the value of the first one, with a margin;
  /// `nil` if all pixels have it.
  package func content(margin: Int) -> PictureParts.Area? {
    guard let ground = pixels.first else { return nil }
    let line = [UInt8](repeating: ground, count: width)
    return pixels.withUnsafeBufferPointer { pixels -> PictureParts.Area? in
      guard let start = pixels.baseAddress else { return nil }
      func isEmpty(_ row: Int) -> Bool { memcmp(start + row * width, line, width) == 0 }
      guard let top = (0..<height).first(where: { !isEmpty($0) }),
        let bottom = (0..<height).last(where: { !isEmpty($0) })
      else { return nil }
      var (left, right) = (width, 0)
      for row in top...bottom where !isEmpty(row) {
        let row = row * width
        if let first = (0..<left).first(where: { pixels[row + $0] != ground }) { left = first }
        if let last = (right..<width).last(where: { pixels[row + $0] != ground }) { right = last }
      }
      let (x, y) = (max(0, left - margin), max(0, top - margin))
      return PictureParts.Area(
        x: x, y: y, width: min(width, right + 1 + margin) - x,
        height: min(height, bottom + 1 + margin) - y)
    }
  }

  /// Returns a part of the picture.
  ///
  /// - Precondition: it lies within the picture.
  package func part(_ area: PictureParts.Area) -> GreyPicture {
    var part: [UInt8] = []
    part.reserveCapacity(area.width * area.height)
    for row in area.y..<area.y + area.height {
      let start = row * width + area.x
      part += pixels[start..<start + area.width]
    }
    return GreyPicture(width: area.width, height: area.height, pixels: part)
  }

  /// Returns the displayed picture, if its rows are stored in the given orientation.
  package func upright(from orientation: PictureOrientation) -> GreyPicture {
    guard orientation != .upright, !pixels.isEmpty else { return self }
    // Each displayed row is a walk through the stored pixels: a first pixel, a step along the row,
    // and a step from row to row.
    let lastColumn = width - 1
    let lastRow = (height - 1) * width
    let (first, along, down): (Int, Int, Int) =
      switch orientation {
      case .upright: (0, 1, width)
      case .mirrored: (lastColumn, -1, width)
      case .upsideDown: (lastRow + lastColumn, -1, -width)
      case .flipped: (lastRow, 1, -width)
      case .transposed: (0, width, 1)
      case .turnedLeft: (lastRow, -width, 1)
      case .transversed: (lastRow + lastColumn, -width, -1)
      case .turnedRight: (lastColumn, width, -1)
      }
    let columns = orientation.swapsSides ? height : width
    let rows = orientation.swapsSides ? width : height
    let turned = [UInt8](unsafeUninitializedCapacity: columns * rows) { out, count in
      walk(columns: columns, rows: rows, first: first, along: along, down: down, into: out)
      count = columns * rows
    }
    return GreyPicture(width: columns, height: rows, pixels: turned)
  }

  /// Copies square by square: along a whole row, a rotated picture would load a cache line for each
  /// pixel, and would have evicted it when the next row needs the adjacent pixel.
  private func walk(
    columns: Int, rows: Int, first: Int, along: Int, down: Int,
    into out: UnsafeMutableBufferPointer<UInt8>
  ) {
    // A cache line holds 64 pixels.
    let side = 64
    pixels.withUnsafeBufferPointer { stored in
      for top in stride(from: 0, to: rows, by: side) {
        for left in stride(from: 0, to: columns, by: side) {
          for row in top..<min(top + side, rows) {
            var position = first + row * down + left * along
            for column in left..<min(left + side, columns) {
              out[row * columns + column] = stored[position]
              position += along
            }
          }
        }
      }
    }
  }
}

/// The placement of stored rows and columns in the displayed picture: the eight values of the EXIF
/// tag Orientation (EXIF 2.32, tag 0x0112; TIFF 6.0).
package enum PictureOrientation: Int, CaseIterable, Sendable {
  /// Row 0 is the top, column 0 is the left.
  case upright = 1
  /// Mirrored left to right.
  case mirrored = 2
  /// Rotated by 180 degrees.
  case upsideDown = 3
  /// Mirrored top to bottom.
  case flipped = 4
  /// Mirrored along the diagonal from the top left.
  case transposed = 5
  /// Rotate clockwise by 90 degrees for display.
  case turnedLeft = 6
  /// Mirrored along the diagonal from the top right.
  case transversed = 7
  /// Rotate anticlockwise by 90 degrees for display.
  case turnedRight = 8

  /// A Boolean value that indicates whether the stored width becomes the displayed height.
  package var swapsSides: Bool { rawValue >= 5 }
}
