import AppClipCodes
import CliptagPlatform
import Pictures

/// The projected plane of an App Clip Code in a picture: the position of its centre and its tilt.
/// The rotation is not part of it, because circles do not determine it.
///
/// The unit of the plane is the radius of the disc.
struct RingFit {
  /// The map from the plane to the picture: x = c + (a u + b v) ÷ (g u + h v + 1), and y likewise
  /// with d, e and f, so that (c, f) is the centre in the picture.
  var a, b, c, d, e, f, g, h: Double

  init(centre: PicturePoint, right: (Double, Double), down: (Double, Double)) {
    (a, b, c) = (right.0, down.0, centre.x)
    (d, e, f) = (right.1, down.1, centre.y)
    (g, h) = (0, 0)
  }

  /// Projects a point of the plane into the picture.
  @inline(__always)
  func callAsFunction(_ u: Double, _ v: Double) -> PicturePoint {
    let w = 1 / (g * u + h * v + 1)
    return PicturePoint(x: c + (a * u + b * v) * w, y: f + (d * u + e * v) * w)
  }

  /// A Boolean value that indicates whether a camera can see a code like this: not too oblique, not
  /// mirrored.
  var isPlausible: Bool {
    let size = (abs(a * e - b * d)).squareRoot()
    guard a * e - b * d > 0, size.isFinite, size > 1, g * g + h * h < 0.2 else { return false }
    let (top, spread) = (a * a + b * b + d * d + e * e, 2 * (a * e - b * d))
    // For the ratio r of the axes: r + 1/r.
    return top / spread * 2 < 3.2 + 1 / 3.2
  }

  /// About half of the code's width in its narrowest direction, in pixels.
  var smallRadius: Double {
    let sum = a * a + b * b + d * d + e * e
    let determinant = a * e - b * d
    let root = max(0, sum * sum - 4 * determinant * determinant).squareRoot()
    return max(0, (sum - root) / 2).squareRoot()
  }

  var parameters: SIMD8<Double> {
    get { SIMD8(a, b, c, d, e, f, g, h) }
    set {
      (a, b, c, d) = (newValue[0], newValue[1], newValue[2], newValue[3])
      (e, f, g, h) = (newValue[4], newValue[5], newValue[6], newValue[7])
    }
  }

  /// Returns the same plane, rotated clockwise so that the given angle points to the right.
  func turned(by degrees: Double) -> RingFit {
    let (s, c) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    var fit = self
    (fit.a, fit.b) = (a * c + b * s, -a * s + b * c)
    (fit.d, fit.e) = (d * c + e * s, -d * s + e * c)
    (fit.g, fit.h) = (g * c + h * s, -g * s + h * c)
    return fit
  }
}

/// The pixels of a picture with interpolation.
struct PixelPlane {
  let pixels: UnsafeBufferPointer<UInt8>
  let width: Int
  let height: Int

  @inline(__always)
  func contains(_ point: PicturePoint) -> Bool {
    point.x >= 0 && point.y >= 0 && point.x <= Double(width) && point.y <= Double(height)
  }

  /// Returns the bilinearly interpolated brightness at a point; outside the picture, the edge
  /// continues.
  @inline(__always)
  func callAsFunction(_ point: PicturePoint) -> Double {
    let x = min(max(point.x - 0.5, 0), Double(width) - 1.001)
    let y = min(max(point.y - 0.5, 0), Double(height) - 1.001)
    guard x == x, y == y else { return 0 }
    let (column, row) = (Int(x), Int(y))
    let (right, lower) = (x - Double(column), y - Double(row))
    let index = row &* width &+ column
    let upper = Double(pixels[index]) * (1 - right) + Double(pixels[index &+ 1]) * right
    let under =
      Double(pixels[index &+ width]) * (1 - right) + Double(pixels[index &+ width &+ 1]) * right
    return upper * (1 - lower) + under * lower
  }
}

extension RingFit {
  /// The radii of the rings, and of the middles of the spaces around and between them, relative to
  /// the disc's radius.
  static let rings = AppClipCodeRing.all.map { $0.radius / AppClipCodeRing.discRadius }
  static let spaces: [Double] = [
    153.7 / 400, 200.6514 / 400, 247.551 / 400, 294.4506 / 400, 341.3502 / 400, 388 / 400,
  ]
  private static let directions: [(Double, Double)] = (0..<40).map {
    let angle = (Double($0) + 0.5) / 40 * 2 * .pi
    return (cos(angle), sin(angle))
  }

  /// Returns the score of the fit: the mean difference between the rings and the adjacent spaces,
  /// in the expected direction, in levels of brightness.
  func score(_ plane: PixelPlane, isLight: Bool, stride step: Int = 1) -> Double {
    scores(plane, isLight: isLight, stride: step).score
  }

  /// Returns the score and the share of all differences that have the expected direction: −1 to 1.
  func scores(
    _ plane: PixelPlane, isLight: Bool, stride step: Int = 1
  ) -> (score: Double, agreement: Double) {
    let (directions, rings, spaces) = (Self.directions, Self.rings, Self.spaces)
    var sum = 0.0
    var all = 1e-9
    var count = 0
    var index = 0
    while index < directions.count {
      let (u, v) = directions[index]
      index += step
      var before = plane(self(u * spaces[0], v * spaces[0]))
      for ring in 0..<5 {
        let radius = rings[ring]
        let arc = plane(self(u * radius, v * radius))
        let space = spaces[ring + 1]
        let after = plane(self(u * space, v * space))
        // Very light areas, such as reflections, count no more than an arc.
        let difference = min(60, max(-60, arc - (before + after) / 2))
        sum += difference
        all += abs(difference)
        before = after
        count += 1
      }
    }
    if !isLight { sum = -sum }
    return (sum / Double(max(1, count)), sum / all)
  }

  /// The positions of the rings along one line through the centre: c + a u ÷ (g u + 1).
  struct Axis {
    let c, a, g: Double

    /// Returns the axes that fit bands on lines of one direction, on either side of the centre.
    static func all(_ bands: [RingBand]) -> [Axis] {
      let before = bands.filter { $0.outer < $0.inner }
      let behind = bands.filter { $0.outer > $0.inner }
      func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
      if before.count > 1, behind.count > 1 {
        // Solve for c, a + c g and g by least squares of x = c + (a + c g) u − g u x.
        var equations = NormalEquations(count: 3)
        let origin = median(bands.map(\.middle))
        let size = median(bands.map(\.reach))
        for (u, place) in [
          (-RingBand.outerEdge, median(before.map(\.outer))),
          (-RingBand.innerEdge, median(before.map(\.inner))),
          (RingBand.innerEdge, median(behind.map(\.inner))),
          (RingBand.outerEdge, median(behind.map(\.outer))),
        ] {
          let x = (place - origin) / size
          equations.add([1, u, -u * x], equals: x, weight: 1)
        }
        if let solved = equations.solved(damping: 1e-6) {
          let (c, g) = (solved[0], solved[2])
          let a = solved[1] - c * g
          if abs(g) < 0.4, a > 0.5, a < 2 {
            return [Axis(c: origin + c * size, a: a * size, g: g)]
          }
        }
      }
      var found: [Axis] = []
      for side in [before, behind] where !side.isEmpty {
        let (outer, inner) = (median(side.map(\.outer)), median(side.map(\.inner)))
        let sign = outer < inner ? -1.0 : 1.0
        for g in [0, 0.09, -0.09] {
          let (near, far) = (RingBand.innerEdge, RingBand.outerEdge)
          let a = abs(outer - inner) / (far / (1 + sign * g * far) - near / (1 + sign * g * near))
          found.append(Axis(c: inner - sign * a * near / (1 + sign * g * near), a: a, g: g))
        }
      }
      return found
    }
  }

  /// A fit from which the search begins.
  private struct Start {
    let x, y: Axis
    let slant: Double
    let fit: RingFit
    /// The score in a quarter of the directions; −∞ if no camera sees a code like this.
    let score: Double

    /// Creates the fit that keeps the reach of a horizontal and a vertical line, which meet at
    /// another angle.
    ///
    /// - Parameter shift: The distance of its centre from that of the lines, relative to their reach.
    init(
      _ x: Axis, _ y: Axis, slant: Double, shift: (Double, Double), _ isLight: Bool,
      _ plane: PixelPlane
    ) {
      (self.x, self.y, self.slant) = (x, y, slant)
      let straight = (1 - slant * slant).squareRoot()
      var fit = RingFit(
        centre: PicturePoint(x: x.c + shift.0 * x.a, y: y.c + shift.1 * y.a),
        right: (x.a, 0), down: (-slant / straight * x.a, y.a / straight))
      (fit.g, fit.h) = (x.g, (y.g - x.g * slant) / straight)
      self.fit = fit
      score = fit.isPlausible ? fit.score(plane, isLight: isLight, stride: 4) : -.infinity
    }

    func shifted(by shift: (Double, Double), _ isLight: Bool, _ plane: PixelPlane) -> Start {
      Start(x, y, slant: slant, shift: shift, isLight, plane)
    }
  }

  /// Searches for the best fit: first from the bands on horizontal and vertical lines, then by
  /// small changes of all parameters.
  static func search(
    across: [Axis], down: [Axis], isLight: Bool, _ plane: PixelPlane
  ) -> (fit: RingFit, score: Double)? {
    var starts: [Start] = []
    for x in across {
      for y in down {
        for slant in stride(from: -0.6, through: 0.6, by: 0.1) {
          starts.append(Start(x, y, slant: slant, shift: (0, 0), isLight, plane))
        }
      }
    }
    // A few directions select the slants that are tried about other centres, and the starts that
    // are scored in full.
    starts.sort { $0.score > $1.score }
    guard let first = starts.first, first.score > leastScoreOfBestStart else { return nil }
    for start in starts.prefix(64) {
      for shift in [(0.035, 0), (-0.035, 0), (0, 0.035), (0, -0.035)] {
        starts.append(start.shifted(by: shift, isLight, plane))
      }
    }
    starts.sort { $0.score > $1.score }
    let looked = starts.prefix(32).prefix { $0.score > leastScoreOfStart }.map { start in
      (fit: start.fit, seen: start.fit.scores(plane, isLight: isLight))
    }
    let chosen = looked.sorted { $0.seen.score > $1.seen.score }.prefix(4).prefix {
      $0.seen.score > 3 && $0.seen.agreement >= leastAgreementAtFirst
    }
    // A quarter of the directions shows which starts lead to a fit; all of them decide.
    let likely = chosen.map { start in
      (start: start.fit, rough: start.fit.climbed(plane, isLight: isLight, stride: 4))
    }.filter { start in
      start.rough.fit.scores(plane, isLight: isLight).agreement >= leastAgreementOfRoughFit
    }.sorted { $0.rough.score > $1.rough.score }
    var best: (fit: RingFit, score: Double)?
    for start in likely.prefix(2) {
      let climbed = start.start.climbed(plane, isLight: isLight)
      if climbed.score > best?.score ?? -1 { best = climbed }
    }
    guard let best,
      best.fit.scores(plane, isLight: isLight).agreement >= leastAgreement
    else { return nil }
    return best
  }

  /// The least score of the best start. Of 1,166 codes in photographs, tilted, blurred, faint and
  /// covered, the lowest was 12, 99 in 100 had 18; of 1,556 other candidates 4 in 10 have less than 8.
  private static let leastScoreOfBestStart = 8.0
  /// The least agreement before and after a fit is improved. Of those codes, the lowest had 0.37 and
  /// 0.75 before, 7 in 10 other candidates have less; upright codes have 0.98 after.
  private static let leastAgreementAtFirst = 0.35
  /// The least score of a start in a quarter of the directions.
  private static let leastScoreOfStart = 1.0
  private static let leastAgreement = 0.7
  /// The least agreement after a fit was improved in a quarter of the directions: of 690 codes in
  /// photographs, the lowest had 0.75 in the best of four fits, 99 in 100 had 0.9; half of all other
  /// candidates have less.
  private static let leastAgreementOfRoughFit = 0.75

  /// Improves the fit by small steps of one parameter at a time while the score increases.
  ///
  /// - Parameter step: Every how many directions count.
  func climbed(
    _ plane: PixelPlane, isLight: Bool, stride step: Int = 1
  ) -> (fit: RingFit, score: Double) {
    let size = smallRadius
    var steps = [0.06, 0.06, 0.04, 0.06, 0.06, 0.04].map { $0 * size } + [0.05, 0.05]
    var fit = self
    var best = fit.score(plane, isLight: isLight, stride: step)
    for _ in 0..<14 {
      var isBetter = false
      for index in 0..<8 {
        for sign in [1.0, -1.0] {
          var next = fit
          next.parameters[index] += sign * steps[index]
          guard next.isPlausible else { continue }
          let score = next.score(plane, isLight: isLight, stride: step)
          if score > best {
            (fit, best, isBetter) = (next, score, true)
            break
          }
        }
      }
      // One side may be on the adjacent ring while the other is correct: then both the centre and
      // the reach are off by half of the rings' distance.
      let half = 0.058
      for (index, origin) in [(0, 2), (1, 2), (3, 5), (4, 5)] {
        for (sign, other) in [(1.0, 1.0), (1, -1), (-1, 1), (-1, -1)] {
          var next = fit
          next.parameters[index] += sign * half * size
          next.parameters[origin] += other * half * size
          guard next.isPlausible else { continue }
          let score = next.score(plane, isLight: isLight, stride: step)
          if score > best { (fit, best, isBetter) = (next, score, true) }
        }
      }
      if !isBetter {
        for index in steps.indices { steps[index] *= 0.5 }
        if steps[2] < 0.004 * size { break }
      }
    }
    return (fit, best)
  }

  /// Aligns the fit with the edges of the arcs by least squares: each edge within half a stroke of
  /// its expected position counts.
  func onEdges(_ plane: PixelPlane, isLight: Bool) -> RingFit {
    var fit = self
    let size = smallRadius
    let half = AppClipCodeRing.strokeWidth / 2 / AppClipCodeRing.discRadius
    let directions = 72
    for round in 0..<8 {
      var equations = NormalEquations(count: 8)
      var seen = 0
      let reach = round < 3 ? 1.0 : 0.6
      for direction in 0..<directions {
        let angle = Double(direction) / Double(directions) * 2 * .pi
        let (u, v) = (cos(angle), sin(angle))
        for ring in Self.rings {
          for side in [-1.0, 1.0] {
            let radius = ring + side * half
            let inner = fit(u * (radius - half), v * (radius - half))
            let outer = fit(u * (radius + half), v * (radius + half))
            let along = (x: outer.x - inner.x, y: outer.y - inner.y)
            let length = (along.x * along.x + along.y * along.y).squareRoot()
            guard length > 0.5, plane.contains(inner), plane.contains(outer) else { continue }
            // A light arc gets darker at its outer edge.
            let sign = (isLight ? -1.0 : 1.0) * side
            var values = [Double](repeating: 0, count: 9)
            for tap in 0..<9 {
              let part = (Double(tap) / 8 - 0.5) * reach + 0.5
              values[tap] = plane(
                PicturePoint(x: inner.x + along.x * part, y: inner.y + along.y * part))
            }
            var best = 6.0
            var place = 0.0
            for tap in 1..<8 {
              let rise = (values[tap + 1] - values[tap - 1]) * sign
              if rise > best {
                // Interpolate between the taps with a parabola.
                let before = (values[tap] - values[max(0, tap - 2)]) * sign
                let after = (values[min(8, tap + 2)] - values[tap]) * sign
                let curve = before - 2 * rise + after
                let shift = curve < 0 ? max(-0.5, min(0.5, 0.5 * (before - after) / curve)) : 0
                (best, place) = (rise, (Double(tap) + shift) / 8 - 0.5)
              }
            }
            guard best > 6 else { continue }
            let offset = place * reach * length
            let (nx, ny) = (along.x / length, along.y / length)
            let w = 1 / (fit.g * u * radius + fit.h * v * radius + 1)
            let (pu, pv) = (u * radius, v * radius)
            let point = fit(pu, pv)
            // The displacement of the point by a change of the horizon, scaled by the size of the
            // code.
            let pull = -((point.x - fit.c) * nx + (point.y - fit.f) * ny) * w
            equations.add(
              [
                nx * pu * w, nx * pv * w, nx, ny * pu * w, ny * pv * w, ny, pull * pu / size,
                pull * pv / size,
              ],
              equals: offset, weight: min(40, best))
            seen += 1
          }
        }
      }
      guard seen > 60, let change = equations.solved(damping: 1e-4) else { return fit }
      var next = fit
      var parameters = fit.parameters
      for index in 0..<6 { parameters[index] += change[index] }
      for index in 6..<8 { parameters[index] += change[index] / size }
      next.parameters = parameters
      guard next.isPlausible else { return fit }
      fit = next
      let moved = change.prefix(6).reduce(0) { max($0, abs($1)) }
      if moved < 0.01 { break }
    }
    return fit
  }
}
