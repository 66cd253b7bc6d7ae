import QRSymbol
import SymbolStructure
import Testing

@testable import CodeDrawing

@Suite("The plate of a logo")
struct LogoPlateTests {
  private static let levels = QRSymbol.ErrorCorrection.allCases

  /// Centres of alignment patterns of ISO/IEC 18004:2015, Table E.1.
  private static let alignment = [
    1: [], 2: [6, 18], 6: [6, 34], 7: [6, 22, 38], 10: [6, 28, 50], 13: [6, 34, 62],
    14: [6, 26, 46, 66], 21: [6, 28, 50, 72, 94], 40: [6, 30, 58, 86, 114, 142, 170],
  ]

  @Test("no plate of any size touches a pattern that readers find and align a code by")
  func patterns() {
    for (version, centres) in Self.alignment {
      let size = 17 + 4 * version
      let budget = LogoBudget(version: version, level: .high)
      for modules in stride(from: 3, to: size, by: 2) {
        guard let plate = budget.plate(width: modules, height: modules) else { continue }
        for y in plate.row..<plate.row + plate.height {
          for x in plate.column..<plate.column + plate.width {
            // Finder patterns with separators and format information; timing; version information.
            let isFinder = x < 9 && y < 9 || x >= size - 8 && y < 9 || x < 9 && y >= size - 8
            let isVersion =
              version >= 7 && (x >= size - 11 && y < 6 || y >= size - 11 && x < 6)
            let isAlignment =
              centres.contains { abs($0 - x) <= 2 }
              && centres.contains { abs($0 - y) <= 2 }
            #expect(!isFinder && !isVersion && !isAlignment && x != 6 && y != 6)
          }
        }
      }
    }
  }

  @Test("a plate stands in the middle, or straight below it where an alignment pattern is")
  func middle() throws {
    let six = try #require(LogoBudget(version: 6, level: .high).plate(width: 9, height: 9))
    #expect((six.column, six.row) == (16, 16) && !six.isMoved)
    let seven = try #require(LogoBudget(version: 7, level: .high).plate(width: 9, height: 9))
    #expect((seven.column, seven.row) == (18, 25) && seven.isMoved)
    #expect(LogoBudget(version: 7, level: .high).plate(width: 13, height: 13) == nil)
    let fourteen = try #require(LogoBudget(version: 14, level: .high).plate(width: 15, height: 15))
    #expect((fourteen.column, fourteen.row) == (29, 29))
    #expect(LogoBudget(version: 14, level: .high).plate(width: 17, height: 17) == nil)
  }

  @Test("the budget counts every codeword that lies under the plate, and the worst block's share")
  func budget() throws {
    for version in [1, 2, 4, 5, 8, 14, 25, 40] {
      for level in Self.levels {
        let budget = LogoBudget(version: version, level: level)
        let structure = BlockStructure(
          version: version, level: try #require(BlockStructure.Level(rawValue: level.index)))
        let layout = SymbolLayout.of(version: version)
        guard let plate = budget.plate(width: 7, height: 7) else { continue }
        var covered = Set<Int>()
        for (bit, module) in layout.dataModules.enumerated()
        where bit / 8 < structure.codewordCount {
          let (y, x) = Int(module.index).quotientAndRemainder(dividingBy: layout.size)
          if plate.contains(x: x, y: y) { covered.insert(bit / 8) }
        }
        let worst = zip(structure.places(), structure.blocks).map { places, block in
          let errors = places.count(where: covered.contains)
          return 1 - 2 * Double(errors) / Double(block.checkCount - structure.misdecodeProtection)
        }.min()
        #expect(plate.coveredCodewords == covered.count)
        #expect(plate.unusedErrorCorrection == worst)
      }
    }
  }

  @Test("what is chosen leaves 62 % of every block, and the next size would not")
  func chosen() throws {
    for length in [20, 40, 60, 90, 140, 300] {
      let text = String(
        ("https://fruta.example.com/" + String(repeating: "aB3/", count: 90)).prefix(length))
      let symbol = try QRSymbol(text, minimumErrorCorrection: .high)
      let plate = try LogoPlate(in: symbol, ratio: 1, modules: nil)
      #expect(plate.unusedErrorCorrection >= 0.62)
      #expect(plate.modules >= 5 && plate.modules % 2 == 1)
      let budget = LogoBudget(version: symbol.version, level: symbol.errorCorrection)
      if let next = budget.plate(modules: plate.modules + 2, ratio: 1) {
        #expect(next.unusedErrorCorrection < 0.62)
      }
    }
  }

  @Test("a wide logo gets a wide plate, odd on both sides, with its margin all around")
  func wide() throws {
    let symbol = try QRSymbol(sampleURL, minimumErrorCorrection: .high)
    let wide = try LogoPlate(in: symbol, ratio: 0.4, modules: 13)
    #expect((wide.width, wide.height) == (13, 7))
    let tall = try LogoPlate(in: symbol, ratio: 2.5, modules: 13)
    #expect((tall.width, tall.height) == (7, 13))
    let best = try LogoPlate(in: symbol, ratio: 0.4, modules: nil)
    #expect(best.width > best.height)
    #expect(best.width >= (try LogoPlate(in: symbol, ratio: 1, modules: nil)).width)
  }

  @Test("a size that cannot be is refused, and the sizes that can be are named")
  func refusals() throws {
    let symbol = try QRSymbol(sampleURL, minimumErrorCorrection: .high)
    for modules in [-1, 0, 1, 2, 8] {
      #expect(throws: CodeDrawingError.invalidLogoSize(modules)) {
        try LogoPlate(in: symbol, ratio: 1, modules: modules)
      }
    }
    let most = try LogoPlate(in: symbol, ratio: 1, modules: 15)
    #expect(most.unusedErrorCorrection >= 0)
    do {
      _ = try LogoPlate(in: symbol, ratio: 1, modules: 17)
      Issue.record("a logo beyond the correction was accepted")
    } catch {
      #expect(error.code == .logoTooLarge)
      #expect(error.hint.contains("9 modules") && error.hint.contains("15"))
    }
    do {
      let weak = try QRSymbol(sampleURL, raiseErrorCorrection: false)
      _ = try LogoPlate(in: weak, ratio: 1, modules: nil)
      Issue.record("a logo without room was accepted")
    } catch {
      #expect((error as? CodeDrawingError)?.code == .noRoomForLogo)
      #expect("\(error)".contains("level Q (version 4)"))
    }
  }

  @Test("a plate that spends the reserve, or that had to move, is warned of with what would do")
  func warnings() throws {
    let symbol = try QRSymbol(sampleURL, minimumErrorCorrection: .high)
    let large = try LogoPlate(in: symbol, ratio: 1, modules: 11)
    let warning = try #require(large.warnings(in: symbol, ratio: 1).first)
    #expect(warning.code == "logo-large" && warning.hint.contains("9 modules or fewer"))
    #expect(try LogoPlate(in: symbol, ratio: 1, modules: 9).warnings(in: symbol, ratio: 1).isEmpty)
    let seven = try QRSymbol(sampleURL, minimumErrorCorrection: .high, minimumVersion: 7)
    let moved = try LogoPlate(in: seven, ratio: 1, modules: 5)
    #expect(moved.warnings(in: seven, ratio: 1).map(\.code) == ["logo-moved"])
  }
}

extension QRSymbol.ErrorCorrection {
  fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
