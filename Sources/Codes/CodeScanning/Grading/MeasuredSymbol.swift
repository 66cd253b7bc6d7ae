import Pictures

/// A symbol that was read, with the measurements of each module.
struct MeasuredSymbol: Sendable {
  let symbol: DecodedSymbol
  /// The geometry of the symbol; for a mirrored one, rows and columns are exchanged.
  let geometry: SymbolGeometry
  private(set) var readings: ModuleReadings
  /// The means of the modules above and below the threshold.
  private(set) var light: Double
  private(set) var dark: Double
  /// A Boolean value that indicates whether the symbol is light where it should be dark.
  let isInverted: Bool

  /// The threshold between light and dark: the middle of both means (ISO/IEC 29158, global
  /// threshold).
  var threshold: Double { (light + dark) / 2 }
  var size: Int { readings.size }

  /// - Parameter evensLight: whether a gradient of the illumination is removed, as in a photograph.
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

  /// Returns whether a module of the symbol or its quiet zone should be dark.
  func shouldBeDark(_ column: Int, _ row: Int) -> Bool {
    let isInside = (0..<size).contains(column) && (0..<size).contains(row)
    return (isInside && symbol.modules[row * size + column]) != isInverted
  }

  /// Returns the position in the picture of a point of the symbol.
  func place(_ u: Double, _ v: Double) -> PicturePoint {
    symbol.isMirrored ? geometry(v, u) : geometry(u, v)
  }

  /// Returns the position in the picture of a point if the symbol were planar.
  func placeOnPlane(_ u: Double, _ v: Double) -> PicturePoint {
    symbol.isMirrored ? geometry.plane(v, u) : geometry.plane(u, v)
  }

  /// Returns the deviation of a point from the plane, in modules.
  func bend(_ u: Double, _ v: Double) -> (du: Double, dv: Double) {
    let (x, y) = symbol.isMirrored ? (v, u) : (u, v)
    let seen = geometry.onPlane(x, y)
    return symbol.isMirrored ? (seen.v - u, seen.u - v) : (seen.u - u, seen.v - v)
  }

  /// Returns how clearly a module is on its side of the threshold, 0 … 1 at the mean and above
  /// (cell modulation of ISO/IEC 29158, which needs no calibration); 0 outside the picture.
  func modulation(_ column: Int, _ row: Int) -> Double {
    guard let value = readings[column, row], light > dark else { return 0 }
    return min(1, abs(value - threshold) / (light - threshold))
  }

  /// Returns whether a module is on the right side of the threshold, or `nil` outside the picture.
  func isRight(_ column: Int, _ row: Int) -> Bool? {
    readings[column, row].map { ($0 < threshold) == shouldBeDark(column, row) }
  }

  /// Returns whether a module is on the wrong side, and at least halfway to that side's mean.
  func isCertainlyWrong(_ column: Int, _ row: Int) -> Bool {
    isRight(column, row) == false && modulation(column, row) >= 0.5
  }

  /// The reflection of the paper beside the symbol: the mean of the quiet zone's light modules, two
  /// and three modules away, or of the symbol's if none of them is in the picture.
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

  /// The reflections of paper and ink without mutual influence in the aperture: the quiet zone, and
  /// the centres of the finder patterns.
  var inkLevels: (light: Double, dark: Double) {
    guard !isInverted else { return (light, dark) }
    let cores = [(3, 3), (size - 4, 3), (3, size - 4)].compactMap { readings[$0, $1] }.sorted()
    let ink = cores.isEmpty ? dark : cores[cores.count / 2]
    return (paper, ink < paper ? ink : dark)
  }

  /// Returns the excess over one half of the dark part of the path between the centres of the
  /// modules on both sides of an edge, in modules; `nil` if one of the modules is wrong.
  ///
  /// Blur affects light and dark equally, so the mean of an alternating pattern does not depend on
  /// it.
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

  /// Returns the least width of the clear space beside the symbol, up to the required width, and
  /// whether the edge of the picture limits it.
  func clearSpace(_ picture: LinearLight) -> (modules: Double, isCut: Bool) {
    let side = Double(size)
    // Beyond the blur of the symbol's edge.
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
        // A quiet zone that ends with the picture is sufficient.
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

  /// Returns the means of the values above and below the middle of both means, iterated from the
  /// middle of the extremes.
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

  /// Divides the readings by the plane that fits the modules that should be light.
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
      // A plane that decreases to zero does not describe illumination.
      return max(0.1, share)
    }
  }
}
