import Pictures

/// The grey along a ray from the middle of a finder pattern, and the edges in it.
struct RayProfile {
  let picture: GreyPicture
  let isInverted: Bool
  /// How dark cores are and how light the light rings, on a scale where ink is dark.
  private var core: Float = 0
  private var contrast: Float = 0
  /// How many rays were measured: what the work cost.
  private(set) var rays = 0
  private var grey = [Float](repeating: 0, count: count)

  /// Samples for a module, and how many are taken.
  private static let density = 6
  private static let count = 7 * density + 1

  init(picture: GreyPicture, isInverted: Bool) {
    self.picture = picture
    self.isInverted = isInverted
  }

  /// Learns what is dark and light here; false when there is no contrast.
  ///
  /// - Parameter along: for each ray, the step of about a module.
  mutating func beginAt(_ origin: PicturePoint, _ along: [PicturePoint]) -> Bool {
    guard origin.isFinite, along.allSatisfy({ $0.isFinite && $0.length < 1e5 }) else {
      return false
    }
    var dark: Float = 0
    var light: Float = 0
    var number: Float = 0
    for index in stride(from: 0, to: along.count, by: 4) {
      for far in [Self.density / 2, 2 * Self.density] {
        sample(far..<far + 1, from: origin, along: along[index])
      }
      dark += grey[Self.density / 2]
      light += grey[2 * Self.density]
      number += 1
    }
    guard number > 0 else { return false }
    core = dark / number
    contrast = light / number - core
    return contrast >= 6
  }

  /// How many steps a module measures along a ray, if the edges are where a pattern has them.
  mutating func modules(from origin: PicturePoint, along step: PicturePoint) -> Double? {
    rays += 1
    // Most of what is no pattern shows it before the light ring ends.
    sample(0..<18, from: origin, along: step)
    // The light ring, two modules away.
    var light = 8
    for index in 9...17 where grey[index] > grey[light] { light = index }
    guard grey[light] - core >= 0.35 * contrast,
      let first = crossing(below: (core + grey[light]) / 2, from: light, by: -1)
    else { return nil }
    sample(18..<Self.count, from: origin, along: step)
    var dark = light + 2
    for index in light + 3...light + 10 where grey[index] < grey[dark] { dark = index }
    let drop = grey[light] - grey[dark]
    guard drop >= 0.3 * contrast,
      let second = crossing(below: (grey[light] + grey[dark]) / 2, from: light, by: 1)
    else { return nil }
    var result = (first + second) / 4
    if let third = outerEdge(after: dark) {
      let all = (first + 2 * second + third) / 10
      // A dark neighbour may touch the ring: then the edge beyond it is not the ring's.
      if abs(all - result) < 0.12 * result { result = all }
    }
    guard result > 0.5, result < 1.7, first > 0.9 * result, first < 2.1 * result,
      second > 1.9 * result, second < 3.1 * result
    else { return nil }
    return result
  }

  /// Where the dark ring ends, if there is light beyond.
  private func outerEdge(after dark: Int) -> Double? {
    var outside = dark + 2
    for index in dark + 2...min(dark + 9, Self.count - 1) where grey[index] > grey[outside] {
      outside = index
    }
    guard grey[outside] - grey[dark] >= 0.4 * contrast else { return nil }
    return crossing(above: (grey[outside] + grey[dark]) / 2, from: dark)
  }

  /// Takes samples, between pixels by interpolation; beyond the border as on it.
  private mutating func sample(
    _ range: Range<Int>, from origin: PicturePoint, along step: PicturePoint
  ) {
    let pitch = (x: Float(step.x) / Float(Self.density), y: Float(step.y) / Float(Self.density))
    let start = (x: Float(origin.x - 0.5), y: Float(origin.y - 0.5))
    let (width, sign) = (picture.width, isInverted ? Float(-1) : 1)
    let most = (x: Float(width) - 1.01, y: Float(picture.height) - 1.01)
    picture.pixels.withUnsafeBufferPointer { pixels in
      grey.withUnsafeMutableBufferPointer { grey in
        for index in range {
          let x = min(max(start.x + pitch.x * Float(index), 0), most.x)
          let y = min(max(start.y + pitch.y * Float(index), 0), most.y)
          let (column, row) = (Int(x), Int(y))
          let (right, lower) = (x - Float(column), y - Float(row))
          let place = row &* width &+ column
          let (a, b) = (Float(pixels[place]), Float(pixels[place &+ 1]))
          let (c, d) = (Float(pixels[place &+ width]), Float(pixels[place &+ width &+ 1]))
          let (upper, under) = (a + (b - a) * right, c + (d - c) * right)
          grey[index] = sign * (upper + (under - upper) * lower)
        }
      }
    }
  }

  /// Where the grey falls below a level on the way from a sample, in steps.
  private func crossing(below level: Float, from start: Int, by direction: Int) -> Double? {
    var index = start
    while index + direction >= 0, index + direction < grey.count {
      let (here, next) = (grey[index], grey[index + direction])
      if next < level {
        let part = here > next ? (here - level) / (here - next) : 0
        return (Double(index) + Double(direction) * Double(part)) / Double(Self.density)
      }
      index += direction
    }
    return nil
  }

  private func crossing(above level: Float, from start: Int) -> Double? {
    var index = start
    while index + 1 < grey.count {
      let (here, next) = (grey[index], grey[index + 1])
      if next > level {
        let part = next > here ? (level - here) / (next - here) : 0
        return (Double(index) + Double(part)) / Double(Self.density)
      }
      index += 1
    }
    return nil
  }
}
