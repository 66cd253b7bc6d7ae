import ScanFixtures
import CQREncode
import Foundation
import Pictures
import Testing

@testable import CodeScanning

/// When a photograph shows that a print is worn: never of a perfect print, always of a faded one.
@Suite("Worn prints")
struct PrintWearTests {
  /// A photograph of a print, slightly tilted, and its grade.
  private func grade(
    version: Int, module: Double, tilt: Double = 0, flaws: Photograph.Flaws,
    change: (inout [Bool]) -> Void = { _ in }
  ) throws -> PrintGrade? {
    let modules = Double(17 + 4 * version)
    let (near, far) = (4.5 * module, (4.5 + modules) * module)
    let lean = tilt * modules * module
    let side = Int((modules + 9) * module)
    let photograph = try #require(
      Photograph(
        Array("https://fruta.example.com/a".utf8), version: version,
        corners: [(near + lean, near), (far, near + lean), (far - lean, far), (near, far - lean)],
        side: side, flaws: flaws))
    let code = DecodedCode(
      text: "", bytes: [], corners: photograph.corners, version: (photograph.size - 17) / 4,
      stage: "test")
    return PrintGrader().grade(code, in: photograph.picture)
  }

  @Test("a perfect print is not worn, however small, blurred, noisy or tilted its picture is")
  func perfect() throws {
    var (graded, worn) = (0, [String]())
    for version in [1, 3, 7] {
      for module in [3.0, 3.5, 4.0, 4.5, 5.5, 6.0, 8.0] {
        for (blur, noise, tilt) in [
          (0, 0, 0.0), (1, 8, 0), (0, 20, 0.04), (1, 0, 0.06), (1, 15, 0.03), (2, 4, 0.02),
        ] {
          let flaws = Photograph.Flaws(blur: blur, noise: noise, light: (1, 0.8))
          guard let grade = try grade(version: version, module: module, tilt: tilt, flaws: flaws)
          else { continue }
          graded += 1
          if let wear = grade.wear { worn.append("\(version) \(module) \(blur) \(noise): \(wear)") }
        }
      }
    }
    #expect(graded >= 100 && worn.isEmpty, "\(graded): \(worn.joined(separator: "\n"))")
  }

  @Test("wrong modules are damage, in a small picture, too", arguments: [4.0, 6, 10])
  func damaged(module: Double) throws {
    func wear(wrong: Int) throws -> PrintWear? {
      var symbol = try #require(PrintedSymbol(version: 3))
      symbol.modulePixels = (module, module)
      symbol.isSmooth = true
      // Version 3-Q: two blocks of 18 check codewords each, dealt in turn.
      symbol.flip(codewords: (0..<wrong).map { 2 * $0 })
      return try #require(symbol.graded(by: PrintGrader())).wear
    }
    #expect(try wear(wrong: 0) == nil && wear(wrong: 3) == nil)
    #expect(try wear(wrong: 6) == .damaged(grade: 1) && wear(wrong: 8) == .damaged(grade: 0))
  }

  /// The level of ink that leaves a contrast with paper of level 210.
  private func ink(contrast: Double) -> Double {
    let light = pow((210.0 / 255 + 0.055) / 1.055, 2.4) * (1 - contrast)
    return (1.055 * pow(light, 1 / 2.4) - 0.055) * 255
  }

  @Test("a print is faded below a contrast of 40 %, and not above", arguments: [3.5, 5, 7])
  func faded(module: Double) throws {
    for percent in [15, 20, 25, 30, 35, 38, 44, 50, 60, 80] {
      let flaws = Photograph.Flaws(noise: 2, ink: ink(contrast: Double(percent) / 100))
      let wear = try #require(try grade(version: 3, module: module, flaws: flaws)).wear
      guard case .faded(let contrast) = wear else {
        #expect(wear == nil && percent > 40, "\(percent) % \(wear as Any)")
        continue
      }
      #expect(percent < 40 && abs(contrast * 100 - Double(percent)) < 4)
    }
  }
}
