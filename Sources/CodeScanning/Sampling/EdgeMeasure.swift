import Pictures

/// Measures how far a border between two modules lies from where a geometry has it.
struct EdgeMeasure {
  let patch: PicturePatch
  let meter: SampleMeter

  /// The brightness at a point of the picture.
  func brightness(_ point: PicturePoint) -> Float {
    meter.count(1)
    return patch.brightness(point)
  }

  /// What an edge shows.
  struct Shift {
    /// How far along its normal the edge lies from its place, in modules; at most 0.4 either way.
    let modules: Double
    /// Brightness between its two sides, positive when the right one is dark.
    let contrast: Float
  }

  /// How far the edge is off; `patch` and `geometry` give the brightness across it.
  func shift(of edge: FunctionPatterns.Edge, in geometry: SymbolGeometry) -> Shift {
    func at(_ distance: Double) -> Float {
      brightness(
        edge.isVertical
          ? geometry(edge.u + distance, edge.v) : geometry(edge.u, edge.v + distance))
    }
    let (before, after) = (at(-0.5), at(0.5))
    let contrast = edge.isDarkFirst ? after - before : before - after
    guard contrast > 1 else { return Shift(modules: 0, contrast: contrast) }
    // Too dark around an edge that comes after dark: the dark goes on, the edge lies further on.
    let middle = (at(-0.2) + at(0) + at(0.2)) / 3
    let excess = ((before + after) / 2 - middle) / (contrast / 2)
    let forward = edge.isDarkFirst ? excess : -excess
    return Shift(modules: 0.35 * Double(min(1, max(-1, forward))), contrast: contrast)
  }
}

extension EdgeMeasure {
  /// How well a geometry is fitted, after a fit.
  struct Fit {
    /// The part of the edges with the right contrast, 0 … 1.
    let right: Double
    /// The middle contrast of those, in levels of brightness.
    let contrast: Float
  }

  /// Moves the plane, and the bend where wanted, so that edges come to where they are seen.
  ///
  /// - Parameters:
  ///   - geometry: the start, right to less than a module at most edges.
  ///   - edges: what is known of the symbol.
  ///   - rounds: how often.
  ///   - bends: whether to bend the sheet as well.
  func fit(
    _ geometry: inout SymbolGeometry, to edges: [FunctionPatterns.Edge], rounds: Int,
    bends: Bool = false
  ) -> Fit {
    var fit = Fit(right: 0, contrast: 0)
    for _ in 0..<rounds {
      let shifts = edges.map { shift(of: $0, in: geometry) }
      let seen = shifts.count { $0.contrast > 6 }
      guard seen > 0 else { return fit }
      let typical = Self.typicalContrast(of: shifts)
      fit = Fit(right: Double(seen) / Double(edges.count), contrast: typical)
      var adjustment = GeometryAdjustment(of: geometry, bends: bends)
      for (edge, shift) in zip(edges, shifts) where shift.contrast > 6 {
        adjustment.add(
          shift.modules, isAlongU: edge.isVertical, at: edge.u, edge.v,
          weight: Double(min(1, shift.contrast / typical)))
      }
      guard let moved = adjustment.result() else { return fit }
      let step = zip(moved.corners, geometry.corners).map { $0.distance(to: $1) }.max() ?? 0
      geometry = moved
      if step < 0.04 * moved.modulePixels { break }
    }
    return fit
  }

  /// The middle of the contrasts that are seen. Some edges tell as much as all.
  private static func typicalContrast(of shifts: [Shift]) -> Float {
    var some: [Float] = []
    for index in stride(from: 0, to: shifts.count, by: max(1, shifts.count / 90))
    where shifts[index].contrast > 6 { some.append(shifts[index].contrast) }
    some.sort()
    return some.isEmpty ? 6 : some[some.count / 2]
  }
}
