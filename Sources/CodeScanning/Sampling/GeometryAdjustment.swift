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
