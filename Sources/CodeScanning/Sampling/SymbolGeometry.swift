import Pictures

/// Where each place of a symbol is seen in the picture: a plane seen in perspective, and what the
/// paper's shape and the lens add to it.
struct SymbolGeometry: Sendable {
  /// Modules on a side.
  let size: Int
  var plane: PlaneMap
  /// How a sheet that is bent as a whole departs from the plane.
  var bend = SymbolBend.none
  /// How the paper departs from that, place by place.
  var shifts: ModuleShifts?

  init(size: Int, plane: PlaneMap) {
    self.size = size
    self.plane = plane
  }

  /// Where a place is seen, in pixels.
  ///
  /// - Parameters:
  ///   - u: modules from the symbol's left edge.
  ///   - v: modules from its top edge.
  func callAsFunction(_ u: Double, _ v: Double) -> PicturePoint {
    let place = onPlane(u, v)
    return plane(place.u, place.v)
  }

  /// The place of the plane that is seen where the symbol has a place.
  func onPlane(_ u: Double, _ v: Double) -> (u: Double, v: Double) {
    guard let shifts else { return bent(u, v) }
    let shift = shifts.at(u, v)
    return bent(u + shift.du, v + shift.dv)
  }

  /// The place of the plane that is seen where a bent sheet has a place.
  func bent(_ u: Double, _ v: Double) -> (u: Double, v: Double) {
    guard !bend.isNone else { return (u, v) }
    let shift = bend.at(u, v, size: size)
    return (u + shift.du, v + shift.dv)
  }

  /// How much nearer the camera the right and the lower edge are than the middle, as parts of the
  /// middle's distance.
  var perspective: (alongU: Double, alongV: Double) {
    let half = Double(size) / 2
    let middle = plane.depth(half, half)
    return (
      1 - plane.depth(2 * half, half) / middle, 1 - plane.depth(half, 2 * half) / middle
    )
  }

  /// The symbol's corners: top left, top right, bottom right, bottom left.
  var corners: [PicturePoint] {
    let side = Double(size)
    return [self(0, 0), self(side, 0), self(side, side), self(0, side)]
  }

  /// About how many pixels a module measures: the mean of the sides over the size.
  var modulePixels: Double {
    let corners = corners
    let sum = corners.indices.reduce(0.0) { $0 + corners[$1].distance(to: corners[($1 + 1) % 4]) }
    return sum / 4 / Double(size)
  }

  /// Whether the whole symbol lies on this side of the horizon, in a picture of sane coordinates.
  var isSane: Bool {
    let side = Double(size)
    let depths = [(0, 0), (side, 0), (side, side), (0, side)].map { plane.depth($0.0, $0.1) }
    guard let least = depths.min(), let most = depths.max(), least * most > 0,
      abs(least / most) > 0.1, abs(least / most) < 10
    else { return false }
    let corners = corners
    guard corners.allSatisfy({ abs($0.x) < 1e6 && abs($0.y) < 1e6 }) else { return false }
    // Twice the area, by the diagonals.
    let (a, b) = (corners[0], corners[2])
    let (c, d) = (corners[1], corners[3])
    return abs((b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x)) > side * side / 4
  }
}

/// A bend of a whole sheet, as of a label around a bottle: shifts in modules that vanish at the
/// symbol's edges and grow towards its middle lines.
struct SymbolBend: Hashable, Sendable {
  static let none = SymbolBend(coefficients: [])
  /// The number of ways to bend.
  static let count = 8

  /// In modules: along u, a swell and a skew over u, a swell over v, and one that also grows with
  /// u; then the same along v.
  var coefficients: [Double]

  var isNone: Bool { coefficients.isEmpty }

  /// The shapes of a shift along one axis at −1 … 1 on it and on the other.
  static func shapes(_ t: Double, across other: Double) -> SIMD4<Double> {
    // 0 at the edges and 1 in the middle.
    let (swell, swellAcross) = (1 - t * t, 1 - other * other)
    return SIMD4(swell, 2.6 * t * swell, swellAcross, t * swellAcross)
  }

  func at(_ u: Double, _ v: Double, size: Int) -> (du: Double, dv: Double) {
    let half = Double(size) / 2
    let (x, y) = (u / half - 1, v / half - 1)
    let c = coefficients
    let (alongU, alongV) = (Self.shapes(x, across: y), Self.shapes(y, across: x))
    var (du, dv) = (0.0, 0.0)
    for index in 0..<4 {
      du += c[index] * alongU[index]
      dv += c[index + 4] * alongV[index]
    }
    return (du, dv)
  }
}

/// Shifts in modules at the crossings of some columns and rows, and between them by interpolation.
struct ModuleShifts: Sendable {
  /// Where the columns and the rows stand, in modules, rising; at least two.
  let lines: [Double]
  /// Row by row.
  var du: [Double]
  var dv: [Double]
  /// For every half module, the line before it.
  private let before: [Int]

  init(lines: [Double], size: Int) {
    self.lines = lines
    du = [Double](repeating: 0, count: lines.count * lines.count)
    dv = du
    before = (0...2 * size).map { half in
      let place = Double(half) / 2
      let line = (lines.firstIndex { $0 > place } ?? lines.count) - 1
      return min(lines.count - 2, max(0, line))
    }
  }

  /// The shift of a place; beyond the outermost lines they go on as within.
  func at(_ u: Double, _ v: Double) -> (du: Double, dv: Double) {
    let (column, x) = place(u)
    let (row, y) = place(v)
    let index = row * lines.count + column
    return (Self.between(du, index, lines.count, x, y), Self.between(dv, index, lines.count, x, y))
  }

  private func place(_ t: Double) -> (line: Int, part: Double) {
    let half = min(Double(before.count - 1), max(0, t * 2))
    let line = before[Int(half)]
    let part = (t - lines[line]) / (lines[line + 1] - lines[line])
    // Not far beyond the outermost lines.
    return (line, min(1.4, max(-0.4, part)))
  }

  private static func between(
    _ values: [Double], _ index: Int, _ count: Int, _ x: Double, _ y: Double
  ) -> Double {
    let upper = values[index] + (values[index + 1] - values[index]) * x
    let next = index + count
    let lower = values[next] + (values[next + 1] - values[next]) * x
    return upper + (lower - upper) * y
  }
}

extension PicturePoint {
  /// The distance of two points, in pixels.
  func distance(to other: PicturePoint) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// A small change of a geometry's plane, and of its bend where wanted, that makes up for shifts
/// seen at places, by least squares.
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

  /// Adds what was seen at a place: it lies `shift` modules further along one axis.
  mutating func add(
    _ shift: Double, isAlongU: Bool, at u: Double, _ v: Double, weight: Double
  ) {
    let half = Double(geometry.size) / 2
    let (x, y) = (u / half - 1, v / half - 1)
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

  /// The changed geometry, or `nil` when the places do not tell.
  ///
  /// A bent sheet fits three finder patterns in more ways than one. So it is held to little
  /// perspective and a plain swell, or the corner without a finder pattern would end up anywhere.
  mutating func result() -> SymbolGeometry? {
    let bend =
      geometry.bend.isNone
      ? [Double](repeating: 0, count: SymbolBend.count) : geometry.bend.coefficients
    if bends {
      let perspective = geometry.perspective
      equations.hold(6, at: -perspective.alongU, weight: 60)
      equations.hold(7, at: -perspective.alongV, weight: 60)
      for (index, value) in bend.enumerated() {
        // The swells come first and third of four.
        equations.hold(8 + index, at: -value, weight: index % 2 == 0 ? 0.02 : 0.4)
      }
    }
    guard let change = equations.solved(damping: 1e-6),
      let plane = geometry.plane.moved(by: change, size: geometry.size)
    else { return nil }
    var moved = geometry
    moved.plane = plane
    if bends { moved.bend = SymbolBend(coefficients: zip(bend, change.dropFirst(8)).map(+)) }
    return moved.isSane ? moved : nil
  }
}

/// Weighted linear least squares with few unknowns, by the normal equations.
struct NormalEquations {
  private let count: Int
  /// The upper triangle is kept, row by row in a full square.
  private var square: [Double]
  private var right: [Double]

  init(count: Int) {
    self.count = count
    square = [Double](repeating: 0, count: count * count)
    right = [Double](repeating: 0, count: count)
  }

  /// Adds the equation `row · unknowns = value`.
  mutating func add(_ row: [Double], equals value: Double, weight: Double) {
    for i in 0..<count where row[i] != 0 {
      let factor = row[i] * weight
      right[i] += factor * value
      for j in i..<count { square[i * count + j] += factor * row[j] }
    }
  }

  /// Holds one unknown near a value.
  mutating func hold(_ index: Int, at value: Double = 0, weight: Double) {
    square[index * count + index] += weight
    right[index] += weight * value
  }

  /// The unknowns, or `nil` when the equations do not determine them.
  ///
  /// - Parameter damping: added to the diagonal, as a part of its mean.
  func solved(damping: Double) -> [Double]? {
    var l = square
    let mean = (0..<count).reduce(0) { $0 + square[$1 * count + $1] } / Double(count)
    // Cholesky: the square is L Lᵀ, kept as its transpose in the upper triangle.
    for i in 0..<count {
      for j in i..<count {
        var sum = l[i * count + j] + (i == j ? damping * mean : 0)
        for k in 0..<i { sum -= l[k * count + i] * l[k * count + j] }
        if i == j {
          guard sum > 1e-12 * mean else { return nil }
          l[i * count + i] = sum.squareRoot()
        } else {
          l[i * count + j] = sum / l[i * count + i]
        }
      }
    }
    var x = right
    for i in 0..<count {
      for k in 0..<i { x[i] -= l[k * count + i] * x[k] }
      x[i] /= l[i * count + i]
    }
    for i in (0..<count).reversed() {
      for k in i + 1..<count { x[i] -= l[i * count + k] * x[k] }
      x[i] /= l[i * count + i]
    }
    return x.allSatisfy(\.isFinite) ? x : nil
  }
}
