extension LabelStock {
  /// How far a label may run over the edge of the sheet before it is taken for a mistake: sheets
  /// whose labels fill the paper are rounded to points.
  private static let tolerance = 0.6
  /// How far labels may overlap before it is taken for a mistake.
  private static let overlap = 0.35
  /// How far the two side margins may differ before it is worth a warning.
  private static let asymmetry = 1.0

  /// Shows that the labels lie on the sheet and not on each other.
  ///
  /// Templates hold typing errors: a pitch of 210 mm for 21.0, four columns for two. Printing such
  /// a sheet would waste it.
  ///
  /// - Throws: ``CodeDrawingError`` with code `invalid-stock`, with the numbers.
  public func check() throws(CodeDrawingError) {
    let lengths = [paper.width, paper.height, shape.width, shape.height]
    guard lengths.allSatisfy({ $0.isFinite && $0 > 0 && $0 <= CodeSize.largestWidth }),
      (1...Self.mostLabels).contains(count)
    else {
      throw .invalidStock(
        self,
        "A label of \(shape.width.shortly) × \(shape.height.shortly) mm, "
          + "\(count) of them, on \(paper.width.shortly) × \(paper.height.shortly) mm make no sheet"
      )
    }
    let frames = frames
    for (index, frame) in frames.enumerated() {
      let beyond = max(
        -frame.x, -frame.y, frame.right - paper.width, frame.bottom - paper.height)
      guard beyond <= Self.tolerance else {
        throw .invalidStock(
          self,
          "Label \(index + 1) runs \(beyond.shortly) mm off the paper: it lies from "
            + "\(frame.x.shortly), \(frame.y.shortly) to \(frame.right.shortly), "
            + "\(frame.bottom.shortly) mm on \(paper.width.shortly) × \(paper.height.shortly) mm")
      }
    }
    if let (first, second, depth) = overlapping(frames) {
      throw .invalidStock(
        self, "Labels \(first + 1) and \(second + 1) overlap by \(depth.shortly) mm")
    }
  }

  /// What a user should know before printing on the stock, as sentences.
  public var warnings: [String] {
    let frames = frames
    let left = frames.map(\.x).min() ?? 0
    let right = paper.width - (frames.map(\.right).max() ?? 0)
    guard abs(left - right) > Self.asymmetry else { return [] }
    return [
      "The sheet's margins are \(left.shortly) mm on the left and \(right.shortly) mm on the right, "
        + "which may be a mistake of the template: print a calibration sheet and hold it against "
        + "the stock."
    ]
  }

  /// The most labels of one sheet.
  static let mostLabels = 2_000

  /// The first two labels that lie on each other, and how deep.
  private func overlapping(_ frames: [DrawingBox]) -> (Int, Int, Double)? {
    // In the order of their tops, only those that follow closely can overlap.
    for (index, frame) in frames.enumerated() {
      for other in frames.indices.dropFirst(index + 1) {
        let next = frames[other]
        // Rows are sorted by tops that are rounded to tenths.
        if next.y > frame.bottom + 0.1 { break }
        let depth = depth(frame, next)
        if depth > Self.overlap { return (index, other, depth) }
      }
    }
    return nil
  }

  private func depth(_ first: DrawingBox, _ second: DrawingBox) -> Double {
    let across = abs(first.x - second.x)
    let down = abs(first.y - second.y)
    switch shape {
    case .rectangle(let width, let height, _): return min(width - across, height - down)
    case .round(let diameter), .disc(let diameter, _):
      return diameter - (across * across + down * down).squareRoot()
    case .ellipse(let width, let height):
      // Two equal ellipses stretched to circles.
      let down = down * width / height
      return width - (across * across + down * down).squareRoot()
    }
  }
}

extension Double {
  /// At most two digits behind the point, for sentences.
  var shortly: String {
    let hundredths = Int((self * 100).rounded())
    let sign = hundredths < 0 ? "-" : ""
    let whole = abs(hundredths) / 100
    let part = abs(hundredths) % 100
    guard part != 0 else { return "\(sign)\(whole)" }
    let digits = part % 10 == 0 ? "\(part / 10)" : (part < 10 ? "0\(part)" : "\(part)")
    return "\(sign)\(whole).\(digits)"
  }
}
