import AppClipCodes
import CliptagPlatform
import Pictures

/// Reads the bits of an App Clip Code from the fit of its rings.
struct AppClipCodeSampler {
  /// The brightness around each ring relative to that of its arcs: about 0 in a gap, 1 in an arc of
  /// the foreground colour, and in between in one of the third colour.
  private let profiles: [[Double]]
  /// The brightness of the disc on both sides of each ring.
  private let grounds: [[Double]]
  /// Whether each sample of a ring was inside the picture.
  private let isSeen: [[Bool]]

  /// The number of samples around a ring.
  private static let samples = 720

  /// Measures the brightness around the code.
  init(_ fit: RingFit, _ plane: PixelPlane, isLight: Bool) {
    var profiles: [[Double]] = []
    var isSeen: [[Bool]] = []
    let sign = isLight ? 1.0 : -1.0
    // Three positions across the stroke reduce noise.
    let across = [-0.2, 0, 0.2].map {
      $0 * AppClipCodeRing.strokeWidth / AppClipCodeRing.discRadius
    }
    var angles: [(Double, Double)] = []
    for place in 0..<Self.samples {
      let angle = (Double(place) + 0.5) / Double(Self.samples) * 2 * .pi
      angles.append((cos(angle), sin(angle)))
    }
    // The brightness of the disc around the code, smoothed because the disc is uniform.
    var grounds: [[Double]] = RingFit.spaces.map { radius in
      angles.map { plane(fit($0.0 * radius, $0.1 * radius)) }
    }
    for index in grounds.indices { grounds[index] = Self.smoothed(grounds[index], reach: 6) }
    for ring in 0..<5 {
      var profile: [Double] = []
      var seen: [Bool] = []
      for (place, (u, v)) in angles.enumerated() {
        var sum = 0.0
        for shift in across {
          let radius = RingFit.rings[ring] + shift
          sum += plane(fit(u * radius, v * radius))
        }
        let ground = (grounds[ring][place] + grounds[ring + 1][place]) / 2
        profile.append((sum / 3 - ground) * sign)
        seen.append(plane.contains(fit(u * RingFit.rings[ring], v * RingFit.rings[ring])))
      }
      profiles.append(profile)
      isSeen.append(seen)
    }
    self.profiles = profiles
    self.grounds = grounds
    self.isSeen = isSeen
  }

  private static func smoothed(_ values: [Double], reach: Int) -> [Double] {
    let count = values.count
    var sum = 0.0
    for step in -reach...reach { sum += values[(step + count) % count] }
    var result: [Double] = []
    for place in 0..<count {
      result.append(sum / Double(2 * reach + 1))
      sum += values[(place + reach + 1) % count] - values[(place - reach + count) % count]
    }
    return result
  }

  /// Returns the share of samples that differ from the disc by a quarter of the arcs' level: in a
  /// visible code, arcs cover four fifths of the rings.
  func shareOfArcs(level: Double) -> Double {
    var arcs = 0
    var all = 0
    for ring in 0..<5 {
      for place in 0..<Self.samples where isSeen[ring][place] {
        all += 1
        if profiles[ring][place] > 0.25 * level { arcs += 1 }
      }
    }
    return all == 0 ? 0 : Double(arcs) / Double(all)
  }

  /// The brightness exceeded by two fifths of all samples.
  var level: Double {
    var values = profiles.joined().filter { $0.isFinite }
    values.sort()
    return values.isEmpty ? 0 : values[values.count * 3 / 5]
  }

  /// The gaps of each ring: 1 in a gap, 0 within arcs, relative to the brightest samples a few
  /// degrees to both sides.
  private var gaps: [[Double]] {
    let count = Self.samples
    return AppClipCodeRing.all.enumerated().map { number, ring in
      let profile = profiles[number]
      // The distance that reliably reaches the middle of the arcs on both sides.
      let reach = max(2, Int((ring.step * 0.5 / 360 * Double(count)).rounded()))
      return (0..<count).map { place in
        let before = profile[(place - reach + count) % count]
        let after = profile[(place + reach) % count]
        let beside = min(before, after)
        guard beside > 1 else { return 0 }
        return max(0, min(1, 1 - max(0, profile[place]) / beside))
      }
    }
  }

  /// The rotation of the code.
  struct Turn {
    /// The angle in degrees clockwise.
    let degrees: Double
    /// The number of standard deviations by which more gaps are at the beginnings of positions than
    /// expected by chance.
    let certainty: Double
  }

  /// Finds the rotation of the code: gaps occur only where positions begin, and the five rings have
  /// different numbers of positions.
  func turn() -> Turn? {
    let gaps = gaps
    let count = Self.samples
    var scores = [Double](repeating: 0, count: count)
    var expected = 0.0
    var variance = 0.0
    for (number, ring) in AppClipCodeRing.all.enumerated() {
      // The visible part of a gap, without the round caps of the arcs.
      let cap = AppClipCodeRing.strokeWidth / 2 / ring.radius * 180 / .pi
      let half = (ring.gap - cap) / 360 * Double(count)
      let reach = max(1, Int(half.rounded()))
      var sums = [0.0]
      for step in 0..<count + 2 * reach {
        sums.append(sums[step] + gaps[number][(step - reach + count) % count])
      }
      // The amount of gap around each sample, in gaps.
      let about = (0..<count).map { (sums[$0 + 2 * reach + 1] - sums[$0]) / (2 * half) }
      let all = gaps[number].reduce(0, +) / (2 * half)
      let share = min(0.5, Double(2 * reach + 1) * Double(ring.positions) / Double(count))
      expected += all * share
      variance += all * share * (1 - share)
      for position in 0..<ring.positions {
        let start = ring.start(of: position) / 360 * Double(count) - 0.5
        let offset = (Int(start.rounded()) % count + count) % count
        for turn in 0..<count { scores[turn] += about[(offset + turn) % count] }
      }
    }
    guard variance > 4, let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else {
      return nil
    }
    // Interpolate between the samples with a parabola.
    let before = scores[(best - 1 + count) % count]
    let after = scores[(best + 1) % count]
    let curve = before - 2 * scores[best] + after
    let shift = curve < 0 ? max(-0.5, min(0.5, 0.5 * (before - after) / curve)) : 0
    return Turn(
      degrees: (Double(best) + shift) * 360 / Double(count),
      certainty: (scores[best] - expected) / variance.squareRoot())
  }

  /// Returns the mean of a ring around an angle in degrees; `nil` outside the picture.
  private func mean(_ ring: Int, _ degrees: Double, reach: Double) -> Double? {
    let count = Self.samples
    let first = Int(((degrees - reach) / 360 * Double(count)).rounded())
    let last = max(first, Int(((degrees + reach) / 360 * Double(count)).rounded()) - 1)
    var sum = 0.0
    for place in first...last {
      let place = (place % count + count) % count
      guard isSeen[ring][place] else { return nil }
      sum += profiles[ring][place]
    }
    return sum / Double(last - first + 1)
  }

  /// Reads the bits of the code at the given rotation.
  func reading(turnedBy degrees: Double) -> AppClipCodeReading? {
    var continues = [Float](repeating: 0, count: AppClipCodeRing.positionsOfCode)
    var third = continues
    // The brightness of each position in its middle, and of the ring at its beginning.
    var middles = [Double?](repeating: nil, count: AppClipCodeRing.positionsOfCode)
    var starts = middles
    for (number, ring) in AppClipCodeRing.all.enumerated() {
      for position in 0..<ring.positions {
        let start = ring.start(of: position) + degrees
        middles[ring.first + position] = mean(
          number, start + ring.step / 2, reach: max(0.6, ring.step / 2 - ring.gap))
        starts[ring.first + position] = mean(number, start, reach: 0.9)
      }
    }
    let known = middles.compactMap { $0 }.sorted()
    guard known.count >= 32 else { return nil }
    let level = known[known.count / 2]
    guard level > 2 else { return nil }
    let beginnings = beginnings(middles, starts, level: level, turnedBy: degrees)
    let (lower, upper, spread) = Self.twoLevels(beginnings.map(\.part))
    let apparent = beginnings.count { abs(Self.odds($0.part, lower, upper, spread)) >= 2 }
    guard upper - lower > 0.15, apparent >= AppClipCodeLocator.leastBeginnings else { return nil }
    // Each beginning has the levels of those of similar direction.
    let sectors = 8
    for sector in 0..<sectors {
      let direction = Double(sector) * 180 / Double(sectors)
      func isNear(_ angle: Double, _ reach: Double) -> Bool {
        let apart = abs((angle - direction).remainder(dividingBy: 180))
        return apart <= reach
      }
      let levels = BeginningLevels(
        beginnings.filter { isNear($0.angle, 180 / Double(sectors)) }.map(\.part))
      guard let levels else { continue }
      for beginning in beginnings where isNear(beginning.angle, 90 / Double(sectors)) {
        continues[beginning.index] = levels.odds(beginning.part)
      }
    }
    colours(middles, continues, level, &third)
    return AppClipCodeReading(continues: continues, third: third)
  }

  /// The beginning of a position that is visible.
  private struct Beginning {
    /// The position, 0 to 127.
    let index: Int
    /// The brightness relative to the arcs beside it: 0 in a gap, 1 where an arc continues.
    let part: Double
    /// Its angle in degrees clockwise from the right of the picture.
    let angle: Double
  }

  /// Returns the visible beginnings of positions.
  private func beginnings(
    _ middles: [Double?], _ starts: [Double?], level: Double, turnedBy degrees: Double
  ) -> [Beginning] {
    // The disc has one brightness on both sides of a ring. Where it differs, an obstruction begins.
    // In a blurred picture, arcs shine into the spaces everywhere.
    var steps = [Double](repeating: 0, count: AppClipCodeRing.positionsOfCode)
    for (number, ring) in AppClipCodeRing.all.enumerated() {
      for position in 0..<ring.positions {
        let start = ring.start(of: position) + degrees
        steps[ring.first + position] =
          [-0.25, 0, 0.25].map { part in
            let place = sample(at: start + part * ring.step)
            return abs(grounds[number][place] - grounds[number + 1][place])
          }.max() ?? 0
      }
    }
    let most = max(0.25 * level, 2.5 * steps.sorted()[steps.count / 2])
    var result: [Beginning] = []
    for ring in AppClipCodeRing.all {
      for index in ring.indices {
        guard let start = starts[index], let here = middles[index],
          let before = middles[ring.before(index)], steps[index] <= most
        else { continue }
        let beside = min(here, before)
        // An obstruction of the adjacent arcs also covers the beginning.
        guard beside > 0.2 * level else { continue }
        result.append(
          Beginning(
            index: index, part: start / beside, angle: ring.start(of: index - ring.first) + degrees)
        )
      }
    }
    return result
  }

  /// Returns the number of the sample at an angle in degrees.
  private func sample(at degrees: Double) -> Int {
    let place = Int((degrees / 360 * Double(Self.samples)).rounded())
    return (place % Self.samples + Self.samples) % Self.samples
  }

  /// Returns the measurements of the print.
  ///
  /// - Parameters:
  ///   - reading: The bits of the code.
  ///   - degrees: The rotation of the code.
  ///   - fit: The fit of the rings.
  ///   - plane: The picture.
  func print(
    of reading: AppClipCodeReading, turnedBy degrees: Double, _ fit: RingFit, _ plane: PixelPlane
  ) -> AppClipCodePrint {
    var arcs: (foreground: [Double], third: [Double]) = ([], [])
    var grounds: [Double] = []
    var depths: [Double] = []
    var widths: [Double] = []
    let stroke = AppClipCodeRing.strokeWidth / AppClipCodeRing.discRadius
    // Edges are at least one pixel wide, so thin arcs are not measured.
    let isLarge = fit.smallRadius * stroke >= 4
    for (number, ring) in AppClipCodeRing.all.enumerated() {
      for position in 0..<ring.positions {
        let index = ring.first + position
        let start = ring.start(of: position) + degrees
        guard
          let middle = mean(
            number, start + ring.step / 2, reach: max(0.6, ring.step / 2 - ring.gap))
        else { continue }
        let angle = (start + ring.step / 2) * .pi / 180
        let (u, v) = (cos(angle), sin(angle))
        let radius = RingFit.rings[number]
        let space = (RingFit.spaces[number] + RingFit.spaces[number + 1]) / 2 - radius
        let ground =
          [-0.05865 + space, 0.05865 + space].map {
            plane(fit(u * (radius + $0), v * (radius + $0)))
          }.reduce(0, +) / 2
        grounds.append(ground)
        if reading.third[index] <= -AppClipCodeReading.sure {
          arcs.foreground.append(plane(fit(u * radius, v * radius)))
        }
        if reading.third[index] >= AppClipCodeReading.sure {
          arcs.third.append(plane(fit(u * radius, v * radius)))
        }
        if reading.continues[index] <= -AppClipCodeReading.sure, middle > 1,
          let beginning = mean(number, start, reach: 0.9)
        {
          depths.append(1 - beginning / middle)
        }
        if isLarge, let width = Self.width(fit, plane, u, v, radius, stroke) {
          widths.append(width)
        }
      }
    }
    func median(_ values: [Double]) -> Double? {
      values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
    return AppClipCodePrint(
      disc: median(grounds) ?? 0, foreground: median(arcs.foreground) ?? 0,
      third: median(arcs.third) ?? 0, arcWidth: median(widths),
      gapDepth: min(1, max(0, median(depths) ?? 0)))
  }

  /// Returns the width of an arc along a ray, between the points at half of its brightness,
  /// relative to its nominal width.
  private static func width(
    _ fit: RingFit, _ plane: PixelPlane, _ u: Double, _ v: Double, _ radius: Double,
    _ stroke: Double
  ) -> Double? {
    let taps = 40
    let values = (0...taps).map { tap -> Double in
      let place = radius + (Double(tap) / Double(taps) - 0.5) * 2 * stroke
      return plane(fit(u * place, v * place))
    }
    let middle = values[taps / 2]
    let ground = (values[0] + values[taps]) / 2
    guard abs(middle - ground) > 12 else { return nil }
    let half = (middle + ground) / 2
    func isInk(_ value: Double) -> Bool { (value > half) == (middle > half) }
    var (first, last) = (taps / 2, taps / 2)
    while first > 0, isInk(values[first - 1]) { first -= 1 }
    while last < taps, isInk(values[last + 1 > taps ? taps : last + 1]) { last += 1 }
    guard first > 0, last < taps else { return nil }
    return Double(last - first + 1) / Double(taps) * 2
  }

  /// Returns the logarithm of the odds that a value belongs to the upper of two levels; scratches
  /// are modelled by a chance of one in 150 that a value is arbitrary.
  private static func odds(
    _ value: Double, _ lower: Double, _ upper: Double, _ spread: Double
  ) -> Float {
    func likelihood(_ level: Double) -> Double {
      let away = (value - level) / spread
      return exp(-0.5 * away * away) + 0.007
    }
    // Beyond a level, the likelihood does not decrease.
    let high = value > upper ? 1.007 : likelihood(upper)
    let low = value < lower ? 1.007 : likelihood(lower)
    return Float(log(high / low))
  }

  /// Returns the two levels around which values cluster, and their deviation from them.
  private static func twoLevels(_ values: [Double]) -> (Double, Double, Double) {
    guard values.count > 4 else { return (0, 0, 1) }
    let sorted = values.sorted()
    var lower = sorted[sorted.count / 8]
    var upper = sorted[sorted.count * 7 / 8]
    for _ in 0..<20 {
      var sums = (0.0, 0.0)
      var counts = (0.0, 0.0)
      for value in values {
        if abs(value - lower) < abs(value - upper) {
          sums.0 += value
          counts.0 += 1
        } else {
          sums.1 += value
          counts.1 += 1
        }
      }
      guard counts.0 > 0, counts.1 > 0 else { break }
      (lower, upper) = (sums.0 / counts.0, sums.1 / counts.1)
    }
    let away = values.map { min(abs($0 - lower), abs($0 - upper)) }.sorted()
    // The median distance as a standard deviation, with a lower limit so that no single value is
    // trusted too much.
    return (lower, upper, max(0.09 * (upper - lower), 1.48 * away[away.count / 2]))
  }

  /// Determines the colours of the arcs: the illumination is uniform or has a gradient, and the
  /// arcs have two brightnesses.
  private func colours(
    _ middles: [Double?], _ continues: [Float], _ level: Double, _ third: inout [Float]
  ) {
    // Apparent arcs: connected positions are combined.
    var arcs: [(indices: [Int], value: Double, u: Double, v: Double)] = []
    for ring in AppClipCodeRing.all {
      let count = ring.positions
      guard let first = (0..<count).first(where: { continues[ring.first + $0] < 0 }) else {
        continue
      }
      var indices: [Int] = []
      func close() {
        let values = indices.compactMap { middles[$0] }.filter { $0 > 0.15 * level }
        guard !values.isEmpty else { return }
        let middle = Double(indices[indices.count / 2] - ring.first) + 0.5
        let angle = (ring.start(of: 0) + middle * ring.step) * .pi / 180
        let radius = ring.radius / AppClipCodeRing.discRadius
        arcs.append(
          (
            indices, values.reduce(0, +) / Double(values.count), radius * cos(angle),
            radius * sin(angle)
          ))
      }
      for step in 0..<count {
        let index = ring.first + (first + step) % count
        if step > 0, continues[index] <= 0 {
          close()
          indices = []
        }
        indices.append(index)
      }
      close()
    }
    guard arcs.count >= 16 else { return }
    // The illumination: a plane fitted to the brightness of the arcs, each assigned to the colour
    // that fits.
    var light = (c: 1.0, x: 0.0, y: 0.0)
    var (lower, upper, spread) = Self.twoLevels(arcs.map(\.value))
    guard upper > 0 else { return }
    for _ in 0..<6 {
      var equations = NormalEquations(count: 3)
      for arc in arcs {
        let here = light.c + light.x * arc.u + light.y * arc.v
        let value = arc.value / max(0.2, here)
        let near = abs(value - lower) < abs(value - upper) ? lower : upper
        equations.add([near, near * arc.u, near * arc.v], equals: arc.value, weight: 1 / near)
      }
      guard let solved = equations.solved(damping: 1e-3), solved[0] > 0.2 else { break }
      light = (solved[0], solved[1], solved[2])
      (lower, upper, spread) = Self.twoLevels(
        arcs.map { $0.value / max(0.2, light.c + light.x * $0.u + light.y * $0.v) })
    }
    guard upper - lower > 0.12 * upper else { return }
    for arc in arcs {
      let value = arc.value / max(0.2, light.c + light.x * arc.u + light.y * arc.v)
      // The third colour is the one that differs less from the disc.
      let odds = -Self.odds(value, lower, upper, spread)
      for index in arc.indices where middles[index] != nil { third[index] = odds }
    }
  }
}
