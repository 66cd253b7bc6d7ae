import QRSymbol

/// The modules of a symbol that a logo covers: a light rectangle of odd sides on the grid.
public struct LogoPlate: Hashable, Sendable {
  /// What is left of the error correction for the best grade of ISO/IEC 15415.
  package static let goodReserve = 0.62
  /// What must be left. With every codeword under the plate counted as wrong, clean prints are read
  /// by zbar, ZXing and our scanner even here (40 of 40 codes of versions 3 to 12 at all levels, under
  /// plates of noise and of black), but there is nothing left for dirt.
  package static let leastReserve = 0.0
  /// The smallest plate that is chosen by itself, on its long side.
  package static let smallestChosen = 5

  /// The leftmost column and the topmost row, from the symbol's own top left module.
  public let column, row: Int
  /// The modules across and down, both odd.
  public let width, height: Int
  /// Whether it stands below the middle, because an alignment pattern stands in the middle.
  public let isMoved: Bool
  /// The codewords that lie under it, at least in part.
  public let coveredCodewords: Int
  /// The part of the error correction that is left in the worst block when all of them are read
  /// wrong, 1 − 2 t ÷ (d − p) (ISO/IEC 15415, unused error correction).
  public let unusedErrorCorrection: Double

  /// The modules of the long side.
  package var modules: Int { max(width, height) }
  /// The modules that stay free around the logo on the plate.
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
  ///   - symbol: the symbol.
  ///   - ratio: the logo's height by its width.
  ///   - modules: the modules of the plate's long side, odd, at least 3; nil for the largest that
  ///     leaves 62 % of the error correction of every block.
  /// - Throws: ``CodeDrawingError``: `invalidLogoSize`, `logoTooLarge` or `noRoomForLogo`; each
  ///   names the size, or the level, that would do.
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

  /// What speaks against printing this plate; empty when nothing does.
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
            "The logo stands \(below) modules below the middle, because an alignment pattern "
            + "stands in the middle of version \(symbol.version).",
          hint:
            "A shorter URL or a lower error correction gives a smaller version; the middle is "
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

  /// The smallest symbol of a stronger level that has good room for a plate.
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

/// A logo that can be drawn but may cost too much.
public struct LogoWarning: Hashable, Sendable {
  /// The stable name: `logo-large` or `logo-moved`.
  public let code: String
  /// What is wrong, in one sentence.
  public let message: String
  /// What would do, in one sentence.
  public let hint: String

  /// Every code, with its meaning, in the order of the documentation.
  package static let codes: [(code: String, meaning: String)] = [
    ("logo-large", "A logo leaves little of the error correction for dirt and wear."),
    ("logo-moved", "A logo stands below the middle, where an alignment pattern is."),
  ]
}

/// A part of a whole in whole percent, rounded down, so that a limit that is not reached is not
/// shown as reached.
func percent(_ share: Double) -> Int { Int((share * 100 + 1e-9).rounded(.down)) }
