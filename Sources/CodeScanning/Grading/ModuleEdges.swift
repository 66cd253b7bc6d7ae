import Pictures

/// How far every edge between a dark and a light module is seen from where it is expected.
struct ModuleEdges {
  /// One edge: its middle in modules, how far along its normal from the plane of the symbol it was
  /// expected, and how far beyond that it is seen.
  struct Edge {
    let u, v: Double
    let known: Double
    var shift: Double
    /// Ink that spreads moves this edge forwards, and one that does not begin dark backwards.
    let isDarkFirst: Bool
    var weight = 1.0
  }

  /// The edges met going right, and those met going down.
  private(set) var vertical: [Edge] = []
  private(set) var horizontal: [Edge] = []

  /// An edge that is off by this many modules more than its neighbours, by dirt or damage, counts
  /// half.
  private static let leastDoubt = 0.1

  /// - Parameters:
  ///   - isFirst: whether little is known yet, so that edges may lie far off.
  ///   - known: what is known of how far the grid lies from the plane of the symbol.
  init(
    of measured: MeasuredSymbol, in light: LinearLight, isFirst: Bool,
    known: (Double, Double) -> (du: Double, dv: Double)
  ) {
    // Near its edge a module's light depends little on how wide the module is.
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

  /// Takes out by how much dark modules grew, as far as it is a plane: light that falls off to one
  /// side seems to let them grow.
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

/// The light across an edge, from within the module before it to within the one after.
private struct EdgeProfile {
  let measured: MeasuredSymbol
  let light: LinearLight
  let levels: (light: Double, dark: Double)

  /// How far from the edge the light is looked at, in modules.
  let reach: Double

  private static let steps = 12

  /// The edge at a border, if there is one and it is seen: the profile begins on the one side of
  /// the threshold and ends on the other, as the modules should.
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
    // The part of the profile that is dark, less the half that should be.
    let part = (levels.light - seen.mean) / (levels.light - levels.dark) - 0.5
    let excess = 2 * reach * part
    return ModuleEdges.Edge(
      u: u, v: v, known: isVertical ? known.du : known.dv,
      shift: isDarkFirst ? excess : -excess, isDarkFirst: isDarkFirst)
  }

  /// The mean of the light, and that of the first and of the last two steps.
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
