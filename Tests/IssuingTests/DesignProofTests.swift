import CliptagBasics
import CodeDrawing
import CodeScanning
import Pictures
import QRSymbol
import Testing

@testable import Issuing

/// Serialized: each test works for seconds without a pause, and together they would keep every
/// thread from the tests beside them.
@Suite("The proof of a design", .serialized)
struct DesignProofTests {
  /// A square of ink on paper, on a tenth of a pixel exact.
  private func square(
    side: Int, from start: Double, to end: Double, dark: Float = 0, light: Float = 255
  ) -> ProofRaster {
    var raster = ProofRaster(
      GreyPicture(width: side, height: side, pixels: [UInt8](repeating: 255, count: side * side)),
      side: side)
    func part(_ index: Int) -> Double {
      max(0, min(Double(index + 1), end) - max(Double(index), start))
    }
    for y in 0..<side {
      for x in 0..<side {
        let ink = Float(part(x) * part(y))
        raster.values[y * side + x] = light * (1 - ink) + dark * ink
      }
    }
    return raster
  }

  /// The ink in the middle row, in pixels.
  private func width(_ raster: ProofRaster) -> Double {
    let row = raster.values[(raster.side / 2 * raster.side)..<((raster.side / 2 + 1) * raster.side)]
    return row.reduce(0) { $0 + Double(255 - $1) / 255 }
  }

  @Test(
    "ink grows and shrinks at both edges by parts of a pixel",
    arguments: [0.1, 0.25, 0.5, 1, 1.7, 3, -0.1, -0.4, -1, -2.3])
  func spread(pixels: Double) {
    let grown = InkSpread(of: square(side: 60, from: 20, to: 40)).grown(by: pixels)
    #expect(abs(width(grown) - (20 + 2 * pixels)) < 0.01)
  }

  @Test("ink that grows rounds its outer corners, as drops do")
  func corners() {
    let grown = InkSpread(of: square(side: 60, from: 20, to: 40)).grown(by: 5)
    let ink = grown.values.reduce(0) { $0 + Double(255 - $1) / 255 }
    // The square, a strip of five along each side, and four quarters of a disc.
    #expect(abs(ink - (400 + 4 * 100 + 3.1416 * 25)) < 12)
  }

  @Test("blur keeps the light and spreads an edge by its deviation")
  func blur() {
    let sharp = square(side: 80, from: 20, to: 60)
    let blurred = sharp.blurred(by: 4)
    let sum = { (raster: ProofRaster) in raster.values.reduce(0) { $0 + Double($1) } }
    #expect(abs(sum(sharp) - sum(blurred)) < 0.001 * sum(sharp))
    // At an edge half of the light is left; one deviation inwards 16 %.
    let row = Array(blurred.values[40 * 80..<41 * 80])
    #expect(abs(Double(row[19] + row[20]) / 2 - 127.5) < 1)
    #expect(abs(Double(row[23] + row[24]) / 2 - 255 * 0.1587) < 2)
  }

  @Test("dirt covers the share that is asked for, more of it what less covers too")
  func dirt() {
    let paper = ProofRaster(
      GreyPicture(width: 290, height: 290, pixels: [UInt8](repeating: 128, count: 290 * 290)),
      side: 290)
    let dirt = SimulatedDirt(side: 290, module: 10, margin: 40)
    var before: Set<Int> = []
    for share in [0.01, 0.05, 0.1, 0.2] {
      let spotted = dirt.over(paper, share: share).values
      let covered = Set(spotted.indices.filter { spotted[$0] != 128 })
      #expect(abs(Double(covered.count) / (210 * 210) - share) < 0.008)
      #expect(covered.isSuperset(of: before))
      before = covered
    }
  }

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
