import Pictures

/// The part of a picture that contains a symbol, at a scale at which a module has a few pixels:
/// larger modules are averaged down, which removes noise, paper grain and screen pixels; smaller
/// ones are interpolated.
struct PicturePatch: Sendable {
  private let width: Int
  private let height: Int
  private var values: [Float]
  private let left: Double
  private let top: Double
  /// The number of values of the patch per pixel of the picture.
  private let density: Double
  private let pictureWidth: Double
  private let pictureHeight: Double

  /// The number of pixels per module in the patch: it is never reduced below this.
  private static let modulePixels = 4.0
  /// The largest number of values in a patch: a symbol of version 40 at 8 pixels per module has
  /// half of it.
  private static let mostValues = 4_000_000

  /// Creates the patch around points, or `nil` if they are not in the picture.
  ///
  /// - Parameters:
  ///   - points: points that must lie inside.
  ///   - margin: the number of pixels around them.
  ///   - modulePixels: the size of the smallest module.
  init?(
    of picture: GreyPicture, around points: [PicturePoint], margin: Double, modulePixels: Double
  ) {
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    guard let minX = xs.min(), let maxX = xs.max(), let minY = ys.min(), let maxY = ys.max(),
      (xs + ys).allSatisfy(\.isFinite), modulePixels.isFinite, modulePixels > 0
    else { return nil }
    let left = Int(max(0, min(1e6, minX - margin)))
    let top = Int(max(0, min(1e6, minY - margin)))
    let right = min(picture.width, Int(max(0, min(1e6, maxX + margin))) + 1)
    let bottom = min(picture.height, Int(max(0, min(1e6, maxY + margin))) + 1)
    guard right - left >= 16, bottom - top >= 16 else { return nil }
    self.left = Double(left)
    self.top = Double(top)
    pictureWidth = Double(picture.width)
    pictureHeight = Double(picture.height)
    let area = (right - left) * (bottom - top)
    if modulePixels < 2.5, area * 4 <= Self.mostValues {
      (width, height, density) = ((right - left) * 2, (bottom - top) * 2, 2)
      values = Self.doubled(picture, left, top, right, bottom)
    } else {
      var factor = max(1, Int(modulePixels / Self.modulePixels))
      while area / (factor * factor) > Self.mostValues { factor += 1 }
      (width, height) = ((right - left) / factor, (bottom - top) / factor)
      guard width >= 2, height >= 2 else { return nil }
      density = 1 / Double(factor)
      values = Self.averaged(picture, left, top, width, height, factor)
    }
  }

  /// The number of computed values.
  var count: Int { values.count }

  /// Returns the inverted patch, for a symbol that is light where it should be dark.
  func inverted() -> PicturePatch {
    var patch = self
    for index in values.indices { patch.values[index] = 255 - values[index] }
    return patch
  }

  /// Returns whether a point is in the picture.
  func isInside(_ point: PicturePoint) -> Bool {
    point.x >= 0 && point.y >= 0 && point.x <= pictureWidth && point.y <= pictureHeight
  }

  /// Returns the bilinearly interpolated brightness at a point of the picture; outside it, the edge
  /// continues.
  func brightness(_ point: PicturePoint) -> Float {
    var x = (point.x - left) * density - 0.5
    var y = (point.y - top) * density - 0.5
    // Written so that NaN is also clamped to the edge.
    if !(x >= 0) { x = 0 }
    if !(y >= 0) { y = 0 }
    let (lastX, lastY) = (Double(width) - 1.001, Double(height) - 1.001)
    if x > lastX { x = lastX }
    if y > lastY { y = lastY }
    let (column, row) = (Int(x), Int(y))
    let (fx, fy) = (Float(x - Double(column)), Float(y - Double(row)))
    let index = row * width + column
    let above = values[index] + (values[index + 1] - values[index]) * fx
    let next = index + width
    let below = values[next] + (values[next + 1] - values[next]) * fx
    return above + (below - above) * fy
  }

  /// Returns means of squares of `factor` pixels on a side; above 8, only of a part of the rows.
  private static func averaged(
    _ picture: GreyPicture, _ left: Int, _ top: Int, _ width: Int, _ height: Int, _ factor: Int
  ) -> [Float] {
    let rows = min(factor, 8)
    let scale = 1 / Float(rows * factor)
    var sums = [Int32](repeating: 0, count: width * factor)
    return [Float](unsafeUninitializedCapacity: width * height) { values, count in
      picture.pixels.withUnsafeBufferPointer { pixels in
        sums.withUnsafeMutableBufferPointer { sums in
          for y in 0..<height {
            // Rows first, which the compiler vectorises.
            for tap in 0..<rows {
              let row = top + y * factor + (tap * factor + factor / 2) / rows
              let line = UnsafeBufferPointer(
                rebasing: pixels[
                  row * picture.width + left..<row * picture.width + left + sums.count])
              if tap == 0 {
                for x in sums.indices { sums[x] = Int32(line[x]) }
              } else {
                for x in sums.indices { sums[x] &+= Int32(line[x]) }
              }
            }
            for x in 0..<width {
              var sum: Int32 = 0
              for column in x * factor..<(x + 1) * factor { sum &+= sums[column] }
              values[y * width + x] = Float(sum) * scale
            }
          }
        }
      }
      count = width * height
    }
  }

  /// Returns the part at twice its width and height, by the cubic kernel of Catmull and Rom.
  private static func doubled(
    _ picture: GreyPicture, _ left: Int, _ top: Int, _ right: Int, _ bottom: Int
  ) -> [Float] {
    let width = right - left
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * (bottom - top))
    for row in top..<bottom {
      let start = row * picture.width
      pixels += picture.pixels[start + left..<start + right]
    }
    let part = GreyPicture(width: width, height: bottom - top, pixels: pixels)
    return Scaling.doubled(part).pixels.map(Float.init)
  }
}
