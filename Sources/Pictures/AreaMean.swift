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
