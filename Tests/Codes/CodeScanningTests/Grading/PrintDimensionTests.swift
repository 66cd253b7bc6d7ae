import ScanFixtures
import CQREncode
import Pictures
import Testing

@testable import CodeScanning

/// Lengths on a symbol that was printed stretched, swollen, or too near to something dark.
@Suite("Print grading of lengths")
struct PrintDimensionTests {
  private static let flatbed = PrintGrader(capture: .flatbed(dotsPerInch: 600))

  private func graded(
    _ grader: PrintGrader = flatbed, _ change: (inout PrintedSymbol) -> Void
  ) throws -> PrintGrade {
    var symbol = try #require(PrintedSymbol())
    change(&symbol)
    return try #require(symbol.graded(by: grader))
  }

  @Test(
    "axial nonuniformity is the difference of width and height over their mean",
    arguments: [(10, 10, 4), (16, 17, 3), (12, 13, 2), (11, 10, 2), (12, 10, 0)])
  func axialNonuniformity(x: Int, y: Int, grade: Int) throws {
    func stretch(_ symbol: inout PrintedSymbol) { symbol.modulePixels = (Double(x), Double(y)) }
    let measured = try #require(try graded(Self.flatbed, stretch)[.axialNonuniformity])
    let expected = Double(abs(x - y)) / (Double(x + y) / 2)
    #expect(abs((measured.value ?? 1) - expected) < 0.002, "\(measured.value ?? -1)")
    #expect(measured.grade == grade && measured.basis == .measured)
    let photograph = try graded(PrintGrader(), stretch)[.axialNonuniformity]
    #expect(photograph?.basis == .notMeasured && photograph?.grade == nil)
  }

  @Test("every parameter is named, with or without a value, and one without says why")
  func named() throws {
    for grader in [Self.flatbed, PrintGrader()] {
      let grade = try graded(grader) { _ in }
      // Version information stands in symbols from version 7 on.
      let names = Set(grade.parameters.map(\.name)).union([.versionInformation])
      #expect(names == Set(GradedParameter.Name.allCases))
      for parameter in grade.parameters where parameter.basis == .notMeasured {
        #expect(parameter.grade == nil && parameter.note != nil)
      }
    }
  }

  @Test(
    "print growth is told for each axis, in modules, and lowers no grade of 2011",
    arguments: [(0.0, 0.0), (0.1, 0.0), (0.0, 0.2), (0.1, 0.1)])
  func growth(x: Double, y: Double) throws {
    let grade = try graded { $0.growth = (x, y) }
    let across = try #require(grade[.printGrowthAcross])
    let down = try #require(grade[.printGrowthDown])
    // A module grows on both of its sides.
    #expect(abs((across.value ?? 9) - 2 * x) < 0.01, "\(across.value ?? -1)")
    #expect(abs((down.value ?? 9) - 2 * y) < 0.01, "\(down.value ?? -1)")
    #expect(across.grade == nil && across.basis == .measured)
    #expect((down.note != nil) == (y == 0.2))
  }

  @Test(
    "print growth that is no whole number of pixels is told to 1 % of a module",
    arguments: [(0.037, 0.0), (0.063, 0.114), (0.15, 0.025)])
  func partPixelGrowth(x: Double, y: Double) throws {
    let grade = try graded {
      $0.growth = (x, y)
      $0.isSmooth = true
    }
    for (name, growth) in [(GradedParameter.Name.printGrowthAcross, x), (.printGrowthDown, y)] {
      let value = try #require(grade[name]?.value)
      #expect(abs(value - 2 * growth) < 0.01, "\(value), not \(2 * growth)")
      #expect(grade[name]?.basis == .measured)
    }
  }

  @Test("the quiet zone is the narrowest of the four sides")
  func quietZone() throws {
    #expect(try graded { _ in }[.quietZone]?.value == 4)
    for modules in [0.0, 1.5, 2.5, 3.0] {
      for side in [\PrintedSymbol.quietZone.left, \.quietZone.bottom] {
        let zone = try graded { $0[keyPath: side] = modules }[.quietZone]
        #expect(abs((zone?.value ?? -1) - modules) < 0.06, "\(modules) \(zone?.value ?? -1)")
        #expect(zone?.note == "4 are needed" && zone?.basis == .measured)
      }
    }
  }
}
