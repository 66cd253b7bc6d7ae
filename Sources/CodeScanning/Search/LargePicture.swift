import Pictures

/// How a large picture is cut up: into parts that overlap by as much as the largest symbol that is only
/// seen in them, at the picture's own size, at half of it, at a quarter, and so on, down to the size that
/// is searched as a whole.
enum LargePicture {
  /// The long side of a part: as much as a stage searches for the price of an ordinary picture.
  private static let side = 2_600
  /// A symbol of version 40 with four pixels a module; one with more is seen at half the size.
  private static let overlap = 720
  /// The paper that is left around what is on a part: more than a symbol's quiet zone.
  private static let margin = 64
  /// The long side that the usual stages see whole, with their smaller copies: `LocatorStage`.
  private static let searchedWhole = 2_100

  /// The parts of a picture of some size, from top to bottom.
  ///
  /// - Parameter fold: how many parts, along each side, come as one.
  static func areas(width: Int, height: Int, fold: Int = 1) -> [PictureParts.Area] {
    let side = side + (fold - 1) * (side - overlap)
    func starts(_ length: Int) -> [Int] {
      guard length > side else { return [0] }
      let count = (length - overlap + side - overlap - 1) / (side - overlap)
      return (0..<count).map { $0 * (length - side) / (count - 1) }
    }
    return starts(height).flatMap { y in
      starts(width).map { x in
        PictureParts.Area(x: x, y: y, width: min(side, width), height: min(side, height))
      }
    }
  }

  /// Searches a look and its smaller copies, part by part. Each part may cost what an ordinary picture
  /// may, so that a page of ten times the size may cost ten times as much.
  static func search(
    _ look: Look, _ search: inout CodeSearch, partBudget: Duration?, halving: Bool = true,
    while isWanted: () -> Bool
  ) {
    var look = look
    while true {
      for area in areas(width: look.picture.width, height: look.picture.height) {
        guard isWanted(), search.wantsParts else { return }
        // Most of a page is paper.
        let whole = look.part(area)
        guard let content = whole.picture.content(margin: margin) else { continue }
        let part = whole.part(content)
        search.inPart(WorkBudget(partBudget)) { search in
          for stage in ScanPlan.part where stage.applies(to: part) {
            stage.run(on: part, &search, while: isWanted)
          }
        }
      }
      guard halving, look.longSide / 2 > searchedWhole else { return }
      look = look.showing(PicturePyramid.halved(look.picture))
    }
  }
}
