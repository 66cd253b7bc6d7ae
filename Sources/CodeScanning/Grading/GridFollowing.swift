import Pictures

/// The grid of a printed symbol, followed by the edges of all of its modules.
///
/// An edge between a dark and a light module tells along its normal how far the grid is off there.
/// A smooth sheet goes through all of them, and edges are sought again where it says, nearer and
/// with less trust in those that stand apart, until nothing moves.
struct GridFollowing {
  /// The crossings that have edges around them, and where they are seen.
  private let crossings: [PlaneMap.Match]
  /// The part of all crossings that they are.
  let seenPart: Double

  /// Passes over all edges, at most.
  private static let mostPasses = 8
  /// A pass that moves no edge by more modules than this is the last.
  private static let leastMove = 0.01
  /// A crossing is seen when this many edges of both directions are this near, in modules.
  private static let (leastEdges, reach) = (5, 4.6)

  /// - Returns: `nil` when too few edges are seen.
  init?(of measured: MeasuredSymbol, in light: LinearLight) {
    let size = measured.size
    var known: (Double, Double) -> (du: Double, dv: Double) = measured.bend
    var edges: ModuleEdges
    var (pass, move) = (0, Double.infinity)
    repeat {
      edges = ModuleEdges(of: measured, in: light, isFirst: pass == 0, known: known)
      guard let across = GridSpline(fitting: edges.vertical, size: size),
        let down = GridSpline(fitting: edges.horizontal, size: size)
      else { return nil }
      known = { (across.at($0, $1), down.at($0, $1)) }
      move = 0
      for edge in edges.vertical { move = max(move, abs(across.at(edge.u, edge.v) - edge.known)) }
      for edge in edges.horizontal { move = max(move, abs(down.at(edge.u, edge.v) - edge.known)) }
      pass += 1
    } while pass < 2 || pass < Self.mostPasses && move > Self.leastMove
    let isSeen = zip(Self.seen(by: edges.vertical, size), Self.seen(by: edges.horizontal, size))
      .map { $0 && $1 }
    seenPart = Double(isSeen.count { $0 }) / Double(isSeen.count)
    crossings = isSeen.indices.filter { isSeen[$0] }.map { index in
      let (u, v) = (Double(index % (size + 1)), Double(index / (size + 1)))
      let shift = known(u, v)
      return PlaneMap.Match(u: u, v: v, seen: measured.placeOnPlane(u + shift.du, v + shift.dv))
    }
  }

  /// Whether enough edges are around each crossing, row by row.
  private static func seen(by edges: [ModuleEdges.Edge], _ size: Int) -> [Bool] {
    var counts = [Int](repeating: 0, count: (size + 1) * (size + 1))
    func range(_ t: Double) -> ClosedRange<Int> {
      max(0, Int((t - reach).rounded(.up)))...min(size, Int(t + reach))
    }
    for edge in edges {
      for row in range(edge.v) {
        for column in range(edge.u) { counts[row * (size + 1) + column] += 1 }
      }
    }
    return counts.map { $0 >= leastEdges }
  }

  /// The largest distance of a crossing from an even grid, in modules; `nil` without such a grid.
  ///
  /// The even grid is the one that fits all crossings best: of a flatbed scan with straight sides
  /// of their own lengths and angles, of a photograph as a flat square is seen in perspective.
  func nonuniformity(isFlat: Bool) -> Double? {
    guard let even = isFlat ? Self.affine(crossings) : PlaneMap(fitting: crossings)?.callAsFunction
    else { return nil }
    var largest = 0.0
    for crossing in crossings {
      let (u, v) = (crossing.u, crossing.v)
      // What a module measures there, so that perspective does not count.
      let across = even(u + 0.5, v).distance(to: even(u - 0.5, v))
      let down = even(u, v + 0.5).distance(to: even(u, v - 0.5))
      largest = max(largest, 2 * crossing.seen.distance(to: even(u, v)) / (across + down))
    }
    return largest.isFinite ? largest : nil
  }

  private static func affine(
    _ crossings: [PlaneMap.Match]
  ) -> ((Double, Double) -> PicturePoint)? {
    var across = NormalEquations(count: 3)
    var down = NormalEquations(count: 3)
    for crossing in crossings {
      let row = [1, crossing.u, crossing.v]
      across.add(row, equals: crossing.seen.x, weight: 1)
      down.add(row, equals: crossing.seen.y, weight: 1)
    }
    guard let x = across.solved(damping: 0), let y = down.solved(damping: 0) else { return nil }
    return { u, v in
      PicturePoint(x: x[0] + x[1] * u + x[2] * v, y: y[0] + y[1] * u + y[2] * v)
    }
  }
}
