import CliptagBasics
import TestSupport
import Testing

@testable import CodeDrawing

@Suite("Sizes on the printer's grid")
struct CodeSizeTests {
  @Test(
    "a width becomes the largest whole number of dots that fits",
    arguments: [
      // A box of 20 mm with 41 modules: dots and millimetres at common resolutions.
      (20.0, 203.0, 33, 3, 15.39), (20, 300, 33, 5, 17.36), (20, 360, 33, 6, 17.36),
      (20, 600, 33, 11, 19.09), (20, 1_200, 33, 23, 19.96),
      // A width that is whole dots is itself: 37 × 20 dots are 31.32666… mm.
      (37.0 * 20 * 25.4 / 600, 600, 29, 20, 31.33), (25.4, 100, 17, 4, 25.4),
      (25.399, 100, 17, 3, 19.05), (31.5, 600, 29, 20, 31.33),
    ])
  func width(
    width: Double, dotsPerInch: Double, symbolSize: Int, dots: Int, expected: Double
  ) throws {
    let size = try CodeSize(.init(width: width, dotsPerInch: dotsPerInch), symbolSize: symbolSize)
    #expect(size.dotsPerModule == dots)
    #expect(abs(size.width - expected) < 0.005)
    #expect(size.width <= width * 1.000_001)
    #expect(size.modulesAcross == symbolSize + 8)
    #expect(abs(size.moduleSize * Double(size.modulesAcross) - size.width) < 1e-9)
  }

  @Test(
    "a module size becomes the nearest whole number of dots",
    arguments: [
      // DENSO WAVE's table of module sizes for 4, 5 and 6 dots.
      (0.17, 600.0, 4), (0.21, 600, 5), (0.25, 600, 6), (0.28, 360, 4), (0.35, 360, 5),
      (0.42, 360, 6), (0.33, 300, 4), (0.42, 300, 5), (0.50, 300, 6), (0.5, 200, 4),
      (0.63, 200, 5), (0.75, 200, 6), (0.85, 600, 20),
    ])
  func module(moduleSize: Double, dotsPerInch: Double, dots: Int) throws {
    let size = try CodeSize(
      .init(moduleSize: moduleSize, dotsPerInch: dotsPerInch), symbolSize: 29)
    #expect(size.dotsPerModule == dots)
    #expect(abs(size.moduleSize - moduleSize) <= 25.4 / dotsPerInch / 2)
  }

  @Test(
    "a quiet zone below four modules is warned of, with the room to keep around the modules",
    arguments: [(0, true), (1, true), (3, true), (4, false), (40, false)])
  func quietZone(modules: Int, isWarned: Bool) throws {
    let size = try CodeSize(.init(moduleSize: 0.5, quietZone: modules), symbolSize: 29)
    #expect(size.modulesAcross == 29 + 2 * modules)
    #expect(size.warnings.map(\.code) == (isWarned ? ["small-quiet-zone"] : []))
    if let warning = size.warnings.first {
      // Twelve dots of 1/600 inch.
      #expect(warning.hint.contains("2.04 mm"), "\(warning.hint)")
      #expect(abs(warning.width - 37 * 12 * 25.4 / 600) < 1e-9)
    }
  }

  @Test("a quiet zone that no page needs, or less than none, is refused", arguments: [-1, 41])
  func noQuietZone(modules: Int) throws {
    #expect {
      try CodeSize(.init(quietZone: modules), symbolSize: 29)
    } throws: {
      ($0 as? CodeDrawingError)?.code == .invalidSize
    }
  }

  @Test("a size that was reported gives the same size again")
  func repeatable() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let dpi = Double(Int.random(in: 50...2_400, using: &generator))
      let symbolSize = 17 + 4 * Int.random(in: 1...40, using: &generator)
      let width = Double.random(in: 100...5_000, using: &generator)
      let first = try CodeSize(.init(width: width, dotsPerInch: dpi), symbolSize: symbolSize)
      #expect(
        try CodeSize(.init(width: first.width, dotsPerInch: dpi), symbolSize: symbolSize) == first)
      let again = CodeSize.Request(moduleSize: first.moduleSize, dotsPerInch: dpi)
      #expect(try CodeSize(again, symbolSize: symbolSize) == first)
      let both = CodeSize.Request(
        width: first.width, moduleSize: first.moduleSize, dotsPerInch: dpi)
      #expect(try CodeSize(both, symbolSize: symbolSize) == first)
    }
  }

  @Test(
    "without a wish a module is the thirtieth of an inch, or the nearest that prints well",
    arguments: [(600.0, 20), (300, 10), (203, 7), (1_200, 40), (50, 4)])
  func standard(dotsPerInch: Double, dots: Int) throws {
    let size = try CodeSize(.init(dotsPerInch: dotsPerInch), symbolSize: 21)
    #expect(size.dotsPerModule == dots)
    #expect(CodeSize.Request().dotsPerInch == 600)
  }

  @Test("fewer than four dots a module is a warning that names the width and resolution that do")
  func fewDots() throws {
    let size = try CodeSize(.init(width: 20, dotsPerInch: 203), symbolSize: 33)
    let warning = try #require(size.warnings.first)
    #expect(size.warnings.map(\.code) == ["few-dots"])
    #expect(warning.hint.contains("20.53 mm"))
    #expect(warning.hint.contains("271 dots per inch"))
    let wider = try CodeSize(.init(width: 20.53, dotsPerInch: 203), symbolSize: 33)
    #expect(wider.dotsPerModule == 4)
    #expect(wider.warnings.isEmpty)
    let finer = try CodeSize(.init(width: 20, dotsPerInch: 271), symbolSize: 33)
    #expect(finer.warnings.isEmpty)
  }

  @Test("modules under 0.33 mm are a warning that names the width that does")
  func smallModules() throws {
    let size = try CodeSize(.init(width: 12), symbolSize: 33)
    let warning = try #require(size.warnings.first)
    #expect(warning.code == "small-modules")
    #expect(try CodeSize(.init(width: warning.width), symbolSize: 33).warnings.isEmpty)
  }

  @Test(
    "a reading distance becomes the fewest dots that are 1/330 of it, at least four and 0.33 mm",
    arguments: [
      // 45 characters at level Q are version 4, 33 modules: millimetres, dpi, dots.
      (150.0, 600.0, 11), (300, 600, 22), (1_000, 600, 72), (3_000, 600, 215), (10, 600, 8),
      (150, 203, 4), (1_000, 203, 25), (330, 254, 10), (330.1, 254, 11), (10, 50, 4),
    ])
  func readingDistance(distance: Double, dotsPerInch: Double, dots: Int) throws {
    let size = try CodeSize(
      .init(readingDistance: distance, dotsPerInch: dotsPerInch), symbolSize: 33)
    #expect(size.dotsPerModule == dots)
    #expect(size.readingDistance >= distance * 0.999_999)
    #expect(size.warnings.isEmpty)
    let less = Double(dots - 1) * 25.4 / dotsPerInch
    #expect(dots == 4 || less < distance / 330 || less < 0.33, "no dot less would do")
  }

  @Test("a distance beside a width changes nothing where phones manage it")
  func distanceCompared() throws {
    let plain = try CodeSize(.init(width: 40), symbolSize: 33)
    let near = try CodeSize(.init(width: 40, readingDistance: 300), symbolSize: 33)
    #expect(near.dotsPerModule == plain.dotsPerModule)
    #expect(near.warnings.isEmpty)
  }

  @Test("too far for many phones is a warning, too far for all is refused, with what would do")
  func tooFar() throws {
    // 23 dots of 1/600 inch are 0.974 mm: sure up to 321 mm, read at all up to 452 mm.
    for distance in [322.0, 400, 452] {
      let size = try CodeSize(.init(width: 40, readingDistance: distance), symbolSize: 33)
      #expect(size.dotsPerModule == 23)
      let warning = try #require(size.warnings.first)
      #expect(size.warnings.map(\.code) == ["too-far"])
      #expect(warning.hint.contains("321.31 mm"))
      let wider = CodeSize.Request(width: warning.width, readingDistance: distance)
      #expect(try CodeSize(wider, symbolSize: 33).warnings.isEmpty)
    }
    for request in [
      CodeSize.Request(width: 40, readingDistance: 453),
      .init(moduleSize: 0.974, readingDistance: 453),
    ] {
      do {
        _ = try CodeSize(request, symbolSize: 33)
        Issue.record("nothing was thrown")
      } catch {
        #expect(error.code == .tooFar)
        #expect(error.hint.contains("57.28 mm"), "\(error.hint)")
      }
    }
    let needed = try CodeSize(.init(width: 57.28, readingDistance: 453), symbolSize: 33)
    #expect(needed.warnings.isEmpty)
  }

  @Test("the usual sizes have no warning")
  func noWarning() throws {
    #expect(try CodeSize(.init(), symbolSize: 21).warnings.isEmpty)
    #expect(try CodeSize(.init(), symbolSize: 177).warnings.isEmpty)
  }

  @Test(
    "impossible sizes are refused and the number that would do is named",
    arguments: [
      (CodeSize.Request(width: 0), CodeDrawingError.Code.invalidSize, "30"),
      (.init(width: -3), .invalidSize, "30"), (.init(width: .nan), .invalidSize, "30"),
      (.init(width: .infinity), .invalidSize, "30"), (.init(moduleSize: 0), .invalidSize, "0.85"),
      (.init(moduleSize: .nan), .invalidSize, "0.85"), (.init(width: 1), .sizeTooSmall, "6.27"),
      (.init(moduleSize: 0.01), .sizeTooSmall, "0.17"),
      (.init(width: 6_000), .sizeTooLarge, "5080"),
      (.init(moduleSize: 200), .sizeTooLarge, "137.29"),
      (.init(readingDistance: 0), .invalidSize, "300"),
      (.init(readingDistance: .nan), .invalidSize, "300"),
      (.init(readingDistance: 1e300), .sizeTooLarge, "45304"),
      (.init(dotsPerInch: 0), .invalidResolution, "600"),
      (.init(dotsPerInch: .nan), .invalidResolution, "600"),
      (.init(dotsPerInch: 1e9), .invalidResolution, "600"),
      (.init(width: 30, moduleSize: 1), .contradictingSizes, "37.6"),
    ])
  func impossible(
    request: CodeSize.Request, code: CodeDrawingError.Code, number: String
  ) throws {
    let error = #expect(throws: CodeDrawingError.self) {
      try CodeSize(request, symbolSize: 29)
    }
    #expect(error?.code == code)
    #expect(error?.hint.contains(number) == true, "\(error?.hint ?? "")")
  }

  @Test("the numbers that contradicting sizes are told lead to a code")
  func contradiction() throws {
    let error = #expect(throws: CodeDrawingError.self) {
      try CodeSize(.init(width: 30, moduleSize: 1), symbolSize: 29)
    }
    #expect(error?.hint.contains("37.6 mm") == true)
    #expect(error?.hint.contains("0.804 mm") == true)
    #expect(try CodeSize(.init(width: 37.6, moduleSize: 1), symbolSize: 29).dotsPerModule == 24)
    #expect(try CodeSize(.init(width: 30, moduleSize: 0.804), symbolSize: 29).dotsPerModule == 19)
  }
}
