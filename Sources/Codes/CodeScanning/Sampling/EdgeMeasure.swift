import Pictures

/// Measures the distance between a module edge and its position in a geometry.
struct EdgeMeasure {
  let patch: PicturePatch
  let meter: SampleMeter

  /// Returns the brightness at a point of the picture.
  func brightness(_ point: PicturePoint) -> Float {
    meter.count(1)
    return patch.brightness(point)
  }

  /// The measurement of an edge.
  struct Shift {
    /// The distance of the edge from its expected position along the normal, in modules; at most
    /// 0.35 either way.
    let modules: Double
    /// The difference in brightness between its sides, positive if the expected one is darker.
    let contrast: Float
  }

  /// Returns the shift of an edge; `patch` and `geometry` give the brightness across it.
  func shift(of edge: FunctionPatterns.Edge, in geometry: SymbolGeometry) -> Shift {
    func at(_ distance: Double) -> Float {
      brightness(
        edge.isVertical
          ? geometry(edge.u + distance, edge.v) : geometry(edge.u, edge.v + distance))
    }
    let (before, after) = (at(-0.5), at(0.5))
    let contrast = edge.isDarkFirst ? after - before : before - after
    guard contrast > 1 else { return Shift(modules: 0, contrast: contrast) }
    // If the area around an edge that follows dark is too dark, the dark continues and the edge is
    // further on.
    let middle = (at(-0.2) + at(0) + at(0.2)) / 3
    let excess = ((before + after) / 2 - middle) / (contrast / 2)
    let forward = edge.isDarkFirst ? excess : -excess
    return Shift(modules: 0.35 * Double(min(1, max(-1, forward))), contrast: contrast)
  }

  /// Returns the shift of edges that were moved together, in modules.
  func shift(
    of edges: [FunctionPatterns.Edge], movedBy start: (du: Double, dv: Double),
    in geometry: SymbolGeometry
  ) -> (du: Double, dv: Double) {
    var (du, dv) = (sum: (0.0, 0.0), (0.0, 0.0))
    for edge in edges {
      let moved = FunctionPatterns.Edge(
        u: edge.u + start.du, v: edge.v + start.dv, isVertical: edge.isVertical,
        isDarkFirst: edge.isDarkFirst)
      let shift = shift(of: moved, in: geometry)
      guard shift.contrast > 6 else { continue }
      let weight = Double(shift.contrast)
      if edge.isVertical {
        du = (du.0 + shift.modules * weight, du.1 + weight)
      } else {
        dv = (dv.0 + shift.modules * weight, dv.1 + weight)
      }
    }
    return (du.1 > 0 ? du.0 / du.1 : 0, dv.1 > 0 ? dv.0 / dv.1 : 0)
  }

  /// The quality of a fit.
  struct Fit {
    /// The share of the edges with the right contrast, 0 … 1.
    let right: Double
    /// The median contrast of those, in levels of brightness.
    let contrast: Float
  }

  /// Moves the plane, and optionally the bend, so that edges match their visible positions.
  ///
  /// - Parameters:
  ///   - geometry: the initial geometry, accurate to less than a module at most edges.
  ///   - edges: the known edges of the symbol.
  ///   - rounds: the largest number of iterations.
  ///   - bends: whether the bend is also fitted.
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

  /// Returns the median of the visible contrasts, from a sample of the edges.
  private static func typicalContrast(of shifts: [Shift]) -> Float {
    var some: [Float] = []
    for index in stride(from: 0, to: shifts.count, by: max(1, shifts.count / 90))
    where shifts[index].contrast > 6 { some.append(shifts[index].contrast) }
    some.sort()
    return some.isEmpty ? 6 : some[some.count / 2]
  }
}

/// A small change of a geometry's plane, and optionally of its bend, that compensates for observed
/// shifts, by least squares.
struct GeometryAdjustment {
  private let geometry: SymbolGeometry
  private let bends: Bool
  private var equations: NormalEquations
  private var row: [Double]

  init(of geometry: SymbolGeometry, bends: Bool) {
    self.geometry = geometry
    self.bends = bends
    let count = bends ? 8 + SymbolBend.count : 8
    equations = NormalEquations(count: count)
    row = [Double](repeating: 0, count: count)
  }

  /// Adds an observation: the edge at a position is `shift` modules further along one axis.
  mutating func add(
    _ shift: Double, isAlongU: Bool, at u: Double, _ v: Double, weight: Double
  ) {
    let (halfU, halfV) = (Double(geometry.width) / 2, Double(geometry.height) / 2)
    let (x, y) = (u / halfU - 1, v / halfV - 1)
    let half = isAlongU ? halfU : halfV
    for index in row.indices { row[index] = 0 }
    let first = isAlongU ? 0 : 3
    (row[first], row[first + 1], row[first + 2]) = (half, half * x, half * y)
    let along = isAlongU ? x : y
    (row[6], row[7]) = (half * along * x, half * along * y)
    if bends {
      let shapes = SymbolBend.shapes(along, across: isAlongU ? y : x)
      for index in 0..<4 { row[8 + (isAlongU ? 0 : 4) + index] = shapes[index] }
    }
    equations.add(row, equals: shift, weight: weight)
  }

  /// Returns the changed geometry, or `nil` if the observations do not determine it.
  ///
  /// A bent sheet fits three finder patterns in several ways. Therefore it is restricted to little
  /// perspective and a simple swell, or the corner without a finder pattern would be arbitrary.
  mutating func result() -> SymbolGeometry? {
    let bend =
      geometry.bend.isNone
      ? [Double](repeating: 0, count: SymbolBend.count) : geometry.bend.coefficients
    if bends {
      let perspective = geometry.perspective
      equations.hold(6, at: -perspective.alongU, weight: 60)
      equations.hold(7, at: -perspective.alongV, weight: 60)
      for (index, value) in bend.enumerated() {
        // The swells are first and third of four.
        equations.hold(8 + index, at: -value, weight: index % 2 == 0 ? 0.02 : 0.4)
      }
    }
    guard let change = equations.solved(damping: 1e-6),
      let plane = geometry.plane.moved(
        by: change, width: geometry.width, height: geometry.height)
    else { return nil }
    var moved = geometry
    moved.plane = plane
    if bends { moved.bend = SymbolBend(coefficients: zip(bend, change.dropFirst(8)).map(+)) }
    return moved.isSane ? moved : nil
  }
}
