import CliptagBasics
import QRSymbol
import SymbolStructure

/// The modules of a symbol that a logo covers: a light rectangle of odd sides on the grid.
public struct LogoPlate: Hashable, Sendable {
  /// The unused error correction for the best grade of ISO/IEC 15415.
  package static let goodReserve = 0.62
  /// The minimum of unused error correction. With every codeword under the plate counted as wrong,
  /// clean prints are read by zbar, ZXing and this package's scanner even here (40 of 40 codes of
  /// versions 3 to 12 at all levels, under plates of noise and of black), but nothing is left for
  /// dirt.
  package static let leastReserve = 0.0
  /// The smallest plate that is chosen automatically, on its long side.
  package static let smallestChosen = 5

  /// The leftmost column and the topmost row, from the symbol's own top left module.
  public let column, row: Int
  /// The modules across and down, both odd.
  public let width, height: Int
  /// Whether it is below the middle, because an alignment pattern is in the middle.
  public let isMoved: Bool
  /// The number of codewords under it, at least in part.
  public let coveredCodewords: Int
  /// The unused error correction in the worst block if all of them are read wrong, 1 − 2 t ÷ (d −
  /// p) (ISO/IEC 15415, unused error correction).
  public let unusedErrorCorrection: Double

  /// The modules of the long side.
  package var modules: Int { max(width, height) }
  /// The margin around the logo on the plate, in modules.
  package var margin: Double { Self.margin(modules: modules) }

  static func margin(modules: Int) -> Double { modules < 9 ? 0.5 : 1 }

  func contains(x: Int, y: Int) -> Bool {
    (column..<column + width).contains(x) && (row..<row + height).contains(y)
  }
}

extension LogoPlate {
  /// Finds the plate for a logo in a symbol.
  ///
  /// - Parameters:
  ///   - symbol: The symbol.
  ///   - ratio: The logo's height divided by its width.
  ///   - modules: The modules of the plate's long side, odd, at least 3; nil for the largest that
  ///     leaves 62 % of the error correction of every block.
  /// - Throws: ``CodeDrawingError``: `invalidLogoSize`, `logoTooLarge` or `noRoomForLogo`; each
  ///   names an acceptable size or level.
  init(
    in symbol: QRSymbol, ratio: Double, modules: Int?
  ) throws(CodeDrawingError) {
    let budget = LogoBudget(version: symbol.version, level: symbol.errorCorrection)
    guard let modules else {
      guard
        let plate = budget.largest(leaving: Self.goodReserve, ratio: ratio),
        plate.modules >= Self.smallestChosen
      else {
        throw .noRoomForLogo(
          symbol, largest: budget.largest(leaving: Self.leastReserve, ratio: ratio),
          better: Self.better(than: symbol, modules: Self.smallestChosen, ratio: ratio))
      }
      self = plate
      return
    }
    guard modules >= 3, modules % 2 == 1 else { throw .invalidLogoSize(modules) }
    guard let plate = budget.plate(modules: modules, ratio: ratio),
      plate.unusedErrorCorrection >= Self.leastReserve
    else {
      throw .logoTooLarge(
        modules, symbol, good: budget.largest(leaving: Self.goodReserve, ratio: ratio),
        largest: budget.largest(leaving: Self.leastReserve, ratio: ratio),
        better: Self.better(than: symbol, modules: modules, ratio: ratio))
    }
    self = plate
  }

  /// The reasons against printing this plate; empty if there are none.
  func warnings(in symbol: QRSymbol, ratio: Double) -> [LogoWarning] {
    var warnings: [LogoWarning] = []
    let budget = LogoBudget(version: symbol.version, level: symbol.errorCorrection)
    if unusedErrorCorrection < Self.goodReserve {
      let good = budget.largest(leaving: Self.goodReserve, ratio: ratio)
      let better = Self.better(than: symbol, modules: modules, ratio: ratio)
      let ways = [good.map { "\($0.modules) modules or fewer" }, better?.words].compactMap { $0 }
      warnings.append(
        LogoWarning(
          code: "logo-large",
          message:
            "The logo leaves \(percent(unusedErrorCorrection)) % of the error correction for "
            + "dirt and wear; \(percent(Self.goodReserve)) % is good.",
          hint: "Give it \(ways.isEmpty ? "less room" : ways.joined(separator: ", or ")), "
            + "or put the logo beside the code."))
    }
    if isMoved {
      let below = row - (symbol.size - height) / 2
      warnings.append(
        LogoWarning(
          code: "logo-moved",
          message:
            "The logo is \(below) modules below the centre, because an alignment pattern "
            + "is at the centre of version \(symbol.version).",
          hint:
            "A shorter URL or a lower error correction gives a smaller version; the centre is "
            + "free up to version 6."))
    }
    return warnings
  }

  /// Another symbol for the same text in which a plate leaves a good reserve.
  struct Better {
    let version: Int
    let level: QRSymbol.ErrorCorrection
    var words: String { "level \(level.rawValue) (version \(version))" }
  }

  /// The smallest symbol of a higher level that has good room for a plate.
  static func better(than symbol: QRSymbol, modules: Int, ratio: Double) -> Better? {
    let levels = QRSymbol.ErrorCorrection.allCases.filter { $0 > symbol.errorCorrection }
    for level in levels {
      guard let plan = try? SymbolPlan(bytes: symbol.bytes, minimumErrorCorrection: level) else {
        continue
      }
      let budget = LogoBudget(version: plan.version, level: plan.errorCorrection)
      guard let plate = budget.plate(modules: modules, ratio: ratio),
        plate.unusedErrorCorrection >= goodReserve
      else { continue }
      return Better(version: plan.version, level: level)
    }
    return nil
  }
}

/// A warning about a logo that can be drawn but may cost too much error correction, or look
/// coarse.
public struct LogoWarning: Hashable, Sendable {
  /// The stable name: `logo-large`, `logo-moved` or `logo-coarse`.
  public let code: String
  /// The fault, in one sentence.
  public let message: String
  /// The suggestion, in one sentence.
  public let hint: String

  /// Every code, with its meaning, in the order of the documentation.
  package static let codes: [(code: String, meaning: String)] = [
    ("logo-coarse", "A logo has too few pixels for its printed size."),
    ("logo-large", "A logo leaves little of the error correction for dirt and wear."),
    ("logo-moved", "A logo is below the centre, because of an alignment pattern."),
  ]
}

/// The cost of a plate in error correction: the codewords under it, and the unused correction of
/// each Reed–Solomon block (ISO/IEC 18004:2015, 7.5 to 7.7).
struct LogoBudget {
  private let layout: SymbolLayout
  /// The codeword of each module, row by row, with -1 for none; and the block of each codeword.
  private let codewords: [Int]
  private let blocks: [Int]
  /// Twice the number of correctable codewords of each block: d − p.
  private let capacities: [Int]

  /// - Parameter version: The version, 1 … 40.
  init(version: Int, level: QRSymbol.ErrorCorrection) {
    layout = SymbolLayout.of(version: version)
    let structural: BlockStructure.Level =
      switch level {
      case .low: .low
      case .medium: .medium
      case .quartile: .quartile
      case .high: .high
      }
    let structure = BlockStructure(version: version, level: structural)
    capacities = structure.blocks.map { $0.checkCount - structure.misdecodeProtection }
    var blocks = [Int](repeating: 0, count: structure.codewordCount)
    for (block, places) in structure.places().enumerated() {
      for place in places { blocks[place] = block }
    }
    self.blocks = blocks
    var codewords = [Int](repeating: -1, count: layout.size * layout.size)
    for (bit, module) in layout.dataModules.enumerated() where bit / 8 < structure.codewordCount {
      codewords[Int(module.index)] = bit / 8
    }
    self.codewords = codewords
  }

  /// The cost of a plate with odd sides in modules; nil if there is no free position for it.
  ///
  /// The position is the middle of the symbol, or if an alignment pattern is there, the nearest one
  /// below it: no function pattern and no format or version information is ever covered.
  func plate(width: Int, height: Int) -> LogoPlate? {
    let size = layout.size
    guard width < size, height < size else { return nil }
    let column = (size - width) / 2
    for row in (size - height) / 2..<size - height {
      let places = (row..<row + height).flatMap { row in
        (column..<column + width).map { row * size + $0 }
      }
      guard places.allSatisfy({ !layout.isReserved[$0] }) else { continue }
      // In the worst case every codeword that is even partly under the plate is read wrong.
      let covered = Set(places.map { codewords[$0] }).subtracting([-1])
      var used = [Int](repeating: 0, count: capacities.count)
      for codeword in covered { used[blocks[codeword]] += 2 }
      let left = zip(used, capacities).map { 1 - Double($0) / Double(max(1, $1)) }
      return LogoPlate(
        column: column, row: row, width: width, height: height,
        isMoved: row > (size - height) / 2, coveredCodewords: covered.count,
        unusedErrorCorrection: left.min() ?? 0)
    }
    return nil
  }

  /// The plate with a number of modules on its long side, for a logo of these proportions.
  func plate(modules: Int, ratio: Double) -> LogoPlate? {
    let margin = LogoPlate.margin(modules: modules)
    func short(_ ratio: Double) -> Int {
      let needed = (Double(modules) - 2 * margin) * ratio + 2 * margin - 1e-6
      let whole = Int(bounded: needed.rounded(.up))
      return min(modules, max(3, whole + (whole % 2 == 0 ? 1 : 0)))
    }
    return ratio <= 1
      ? plate(width: modules, height: short(ratio))
      : plate(width: short(1 / ratio), height: modules)
  }

  /// The largest plate that leaves at least a share of the error correction.
  func largest(leaving share: Double, ratio: Double) -> LogoPlate? {
    stride(from: layout.size - 2, to: 1, by: -2).lazy
      .compactMap { plate(modules: $0, ratio: ratio) }
      .first { $0.unusedErrorCorrection >= share }
  }
}
