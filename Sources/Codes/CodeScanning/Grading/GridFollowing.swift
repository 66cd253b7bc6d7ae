import Pictures

/// The grid of a printed symbol, determined from the edges of all modules.
///
/// An edge between a dark and a light module gives the deviation of the grid along its normal. A
/// smooth surface is fitted to all of them, and edges are searched again at the positions it
/// predicts, within a smaller range and with less weight for outliers, until nothing moves.
struct GridFollowing {
  /// The crossings with edges around them, and their positions in the picture.
  private let crossings: [PlaneMap.Match]
  /// The share of all crossings that are visible.
  let seenPart: Double

  /// The largest number of passes over all edges.
  private static let mostPasses = 8
  /// A pass that moves no edge by more than this number of modules is the last.
  private static let leastMove = 0.01
  /// The number of edges of both directions within this distance, in modules, that make a crossing
  /// visible.
  private static let (leastEdges, reach) = (5, 4.6)

  /// - Returns: `nil` if too few edges are visible.
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

  /// Returns whether enough edges are around each crossing, row by row.
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

  /// Returns the largest distance of a crossing from a uniform grid, in modules; `nil` without such
  /// a grid.
  ///
  /// The uniform grid is the one that fits all crossings best: affine for a flatbed scan, with
  /// straight sides of any lengths and angles, and projective for a photograph of a flat square.
  func nonuniformity(isFlat: Bool) -> Double? {
    guard let even = isFlat ? Self.affine(crossings) : PlaneMap(fitting: crossings)?.callAsFunction
    else { return nil }
    var largest = 0.0
    for crossing in crossings {
      let (u, v) = (crossing.u, crossing.v)
      // The local size of a module, which makes the result independent of perspective.
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

/// The deviations of all edges between dark and light modules from their expected positions.
struct ModuleEdges {
  /// One edge: its middle in modules, its expected distance along the normal from the plane of the
  /// symbol, and its further distance as seen.
  struct Edge {
    let u, v: Double
    let known: Double
    var shift: Double
    /// Ink spread moves this edge forwards, and one that does not begin dark backwards.
    let isDarkFirst: Bool
    var weight = 1.0
  }

  /// The edges crossed in horizontal direction, and those crossed in vertical direction.
  private(set) var vertical: [Edge] = []
  private(set) var horizontal: [Edge] = []

  /// An edge whose deviation exceeds that of its neighbours by this number of modules, because of
  /// dirt or damage, gets half weight.
  private static let leastDoubt = 0.1

  /// - Parameters:
  ///   - isFirst: whether the deviations are still unknown, so that edges may be far off.
  ///   - known: the known deviation of the grid from the plane of the symbol.
  init(
    of measured: MeasuredSymbol, in light: LinearLight, isFirst: Bool,
    known: (Double, Double) -> (du: Double, dv: Double)
  ) {
    // Near its edge, a module's brightness depends little on its width.
    let profile = EdgeProfile(
      measured: measured, light: light, levels: measured.inkLevels, reach: isFirst ? 0.5 : 0.3)
    for along in 0..<measured.size {
      for border in 0...measured.size {
        if let edge = profile.edge(border, along, true, known) { vertical.append(edge) }
        if let edge = profile.edge(border, along, false, known) { horizontal.append(edge) }
      }
    }
    Self.settle(&vertical, size: measured.size, isFirst: isFirst)
    Self.settle(&horizontal, size: measured.size, isFirst: isFirst)
  }

  /// Removes the growth of dark modules, as far as it is a plane: a gradient of the illumination
  /// appears as growth.
  private static func settle(_ edges: inout [Edge], size: Int, isFirst: Bool) {
    let side = Double(size)
    var equations = NormalEquations(count: 3)
    func row(_ edge: Edge) -> [Double] { [1, edge.u / side - 0.5, edge.v / side - 0.5] }
    for edge in edges {
      equations.add(row(edge), equals: edge.isDarkFirst ? edge.shift : -edge.shift, weight: 1)
    }
    guard let growth = equations.solved(damping: 1e-9) else { return }
    for index in edges.indices {
      let grown = zip(row(edges[index]), growth).reduce(0) { $0 + $1.0 * $1.1 }
      edges[index].shift -= edges[index].isDarkFirst ? grown : -grown
      guard !isFirst else { continue }
      let doubt = edges[index].shift / leastDoubt
      edges[index].weight = 1 / (1 + doubt * doubt)
    }
  }
}

/// The brightness across an edge, from inside the module before it to inside the one after.
private struct EdgeProfile {
  let measured: MeasuredSymbol
  let light: LinearLight
  let levels: (light: Double, dark: Double)

  /// The distance from the edge that is sampled, in modules.
  let reach: Double

  private static let steps = 12

  /// Returns the edge at a border, if it exists and is visible: the profile begins on one side of
  /// the threshold and ends on the other, as expected from the modules.
  func edge(
    _ border: Int, _ along: Int, _ isVertical: Bool,
    _ known: (Double, Double) -> (du: Double, dv: Double)
  ) -> ModuleEdges.Edge? {
    let (column, row) = isVertical ? (border, along) : (along, border)
    let before = isVertical ? (column - 1, row) : (column, row - 1)
    let isDarkFirst = measured.shouldBeDark(before.0, before.1)
    guard isDarkFirst != measured.shouldBeDark(column, row), levels.light > levels.dark else {
      return nil
    }
    let u = Double(column) + (isVertical ? 0 : 0.5)
    let v = Double(row) + (isVertical ? 0.5 : 0)
    let known = known(u, v)
    let seen = means(u + known.du, v + known.dv, isVertical)
    let (darkEnd, lightEnd) = isDarkFirst ? (seen.first, seen.last) : (seen.last, seen.first)
    let threshold = (levels.light + levels.dark) / 2
    guard darkEnd < threshold, lightEnd > threshold else { return nil }
    // The dark share of the profile, less the expected half.
    let part = (levels.light - seen.mean) / (levels.light - levels.dark) - 0.5
    let excess = 2 * reach * part
    return ModuleEdges.Edge(
      u: u, v: v, known: isVertical ? known.du : known.dv,
      shift: isDarkFirst ? excess : -excess, isDarkFirst: isDarkFirst)
  }

  /// Returns the mean of the brightness, and those of the first and of the last two steps.
  private func means(
    _ u: Double, _ v: Double, _ isVertical: Bool
  ) -> (mean: Double, first: Double, last: Double) {
    let middle = measured.placeOnPlane(u, v)
    let (right, below) = (measured.placeOnPlane(u + 0.5, v), measured.placeOnPlane(u, v + 0.5))
    let (far, beside) = isVertical ? (right, below) : (below, right)
    let (alongX, alongY) = (2 * (far.x - middle.x), 2 * (far.y - middle.y))
    let (besideX, besideY) = (0.4 * (beside.x - middle.x), 0.4 * (beside.y - middle.y))
    var (sum, first, last) = (0.0, 0.0, 0.0)
    for step in 0..<Self.steps {
      let part = 2 * reach * ((Double(step) + 0.5) / Double(Self.steps) - 0.5)
      let (x, y) = (middle.x + alongX * part, middle.y + alongY * part)
      let value =
        (light.at(PicturePoint(x: x, y: y))
          + light.at(PicturePoint(x: x + besideX, y: y + besideY))
          + light.at(PicturePoint(x: x - besideX, y: y - besideY))) / 3
      sum += value
      if step < 2 { first += value }
      if step >= Self.steps - 2 { last += value }
    }
    return (sum / Double(Self.steps), first / 2, last / 2)
  }
}
