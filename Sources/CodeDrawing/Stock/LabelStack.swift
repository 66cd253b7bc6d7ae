/// A square with a block of words under it, both in the middle of a label.
struct LabelStack {
  let shape: LabelShape
  /// How far the words stay from the edge.
  let margin: Double

  /// Where the square is.
  struct Place {
    let side: Double
    /// From the top of the label.
    let top: Double
    /// Whether a smaller square may be moved down by what it is smaller.
    let isFlexible: Bool
  }

  /// The largest square that leaves the words room under it.
  ///
  /// - Parameters:
  ///   - width: Of the words.
  ///   - height: Of the words.
  func largest(above width: Double, _ height: Double) -> Place? {
    if case .rectangle(let across, let down, _) = shape {
      let room = down - height - margin
      let side = min(shape.codeSquare.width, min(across, room))
      guard side > 0, width <= across - 2 * margin else { return nil }
      return Place(side: side, top: max(0, (room - side) / 2), isFlexible: true)
    }
    // On curved labels the square touches the edge with its upper corners and the words stand
    // right below it. Too large a square pushes them out at the bottom, too small a one leaves them
    // at the narrow top: so the sizes are tried one after another, the largest first.
    let largest = shape.codeSquare.width
    let side = stride(from: largest, to: 0, by: -largest / Self.sizesTried)
      .first { fits($0, width, height) }
    return side.map { Place(side: $0, top: top(of: $0), isFlexible: false) }
  }

  private static let sizesTried = 400.0

  private func fits(_ side: Double, _ width: Double, _ height: Double) -> Bool {
    let bottom = top(of: side) + side - shape.height / 2
    let corners = [
      DrawingPoint(x: side / 2, y: bottom), DrawingPoint(x: width / 2, y: bottom),
      DrawingPoint(x: width / 2, y: bottom + height),
    ]
    return corners.allSatisfy { shape.holds($0, inset: LabelShape.safety - 1e-9) }
  }

  /// As high as a square can stand, from the top of the label.
  private func top(of side: Double) -> Double {
    if case .disc(let diameter, let hole) = shape {
      return diameter / 2 + hole / 2 + LabelShape.safety
    }
    let a = max(1e-9, shape.width / 2 - LabelShape.safety)
    let b = max(0, shape.height / 2 - LabelShape.safety)
    let part = min(1, side / 2 / a)
    return shape.height / 2 - b * (1 - part * part).squareRoot()
  }
}
