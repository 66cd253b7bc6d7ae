import Pictures

/// A symbol that was read, with what was measured of each of its modules.
struct MeasuredSymbol: Sendable {
  let symbol: DecodedSymbol
  /// Where the symbol lies; of a mirrored one with rows and columns exchanged.
  let geometry: SymbolGeometry
  private(set) var readings: ModuleReadings
  /// The mean of the modules above the threshold, and of those below it.
  private(set) var light: Double
  private(set) var dark: Double
  /// Whether the symbol is light where it should be dark.
  let isInverted: Bool

  /// The middle of both means tells light from dark (ISO/IEC 29158, global threshold).
  var threshold: Double { (light + dark) / 2 }
  var size: Int { readings.size }

  /// - Parameter evensLight: whether a slope of the light across the symbol is taken out, as a
  ///   photograph has it.
  init(
    _ symbol: DecodedSymbol, _ geometry: SymbolGeometry, in picture: GreyPicture,
    isInverted: Bool, evensLight: Bool
  ) {
    self.symbol = symbol
    self.geometry = geometry
    self.isInverted = isInverted
    readings = ModuleReadings(of: picture, through: geometry, isMirrored: symbol.isMirrored)
    (light, dark) = (1, 0)
    if evensLight { evenLight() }
    (light, dark) = Self.means(of: readings.inside)
  }

  /// What a module of the symbol or its quiet zone should be.
  func shouldBeDark(_ column: Int, _ row: Int) -> Bool {
    let isInside = (0..<size).contains(column) && (0..<size).contains(row)
    return (isInside && symbol.modules[row * size + column]) != isInverted
  }

  /// Where a place of the symbol itself is seen.
  func place(_ u: Double, _ v: Double) -> PicturePoint {
    symbol.isMirrored ? geometry(v, u) : geometry(u, v)
  }

  /// Where a place would be seen if the symbol lay in a plane.
  func placeOnPlane(_ u: Double, _ v: Double) -> PicturePoint {
    symbol.isMirrored ? geometry.plane(v, u) : geometry.plane(u, v)
  }

  /// How far the geometry has a place from where it would be in a plane, in modules.
  func bend(_ u: Double, _ v: Double) -> (du: Double, dv: Double) {
    let (x, y) = symbol.isMirrored ? (v, u) : (u, v)
    let seen = geometry.onPlane(x, y)
    return symbol.isMirrored ? (seen.v - u, seen.u - v) : (seen.u - u, seen.v - v)
  }

  /// How clearly a module stands on its side of the threshold, 0 … 1 at the mean and above (cell
  /// modulation of ISO/IEC 29158, which needs no calibration); 0 outside of the picture.
  func modulation(_ column: Int, _ row: Int) -> Double {
    guard let value = readings[column, row], light > dark else { return 0 }
    return min(1, abs(value - threshold) / (light - threshold))
  }

  /// Whether a module is on the right side of the threshold, or `nil` outside of the picture.
  func isRight(_ column: Int, _ row: Int) -> Bool? {
    readings[column, row].map { ($0 < threshold) == shouldBeDark(column, row) }
  }

  /// What the paper beside the symbol sends back: the mean of the quiet zone's light modules, two
  /// and three modules away, or of the symbol's when there are none in the picture.
  var paper: Double {
    var values: [Double] = []
    for row in -3..<size + 3 {
      for column in -3..<size + 3 {
        let inward = min(column, row, size - 1 - column, size - 1 - row)
        guard inward <= -2, let value = readings[column, row], value >= threshold else { continue }
        values.append(value)
      }
    }
    return values.isEmpty ? light : values.reduce(0, +) / Double(values.count)
  }

  /// What paper and ink send back where neither spreads into the aperture: the quiet zone, and the
  /// middles of the finder patterns.
  var inkLevels: (light: Double, dark: Double) {
    guard !isInverted else { return (light, dark) }
    let cores = [(3, 3), (size - 4, 3), (3, size - 4)].compactMap { readings[$0, $1] }.sorted()
    let ink = cores.isEmpty ? dark : cores[cores.count / 2]
    return (paper, ink < paper ? ink : dark)
  }

  /// How much more than half of the way from the middle of the module before an edge to the middle
  /// of that after it is dark, in modules; `nil` when one of the modules is wrong.
  ///
  /// Blur takes as much from the light as from the dark, so that the mean of a pattern that
  /// alternates does not depend on it.
  func darkExcess(
    at edge: FunctionPatterns.Edge, _ picture: LinearLight, _ levels: (light: Double, dark: Double)
  ) -> Double? {
    let (column, row) = (Int(edge.u), Int(edge.v))
    let before = edge.isVertical ? (column - 1, row) : (column, row - 1)
    guard levels.light > levels.dark, isRight(column, row) == true,
      isRight(before.0, before.1) == true
    else {
      return nil
    }
    let steps = 40
    var sum = 0.0
    for step in 0..<steps {
      let along = (Double(step) + 0.5) / Double(steps) - 0.5
      for across in [-0.2, 0, 0.2] {
        let point =
          edge.isVertical
          ? place(edge.u + along, edge.v + across) : place(edge.u + across, edge.v + along)
        let part = (levels.light - picture.at(point)) / (levels.light - levels.dark)
        sum += isInverted ? 1 - part : part
      }
    }
    return sum / Double(3 * steps) - 0.5
  }

  /// The least width of clear space beside the symbol, up to what is needed, and whether it is the
  /// picture's edge that ends it.
  func clearSpace(_ picture: LinearLight) -> (modules: Double, isCut: Bool) {
    let side = Double(size)
    // Beyond the blur of the symbol's own edge.
    let (first, step) = (0.3, 0.05)
    var least = Double(ModuleReadings.margin)
    var isCut = false
    for index in 0..<2 * size {
      let along = (Double(index) + 0.5) / 2
      for outwards: (Double) -> PicturePoint in [
        { place(-$0, along) }, { place(side + $0, along) }, { place(along, -$0) },
        { place(along, side + $0) },
      ] {
        var distance = first
        // A picture that ends where the quiet zone does holds it.
        while distance < least - step {
          let point = outwards(distance)
          let isOutside = !picture.holds(point)
          if isOutside || (picture.at(point) < threshold) != isInverted {
            (least, isCut) = (distance, isOutside)
          }
          distance += step
        }
      }
    }
    return (least <= first ? 0 : least, isCut)
  }

  /// The means of what is above and what is below the middle of both means, found from the middle
  /// of the extremes on.
  private static func means(of values: [Double]) -> (light: Double, dark: Double) {
    guard let least = values.min(), let most = values.max() else { return (0, 0) }
    var (light, dark) = (most, least)
    for _ in 0..<100 {
      let threshold = (light + dark) / 2
      let above = values.filter { $0 >= threshold }
      let below = values.filter { $0 < threshold }
      guard !above.isEmpty, !below.isEmpty else { break }
      let next = (
        above.reduce(0, +) / Double(above.count), below.reduce(0, +) / Double(below.count)
      )
      if next == (light, dark) { break }
      (light, dark) = next
    }
    return (light, dark)
  }

  /// Divides by the plane that fits the modules that should be light.
  private mutating func evenLight() {
    let side = Double(size)
    func row(_ column: Int, _ row: Int) -> [Double] {
      [1, Double(column) / side - 0.5, Double(row) / side - 0.5]
    }
    var equations = NormalEquations(count: 3)
    for index in 0..<size * size {
      let (y, x) = index.quotientAndRemainder(dividingBy: size)
      guard !shouldBeDark(x, y), let value = readings[x, y] else { continue }
      equations.add(row(x, y), equals: value, weight: 1)
    }
    guard let plane = equations.solved(damping: 1e-9), plane[0] > 0 else { return }
    readings.divide { x, y in
      let share = zip(row(x, y), plane).reduce(0) { $0 + $1.0 * $1.1 } / plane[0]
      // A plane that falls to nothing describes no light.
      return max(0.1, share)
    }
  }
}
