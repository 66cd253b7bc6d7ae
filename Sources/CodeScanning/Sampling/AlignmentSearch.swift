import Pictures

/// Looks for alignment patterns (ISO/IEC 18004:2015, 6.3.6) near where a geometry has them.
struct AlignmentSearch {
  let measure: EdgeMeasure

  /// An alignment pattern as it was found.
  struct Finding {
    /// How far it lies from its place in the geometry, in modules.
    let du: Double
    let dv: Double
    /// How well the 5 × 5 modules fit, 1 when they all have the contrast of the finders.
    let score: Float
  }

  /// The places around one where an alignment pattern stands out, the best first.
  ///
  /// - Parameters:
  ///   - u: modules from the symbol's left edge to the pattern's middle.
  ///   - v: modules from its top edge.
  ///   - reach: how far to look, in modules.
  ///   - contrast: what the finder patterns show between dark and light.
  ///   - most: how many to answer.
  func findings(
    near u: Double, _ v: Double, in geometry: SymbolGeometry, reach: Double, contrast: Float,
    most: Int
  ) -> [Finding] {
    let step = 0.5
    let steps = Int(min(reach, 12) / step)
    // Every place of the window once, half a module apart, with the pattern's own reach around.
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

  /// How the pattern fits around a place: each module a step of two in the window.
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
    // The middle, the ring and the frame must each stand out, or data would do.
    let middle = values[y * side + x]
    let (light, dark) = (ring / 8, frame / 16)
    let scale = 1 / max(contrast, 8)
    return min(1, (light - dark) * scale) * 0.7 + min(1, (light - middle) * scale) * 0.3
  }

  /// The finding with its place refined by the pattern's own edges.
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

extension EdgeMeasure {
  /// By how much edges that were moved together lie off, in modules.
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
}
