extension GreyPicture {
  /// The picture with each square of `factor` × `factor` pixels averaged into one; what is left
  /// over at the right and at the bottom is dropped.
  ///
  /// - Parameter factor: 1 … the shorter side.
  func reduced(by factor: Int) -> GreyPicture {
    let columns = width / max(1, factor)
    let rows = height / max(1, factor)
    guard factor > 1, columns > 0, rows > 0 else { return self }
    let area = factor * factor
    let small = [UInt8](unsafeUninitializedCapacity: columns * rows) { out, count in
      pixels.withUnsafeBufferPointer { stored in
        var sums = [Int](repeating: 0, count: columns)
        for row in 0..<rows {
          for column in 0..<columns { sums[column] = area / 2 }
          for line in row * factor..<(row + 1) * factor {
            var place = line * width
            for column in 0..<columns {
              for _ in 0..<factor {
                sums[column] += Int(stored[place])
                place += 1
              }
            }
          }
          for column in 0..<columns { out[row * columns + column] = UInt8(sums[column] / area) }
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
