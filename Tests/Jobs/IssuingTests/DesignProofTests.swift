import CliptagBasics
import CodeDrawing
import CodeScanning
import Pictures
import QRSymbol
import Testing

@testable import Issuing

@Suite("The proof of a design")
struct DesignProofTests {
  private func code(
    level: QRSymbol.ErrorCorrection = .medium, moduleSize: Double = 0.508
  ) throws -> CodeDrawing {
    let symbol = try QRSymbol(
      "https://a.example/1", minimumErrorCorrection: level, raiseErrorCorrection: false)
    return try CodeDrawing(symbol, size: CodeSize.Request(moduleSize: moduleSize))
  }

  private func bench(_ code: CodeDrawing) -> ProofBench {
    ProofBench(code.greyPicture(pixelsPerModule: 7), code)
  }

  @Test("a plain code stands what the field needs, the same in every run")
  func plain() throws {
    let code = try code()
    let proof = try DesignProof(of: code.greyPicture(pixelsPerModule: 7), drawing: code)
    #expect(proof.margins.map(\.trouble) == DesignProof.Trouble.allCases)
    #expect(proof.warnings.isEmpty, "\(proof.margins)")
    for margin in proof.margins {
      #expect((margin.scanner ?? 0) >= (margin.plain ?? 0))
    }
    let dirt = proof.margins.first { $0.trouble == .dirt }
    #expect(try bench(code).margin(.dirt) == dirt)
    // As it would print: nothing speaks against it, and the ink's spread is seen.
    let grade = try #require(proof.grade)
    #expect(grade.letter == "A")
    for name in [GradedParameter.Name.printGrowthAcross, .printGrowthDown] {
      let growth = try #require(grade[name]?.value)
      #expect(growth > 0.15 && growth < 0.4)
    }
  }

  @Test("a code without a quiet zone tolerates on white what it tolerates with its own")
  func placed() async throws {
    func margins(quietZone: Int) async throws -> [DesignProof.Margin]? {
      let drawing = try CodeDrawing(
        QRSymbol("https://a.example/1"),
        size: CodeSize.Request(moduleSize: 0.508, quietZone: quietZone))
      return try await PrintedCode(drawing, as: .png, named: "a.png").proof(named: "a.png")?.margins
    }
    let whole = try #require(try await margins(quietZone: 4))
    #expect(try await margins(quietZone: 0) == whole)
  }

  @Test("correction that the design uses up costs its grade before anything is printed")
  func designGrade() throws {
    let drawing = try code(level: .high)
    let picture = drawing.greyPicture(pixelsPerModule: 7)
    // A white patch over the middle of the symbol, as a logo's plate.
    let (middle, half) = (picture.width / 2, 24)
    var pixels = picture.pixels
    for row in middle - half..<middle + half {
      for column in middle - half..<middle + half { pixels[row * picture.width + column] = 255 }
    }
    let patched = ProofBench(
      GreyPicture(width: picture.width, height: picture.height, pixels: pixels), drawing)
    let whole = try bench(drawing).grade(of: drawing)
    let covered = try patched.grade(of: drawing)
    #expect(whole?[.unusedErrorCorrection]?.value == 1)
    #expect(covered?[.unusedErrorCorrection]?.value ?? 1 < 0.8)
  }

  @Test("the contrast of a design is that of its colours, on its own background")
  func designContrast() throws {
    // #b3b3b3 reflects 45 % of the light.
    let grey = Colour(red: 0xB3, green: 0xB3, blue: 0xB3)
    let drawing = try CodeDrawing(
      QRSymbol("https://a.example/1"), colours: CodeColours(foreground: .black, background: grey))
    let picture = drawing.greyPicture(pixelsPerModule: 7)
    let printed = GreyPicture(
      width: picture.width, height: picture.height,
      pixels: picture.pixels.map { $0 == 0 ? 0 : 0xB3 })
    let grade = try #require(try ProofBench(printed, drawing).grade(of: drawing))
    let contrast = try #require(grade[.symbolContrast]?.value)
    #expect(abs(contrast - drawing.colours.contrast) < 0.02, "\(contrast)")
    #expect(grade.letter == "C")
  }

  @Test("a larger code is read from farther away, by as much as it is larger")
  func distance() throws {
    func margin(_ moduleSize: Double) throws -> DesignProof.Margin {
      try bench(try code(moduleSize: moduleSize)).margin(.distance)
    }
    let (small, large) = (try margin(0.508), try margin(1.016))
    #expect(abs((large.plain ?? 0) / (small.plain ?? 1) - 2) < 0.01)
    #expect(abs(small.needed - 0.508 * 330) < 0.1)
  }

  @Test("a stronger level stands more dirt")
  func dirtAndLevel() throws {
    func dirt(_ level: QRSymbol.ErrorCorrection) throws -> Double {
      try bench(try code(level: level)).margin(.dirt).scanner ?? 0
    }
    #expect(try dirt(.high) > dirt(.low))
  }

  @Test("a picture that is not the code has no margin, and every one is warned of")
  func blank() throws {
    let drawing = try CodeDrawing(QRSymbol("https://a.example/1"))
    let blank = GreyPicture(width: 290, height: 290, pixels: [UInt8](repeating: 255, count: 84100))
    let proof = try DesignProof(of: blank, drawing: drawing)
    #expect(proof.margins.allSatisfy { $0.plain == nil && $0.scanner == nil })
    #expect(proof.warnings.count == DesignProof.Trouble.allCases.count)
    #expect(proof.grade == nil)
  }
}
