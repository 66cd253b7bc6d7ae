import ScanFixtures
import CQREncode
import Pictures
import SymbolStructure
import Testing

@testable import CodeScanning

/// Each parameter against symbols whose true value is known.
@Suite("Print grading")
struct PrintGraderTests {
  private static let flatbed = PrintGrader(capture: .flatbed(dotsPerInch: 600))

  private func graded(
    _ grader: PrintGrader = flatbed, version: Int = 3, level: QRecLevel = QR_ECLEVEL_Q,
    _ change: (inout PrintedSymbol) -> Void = { _ in }
  ) throws -> PrintGrade {
    var symbol = try #require(PrintedSymbol(version: version, level: level))
    change(&symbol)
    return try #require(symbol.graded(by: grader))
  }

  @Test("a clean symbol is A in every parameter that is graded", arguments: [3, 7, 14])
  func clean(version: Int) throws {
    let grade = try graded(version: version)
    for parameter in grade.parameters where parameter.grade != nil {
      #expect(parameter.grade == 4 && parameter.decimal == 4, "\(parameter)")
    }
    #expect(grade.letter == "A" && grade.code.text == PrintedSymbol.text)
    #expect((grade[.versionInformation] != nil) == (version >= 7))
    #expect(abs(grade.modulePixels - 10) < 0.05)
    #expect(abs((grade.moduleMillimetres ?? 0) - 25.4 / 60) < 0.002)
  }

  @Test(
    "cell contrast is (light - dark) / light of the light itself, not of stored pixel values",
    arguments: [(0.9, 0.05, 4), (0.8, 0.4, 4), (0.8, 0.58, 3), (0.6, 0.46, 2), (0.5, 0.41, 1)])
  func cellContrast(light: Double, dark: Double, grade: Int) throws {
    let contrast = try #require(
      try graded {
        $0.light = light
        $0.dark = dark
      }[.cellContrast])
    #expect(abs((contrast.value ?? 0) - (light - dark) / light) < 0.01)
    #expect(contrast.grade == grade && contrast.basis == .measured)
  }

  @Test("symbol contrast is the difference on the paper's reflectance, and at most that without it")
  func symbolContrast() throws {
    let known = PrintGrader(capture: .flatbed(dotsPerInch: 600), paperReflectance: 0.8)
    let contrast = try graded(known) {
      $0.light = 0.9
      $0.dark = 0.36
    }[.symbolContrast]
    // The dark reflects 0.36 / 0.9 of the paper's 0.8.
    #expect(abs((contrast?.value ?? 0) - 0.48) < 0.01)
    #expect(contrast?.grade == 2 && contrast?.basis == .estimated)
    for grader in [PrintGrader(), Self.flatbed] {
      let pale = try graded(grader) {
        $0.light = 1
        $0.dark = 0.745
      }
      let most = try #require(pale[.symbolContrast])
      #expect(abs((most.value ?? 0) - 0.255) < 0.02)
      #expect(most.basis == .estimated && most.note?.hasPrefix("at most") == true)
      #expect(pale.letter == "D", "what is refused where codes are issued is not good on paper")
    }
  }

  @Test(
    "the exposure does not change symbol contrast, nor does what is on the picture besides the print",
    arguments: [1.0, 0.5, 0.25])
  func paleSymbol(exposure: Double) throws {
    // Modules of e0e0e0 on white, which are refused where codes are issued.
    func pale(_ change: (inout PrintedSymbol) -> Void = { _ in }) throws -> GradedParameter {
      let grade = try graded(PrintGrader()) {
        $0.light = 0.9
        $0.dark = 0.9 * 0.745
        $0.lamp = { _, _ in exposure }
        change(&$0)
      }
      #expect(grade.overall <= 1, "\(grade.parameters)")
      return try #require(grade[.symbolContrast])
    }
    let clean = try pale()
    #expect(abs((clean.value ?? 0) - 0.255) < 0.02 && clean.grade == 1)
    // A black speck, and one of glare.
    let dirty = try pale { $0.reflectances = [14 * 29 + 14: 0.02, 20 * 29 + 11: 1] }
    #expect(abs((dirty.value ?? 0) - 0.255) < 0.02 && dirty.grade == 1)
  }

  @Test("unused error correction counts the wrong codewords of the worst block, exactly")
  func unusedErrorCorrection() throws {
    // Version 3-Q: two blocks of 17 data and 18 check codewords, dealt in turn.
    for wrong in 0...8 {
      let grade = try graded { $0.flip(codewords: (0..<wrong).map { 2 * $0 } + [1]) }
      let expected = 1 - 2 * Double(max(1, wrong)) / 18
      let unused = try #require(grade[.unusedErrorCorrection])
      #expect(abs((unused.value ?? -1) - expected) < 1e-9, "\(wrong)")
      #expect(unused.grade == GradeScale.unusedErrorCorrection.grade(expected).step)
      #expect(grade[.reflectanceMargin]?.grade == unused.grade)
      // Turned over, a module is as clear as any other.
      #expect(grade[.modulation]?.grade == 4)
    }
  }

  @Test("codewords kept against misreading do not count as correction")
  func misdecodeProtection() throws {
    // Version 1-M has 10 check codewords, 2 of them kept.
    var symbol = try #require(PrintedSymbol("grade 1-M", version: 1, level: QR_ECLEVEL_M))
    symbol.flip(codewords: [0])
    let unused = symbol.graded(by: Self.flatbed)?[.unusedErrorCorrection]
    #expect(abs((unused?.value ?? 0) - (1 - 2.0 / 8)) < 1e-9)
  }

  @Test("each segment of the fixed patterns counts its own wrong modules")
  func fixedPatterns() throws {
    let grade = try graded(version: 3) {
      // Light in A1's ring; two of A2's separator; one of A3's core; timing; alignment.
      $0.flip([(1, 1), (21, 3), (21, 4), (3, 25), (10, 6), (6, 12), (6, 14), (20, 20), (22, 22)])
    }
    let damage = try #require(grade[.fixedPatternDamage])
    let counted = Dictionary(uniqueKeysWithValues: damage.parts.map { ($0.name, $0.wrongModules) })
    #expect(counted == ["A1": 1, "A2": 2, "A3": 1, "B1": 1, "B2": 2, "C": 2])
    let modules = Dictionary(uniqueKeysWithValues: damage.parts.map { ($0.name, $0.modules) })
    #expect(modules == ["A1": 144, "A2": 144, "A3": 144, "B1": 13, "B2": 13, "C": 25])
    // 2 of 13 are 15 %, more than the 14 % of grade 1.
    #expect(damage.parts.map(\.grade) == [3, 2, 3, 2, 0, 3])
    #expect(damage.grade == 0 && grade.overall == 0 && grade.letter == "F")
    #expect(grade[.unusedErrorCorrection]?.value == 1)
  }

  @Test("wrong modules of the format and version information are counted in each copy")
  func information() throws {
    let grade = try graded(version: 7) {
      let format = FormatInformation.places(size: $0.size)
      $0.flip([format[0][2]] + format[1][3...5])
      $0.flip(Array(VersionInformation.places(size: $0.size)[1][0..<2]))
    }
    #expect(grade[.formatInformation]?.parts.map(\.wrongModules) == [1, 3])
    #expect(grade[.formatInformation]?.grade == 2)
    #expect(grade[.versionInformation]?.parts.map(\.wrongModules) == [0, 2])
    #expect(grade[.versionInformation]?.grade == 3)
    #expect(grade[.unusedErrorCorrection]?.value == 1)
  }

  @Test("pale modules of few codewords lower modulation by what correction is left without them")
  func modulation() throws {
    // Modules halfway to the threshold reach grade 4, those at a quarter of the way grade 1.
    for (codewords, expected) in [(0, 4), (3, 4), (4, 3), (9, 1)] {
      let grade = try graded {
        let modules = SymbolLayout.of(version: 3).dataModules
        let threshold = ($0.light + $0.dark) / 2
        for codeword in 0..<codewords {
          // All in the first of the two blocks.
          let index = Int(modules[codeword * 16].index)
          let mean = $0.isDark[index] ? $0.dark : $0.light
          $0.reflectances[index] = threshold + (mean - threshold) * 0.25
        }
      }
      #expect(grade[.modulation]?.grade == expected, "\(codewords)")
      #expect(grade[.unusedErrorCorrection]?.value == 1)
    }
  }

  @Test("a photograph's slope of light is taken out; a flatbed has none")
  func slope() throws {
    func lit(_ symbol: inout PrintedSymbol) { symbol.lamp = { x, _ in 1 - 0.8 * x } }
    let photograph = try graded(PrintGrader(), lit)
    #expect(photograph[.modulation]?.grade == 4 && photograph[.modulation]?.basis == .estimated)
    #expect(photograph.moduleMillimetres == nil)
    #expect(abs((photograph[.cellContrast]?.value ?? 0) - (0.9 - 0.05) / 0.9) < 0.01)
    let scan = try graded(Self.flatbed, lit)
    #expect((scan[.modulation]?.grade ?? 4) < 4)
  }

  @Test("a mirrored, a turned and a light-on-dark symbol are graded as any other")
  func otherWays() throws {
    var symbol = try #require(PrintedSymbol())
    symbol.flip(codewords: [0, 2])
    let straight = symbol.picture
    let side = straight.width
    func turned(_ place: (_ x: Int, _ y: Int) -> Int) -> GreyPicture {
      GreyPicture(
        width: side, height: side,
        pixels: (0..<side * side).map { straight.pixels[place($0 % side, $0 / side)] })
    }
    let mirrored = turned { x, y in x * side + y }
    let quarter = turned { x, y in (side - 1 - x) * side + y }
    // Of the plain symbol without its dark surround.
    let plain = try #require(
      drawSymbol(Array(PrintedSymbol.text.utf8), version: 3, modulePixels: 10))
    let inverted = GreyPicture(
      width: plain.width, height: plain.height, pixels: plain.pixels.map { 255 - $0 })
    for (picture, unused) in [(mirrored, 1 - 4.0 / 18), (quarter, 1 - 4.0 / 18), (inverted, 1)] {
      let code = try #require(try CodeScanner(budget: nil).scan(picture).first)
      let grade = try #require(Self.flatbed.grade(code, in: picture))
      #expect(abs((grade[.unusedErrorCorrection]?.value ?? 0) - unused) < 1e-9)
      #expect(grade[.fixedPatternDamage]?.grade == 4 && grade[.formatInformation]?.grade == 4)
    }
  }

  @Test("steps and decimals agree: a decimal never reaches a step that was missed")
  func scales() {
    for scale in [
      GradeScale.modulation, .symbolContrast, .cellContrast, .unusedErrorCorrection,
      .wrongModules, .timing, .alignment, .axialNonuniformity, .gridNonuniformity,
    ] {
      for (index, threshold) in scale.thresholds.enumerated() {
        #expect(scale.grade(threshold).step == 4 - index)
        #expect(abs(scale.grade(threshold).decimal - Double(4 - index)) < 1e-6)
      }
      for index in 0..<3 {
        let middle = scale.grade((scale.thresholds[index] + scale.thresholds[index + 1]) / 2)
        #expect(middle.step == 3 - index && abs(middle.decimal - 3.5 + Double(index)) < 1e-6)
      }
    }
    #expect(GradeScale.symbolContrast.grade(0.6999).decimal < 4)
    #expect(GradeScale.symbolContrast.grade(0.1) == GradePair(step: 0, decimal: 0.5))
    #expect(GradeScale.wrongModules.grade(4) == .failed)
  }
}
