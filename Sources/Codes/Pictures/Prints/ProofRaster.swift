import CliptagBasics
import CliptagPlatform

/// Brightness of a square picture in numbers that are not rounded, 0 black … 255 white.
package struct ProofRaster {
  /// The pixels across and down.
  package let side: Int
  /// The brightness of each pixel, row by row.
  package var values: [Float]

  /// Resamples a picture to `side` pixels across and down, each the mean of the area under it.
  package init(_ picture: GreyPicture, side: Int) {
    self.init(
      width: picture.width, height: picture.height, values: picture.pixels.map { Float($0) },
      side: side)
  }

  private init(width: Int, height: Int, values: [Float], side: Int) {
    self.side = side
    let across = AreaMean(from: width, to: side).across(values, width: width)
    self.values = AreaMean(from: height, to: side).down(across, width: side)
  }

  /// Returns the same picture in another number of pixels.
  package func resampled(side: Int) -> ProofRaster {
    ProofRaster(width: self.side, height: self.side, values: values, side: side)
  }

  /// The picture in whole numbers.
  package var picture: GreyPicture {
    GreyPicture(
      width: side, height: side, pixels: values.map { UInt8(min(255, max(0, $0 + 0.5))) })
  }

  /// Returns the picture spread by a Gaussian of this standard deviation in pixels; the values at
  /// the edges continue beyond them.
  package func blurred(by deviation: Double) -> ProofRaster {
    guard deviation > 0 else { return self }
    let reach = max(1, Int((3 * deviation).rounded(.up)))
    var weights = (-reach...reach).map {
      Float(exp(-Double($0 * $0) / (2 * deviation * deviation)))
    }
    let sum = weights.reduce(0, +)
    for index in weights.indices { weights[index] /= sum }
    // The picture is as wide as high, so that a pass that turns it over serves both directions.
    let once = Self.spread(values, side: side, weights: weights)
    var result = self
    result.values = Self.spread(once, side: side, weights: weights)
    return result
  }

  /// Rows convolved, and exchanged with the columns.
  private static func spread(_ values: [Float], side: Int, weights: [Float]) -> [Float] {
    let reach = weights.count / 2
    var result = [Float](repeating: 0, count: values.count)
    var row = [Float](repeating: 0, count: side + 2 * reach)
    result.withUnsafeMutableBufferPointer { result in
      values.withUnsafeBufferPointer { values in
        weights.withUnsafeBufferPointer { weights in
          for y in 0..<side {
            row.withUnsafeMutableBufferPointer { row in
              for x in 0..<side + 2 * reach {
                row[x] = values[y * side + min(side - 1, max(0, x - reach))]
              }
              for x in 0..<side {
                var sum: Float = 0
                for offset in 0..<weights.count { sum += row[x + offset] * weights[offset] }
                result[x * side + y] = sum
              }
            }
          }
        }
      }
    }
    return result
  }

  /// Returns each value changed by a function of the value and its place.
  package func mapped(_ change: (_ value: Float, _ index: Int) -> Float) -> ProofRaster {
    var result = self
    for index in values.indices { result.values[index] = change(values[index], index) }
    return result
  }
}

extension ProofRaster {
  /// A camera's noise for so many pixels, with a deviation of 2; the same each time.
  package static func cameraNoise(count: Int) -> [Float] {
    var random = SeededGenerator(seed: 29_158)
    // The mean of four is near enough to the bell of a camera's noise.
    return (0..<count).map { _ in
      (0..<4).reduce(0) { sum, _ in sum + Float.random(in: -1...1, using: &random) } * 1.73
    }
  }

  /// Applies a change to light itself, as lenses do, and not to the numbers of sRGB that encode it
  /// (IEC 61966-2-1).
  package func inLinearLight(_ change: (ProofRaster) -> ProofRaster) -> ProofRaster {
    let linear = mapped { value, _ in
      let part = max(0, value) / 255
      return 255 * (part <= 0.040_45 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4))
    }
    return change(linear).mapped { value, _ in
      let part = max(0, value) / 255
      return 255 * (part <= 0.003_130_8 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055)
    }
  }
}
