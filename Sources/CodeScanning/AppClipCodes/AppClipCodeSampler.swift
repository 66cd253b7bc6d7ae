import AppClipCodes
import Glibc
import Pictures

/// Reads the bits of an App Clip Code whose rings were found.
struct AppClipCodeSampler {
  /// How much light each ring gives all around, as a part of what its arcs give: about 0 in a gap, 1 in
  /// an arc of the foreground's colour, and between them in one of the third colour.
  private let profiles: [[Double]]
  /// Whether a place of a ring was in the picture.
  private let isSeen: [[Bool]]

  /// Samples of a ring all around.
  private static let samples = 720

  /// Reads the rings' brightness around the code.
  init(_ fit: RingFit, _ plane: PixelPlane, isLight: Bool) {
    var profiles: [[Double]] = []
    var isSeen: [[Bool]] = []
    let sign = isLight ? 1.0 : -1.0
    // Three places across the stroke, for less noise.
    let across = [-0.2, 0, 0.2].map {
      $0 * AppClipCodeRing.strokeWidth / AppClipCodeRing.discRadius
    }
    var angles: [(Double, Double)] = []
    for place in 0..<Self.samples {
      let angle = (Double(place) + 0.5) / Double(Self.samples) * 2 * .pi
      angles.append((cos(angle), sin(angle)))
    }
    // The ground all around, smoothed, because it is plain.
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

  /// The share of places of the rings that are brighter than the ground by a part of what the arcs
  /// are: where five rings are seen, four of five places are arcs.
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

  /// What the brighter half of all places shows.
  var level: Double {
    var values = profiles.joined().filter { $0.isFinite }
    values.sort()
    return values.isEmpty ? 0 : values[values.count * 3 / 5]
  }

  /// How gaps lie on each ring: 1 where the ring is interrupted, 0 within arcs, between the brightest
  /// places a few degrees to both sides.
  private var gaps: [[Double]] {
    let count = Self.samples
    return AppClipCodeRing.all.enumerated().map { number, ring in
      let profile = profiles[number]
      // As far as the middle of the arcs to both sides is surely reached.
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

  /// How the code is turned.
  struct Turn {
    /// Degrees clockwise.
    let degrees: Double
    /// By how many standard deviations more gaps lie where positions begin than would by chance.
    let certainty: Double
  }

  /// Finds how the code is turned: gaps lie only where positions begin, and the five rings have
  /// different numbers of positions.
  func turn() -> Turn? {
    let gaps = gaps
    let count = Self.samples
    var scores = [Double](repeating: 0, count: count)
    var expected = 0.0
    var variance = 0.0
    for (number, ring) in AppClipCodeRing.all.enumerated() {
      // What is seen of a gap: without the round ends of the arcs.
      let cap = AppClipCodeRing.strokeWidth / 2 / ring.radius * 180 / .pi
      let half = (ring.gap - cap) / 360 * Double(count)
      let reach = max(1, Int(half.rounded()))
      var sums = [0.0]
      for step in 0..<count + 2 * reach {
        sums.append(sums[step] + gaps[number][(step - reach + count) % count])
      }
      // How much gap there is about each sample, in gaps.
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
    // Between the samples by a parabola.
    let before = scores[(best - 1 + count) % count]
    let after = scores[(best + 1) % count]
    let curve = before - 2 * scores[best] + after
    let shift = curve < 0 ? max(-0.5, min(0.5, 0.5 * (before - after) / curve)) : 0
    return Turn(
      degrees: (Double(best) + shift) * 360 / Double(count),
      certainty: (scores[best] - expected) / variance.squareRoot())
  }

  /// The mean of a ring around an angle in degrees; nothing outside the picture.
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

  /// Reads the bits of the code when it is turned so.
  func reading(turnedBy degrees: Double) -> AppClipCodeReading? {
    var continues = [Float](repeating: 0, count: AppClipCodeRing.positionsOfCode)
    var third = continues
    // How bright each position is in its middle, and how bright the ring is where it begins.
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
    // The part of the light beside it that comes from a beginning: 0 in a gap, 1 where an arc goes on.
    var parts: [(index: Int, part: Double, weight: Double)] = []
    for ring in AppClipCodeRing.all {
      for index in ring.indices {
        guard let start = starts[index], let here = middles[index],
          let before = middles[ring.before(index)]
        else { continue }
        let beside = min(here, before)
        // Something that covers the arcs beside it covers the beginning, too.
        guard beside > 0.2 * level else { continue }
        parts.append((index, start / beside, 1))
      }
    }
    let (lower, upper, spread) = Self.twoLevels(parts.map(\.part))
    guard upper - lower > 0.15 else { return nil }
    for (index, part, _) in parts {
      continues[index] = Self.odds(part, lower, upper, spread)
    }
    colours(middles, continues, level, &third)
    return AppClipCodeReading(continues: continues, third: third)
  }

  /// What the picture tells of the print.
  ///
  /// - Parameters:
  ///   - reading: The bits.
  ///   - degrees: How the code is turned.
  ///   - fit: Where its rings are.
  ///   - plane: The picture.
  func print(
    of reading: AppClipCodeReading, turnedBy degrees: Double, _ fit: RingFit, _ plane: PixelPlane
  ) -> AppClipCodePrint {
    var arcs: (foreground: [Double], third: [Double]) = ([], [])
    var grounds: [Double] = []
    var depths: [Double] = []
    var widths: [Double] = []
    let stroke = AppClipCodeRing.strokeWidth / AppClipCodeRing.discRadius
    // Edges are a pixel wide at best: of thinner arcs nothing is said.
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

  /// How wide an arc is where a ray meets it, between the places that are half as bright as its middle,
  /// as a part of its nominal width.
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

  /// The logarithm of the odds that a value belongs to the upper of two levels, with a chance of one
  /// in 150 that a value lies anywhere because of a scratch.
  private static func odds(
    _ value: Double, _ lower: Double, _ upper: Double, _ spread: Double
  ) -> Float {
    func likelihood(_ level: Double) -> Double {
      let away = (value - level) / spread
      return exp(-0.5 * away * away) + 0.007
    }
    // Beyond a level it is no less likely.
    let high = value > upper ? 1.007 : likelihood(upper)
    let low = value < lower ? 1.007 : likelihood(lower)
    return Float(log(high / low))
  }

  /// Two levels about which values lie, and how far they lie from them.
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
    // The median of the distances, as a standard deviation; never so small that a single value is
    // believed too much.
    return (lower, upper, max(0.09 * (upper - lower), 1.48 * away[away.count / 2]))
  }

  /// Tells the arcs' colours apart: the light falls on a code evenly or along a slope, and there are two
  /// brightnesses of arcs.
  private func colours(
    _ middles: [Double?], _ continues: [Float], _ level: Double, _ third: inout [Float]
  ) {
    // Arcs as they seem to be; positions that hang together are taken together.
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
    // The light: a plane through the brightness of the arcs, each taken for the colour that fits.
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
