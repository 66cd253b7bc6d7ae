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
