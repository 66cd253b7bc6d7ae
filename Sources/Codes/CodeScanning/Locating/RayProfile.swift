import Pictures

/// The grey values along a ray from the centre of a finder pattern, and their edges.
struct RayProfile {
  let picture: GreyPicture
  let isInverted: Bool
  /// The darkness of cores and the lightness of light rings, on a scale on which ink is dark.
  private var core: Float = 0
  private var contrast: Float = 0
  /// The number of rays measured, which is the cost of the work.
  private(set) var rays = 0
  /// `count` samples.
  private var grey: InlineArray<43, Float> = .init(repeating: 0)

  /// The number of samples per module, and in total.
  private static let density = 6
  private static let count = 7 * density + 1

  init(picture: GreyPicture, isInverted: Bool) {
    self.picture = picture
    self.isInverted = isInverted
  }

  /// Measures dark and light around the origin; returns `false` without contrast.
  ///
  /// - Parameters:
  ///   - origin: the centre; points far outside the picture are refused.
  ///   - along: for each ray, a step of about a module.
  mutating func beginAt<Steps: RandomAccessCollection>(
    _ origin: PicturePoint, _ along: Steps
  ) -> Bool where Steps.Element == PicturePoint, Steps.Index == Int {
    guard origin.isFinite, abs(origin.x) < Self.farthest, abs(origin.y) < Self.farthest else {
      return false
    }
    var dark: Float = 0
    var light: Float = 0
    var number: Float = 0
    for index in stride(from: along.startIndex, to: along.endIndex, by: 4) {
      let step = along[index]
      guard Self.isSane(step) else { return false }
      sample(Self.density / 2..<Self.density / 2 + 1, from: origin, along: step)
      sample(2 * Self.density..<2 * Self.density + 1, from: origin, along: step)
      dark += grey[Self.density / 2]
      light += grey[2 * Self.density]
      number += 1
    }
    guard number > 0 else { return false }
    core = dark / number
    contrast = light / number - core
    return contrast >= 6
  }

  private static let farthest = 1e6

  private static func isSane(_ step: PicturePoint) -> Bool { step.isFinite && step.length < 1e5 }

  /// Returns the number of steps per module along a ray, if the edges are those of a pattern.
  mutating func modules(from origin: PicturePoint, along step: PicturePoint) -> Double? {
    rays += 1
    guard Self.isSane(step) else { return nil }
    // Most false patterns are detected before the light ring ends.
    sample(0..<18, from: origin, along: step)
    // The light ring, two modules away.
    var light = 8
    for index in 9...17 where grey[index] > grey[light] { light = index }
    guard grey[light] - core >= 0.35 * contrast,
      let first = Self.crossing(
        grey.span, below: (core + grey[light]) / 2, from: light, by: -1)
    else { return nil }
    sample(18..<Self.count, from: origin, along: step)
    var dark = light + 2
    for index in light + 3...light + 10 where grey[index] < grey[dark] { dark = index }
    let drop = grey[light] - grey[dark]
    guard drop >= 0.3 * contrast,
      let second = Self.crossing(
        grey.span, below: (grey[light] + grey[dark]) / 2, from: light, by: 1)
    else { return nil }
    var result = (first + second) / 4
    if let third = Self.outerEdge(grey.span, after: dark, contrast: contrast) {
      let all = (first + 2 * second + third) / 10
      // A dark neighbour may touch the ring: then the edge after it is not the ring's.
      if abs(all - result) < 0.12 * result { result = all }
    }
    guard result > 0.5, result < 1.7, first > 0.9 * result, first < 2.1 * result,
      second > 1.9 * result, second < 3.1 * result
    else { return nil }
    return result
  }

  /// Returns the end of the dark ring, if there is light outside it.
  private static func outerEdge(
    _ grey: Span<Float>, after dark: Int, contrast: Float
  ) -> Double? {
    var outside = dark + 2
    for index in dark + 2...min(dark + 9, count - 1) where grey[index] > grey[outside] {
      outside = index
    }
    guard grey[outside] - grey[dark] >= 0.4 * contrast else { return nil }
    return crossing(grey, above: (grey[outside] + grey[dark]) / 2, from: dark)
  }

  /// Takes interpolated samples; outside the picture, the border continues.
  ///
  /// Positions are integers in units of 1/65,536 of a pixel, which take half the time of floating
  /// point: an unsuccessful search spends most of its time here.
  private mutating func sample(
    _ range: Range<Int>, from origin: PicturePoint, along step: PicturePoint
  ) {
    let (unit, width) = (65_536.0, picture.width)
    let pitch = (x: Int(step.x * unit) / Self.density, y: Int(step.y * unit) / Self.density)
    let start = (x: Int((origin.x - 0.5) * unit), y: Int((origin.y - 0.5) * unit))
    let most = (x: (width - 1) << 16 - 1, y: (picture.height - 1) << 16 - 1)
    let scale: Float = (isInverted ? -1 : 1) / 65_536
    picture.pixels.withUnsafeBufferPointer { pixels in
      for index in range {
        let x = min(max(start.x &+ pitch.x &* index, 0), most.x)
        let y = min(max(start.y &+ pitch.y &* index, 0), most.y)
        let (right, lower) = ((x &>> 8) & 255, (y &>> 8) & 255)
        let place = (y &>> 16) &* width &+ (x &>> 16)
        let (a, b) = (Int(pixels[place]), Int(pixels[place &+ 1]))
        let (c, d) = (Int(pixels[place &+ width]), Int(pixels[place &+ width &+ 1]))
        let upper = a &<< 8 &+ (b &- a) &* right
        let under = c &<< 8 &+ (d &- c) &* right
        grey[index] = Float(upper &<< 8 &+ (under &- upper) &* lower) * scale
      }
    }
  }

  /// Returns the position where the grey value falls below a level, starting from a sample, in
  /// steps.
  private static func crossing(
    _ grey: Span<Float>, below level: Float, from start: Int, by direction: Int
  ) -> Double? {
    var index = start
    while index + direction >= 0, index + direction < grey.count {
      let (here, next) = (grey[index], grey[index + direction])
      if next < level {
        let part = here > next ? (here - level) / (here - next) : 0
        return (Double(index) + Double(direction) * Double(part)) / Double(density)
      }
      index += direction
    }
    return nil
  }

  private static func crossing(
    _ grey: Span<Float>, above level: Float, from start: Int
  ) -> Double? {
    var index = start
    while index + 1 < grey.count {
      let (here, next) = (grey[index], grey[index + 1])
      if next > level {
        let part = next > here ? (level - here) / (next - here) : 0
        return (Double(index) + Double(part)) / Double(density)
      }
      index += 1
    }
    return nil
  }
}
