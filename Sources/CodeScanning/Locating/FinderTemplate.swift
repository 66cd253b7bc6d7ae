import Pictures

/// The 7 × 7 modules of a finder pattern in a frame that is known, to be sought nearby.
struct FinderTemplate {
  /// A step is a module.
  let frame: PlaneFrame
  let isInverted: Bool

  /// Where a pattern is likeliest.
  struct Match {
    let pattern: FinderPattern
    /// The correlation of grey and pattern, from −1 to 1.
    let likeness: Double
  }

  /// Below this, what is seen tells less than where it should be.
  private static let leastLikeness = 0.45

  /// Dark modules as 1 and light as −1, each less the mean, so that even grey gives nothing.
  private static let weights: [Double] = {
    let values = (0..<49).map { index -> Double in
      let ring = max(abs(index % 7 - 3), abs(index / 7 - 3))
      return ring == 2 ? -1 : 1
    }
    let mean = values.reduce(0, +) / 49
    return values.map { $0 - mean }
  }()

  /// The likeliest place, or the point itself where nothing looks like a pattern.
  ///
  /// - Parameters:
  ///   - point: where it should be, in pixels of the original.
  ///   - reach: how far to look, in modules.
  func bestMatch(
    around point: PicturePoint, reach: Double, in pyramid: PicturePyramid
  ) -> Match? {
    guard frame.isSound, point.isFinite, reach <= 10 else { return nil }
    let original = pyramid.levels[0].picture
    guard point.x > 0, point.y > 0, point.x < Double(original.width),
      point.y < Double(original.height)
    else { return nil }
    let module = min(frame.right.length, frame.down.length)
    let level = pyramid.level(bringing: module, downTo: 2)
    var best = (x: 0.0, y: 0.0, scale: 1.0, likeness: -1.0)
    level.picture.pixels.withUnsafeBufferPointer { pixels in
      func look(_ x: Double, _ y: Double, _ scale: Double) {
        let middle = point + frame.right * x + frame.down * y
        let likeness = likeness(at: middle, scale: scale, level, pixels)
        if likeness > best.likeness { best = (x, y, scale, likeness) }
      }
      for y in stride(from: -reach, through: reach, by: 0.8) {
        for x in stride(from: -reach, through: reach, by: 0.8) { look(x, y, 1) }
      }
      for step in [0.4, 0.2, 0.1] {
        let from = best
        for scale in [from.scale - step / 4, from.scale, from.scale + step / 4] {
          for y in [from.y - step, from.y, from.y + step] {
            for x in [from.x - step, from.x, from.x + step] { look(x, y, scale) }
          }
        }
      }
    }
    if best.likeness < Self.leastLikeness { best = (0, 0, 1, max(0, best.likeness) / 2) }
    let middle = point + frame.right * best.x + frame.down * best.y
    let (right, down) = (frame.right * (3.5 * best.scale), frame.down * (3.5 * best.scale))
    let corners = [
      middle - right - down, middle + right - down, middle + right + down,
      middle - right + down,
    ]
    return Match(
      pattern: FinderPattern(
        centre: middle, corners: right.cross(down) > 0 ? corners : corners.reversed(),
        modulePixels: (frame.right.length + frame.down.length) / 2 * best.scale),
      likeness: best.likeness)
  }

  private func likeness(
    at middle: PicturePoint, scale: Double, _ level: PicturePyramid.Level,
    _ pixels: UnsafeBufferPointer<UInt8>
  ) -> Double {
    var (sum, squares, product) = (0.0, 0.0, 0.0)
    for row in 0..<7 {
      for column in 0..<7 {
        let point =
          middle + frame.right * (scale * Double(column - 3)) + frame.down
          * (scale * Double(row - 3))
        let grey = level.brightness(at: point, pixels)
        sum += grey
        squares += grey * grey
        product -= grey * Self.weights[row * 7 + column]
      }
    }
    // The weights' own squares sum to 49 − 17² / 49.
    let spread = (squares - sum * sum / 49) * (49 - 289.0 / 49)
    guard spread > 49 else { return 0 }
    return product / spread.squareRoot() * (isInverted ? -1 : 1)
  }
}
