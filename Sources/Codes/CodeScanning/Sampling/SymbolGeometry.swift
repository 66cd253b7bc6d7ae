import Pictures

/// The projection of a symbol into the picture: a plane in perspective, with corrections for the
/// shape of the paper and the lens.
struct SymbolGeometry: Sendable {
  /// The number of modules in a row.
  let width: Int
  /// The number of modules in a column.
  let height: Int
  var plane: PlaneMap
  /// The deviation of a sheet bent as a whole from the plane.
  var bend = SymbolBend.none
  /// The local deviations from the bent sheet.
  var shifts: ModuleShifts?

  /// The number of modules on a side of a square symbol.
  var size: Int { width }
}

extension SymbolGeometry {
  /// Creates the geometry of a square symbol with `size` modules on a side.
  init(size: Int, plane: PlaneMap) { self.init(width: size, height: size, plane: plane) }

  /// Returns the position of a point in the picture, in pixels.
  ///
  /// - Parameters:
  ///   - u: the distance from the symbol's left edge in modules.
  ///   - v: the distance from its top edge in modules.
  func callAsFunction(_ u: Double, _ v: Double) -> PicturePoint {
    let place = onPlane(u, v)
    return plane(place.u, place.v)
  }

  /// Returns the point of the plane at which a point of the symbol is seen.
  func onPlane(_ u: Double, _ v: Double) -> (u: Double, v: Double) {
    guard let shifts else { return bent(u, v) }
    let shift = shifts.at(u, v)
    return bent(u + shift.du, v + shift.dv)
  }

  /// Returns the point of the plane at which a point of a bent sheet is seen.
  func bent(_ u: Double, _ v: Double) -> (u: Double, v: Double) {
    guard !bend.isNone else { return (u, v) }
    let shift = bend.at(u, v, size: size)
    return (u + shift.du, v + shift.dv)
  }

  /// The differences in depth between the right and lower edges and the centre, relative to the
  /// centre; positive if the edge is nearer to the camera.
  var perspective: (alongU: Double, alongV: Double) {
    let half = Double(size) / 2
    let middle = plane.depth(half, half)
    return (
      1 - plane.depth(2 * half, half) / middle, 1 - plane.depth(half, 2 * half) / middle
    )
  }

  /// The symbol's corners: top left, top right, bottom right, bottom left.
  var corners: [PicturePoint] {
    let (right, bottom) = (Double(width), Double(height))
    return [self(0, 0), self(right, 0), self(right, bottom), self(0, bottom)]
  }

  /// The approximate size of a module in pixels: the circumference in pixels and in modules.
  var modulePixels: Double {
    let corners = corners
    let sum = corners.indices.reduce(0.0) { $0 + corners[$1].distance(to: corners[($1 + 1) % 4]) }
    return sum / 2 / Double(width + height)
  }

  /// A Boolean value that indicates whether the whole symbol is on this side of the horizon, with
  /// coordinates of a plausible size.
  var isSane: Bool {
    let (right, bottom) = (Double(width), Double(height))
    let depths = [(0, 0), (right, 0), (right, bottom), (0, bottom)].map {
      plane.depth($0.0, $0.1)
    }
    guard let least = depths.min(), let most = depths.max(), least * most > 0,
      abs(least / most) > 0.1, abs(least / most) < 10
    else { return false }
    let corners = corners
    guard corners.allSatisfy({ abs($0.x) < 1e6 && abs($0.y) < 1e6 }) else { return false }
    // Twice the area, from the diagonals.
    let (a, b) = (corners[0], corners[2])
    let (c, d) = (corners[1], corners[3])
    return abs((b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x)) > right * bottom / 4
  }
}

/// A bend of a whole sheet, such as a label around a bottle: shifts in modules, as combinations of
/// basic shapes.
struct SymbolBend: Hashable, Sendable {
  static let none = SymbolBend(coefficients: [])
  /// The number of basic shapes.
  static let count = 8

  /// The coefficients in modules: along u, a swell and a skew over u, a swell over v, and one that
  /// also grows with u; then the same along v.
  var coefficients: [Double]

  var isNone: Bool { coefficients.isEmpty }

  /// Returns the basic shapes of a shift along one axis at −1 … 1 on it and on the other.
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

/// Shifts in modules at the crossings of some columns and rows, with interpolation in between.
struct ModuleShifts: Sendable {
  /// The positions of the columns and the rows, in modules, ascending; at least two.
  let lines: [Double]
  /// The shifts, row by row.
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

  /// Returns the shift at a position; it is extrapolated beyond the outermost lines.
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
    // The extrapolation is limited.
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
