import Pictures

/// The alignment patterns of a symbol where they were found, and the geometry that follows them.
struct AlignmentGrid {
  let measure: EdgeMeasure
  let contrast: Float

  /// Where the alignment pattern furthest from the finder patterns may be, the likeliest first;
  /// none in version 1.
  func far(in start: SymbolGeometry, most: Int) -> [AlignmentSearch.Finding] {
    let patterns = FunctionPatterns.of(size: start.size)
    guard let last = patterns.alignmentMiddles.last else { return [] }
    let found = AlignmentSearch(measure: measure).findings(
      near: last, last, in: start, reach: 2 + Double(start.size) / 16, contrast: contrast,
      most: most)
    // Beside one that stands out and lies right, no other is likely.
    guard let first = found.first, first.score > 0.8, max(abs(first.du), abs(first.dv)) < 1 else {
      return found
    }
    return [first]
  }

  /// The plane that has the far alignment pattern where it was found, settled on all edges.
  func anchored(
    _ start: SymbolGeometry, at found: AlignmentSearch.Finding
  ) -> SymbolGeometry? {
    let patterns = FunctionPatterns.of(size: start.size)
    guard let last = patterns.alignmentMiddles.last else { return nil }
    let far = Double(start.size)
    // The finder patterns stay; the plane turns about them.
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
      patterns.finderEdges.flatMap(\.self) + patterns.timingEdges
      + FunctionPatterns.alignmentEdges(u: last, v: last)
    _ = measure.fit(&geometry, to: edges, rounds: 3, bends: !start.bend.isNone)
    return geometry
  }

  /// The geometry with each alignment pattern where it is seen, for the versions with several.
  func followed(_ start: SymbolGeometry) -> (geometry: SymbolGeometry, seeds: [SheetTracking.Seed])
  {
    let patterns = FunctionPatterns.of(size: start.size)
    let middles = patterns.alignmentMiddles
    var seeds = finderSeeds(start, patterns)
    guard middles.count > 1 else { return (start, seeds) }
    let search = AlignmentSearch(measure: measure)
    let last = middles.count - 1
    // Along the diagonals from the top left, so that each has a neighbour that was found.
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

  /// How far each finder pattern lies off.
  func finderSeeds(
    _ start: SymbolGeometry, _ patterns: FunctionPatterns
  ) -> [SheetTracking.Seed] {
    let far = Double(start.size) - 3.5
    return zip([(3.5, 3.5), (far, 3.5), (3.5, far)], patterns.finderEdges).map { place, edges in
      var shift = (du: 0.0, dv: 0.0)
      for _ in 0..<2 {
        let more = measure.shift(of: edges, movedBy: shift, in: start)
        shift = (shift.du + more.du, shift.dv + more.dv)
      }
      return .init(u: place.0, v: place.1, du: shift.du, dv: shift.dv)
    }
  }

  /// The mean shift of the nearest patterns; one that stands there itself counts alone.
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
