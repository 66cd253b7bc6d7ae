import Pictures
import SymbolStructure

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

/// What was measured of the codewords of a symbol, and the grades that follow from them.
struct CodewordQuality {
  private let structure: [(places: [Int], capacity: Int)]
  /// Whether a codeword has a module on the wrong side of the threshold.
  private let isWrong: [Bool]
  /// The lowest modulation of a codeword's modules.
  private let modulation: [Double]

  init(of measured: MeasuredSymbol) {
    let (version, level) = (measured.symbol.version, measured.symbol.errorCorrection)
    let blocks = BlockStructure(version: version, level: level)
    structure = zip(blocks.places(), blocks.blocks).map {
      ($0, $1.checkCount - blocks.misdecodeProtection)
    }
    let layout = SymbolLayout.of(version: version)
    var isWrong = [Bool](repeating: false, count: blocks.codewordCount)
    var modulation = [Double](repeating: 1, count: blocks.codewordCount)
    for (bit, module) in layout.dataModules.enumerated() where bit / 8 < isWrong.count {
      let (row, column) = Int(module.index).quotientAndRemainder(dividingBy: layout.size)
      if measured.isRight(column, row) != true { isWrong[bit / 8] = true }
      modulation[bit / 8] = min(modulation[bit / 8], measured.modulation(column, row))
    }
    self.isWrong = isWrong
    self.modulation = modulation
  }

  /// The part of the correction that is left in the worst block, 1 − 2 t ÷ (d − p): wrong codewords
  /// are errors, none is given up as an erasure. Below 0 the block cannot be corrected.
  var unused: Double { unused { isWrong[$0] } }

  private func unused(_ isError: (Int) -> Bool) -> Double {
    structure.map { block in
      1 - 2 * Double(block.places.count(where: isError)) / Double(max(1, block.capacity))
    }.min() ?? 0
  }

  /// The overlay of modulation over error correction.
  ///
  /// - Parameter countsWrong: whether a wrong module counts as one without any modulation
  ///   (reflectance margin), or as if it were right (modulation).
  func overlay(countsWrong: Bool) -> GradePair {
    GradePair.overlaid { least in
      let scale = GradeScale.unusedErrorCorrection
      return scale.grade(
        max(0, unused { modulation[$0] < least || (countsWrong && least > 0 && isWrong[$0]) }))
    }
  }
}
