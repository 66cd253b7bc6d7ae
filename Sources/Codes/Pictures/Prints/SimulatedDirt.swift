import CliptagBasics
import CliptagPlatform

/// Dirt on a drawing: round spots of ink and scratches down to the paper, at places that are always
/// the same.
package struct SimulatedDirt {
  /// For each pixel the share of the area at which a spot covers it first, and whether that is
  /// dark.
  private let covered: [(share: Float, isDark: Bool)?]

  /// The most of the area that is ever covered.
  package static let mostShare = 0.3

  /// Prepares dirt for a drawing.
  ///
  /// - Parameters:
  ///   - side: the pixels of the drawing.
  ///   - module: the pixels of a module; spots are half a module to two modules wide.
  ///   - margin: the pixels of the quiet zone, which stays clean.
  package init(side: Int, module: Double, margin: Double) {
    var covered = [(share: Float, isDark: Bool)?](repeating: nil, count: side * side)
    var random = SeededGenerator(seed: 15_415)
    let inner = Double(side) - 2 * margin
    let area = inner * inner
    var count = 0.0
    while count / area < Self.mostShare {
      let radius = module * Double.random(in: 0.25...1, using: &random)
      let x = margin + inner * Double.random(in: 0...1, using: &random)
      let y = margin + inner * Double.random(in: 0...1, using: &random)
      let isDark = Bool.random(using: &random)
      let rows = max(0, Int(y - radius))...min(side - 1, Int(y + radius))
      let columns = max(0, Int(x - radius))...min(side - 1, Int(x + radius))
      let before = count / area
      for row in rows {
        for column in columns where covered[row * side + column] == nil {
          guard hypot(Double(column) + 0.5 - x, Double(row) + 0.5 - y) <= radius else { continue }
          covered[row * side + column] = (Float(before), isDark)
          count += 1
        }
      }
    }
    self.covered = covered
  }

  /// Returns the drawing with spots over a share of its area.
  package func over(_ drawing: ProofRaster, share: Double) -> ProofRaster {
    drawing.mapped { value, index in
      guard let spot = covered[index], spot.share < Float(share) else { return value }
      return spot.isDark ? 0 : 255
    }
  }
}
