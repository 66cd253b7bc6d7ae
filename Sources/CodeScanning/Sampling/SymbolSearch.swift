import Pictures

/// Tries geometries and thresholds for three finder patterns, in the order of what they read for
/// their time, until one is confirmed.
struct SymbolSearch {
  private let triple: FinderTriple
  private let measure: EdgeMeasure
  private let sizes: [Int]

  /// The part of the timing patterns that must be right for any try at all.
  private static let leastTiming = 0.5
  /// The most sizes that are tried beyond the first look at their timing patterns.
  private static let mostSizes = 3
  /// The most sizes whose timing patterns are looked at.
  private static let mostStarts = 8
  /// What a module costs, in samples, to see and to judge; and how many values of the patch
  /// are prepared for the cost of one.
  private static let samplesOfModule = 12
  private static let pixelsOfSample = 12
  /// Alignment patterns that are tried in turn.
  private static let mostAlignments = 2

  /// A search, or `nil` when the finder patterns are not those of a symbol in the picture.
  init?(_ triple: FinderTriple, in picture: GreyPicture, meter: SampleMeter = SampleMeter()) {
    let finders = [triple.topLeft, triple.topRight, triple.bottomLeft]
    let modules = finders.map(\.modulePixels)
    guard let least = modules.min(), let most = modules.max(), least > 0.5, most < 1e5 else {
      return nil
    }
    let centres = finders.map(\.centre)
    let fourth = PicturePoint(
      x: centres[1].x + centres[2].x - centres[0].x, y: centres[1].y + centres[2].y - centres[0].y)
    // Perspective may put the fourth corner further away.
    let reach = centres[0].distance(to: fourth) * 0.1
    guard
      let patch = PicturePatch(
        of: picture, around: centres + [fourth], margin: most * 5 + reach, modulePixels: least)
    else { return nil }
    self.triple = triple
    meter.count(patch.count / Self.pixelsOfSample)
    measure = EdgeMeasure(patch: triple.isInverted ? patch.inverted() : patch, meter: meter)
    sizes = Self.around(triple.sizes)
  }

  /// The given sizes and their neighbours, each once.
  private static func around(_ sizes: [Int]) -> [Int] {
    let given = sizes.filter { (21...177).contains($0) }.prefix(4)
    var result: [Int] = []
    for size in given + given.prefix(2).flatMap({ [$0 - 4, $0 + 4] }) {
      guard (21...177).contains(size), size % 4 == 1, !result.contains(size) else { continue }
      result.append(size)
    }
    return result
  }

  /// The first answer that somebody gives to modules sampled, with their geometry.
  func first<Answer>(
    _ judge: (SampledModules) -> Answer?
  ) -> (answer: Answer, geometry: SymbolGeometry)? {
    first(from: starts(), judge)
  }

  /// What each likely size makes of the patterns, the one first whose timing patterns are clearest.
  func starts() -> [GeometryStart] {
    var starts: [GeometryStart] = []
    var sizes = sizes
    var next = 0
    while next < sizes.count, starts.count < Self.mostStarts, !measure.meter.isSpent {
      let size = sizes[next]
      next += 1
      guard let start = GeometryStart(triple, size: size, measure: measure) else { continue }
      starts.append(start)
      if start.timing > 0.93 { break }
      // Large symbols tell their size; it goes next.
      if let told = start.toldSize(measure), !sizes[..<next].contains(told) {
        sizes.insert(told, at: next)
      }
    }
    return starts.sorted { $0.timing > $1.timing }
  }

  /// The first answer, from some of the starts.
  func first<Answer>(
    from starts: [GeometryStart], _ judge: (SampledModules) -> Answer?
  ) -> (answer: Answer, geometry: SymbolGeometry)? {
    // Chance gives one half.
    guard let best = starts.first, best.timing > Self.leastTiming else { return nil }
    for (index, start) in starts.prefix(Self.mostSizes).enumerated() {
      guard index == 0 || start.timing > 0.65, !measure.meter.isSpent else { break }
      if let found = first(from: start, judge) { return found }
    }
    return nil
  }

  private func first<Answer>(
    from start: GeometryStart, _ judge: (SampledModules) -> Answer?
  ) -> (answer: Answer, geometry: SymbolGeometry)? {
    let grid = AlignmentGrid(measure: measure, contrast: start.contrast)
    var tried: [SymbolGeometry] = []
    for finding in grid.far(in: start.geometry, most: Self.mostAlignments) {
      guard let plane = grid.anchored(start.geometry, at: finding) else { continue }
      let geometry = grid.followed(plane).geometry
      if let answer = answer(geometry, judge) { return (answer, geometry) }
      tried.append(plane)
    }
    if tried.isEmpty {
      if let answer = answer(start.geometry, judge) { return (answer, start.geometry) }
      tried.append(start.geometry)
    }
    guard start.timing > 0.6 else { return nil }
    for plane in tried where !measure.meter.isSpent {
      let followed = tracked(plane, grid)
      if let answer = answer(followed, judge) { return (answer, followed) }
    }
    return nil
  }

  /// The geometry that follows the sheet from the patterns on.
  private func tracked(_ plane: SymbolGeometry, _ grid: AlignmentGrid) -> SymbolGeometry {
    let seeds = grid.followed(plane).seeds
    let brightness = modules(through: plane)
    let levels = LocalLevels(of: brightness, reach: 6)
    let thresholds = zip(levels.dark, levels.light).map { ($0 + $1) / 2 }
    return SheetTracking(
      measure: measure, base: plane, thresholds: thresholds, contrast: levels.typicalContrast
    ).followed(from: seeds)
  }

  private func modules(through geometry: SymbolGeometry) -> ModuleBrightness {
    measure.meter.count(Self.samplesOfModule * geometry.size * geometry.size)
    return ModuleBrightness(of: measure.patch, through: geometry)
  }

  /// What is answered to the modules that a geometry finds.
  private func answer<Answer>(
    _ geometry: SymbolGeometry, _ judge: (SampledModules) -> Answer?
  ) -> Answer? {
    guard !measure.meter.isSpent else { return nil }
    let brightness = modules(through: geometry)
    let levels = LocalLevels(of: brightness, reach: 5)
    if let answer = judge(ModuleJudge.byLevels(brightness, levels)) { return answer }
    if let modules = ModuleJudge.withoutLeaks(brightness, levels), let answer = judge(modules) {
      return answer
    }
    // The border of a spot of light is sharper than five modules.
    return judge(ModuleJudge.byLevels(brightness, LocalLevels(of: brightness, reach: 2)))
  }
}
