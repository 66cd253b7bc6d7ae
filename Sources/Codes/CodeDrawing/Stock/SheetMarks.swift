/// A thin straight line on a sheet, in millimetres.
package struct SheetLine: Hashable, Sendable {
  /// The start.
  package let start: DrawingPoint
  /// The end.
  package let end: DrawingPoint
}

extension LabelStock {
  /// Marks in the sheet's margins for cutting plain paper into labels.
  package var cutMarks: [SheetLine] {
    SheetLine.cutMarks(of: frames, on: (paper.width, paper.height))
  }
}

extension SheetLine {
  /// The length of a cut mark.
  private static let markLength = 5.0
  /// The length below which marks are omitted.
  private static let shortestMark = 1.5

  /// Marks in a sheet's margins for cutting it into frames.
  ///
  /// Each edge of a column has one above and one below all labels, each edge of a row one on the
  /// left and one on the right. Margins too narrow for a mark are empty.
  ///
  /// - Parameter gap: The distance between a frame and its marks, so that none is left on it.
  static func cutMarks(
    of frames: [DrawingBox], on paper: (width: Double, height: Double), gap: Double = 1
  ) -> [SheetLine] {
    guard let first = frames.first else { return [] }
    let bounds = frames.reduce(first) { bounds, frame in
      let x = min(bounds.x, frame.x)
      let y = min(bounds.y, frame.y)
      return DrawingBox(
        x: x, y: y, width: max(bounds.right, frame.right) - x,
        height: max(bounds.bottom, frame.bottom) - y)
    }
    var lines: [SheetLine] = []
    for (before, behind) in margins(bounds.y, bounds.bottom, within: paper.height, gap) {
      for x in edges(frames.flatMap { [$0.x, $0.right] }) {
        lines.append(
          SheetLine(start: DrawingPoint(x: x, y: before), end: DrawingPoint(x: x, y: behind)))
      }
    }
    for (before, behind) in margins(bounds.x, bounds.right, within: paper.width, gap) {
      for y in edges(frames.flatMap { [$0.y, $0.bottom] }) {
        lines.append(
          SheetLine(start: DrawingPoint(x: before, y: y), end: DrawingPoint(x: behind, y: y)))
      }
    }
    return lines
  }

  /// The ranges of marks before and after the labels, along one direction.
  private static func margins(
    _ low: Double, _ high: Double, within length: Double, _ gap: Double
  ) -> [(Double, Double)] {
    let before = (max(0, low - gap - markLength), low - gap)
    let behind = (high + gap, min(length, high + gap + markLength))
    return [before, behind].filter { $0.1 - $0.0 >= shortestMark }
  }

  /// Each position once; adjoining labels share theirs.
  private static func edges(_ places: [Double]) -> [Double] {
    var edges: [Double] = []
    for place in places.sorted() where edges.last.map({ place - $0 > 0.05 }) ?? true {
      edges.append(place)
    }
    return edges
  }
}
