import Pictures
import Testing

@Suite("Ink, lenses and dirt")
struct PrintSimulationTests {
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
    let sum = { (raster: ProofRaster) -> Double in
      raster.values.reduce(0.0) { (sum: Double, value) -> Double in sum + Double(value) }
    }
    #expect(abs(sum(sharp) - sum(blurred)) < 0.001 * sum(sharp))
    // At an edge half of the light is left; one deviation inwards 16 %.
    let row = Array(blurred.values[40 * 80..<41 * 80])
    let (edge, inwards) = (Double(row[19] + row[20]) / 2, Double(row[23] + row[24]) / 2)
    #expect(abs(edge - 127.5) < 1)
    #expect(abs(inwards - 255 * 0.1587) < 2)
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
}
