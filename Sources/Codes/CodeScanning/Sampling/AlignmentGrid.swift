import Pictures

/// The located alignment patterns of a symbol, and the geometry that follows them.
struct AlignmentGrid {
  let measure: EdgeMeasure
  let contrast: Float
  /// The edges of each finder pattern, as squares or as rings.
  let edgesOfFinders: [[FunctionPatterns.Edge]]
  /// The patterns of the symbol.
  let patterns: FunctionPatterns

  /// Returns the possible positions of the alignment pattern furthest from the finder patterns,
  /// likeliest first; empty in version 1.
  func far(in start: SymbolGeometry, most: Int) -> [AlignmentSearch.Finding] {
    guard let last = patterns.alignmentMiddles.last else { return [] }
    let found = AlignmentSearch(measure: measure).findings(
      near: last, last, in: start, reach: 2 + Double(start.size) / 16, contrast: contrast,
      most: most)
    // Next to one that is clear and well placed, no other is likely.
    guard let first = found.first, first.score > 0.8, max(abs(first.du), abs(first.dv)) < 1 else {
      return found
    }
    return [first]
  }

  /// Returns the plane anchored at the found far alignment pattern, and fitted to all edges.
  func anchored(
    _ start: SymbolGeometry, at found: AlignmentSearch.Finding
  ) -> SymbolGeometry? {
    guard let last = patterns.alignmentMiddles.last else { return nil }
    let far = Double(start.size)
    // The finder patterns remain fixed; the plane pivots around them.
    let corners = [(0.0, 0.0), (7, 7), (far, 0), (far - 7, 7), (0, far), (7, far - 7)]
    var matches = corners.map { place -> PlaneMap.Match in
      let bent = start.bent(place.0, place.1)
      return .init(u: bent.u, v: bent.v, seen: start(place.0, place.1))
    }
    let bent = start.bent(last, last)
    matches.append(
      .init(u: bent.u, v: bent.v, seen: start(last + found.du, last + found.dv), weight: 4))
    guard let plane = PlaneMap(fitting: matches) else { return nil }
    var geometry = start
    geometry.plane = plane
    guard geometry.isSane else { return nil }
    let edges =
      edgesOfFinders.flatMap(\.self) + patterns.timingEdges
      + FunctionPatterns.alignmentEdges(u: last, v: last)
    _ = measure.fit(&geometry, to: edges, rounds: 3, bends: !start.bend.isNone)
    return geometry
  }

  /// Returns the geometry with each alignment pattern at its visible position, for versions with
  /// several.
  func followed(_ start: SymbolGeometry) -> (geometry: SymbolGeometry, seeds: [SheetTracking.Seed])
  {
    let middles = patterns.alignmentMiddles
    var seeds = finderSeeds(start)
    guard middles.count > 1 else { return (start, seeds) }
    let search = AlignmentSearch(measure: measure)
    let last = middles.count - 1
    // Along the diagonals from the top left, so that each pattern has a neighbour that was found.
    for sum in 1...2 * last {
      for row in max(0, sum - last)...min(sum, last) {
        let column = sum - row
        guard !(row == 0 && column == last), !(row == last && column == 0) else { continue }
        let (u, v) = (middles[column], middles[row])
        let near = Self.mean(of: seeds, near: u, v)
        let found = search.findings(
          near: u + near.du, v + near.dv, in: start, reach: 2, contrast: contrast, most: 1)
        guard let found = found.first, found.score > 0.5 else { continue }
        seeds.append(.init(u: u, v: v, du: near.du + found.du, dv: near.dv + found.dv))
      }
    }
    guard middles.count > 2 else { return (start, seeds) }
    var shifts = ModuleShifts(lines: middles, size: start.size)
    for (row, v) in middles.enumerated() {
      for (column, u) in middles.enumerated() {
        let near = Self.mean(of: seeds, near: u, v)
        let index = row * middles.count + column
        (shifts.du[index], shifts.dv[index]) = (near.du, near.dv)
      }
    }
    var geometry = start
    geometry.shifts = shifts
    return (geometry, seeds)
  }

  /// Returns the shift of each finder pattern.
  private func finderSeeds(_ start: SymbolGeometry) -> [SheetTracking.Seed] {
    let far = Double(start.size) - 3.5
    return zip([(3.5, 3.5), (far, 3.5), (3.5, far)], edgesOfFinders).map { place, edges in
      var shift = (du: 0.0, dv: 0.0)
      for _ in 0..<2 {
        let more = measure.shift(of: edges, movedBy: shift, in: start)
        shift = (shift.du + more.du, shift.dv + more.dv)
      }
      return .init(u: place.0, v: place.1, du: shift.du, dv: shift.dv)
    }
  }

  /// Returns the mean shift of the nearest patterns; one at the same position counts alone.
  private static func mean(
    of seeds: [SheetTracking.Seed], near u: Double, _ v: Double
  ) -> (du: Double, dv: Double) {
    let nearest = seeds.map { seed -> (SheetTracking.Seed, Double) in
      let (x, y) = (seed.u - u, seed.v - v)
      return (seed, x * x + y * y)
    }.sorted { $0.1 < $1.1 }.prefix(3)
    var (du, dv, sum) = (0.0, 0.0, 0.0)
    for (seed, square) in nearest {
      let weight = 1 / (square + 0.01)
      (du, dv, sum) = (du + seed.du * weight, dv + seed.dv * weight, sum + weight)
    }
    return sum > 0 ? (du / sum, dv / sum) : (0, 0)
  }
}

/// Searches for alignment patterns (ISO/IEC 18004:2015, 6.3.6) near their positions in a geometry.
struct AlignmentSearch {
  let measure: EdgeMeasure

  /// A located alignment pattern.
  struct Finding {
    /// The distance from its position in the geometry, in modules.
    let du: Double
    let dv: Double
    /// The fit of the 5 × 5 modules, 1 if they all have the contrast of the finder patterns.
    let score: Float
  }

  /// Returns the positions near a point at which an alignment pattern is visible, best first.
  ///
  /// - Parameters:
  ///   - u: the distance from the symbol's left edge to the pattern's centre in modules.
  ///   - v: the distance from its top edge in modules.
  ///   - reach: the radius of the search in modules.
  ///   - contrast: the contrast of the finder patterns.
  ///   - most: the largest number of results.
  func findings(
    near u: Double, _ v: Double, in geometry: SymbolGeometry, reach: Double, contrast: Float,
    most: Int
  ) -> [Finding] {
    let step = 0.5
    let steps = Int(min(reach, 12) / step)
    // Samples the window once, every half module, including a border for the pattern's extent.
    let border = 4
    let side = 2 * (steps + border) + 1
    var values = [Float](repeating: 0, count: side * side)
    for y in 0..<side {
      for x in 0..<side {
        let (du, dv) = (
          Double(x - steps - border) * step, Double(y - steps - border) * step
        )
        values[y * side + x] = measure.brightness(geometry(u + du, v + dv))
      }
    }
    var found: [Finding] = []
    for y in border..<side - border {
      for x in border..<side - border {
        let score = Self.score(values, side, x, y, contrast)
        guard score > 0.35 else { continue }
        found.append(
          Finding(
            du: Double(x - steps - border) * step, dv: Double(y - steps - border) * step,
            score: score))
      }
    }
    // Nearer ones first among equals.
    found.sort { $0.score - Self.penalty($0, reach) > $1.score - Self.penalty($1, reach) }
    var best: [Finding] = []
    for finding in found where best.count < most {
      let isNew = !best.contains { abs($0.du - finding.du) < 1.2 && abs($0.dv - finding.dv) < 1.2 }
      if isNew { best.append(finding) }
    }
    return best.map { settled($0, u, v, geometry) }
  }

  private static func penalty(_ finding: Finding, _ reach: Double) -> Float {
    Float((finding.du * finding.du + finding.dv * finding.dv).squareRoot() / reach) * 0.15
  }

  /// Returns the fit of the pattern at a position: each module is two steps in the window.
  private static func score(
    _ values: [Float], _ side: Int, _ x: Int, _ y: Int, _ contrast: Float
  ) -> Float {
    var (frame, ring): (Float, Float) = (0, 0)
    for row in -2...2 {
      for column in -2...2 {
        let value = values[(y + 2 * row) * side + x + 2 * column]
        switch max(abs(row), abs(column)) {
        case 2: frame += value
        case 1: ring += value
        default: break
        }
      }
    }
    // The centre, the ring and the frame must each be distinct, or data would match.
    let middle = values[y * side + x]
    let (light, dark) = (ring / 8, frame / 16)
    let scale = 1 / max(contrast, 8)
    return min(1, (light - dark) * scale) * 0.7 + min(1, (light - middle) * scale) * 0.3
  }

  /// Returns the finding with its position refined by the pattern's edges.
  private func settled(
    _ finding: Finding, _ u: Double, _ v: Double, _ geometry: SymbolGeometry
  ) -> Finding {
    let edges = FunctionPatterns.alignmentEdges(u: u, v: v)
    var (du, dv) = (finding.du, finding.dv)
    for _ in 0..<3 {
      let shift = measure.shift(of: edges, movedBy: (du, dv), in: geometry)
      du += shift.du
      dv += shift.dv
    }
    guard abs(du - finding.du) < 1, abs(dv - finding.dv) < 1 else { return finding }
    return Finding(du: du, dv: dv, score: finding.score)
  }
}
