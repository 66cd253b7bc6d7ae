import Pictures

/// Tracks the grid of modules over a bent or crumpled sheet, starting from the finder patterns.
///
/// The edges between dark and light modules give the local shift of the grid, as long as it is less
/// than half a module. Therefore each node starts from the shifts of its neighbours nearer to the
/// finder patterns, and is corrected by the edges around it.
struct SheetTracking {
  let measure: EdgeMeasure
  let base: SymbolGeometry
  /// The middle between dark and light around each module, row by row.
  let thresholds: [Float]
  let contrast: Float

  /// A crossing of the lines at which the shift is measured.
  private struct Node {
    let u: Double
    let v: Double
    /// The distance from the nearest finder or alignment pattern, in modules.
    let distance: Double
  }

  /// The shift of a pattern from the base geometry, from which the tracking starts.
  struct Seed {
    let u: Double
    let v: Double
    let du: Double
    let dv: Double
  }

  /// Returns the geometry with shifts that follow the sheet.
  func followed(from seeds: [Seed]) -> SymbolGeometry {
    let size = base.size
    let spacing = size <= 45 ? 4.0 : size <= 97 ? 6 : 8
    let count = max(3, Int((Double(size - 7) / spacing).rounded()) + 1)
    let (span, steps) = (Double(size - 7), Double(count - 1))
    let lines: [Double] = (0..<count).map { 3.5 + Double($0) * span / steps }
    var shifts = ModuleShifts(lines: lines, size: size)
    let nodes = lines.indices.flatMap { row in
      lines.indices.map { column -> Node in
        let (u, v) = (lines[column], lines[row])
        let distance =
          seeds.map { Self.distance($0.u - u, $0.v - v) }.min() ?? 0
        return Node(u: u, v: v, distance: distance)
      }
    }
    var known = seeds
    for index in nodes.indices.sorted(by: { nodes[$0].distance < nodes[$1].distance }) {
      let node = nodes[index]
      var local = LocalShift(of: known, at: node.u, node.v)
      let isSure = settle(&local, at: node.u, node.v)
      (shifts.du[index], shifts.dv[index]) = (local.du, local.dv)
      if isSure { known.append(Seed(u: node.u, v: node.v, du: local.du, dv: local.dv)) }
    }
    var geometry = base
    geometry.shifts = shifts
    return geometry
  }

  /// Corrects a shift by the edges around a position; returns whether there were enough of them.
  private func settle(_ local: inout LocalShift, at u: Double, _ v: Double) -> Bool {
    var isSure = false
    for _ in 0..<3 {
      let sums = borders(around: u, v, local)
      // The neighbours' shift has the weight of a few edges.
      local.du += sums.u.shift / (sums.u.weight + 1.5)
      local.dv += sums.v.shift / (sums.v.weight + 1.5)
      isSure = sums.u.weight > 4 && sums.v.weight > 4
    }
    return isSure
  }

  /// Returns the weighted sums of the shifts of the edges between modules around a position.
  private func borders(
    around u: Double, _ v: Double, _ local: LocalShift
  ) -> (u: (shift: Double, weight: Double), v: (shift: Double, weight: Double)) {
    let reach = 3
    let size = base.size
    let (left, top) = (max(0, Int(u) - reach), max(0, Int(v) - reach))
    let (right, bottom) = (min(size - 1, Int(u) + reach), min(size - 1, Int(v) + reach))
    let width = right - left + 1
    var values: [Float] = []
    values.reserveCapacity(width * (bottom - top + 1))
    for row in top...bottom {
      for column in left...right {
        values.append(at(Double(column) + 0.5, Double(row) + 0.5, local))
      }
    }
    var sums: (u: (shift: Double, weight: Double), v: (shift: Double, weight: Double)) =
      ((0, 0), (0, 0))
    for row in top...bottom {
      for column in left...right {
        let index = (row - top) * width + column - left
        let threshold = thresholds[row * size + column]
        if column < right, (values[index] < threshold) != (values[index + 1] < threshold) {
          let found = shift(
            between: values[index], values[index + 1], Double(column + 1), Double(row) + 0.5,
            isVertical: true, local)
          sums.u = (sums.u.shift + found.shift * found.weight, sums.u.weight + found.weight)
        }
        if row < bottom, (values[index] < threshold) != (values[index + width] < threshold) {
          let found = shift(
            between: values[index], values[index + width], Double(column) + 0.5, Double(row + 1),
            isVertical: false, local)
          sums.v = (sums.v.shift + found.shift * found.weight, sums.v.weight + found.weight)
        }
      }
    }
    return sums
  }

  /// Returns the shift of one edge along its normal, and its weight.
  private func shift(
    between before: Float, _ after: Float, _ u: Double, _ v: Double, isVertical: Bool,
    _ local: LocalShift
  ) -> (shift: Double, weight: Double) {
    let half = (after - before) / 2
    let size = abs(half) * 2
    guard size > 0.25 * contrast else { return (0, 0) }
    var sum: Float = 0
    for offset in [-0.2, 0, 0.2] {
      sum += isVertical ? at(u + offset, v, local) : at(u, v + offset, local)
    }
    let forward = ((before + after) / 2 - sum / 3) / half
    return (
      0.35 * Double(min(1, max(-1, forward))), Double(min(1, size / contrast))
    )
  }

  private func at(_ u: Double, _ v: Double, _ local: LocalShift) -> Float {
    let shift = local.at(u, v)
    return measure.brightness(base(u + shift.du, v + shift.dv))
  }

  fileprivate static func distance(_ x: Double, _ y: Double) -> Double {
    (x * x + y * y).squareRoot()
  }
}

/// The shift around a position: its value, and its gradient along both axes.
private struct LocalShift {
  var du: Double
  var dv: Double
  private let u, v: Double
  private let slopes: (uu: Double, uv: Double, vu: Double, vv: Double)

  /// Creates the most likely shift from the nearest known ones: a plane through them, kept flat
  /// where they do not determine it.
  init(of known: [SheetTracking.Seed], at u: Double, _ v: Double) {
    (self.u, self.v) = (u, v)
    let nearest = known.map { (seed: $0, distance: SheetTracking.distance($0.u - u, $0.v - v)) }
      .sorted { $0.distance < $1.distance }.prefix(7)
    var inU = NormalEquations(count: 3)
    var inV = NormalEquations(count: 3)
    for (seed, distance) in nearest {
      let weight = 1 / (4 + distance * distance)
      let row = [1, seed.u - u, seed.v - v]
      inU.add(row, equals: seed.du, weight: weight)
      inV.add(row, equals: seed.dv, weight: weight)
    }
    for index in 1...2 {
      inU.hold(index, weight: 2)
      inV.hold(index, weight: 2)
    }
    let a = inU.solved(damping: 1e-6) ?? [0, 0, 0]
    let b = inV.solved(damping: 1e-6) ?? [0, 0, 0]
    (du, dv) = (a[0], b[0])
    slopes = (a[1], a[2], b[1], b[2])
  }

  func at(_ u: Double, _ v: Double) -> (du: Double, dv: Double) {
    let (x, y) = (u - self.u, v - self.v)
    return (du + slopes.uu * x + slopes.uv * y, dv + slopes.vu * x + slopes.vv * y)
  }
}
