import Pictures

/// Reads a symbol from three finder patterns.
struct SymbolSampler: Sendable {
  /// Returns the symbol to which three finder patterns belong, or `nil` if error correction
  /// confirms none. The same picture and patterns always give the same result.
  ///
  /// - Parameters:
  ///   - triple: the patterns, accurate to about half a module, and likely sizes.
  ///   - picture: the picture.
  ///   - meter: the meter of the work, which ends it when the limit is reached.
  func read(
    _ triple: FinderTriple, in picture: GreyPicture, meter: SampleMeter = SampleMeter()
  ) -> LocatedSymbol? {
    guard case .symbol(let symbol) = attempt(triple, in: picture, meter: meter) else { return nil }
    return symbol
  }

  /// The outcome of reading three finder patterns.
  enum Attempt {
    case symbol(LocatedSymbol)
    /// A symbol of Model 1 that cannot be read, with its corners.
    case model1([PicturePoint])
    /// Patterns that look like those of a symbol that cannot be read.
    case unread
    case nothing
  }

  /// Returns the symbol as ``read(_:in:meter:)`` does, or the apparent kind of an unread one.
  func attempt(
    _ triple: FinderTriple, in picture: GreyPicture, meter: SampleMeter
  ) -> Attempt {
    guard let search = SymbolSearch(triple, in: picture, meter: meter) else { return .nothing }
    let starts = search.starts()
    guard let first = starts.first, first.showsSymbol else { return .nothing }
    if let found = search.first(from: starts, { SymbolDecoder.decode($0) }) {
      return .symbol(LocatedSymbol(found.answer, found.geometry))
    }
    guard first.timing > Self.clearTiming else { return .unread }
    var isModel1 = false
    let old = search.first(from: [first], of: FunctionPatterns.ofModel1) { modules in
      guard let shown = Model1(shownBy: modules) else { return DecodedSymbol?.none }
      isModel1 = true
      return shown.decode(modules)
    }
    if let old { return .symbol(LocatedSymbol(old.answer, old.geometry)) }
    return isModel1 ? .model1(first.geometry.corners) : .unread
  }

  /// The share of the timing patterns that must be right to identify a symbol of another kind.
  private static let clearTiming = 0.9
}

/// A symbol that was read, and its position.
struct LocatedSymbol: Sendable {
  let symbol: DecodedSymbol
  /// The symbol's top left, top right, bottom right and bottom left corners, in pixels.
  let corners: [PicturePoint]
  /// The approximate size of a module in pixels.
  let modulePixels: Double
}

extension LocatedSymbol {
  /// Creates a symbol from the geometry that read it, whose corners are in the order of the
  /// picture.
  init(_ symbol: DecodedSymbol, _ geometry: SymbolGeometry) {
    let seen = geometry.corners
    self.init(
      symbol: symbol,
      corners: symbol.isMirrored ? [seen[0], seen[3], seen[2], seen[1]] : seen,
      modulePixels: geometry.modulePixels)
  }
}

/// Tries geometries and thresholds for three finder patterns, ordered by their yield for their
/// time, until one is confirmed.
struct SymbolSearch {
  private let triple: FinderTriple
  private let measure: EdgeMeasure
  private let sizes: [Int]

  /// The share of the timing patterns that must be right for any attempt.
  private static let leastTiming = 0.5
  /// The largest number of sizes tried after the examination of their timing patterns.
  private static let mostSizes = 3
  /// The number of sizes after which the finder patterns must be visible: they are nearly the same
  /// for every size.
  private static let sizesBeforePatterns = 2
  /// The largest number of sizes whose timing patterns are examined.
  private static let mostStarts = 8
  /// The largest number of positions of the alignment pattern that are tried.
  private static let mostAlignments = 2

  /// Creates a search, or `nil` if the finder patterns are not those of a symbol in the picture.
  init?(_ triple: FinderTriple, in picture: GreyPicture, meter: SampleMeter = SampleMeter()) {
    let finders = [triple.topLeft, triple.topRight, triple.bottomLeft]
    let modules = finders.map(\.modulePixels)
    guard let least = modules.min(), let most = modules.max(), least > 0.5, most < 1e5 else {
      return nil
    }
    let centres = finders.map(\.centre)
    let fourth = PicturePoint(
      x: centres[1].x + centres[2].x - centres[0].x, y: centres[1].y + centres[2].y - centres[0].y)
    // Perspective may move the fourth corner further away.
    let reach = centres[0].distance(to: fourth) * 0.1
    guard
      let patch = PicturePatch(
        of: picture, around: centres + [fourth], margin: most * 5 + reach, modulePixels: least)
    else { return nil }
    self.triple = triple
    meter.count(patch)
    measure = EdgeMeasure(patch: triple.isInverted ? patch.inverted() : patch, meter: meter)
    sizes = Self.around(triple.sizes)
  }

  /// Returns the given sizes and their neighbours, without duplicates.
  private static func around(_ sizes: [Int]) -> [Int] {
    let given = sizes.filter { (21...177).contains($0) }.prefix(4)
    var result: [Int] = []
    for size in given + given.prefix(2).flatMap({ [$0 - 4, $0 + 4] }) {
      guard (21...177).contains(size), size % 4 == 1, !result.contains(size) else { continue }
      result.append(size)
    }
    return result
  }

  /// Returns the first result of a closure that judges sampled modules, with their geometry.
  func first<Answer>(
    _ judge: (SampledModules) -> Answer?
  ) -> (answer: Answer, geometry: SymbolGeometry)? {
    first(from: starts(), judge)
  }

  /// Returns a start for each likely size, sorted by the clarity of the timing patterns.
  func starts() -> [GeometryStart] {
    var starts: [GeometryStart] = []
    var sizes = sizes
    var next = 0
    while next < sizes.count, starts.count < Self.mostStarts, !measure.meter.isSpent {
      guard next < Self.sizesBeforePatterns || starts.contains(where: \.showsFinders) else { break }
      let size = sizes[next]
      next += 1
      guard let start = GeometryStart(triple, size: size, measure: measure) else { continue }
      starts.append(start)
      if start.timing > 0.93 { break }
      // Large symbols encode their size; it is tried next.
      if let told = start.toldSize(measure), !sizes[..<next].contains(told) {
        sizes.insert(told, at: next)
      }
    }
    return starts.sorted { $0.timing > $1.timing }
  }

  /// Returns the first result from some of the starts.
  ///
  /// - Parameter patterns: returns the patterns of a symbol of a size.
  func first<Answer>(
    from starts: [GeometryStart],
    of patterns: (Int) -> FunctionPatterns = FunctionPatterns.of(size:),
    _ judge: (SampledModules) -> Answer?
  ) -> (answer: Answer, geometry: SymbolGeometry)? {
    // Chance gives one half.
    guard let best = starts.first, best.timing > Self.leastTiming else { return nil }
    for (index, start) in starts.prefix(Self.mostSizes).enumerated() {
      guard index == 0 || start.timing > 0.65, !measure.meter.isSpent else { break }
      if let found = first(from: start, patterns(start.geometry.size), judge) { return found }
    }
    return nil
  }

  private func first<Answer>(
    from start: GeometryStart, _ patterns: FunctionPatterns,
    _ judge: (SampledModules) -> Answer?
  ) -> (answer: Answer, geometry: SymbolGeometry)? {
    let grid = AlignmentGrid(
      measure: measure, contrast: start.contrast, edgesOfFinders: start.edgesOfFinders,
      patterns: patterns)
    var tried: [SymbolGeometry] = []
    for finding in grid.far(in: start.geometry, most: Self.mostAlignments) {
      guard let plane = grid.anchored(start.geometry, at: finding) else { continue }
      let geometry = grid.followed(plane).geometry
      if let answer = answer(geometry, patterns, judge) { return (answer, geometry) }
      tried.append(plane)
    }
    if tried.isEmpty {
      if let answer = answer(start.geometry, patterns, judge) { return (answer, start.geometry) }
      tried.append(start.geometry)
    }
    guard start.timing > 0.6 else { return nil }
    for plane in tried where !measure.meter.isSpent {
      let followed = tracked(plane, grid)
      if let answer = answer(followed, patterns, judge) { return (answer, followed) }
    }
    return nil
  }

  /// Returns the geometry that follows the sheet, starting from the patterns.
  private func tracked(_ plane: SymbolGeometry, _ grid: AlignmentGrid) -> SymbolGeometry {
    let seeds = grid.followed(plane).seeds
    let brightness = modules(through: plane, grid.patterns)
    let levels = LocalLevels(of: brightness, reach: 6)
    let thresholds = zip(levels.dark, levels.light).map { ($0 + $1) / 2 }
    return SheetTracking(
      measure: measure, base: plane, thresholds: thresholds, contrast: levels.typicalContrast
    ).followed(from: seeds)
  }

  private func modules(
    through geometry: SymbolGeometry, _ patterns: FunctionPatterns
  ) -> ModuleBrightness {
    measure.meter.count(modules: geometry.size * geometry.size)
    return ModuleBrightness(
      of: measure.patch, through: geometry,
      known: patterns.modules)
  }

  /// Returns the result for the modules sampled through a geometry.
  private func answer<Answer>(
    _ geometry: SymbolGeometry, _ patterns: FunctionPatterns,
    _ judge: (SampledModules) -> Answer?
  ) -> Answer? {
    guard !measure.meter.isSpent else { return nil }
    let brightness = modules(through: geometry, patterns)
    let levels = LocalLevels(of: brightness, reach: 5)
    if let answer = judge(ModuleJudge.byLevels(brightness, levels)) { return answer }
    if let modules = ModuleJudge.withoutLeaks(brightness, levels), let answer = judge(modules) {
      return answer
    }
    // The border of a spot of light is sharper than five modules.
    return judge(ModuleJudge.byLevels(brightness, LocalLevels(of: brightness, reach: 2)))
  }
}

/// Measures the work of reading a symbol by the number of brightness samples, and ends it at a
/// limit.
///
/// It counts samples instead of time, so that the same picture gives the same result on every
/// machine. It is a class because the parts of one reading share it; it never leaves the thread
/// that reads.
final class SampleMeter {
  private(set) var samples = 0
  private let limit: Int

  /// The cost of one sample, in milliseconds: a projection and four values around it.
  private static let costOfSample = 0.000_07

  /// Creates a meter for an amount of work in milliseconds.
  init(milliseconds: Double = .infinity) {
    limit = Int(min(max(0, milliseconds) / Self.costOfSample, 1e12))
  }

  /// The work spent, in milliseconds.
  var cost: Double { Double(samples) * Self.costOfSample }

  /// A Boolean value that indicates whether the limit is reached.
  var isSpent: Bool { samples >= limit }

  func count(_ samples: Int) { self.samples &+= samples }

  /// Counts the preparation of a patch: a few of its values cost as much as a sample.
  func count(_ patch: PicturePatch) { count(patch.count / 12) }

  /// Counts measuring and judging modules.
  func count(modules: Int) { count(12 * modules) }
}
