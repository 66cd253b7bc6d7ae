import Pictures

#if canImport(Glibc)
  import Glibc
#else
  import FoundationEssentials
#endif

/// The outline of a finder pattern, measured in grey.
///
/// Rays from the middle cross three edges: those of the core, of the light ring and of the dark
/// ring, 1.5, 2.5 and 3.5 modules away. All three tell where the outline is, so it is known too
/// where nothing light surrounds the pattern; and because they are edges from dark to light and
/// from light to dark in turn, their mean does not move when ink spreads or light blooms.
struct FinderOutline {
  /// A step is a module; right and down are the sides.
  let frame: PlaneFrame
  /// Outer corners: clockwise, in pixels.
  let corners: [PicturePoint]
  /// The part of all rays that crossed the edges where they should.
  let clarity: Double
  /// How far the rays' ends lie from the outline, in modules (root of mean square).
  let residual: Double
  /// How pronounced the corners are: 1 for a square, 0 for a circle.
  let squareness: Double

  private static let rays = 32
  /// Clarity less residual: of true patterns 99 in 100 have more than 0.6, of others 4 in 10.
  private static let leastQuality = 0.5
  /// What 49 of 50 true patterns have, and 1 of 25 others.
  private static let usualQuality = 0.8

  /// The outline around a candidate.
  ///
  /// - Parameters:
  ///   - picture: at a size where a module has a few pixels.
  ///   - middle: the middle of the candidate in that picture.
  ///   - radii: how far a module reaches in eight directions.
  ///   - work: how many more rays may be measured; those that were are subtracted.
  init?(
    in picture: GreyPicture, around middle: PicturePoint, radii: [Double], isInverted: Bool,
    work: inout Int
  ) {
    guard radii.count == 8, middle.isFinite, picture.width > 8, picture.height > 8,
      radii.allSatisfy({ $0.isFinite && $0 > 0.2 && $0 < 1e4 })
    else { return nil }
    var profile = RayProfile(picture: picture, isInverted: isInverted)
    defer { work -= profile.rays }
    // First along rays of equal angles, whose length the candidate tells.
    let first = Self.turns.indices.lazy.map { index -> PicturePoint in
      let place = Double(index) * 8 / Double(Self.rays)
      let (low, part) = (Int(place), place - place.rounded(.down))
      let radius = radii[low % 8] * (1 - part) + radii[(low + 1) % 8] * part
      return Self.turns[index] * radius
    }
    guard Self.isLikely(middle, first, &profile),
      let rough = RayEnds(from: middle, along: Array(first), &profile),
      let shape = SquareShape(of: rough)
    else { return nil }
    // Then along rays that follow the sides found.
    var frame = shape.frame
    var result: (ends: RayEnds, outline: BoxFit)?
    for _ in 0..<2 {
      let along = Self.turns.map { turn -> PicturePoint in
        let unit = turn * (1 / max(abs(turn.x), abs(turn.y)))
        return frame.right * unit.x + frame.down * unit.y
      }
      guard let ends = RayEnds(from: frame.origin, along: along, &profile),
        let fit = BoxFit(of: ends, in: frame),
        ends.clarity - fit.residual > Self.leastQuality
      else { return nil }
      frame = fit.frame
      result = (ends, fit)
      // What is no pattern after all does not deserve a second round.
      if ends.clarity - fit.residual < Self.usualQuality { break }
    }
    guard let (ends, fit) = result else { return nil }
    self.frame = frame
    corners = fit.corners
    clarity = ends.clarity
    residual = fit.residual
    squareness = shape.squareness
  }

  /// Whether most of a few rays meet the edges: nearly all that is no pattern fails here.
  private static func isLikely<Steps: RandomAccessCollection>(
    _ middle: PicturePoint, _ along: Steps, _ profile: inout RayProfile
  ) -> Bool where Steps.Element == PicturePoint, Steps.Index == Int {
    guard profile.beginAt(middle, along) else { return false }
    var failures = 0
    for index in stride(from: along.startIndex + 2, to: along.endIndex, by: 4) {
      if profile.modules(from: middle, along: along[index]) == nil { failures += 1 }
      if failures == 2 { return false }
    }
    return true
  }

  private static let turns: [PicturePoint] = (0..<rays).map { index in
    let angle = Double(index) * 2 * Double.pi / Double(rays)
    return PicturePoint(x: cos(angle), y: sin(angle))
  }
}

/// Where rays meet the outline.
struct RayEnds {
  let origin: PicturePoint
  /// The ends at 3.5 modules, `nil` where a ray met nothing of the kind.
  let points: [PicturePoint?]
  let clarity: Double

  /// - Parameter along: for each ray, the step of about a module.
  init?(from origin: PicturePoint, along: [PicturePoint], _ profile: inout RayProfile) {
    guard profile.beginAt(origin, along) else { return nil }
    var points: [PicturePoint?] = []
    points.reserveCapacity(along.count)
    var count = 0
    for step in along {
      if let modules = profile.modules(from: origin, along: step) {
        points.append(origin + step * (3.5 * modules))
        count += 1
      } else {
        points.append(nil)
      }
    }
    guard count * 2 >= along.count else { return nil }
    self.origin = origin
    self.points = points
    clarity = Double(count) / Double(along.count)
  }
}

/// The grey along a ray from the middle of a finder pattern, and the edges in it.
struct RayProfile {
  let picture: GreyPicture
  let isInverted: Bool
  /// How dark cores are and how light the light rings, on a scale where ink is dark.
  private var core: Float = 0
  private var contrast: Float = 0
  /// How many rays were measured: what the work cost.
  private(set) var rays = 0
  /// `count` samples.
  private var grey: InlineArray<43, Float> = .init(repeating: 0)

  /// Samples for a module, and how many are taken.
  private static let density = 6
  private static let count = 7 * density + 1

  init(picture: GreyPicture, isInverted: Bool) {
    self.picture = picture
    self.isInverted = isInverted
  }

  /// Learns what is dark and light here; false when there is no contrast.
  ///
  /// - Parameters:
  ///   - origin: the middle; what lies far outside the picture is none.
  ///   - along: for each ray, the step of about a module.
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

  /// How many steps a module measures along a ray, if the edges are where a pattern has them.
  mutating func modules(from origin: PicturePoint, along step: PicturePoint) -> Double? {
    rays += 1
    guard Self.isSane(step) else { return nil }
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
  ///
  /// Places are whole numbers of 1/65,536 of a pixel, which take half the time of floating point:
  /// this is where a search in vain spends most of its time.
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
