import ScanFixtures
import Foundation
import Pictures
import Testing

@testable import CodeScanning

/// Grids that are bent as a test wants them, so that the true distance of every crossing is known.
@Suite("Grid nonuniformity")
struct GridNonuniformityTests {
  private static let flatbed = PrintGrader(capture: .flatbed(dotsPerInch: 600))

  /// A way to bend a symbol of version 3, or 7.
  struct Bend: CustomTestStringConvertible, Sendable {
    let name: String
    var version = 3
    let warp: @Sendable (Double, Double) -> (u: Double, v: Double)

    var testDescription: String { name }
    var size: Int { 17 + 4 * version }

    /// The largest distance of a crossing from the straight-sided grid that fits all of them best,
    /// over that grid's own module; the symmetry of the grid makes three means of the fit.
    var nonuniformity: Double {
      let half = Double(size) / 2
      let lines = (0...size).map { Double($0) - half }
      let points = lines.flatMap { v in
        lines.map { u in (u: u, v: v, seen: warp(u + half, v + half)) }
      }
      let spread = points.reduce(0) { $0 + $1.u * $1.u }
      func fit(_ value: (Int) -> Double) -> (mean: Double, u: Double, v: Double) {
        (
          points.indices.reduce(0) { $0 + value($1) } / Double(points.count),
          points.indices.reduce(0) { $0 + value($1) * points[$1].u } / spread,
          points.indices.reduce(0) { $0 + value($1) * points[$1].v } / spread
        )
      }
      let (x, y) = (fit { points[$0].seen.u }, fit { points[$0].seen.v })
      let module = (hypot(x.u, y.u) + hypot(x.v, y.v)) / 2
      return points.map { point in
        hypot(
          point.seen.u - x.mean - x.u * point.u - x.v * point.v,
          point.seen.v - y.mean - y.u * point.u - y.v * point.v) / module
      }.max() ?? 0
    }
  }

  /// A sheet that waves, whose crossings lie off by up to `height` modules.
  private static func wave(_ height: Double, length: Double, version: Int = 3) -> Bend {
    Bend(name: "waving by \(height) over \(length)", version: version) { u, v in
      (
        u + height * sin(2 * .pi * v / length + 0.4),
        v + 0.6 * height * sin(2 * .pi * u / length)
      )
    }
  }

  /// A lens that pulls corners outwards, in the middle of a symbol of version 3.
  private static func pincushion(_ most: Double) -> Bend {
    Bend(name: "pincushion of \(most)") { u, v in
      let (x, y) = (u / 14.5 - 1, v / 14.5 - 1)
      let pull = most * (x * x + y * y) / 2
      return (u + pull * x, v + pull * y)
    }
  }

  /// One corner that was pulled away, and the rest after it.
  private static func corner(_ most: Double) -> Bend {
    Bend(name: "corner by \(most)") { u, v in
      let share = (u / 29) * (u / 29) * (v / 29) * (v / 29)
      return (u + most * share, v + 0.5 * most * share)
    }
  }

  private static let slanted = Bend(name: "slanted and stretched") { u, v in
    (1.02 * u + 0.06 * v, 0.98 * v - 0.03 * u)
  }

  static let bends = [
    Bend(name: "even") { ($0, $1) }, slanted, wave(0.15, length: 40), wave(0.4, length: 40),
    wave(0.6, length: 50), wave(0.5, length: 60, version: 7),
    pincushion(0.6), pincushion(1.2), corner(1), corner(2.4),
  ]

  private func measured(
    _ bend: Bend, modulePixels: Double = 10, by grader: PrintGrader = flatbed,
    _ change: (inout PrintedSymbol) -> Void = { _ in }
  ) throws -> GradedParameter {
    var symbol = try #require(PrintedSymbol(version: bend.version))
    symbol.warp = bend.warp
    symbol.isSmooth = true
    symbol.modulePixels = (modulePixels, modulePixels)
    change(&symbol)
    return try #require(symbol.graded(by: grader)?[.gridNonuniformity])
  }

  @Test(
    "the largest distance of a crossing from an even grid is told to 1 % of a module",
    arguments: bends)
  func truth(bend: Bend) throws {
    let parameter = try measured(bend)
    let value = try #require(parameter.value)
    #expect(abs(value - bend.nonuniformity) < 0.01, "\(value), not \(bend.nonuniformity)")
    #expect(parameter.basis == .measured && parameter.note == nil)
    #expect(parameter.grade == GradeScale([0.38, 0.5, 0.63, 0.75]).grade(value).step)
  }

  @Test("with 5 pixels a module, or a wave as short as the symbol, it is told to 2 %")
  func coarse() throws {
    for (bend, pixels) in [
      (Self.bends[0], 5.0), (Self.slanted, 5), (Self.corner(1), 5), (Self.wave(0.4, length: 40), 5),
      (Self.wave(0.3, length: 29), 10),
    ] {
      let value = try #require(try measured(bend, modulePixels: pixels).value)
      #expect(abs(value - bend.nonuniformity) < 0.02, "\(bend.name): \(value)")
    }
  }

  @Test("with fewer than 5 pixels a module it is not told, but why")
  func unknown() throws {
    let coarse = try measured(Self.bends[0], modulePixels: 4)
    #expect(coarse.basis == .notMeasured && coarse.value == nil && coarse.grade == nil)
    #expect(coarse.note == "a module has fewer than 5 pixels")
  }

  @Test("ink spread, blur, noise and wrong modules do not bend the grid")
  func troubles() throws {
    let even = Self.bends[0]
    let grown = try #require(try measured(even) { $0.growth = (0.1, 0.05) }.value)
    #expect(grown < 0.01, "\(grown)")
    let wrong = try #require(try measured(even) { $0.flip(codewords: [0, 1, 2, 3, 9]) }.value)
    #expect(wrong < 0.01, "\(wrong)")
    for modulePixels in [5.0, 10.0] {
      let rough = try measured(even, modulePixels: modulePixels) { $0.roughness = 0.1 }
      #expect((rough.value ?? 1) < 0.05, "\(rough.value ?? -1)")
      #expect(rough.grade == 4 && rough.decimal == 4)
    }
  }

  @Test("a photograph's perspective is taken out, and what is left is an estimate")
  func photograph() throws {
    let perspective = Bend(name: "in perspective") { u, v in
      let depth = 1 + 0.004 * u + 0.002 * v
      return ((1.05 * u + 0.03 * v) / depth, 1.02 * v / depth)
    }
    let flat = try measured(perspective, by: PrintGrader())
    #expect((flat.value ?? 1) < 0.01, "\(flat.value ?? -1)")
    #expect(flat.basis == .estimated && flat.note != nil)
    #expect(try measured(perspective).value ?? 0 > 0.1)
    let waving = try measured(Self.wave(0.4, length: 40), by: PrintGrader())
    #expect((waving.value ?? 0) > 0.2)
  }
}
