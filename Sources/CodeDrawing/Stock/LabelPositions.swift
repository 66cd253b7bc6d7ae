/// Hands out the labels of sheet after sheet, one by one.
package struct LabelPositions: Hashable, Sendable {
  /// One label of a print run.
  package struct Position: Hashable, Sendable {
    /// The sheet, from 1.
    package let page: Int
    /// The label on its sheet, from 1, as ``LabelStock/frames`` counts them.
    package let position: Int
  }

  /// The labels of one sheet.
  package let labelsPerPage: Int
  /// The first label that is used, from 1: those before it have been printed already.
  package let start: Int
  private var used = 0

  /// Begins a print run.
  ///
  /// - Parameters:
  ///   - labelsPerPage: The labels of one sheet, at least 1.
  ///   - start: The first unused label of the first sheet, from 1 to `labelsPerPage`.
  package init(labelsPerPage: Int, start: Int = 1) {
    precondition(labelsPerPage > 0 && (1...labelsPerPage).contains(start))
    self.labelsPerPage = labelsPerPage
    self.start = start
  }

  /// The next label.
  package mutating func next() -> Position {
    let index = start - 1 + used
    used += 1
    return Position(page: index / labelsPerPage + 1, position: index % labelsPerPage + 1)
  }

  /// The sheets that a number of labels takes.
  package func pages(for labels: Int) -> Int {
    labels == 0 ? 0 : (start - 1 + labels - 1) / labelsPerPage + 1
  }
}
