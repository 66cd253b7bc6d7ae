import AppClipCodes
import CliptagPlatform
import Pictures

/// Finds App Clip Codes in a picture and reads their bits.
///
/// A code is identified by its structure: five concentric rings of equal width and distance,
/// interrupted only at their respective divisions.
struct AppClipCodeLocator {
  /// The largest number of candidates that are examined without success at each size of the
  /// picture.
  var mostCandidates = 5
  /// A Boolean value that indicates whether smaller copies of the picture are searched, in which
  /// large codes are found.
  var searchesSmallerCopies = true

  /// The number of standard deviations by which a rotation must be better than chance; for random
  /// rings the best rotation reaches four.
  static let leastCertainty = 5.5
  /// The number of bands that must point to one centre. Of 2,097 codes in photographs 99.5 in 100 had
  /// 10; of 4,040 other candidates 3 in 4 have 6 or less.
  static let leastBands = 7
  /// The number of beginnings of positions, of 128, that must be visible.
  static let leastBeginnings = 40

  /// Finds every code.
  ///
  /// - Parameters:
  ///   - known: The corners of other codes, inside of which is nothing to find.
  ///   - isWanted: The search ends when it returns `false`.
  func codes(
    in picture: GreyPicture, outside known: [[PicturePoint]] = [],
    while isWanted: () -> Bool = { true }
  ) -> [SeenAppClipCode] {
    guard picture.width >= 24, picture.height >= 24 else { return [] }
    var found: [SeenAppClipCode] = []
    let known = known.map { Quadrilateral($0, enlargedBy: 1.1) }
    let levels = searchesSmallerCopies ? Self.levels(of: picture) : [(picture, 1)]
    for level in levels {
      guard isWanted() else { break }
      let small = level.picture
      let places = KnownPlaces(places: known, scale: level.scale)
      // The noise of a large picture has many bands; a smaller copy has less of both.
      var bands =
        max(small.width, small.height) > 900
        ? RingBand.all(in: small, outside: places, summing: 3, every: 4, deviations: 5)
        : RingBand.all(in: small, outside: places, summing: 2, every: 2, deviations: 3)
      for code in found { bands = Self.bands(bands, outside: code, scale: level.scale) }
      var failed = 0
      while failed < mostCandidates, isWanted(), let candidate = Self.candidate(bands) {
        failed += 1
        bands = candidate.others
        guard let fit = Self.fit(candidate, in: small) else { continue }
        // The picture at full size has the most detail.
        let read = picture.pixels.withUnsafeBufferPointer { pixels -> SeenAppClipCode? in
          let plane = PixelPlane(pixels: pixels, width: picture.width, height: picture.height)
          let large = fit.scaled(by: level.scale).onEdges(plane, isLight: candidate.isLight)
          return Self.read(large, plane, isLight: candidate.isLight)
        }
        guard let read else { continue }
        found.append(read)
        failed -= 1
        bands = Self.bands(bands, outside: read, scale: level.scale)
      }
    }
    return found
  }

  /// Returns the bands outside a code that was read.
  private static func bands(
    _ bands: [RingBand], outside code: SeenAppClipCode, scale: Double
  ) -> [RingBand] {
    let centre = middle(of: code) * (1 / scale)
    let reach = code.corners.map { ($0 * (1 / scale)).distance(to: centre) }.max() ?? 0
    return bands.filter { $0.place.distance(to: centre) > reach }
  }

  private static func middle(of code: SeenAppClipCode) -> PicturePoint {
    code.corners.reduce(PicturePoint(x: 0, y: 0)) { $0 + $1 * 0.25 }
  }

  /// Returns the picture at several sizes, so that arcs of any width are a few pixels wide in one
  /// of them.
  private static func levels(
    of picture: GreyPicture
  ) -> [(picture: GreyPicture, scale: Double)] {
    PicturePyramid(of: picture, smallestSide: 150).levels.reversed()
      .map { ($0.picture, $0.scale) }
  }

  /// A place where bands meet.
  struct Candidate {
    let across: [RingFit.Axis]
    let down: [RingFit.Axis]
    let isLight: Bool
    /// The bands that do not belong to the candidate.
    let others: [RingBand]
  }

  /// Returns the place to which most bands on different lines point as their centre.
  static func candidate(_ bands: [RingBand]) -> Candidate? {
    // The band with the most others around its centre.
    var best: (votes: Int, seed: RingBand)?
    let step = max(1, bands.count / 300)
    for seed in stride(from: 0, to: bands.count, by: step) {
      let band = bands[seed]
      var (across, down) = (0, 0)
      for other in bands where other.isAround(band) {
        if other.isVertical { down += 1 } else { across += 1 }
      }
      // Bands in both directions count more than many in one; small codes have fewer.
      let votes = across + down + 3 * min(down, across)
      if votes > best?.votes ?? 0 { best = (votes, band) }
    }
    guard let best else { return nil }
    let members = bands.filter { $0.isAround(best.seed) }
    guard members.count >= leastBands else { return nil }
    let across = members.filter { !$0.isVertical }
    let down = members.filter(\.isVertical)
    // Each line determines the centre along itself; across itself it is only near the centre.
    let x = median((across.isEmpty ? down : across).map(\.centre.x))
    let y = median((down.isEmpty ? across : down).map(\.centre.y))
    return Candidate(
      across: axes(of: across, near: y) ?? axis(at: x, as: down),
      down: axes(of: down, near: x) ?? axis(at: y, as: across), isLight: members[0].isLight,
      others: bands.filter { !$0.isAround(best.seed) })
  }

  /// Returns the positions of the rings along lines of one direction, preferably those near the
  /// centre.
  private static func axes(of bands: [RingBand], near line: Double) -> [RingFit.Axis]? {
    guard !bands.isEmpty else { return nil }
    let close = bands.filter { abs($0.line - line) < 0.15 * $0.reach }
    return RingFit.Axis.all(close.count >= 2 ? close : bands)
  }

  /// Returns positions derived from the other direction, for a direction without bands.
  private static func axis(at centre: Double, as others: [RingBand]) -> [RingFit.Axis] {
    let reach = median(others.map(\.reach))
    return [0.75, 0.9, 1.05, 1.2].map { RingFit.Axis(c: centre, a: $0 * reach, g: 0) }
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }

  /// Returns the fit of the rings of a candidate.
  static func fit(_ candidate: Candidate, in picture: GreyPicture) -> RingFit? {
    picture.pixels.withUnsafeBufferPointer { pixels in
      let plane = PixelPlane(pixels: pixels, width: picture.width, height: picture.height)
      guard
        let best = RingFit.search(
          across: candidate.across, down: candidate.down, isLight: candidate.isLight, plane)
      else { return nil }
      return best.fit.onEdges(plane, isLight: candidate.isLight)
    }
  }

  /// Reads the code of a fit; `nil` if the rings are not those of a code.
  static func read(_ fit: RingFit, _ plane: PixelPlane, isLight: Bool) -> SeenAppClipCode? {
    let sampler = AppClipCodeSampler(fit, plane, isLight: isLight)
    let level = sampler.level
    guard level > 4, sampler.shareOfArcs(level: level) > 0.45, let turn = sampler.turn(),
      turn.certainty >= leastCertainty, let reading = sampler.reading(turnedBy: turn.degrees)
    else { return nil }
    let upright = fit.turned(by: turn.degrees)
    return SeenAppClipCode(
      reading: reading,
      corners: [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { upright($0.0, $0.1) },
      diameter: 2 * fit.smallRadius,
      print: sampler.print(of: reading, turnedBy: turn.degrees, fit, plane))
  }
}

extension RingFit {
  /// Returns the same plane in a picture scaled by a factor.
  func scaled(by factor: Double) -> RingFit {
    var fit = self
    (fit.a, fit.b, fit.c) = (a * factor, b * factor, c * factor)
    (fit.d, fit.e, fit.f) = (d * factor, e * factor, f * factor)
    return fit
  }
}
