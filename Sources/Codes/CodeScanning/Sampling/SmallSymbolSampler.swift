import Pictures
import SymbolStructure

/// Reads Micro QR Code and rMQR Code from their only finder pattern.
///
/// The geometry is fitted to the known edges from the finder pattern outwards, so that a drift is
/// corrected before it reaches a module.
struct SmallSymbolSampler {
  /// The outcome of an attempt.
  enum Attempt {
    case symbol(LocatedSymbol)
    /// A symbol that was not read, with its corners.
    case unread(SmallForm, [PicturePoint])
  }

  private let symbol: SmallSymbol
  private let measure: EdgeMeasure
  private let layout: SmallLayout
  private let patterns: SmallPatterns

  /// The factor, and the least number of modules, by which the fitted part grows.
  private static let growth = 1.3
  private static let leastGrowth = 3.0
  /// The share of the known edges that must be visible in every part.
  private static let leastEdges = 0.7
  /// The share of the modules of the patterns that must be right.
  private static let leastPatterns = 0.9
  /// The share of the quiet zone beyond the far sides that must be light.
  private static let leastQuietZone = 0.9
  /// The largest number of wrong bits in a copy of the format information for a symbol that is named
  /// and not read.
  private static let mostWrongBits = 1
  /// The reliability from which the colours of two modules give an edge.
  private static let sureModule: Float = 0.5

  /// Creates a sampler, or `nil` if the symbol is not in the picture.
  init?(_ symbol: SmallSymbol, in picture: GreyPicture, meter: SampleMeter) {
    self.symbol = symbol
    layout = SmallLayout.of(symbol.format.form)
    patterns = SmallPatterns.of(symbol.format.form)
    // Without perspective, which a small pattern shows inaccurately.
    let origin = symbol.plane(0, 0)
    let right = (symbol.plane(7, 0) - origin) * (1 / 7)
    let down = (symbol.plane(0, 7) - origin) * (1 / 7)
    let (width, height) = (Double(layout.width), Double(layout.height))
    let corners = [(0, 0), (width, 0), (width, height), (0, height)].map {
      origin + right * $0.0 + down * $0.1
    }
    let module = min(right.length, down.length)
    guard module > 0.5,
      // Perspective may move the far corners further away.
      let patch = PicturePatch(
        of: picture, around: corners,
        margin: max(right.length, down.length) * (3 + width / 8), modulePixels: module)
    else { return nil }
    meter.count(patch)
    measure = EdgeMeasure(patch: symbol.isInverted ? patch.inverted() : patch, meter: meter)
  }

  /// Returns the symbol, if its patterns are visible.
  func attempt() -> Attempt? {
    guard let geometry = followed(), !measure.meter.isSpent else { return nil }
    let seen = sample(geometry)
    guard seen.check.share >= Self.leastPatterns, hasQuietZone(seen) else { return nil }
    if let symbol = read(seen) { return .symbol(symbol) }
    // The edges between all modules determine the far corner better.
    var better = geometry
    let edges = SmallPatterns.edges(width: layout.width, height: layout.height) { index in
      let darkness = seen.modules.darkness[index]
      return darkness.magnitude < Self.sureModule ? .unknown : darkness > 0 ? .dark : .light
    }
    _ = measure.fit(&better, to: edges, rounds: 3)
    if let symbol = read(sample(better)) { return .symbol(symbol) }
    guard seen.check.wrongBits <= Self.mostWrongBits else { return nil }
    return .unread(symbol.format.form, geometry.corners)
  }

  /// The modules sampled through a geometry.
  private struct Sampled {
    let geometry: SymbolGeometry
    let brightness: ModuleBrightness
    let levels: LocalLevels
    let modules: SampledModules
    let check: PatternCheck
  }

  private func sample(_ geometry: SymbolGeometry) -> Sampled {
    measure.meter.count(modules: layout.width * layout.height)
    // A Micro QR Code without error correction needs its large light areas.
    let brightness = ModuleBrightness(
      of: measure.patch, through: geometry, known: patterns.modules,
      mayHaveGlare: symbol.format.level != nil)
    let levels = LocalLevels(of: brightness, reach: 5)
    let modules = ModuleJudge.byLevels(brightness, levels)
    return Sampled(
      geometry: geometry, brightness: brightness, levels: levels, modules: modules,
      check: PatternCheck(modules, symbol.format, layout))
  }

  /// The agreement of sampled modules with the patterns and the format information.
  private struct PatternCheck {
    /// The share of the modules of the patterns that are right.
    let share: Double
    /// The number of wrong bits in the better copy of the format information.
    let wrongBits: Int
    /// A Boolean value that indicates whether all of it is right.
    let isExact: Bool

    init(_ modules: SampledModules, _ format: SmallFormat, _ layout: SmallLayout) {
      var (right, all) = (0, 0)
      for (darkness, isDark) in zip(modules.darkness, layout.patterns) {
        guard let isDark else { continue }
        all += 1
        if (darkness > 0) == isDark { right += 1 }
      }
      share = Double(right) / Double(all)
      let wrong = zip(layout.formatPlaces, format.words).map { places, word in
        let seen = places.reduce(UInt32(0)) {
          $0 << 1 | (modules[$1.column, $1.row] > 0 ? 1 : 0)
        }
        return (seen ^ word).nonzeroBitCount
      }
      wrongBits = wrong.min() ?? 0
      isExact = right == all && wrong.allSatisfy { $0 == 0 }
    }
  }

  /// Returns the geometry that follows the patterns, or `nil` if they are not visible.
  private func followed() -> SymbolGeometry? {
    let (width, height) = (Double(layout.width), Double(layout.height))
    var plane = symbol.plane
    var reach = 8.0
    while !measure.meter.isSpent {
      var part = SymbolGeometry(
        width: Int(min(reach, width)), height: Int(min(reach, height)), plane: plane)
      let edges = patterns.edges.filter { max($0.u, $0.v) <= reach }
      let fit = measure.fit(&part, to: edges, rounds: 3)
      guard fit.right >= Self.leastEdges else { return nil }
      plane = part.plane
      if reach >= max(width, height) {
        let whole = SymbolGeometry(width: layout.width, height: layout.height, plane: plane)
        return whole.isSane ? whole : nil
      }
      reach = max(reach + Self.leastGrowth, (reach * Self.growth).rounded())
    }
    return nil
  }

  /// Returns whether the quiet zone beyond the far sides is light; it is two modules wide
  /// (ISO/IEC 18004:2015, 5.3.8).
  private func hasQuietZone(_ seen: Sampled) -> Bool {
    let middle = (seen.levels.dark[0] + seen.levels.light[0]) / 2
    let right = (0..<layout.height).map { (Double(layout.width) + 0.5, Double($0) + 0.5) }
    let below = (0..<layout.width).map { (Double($0) + 0.5, Double(layout.height) + 0.5) }
    let light = (right + below).count {
      measure.brightness(seen.geometry($0.0, $0.1)) > middle
    }
    return Double(light) >= Self.leastQuietZone * Double(right.count + below.count)
  }

  /// Returns the symbol that modules show.
  private func read(_ seen: Sampled) -> LocatedSymbol? {
    guard seen.check.share >= Self.leastPatterns else { return nil }
    func decode(_ modules: SampledModules) -> LocatedSymbol? {
      SmallSymbolDecoder.decode(
        modules, as: symbol.format, isMirrored: symbol.isMirrored, isExact: seen.check.isExact
      ).map {
        LocatedSymbol(
          symbol: $0, corners: seen.geometry.corners, modulePixels: seen.geometry.modulePixels)
      }
    }
    return decode(seen.modules)
      ?? ModuleJudge.withoutLeaks(seen.brightness, seen.levels).flatMap(decode)
  }
}
