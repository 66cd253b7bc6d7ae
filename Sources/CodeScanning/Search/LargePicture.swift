import Pictures

/// The division of a large picture into parts that overlap by the size of the largest symbol that
/// is visible only in them, at the picture's full size, at half of it, at a quarter, and so on,
/// down to the size that is searched as a whole.
enum LargePicture {
  /// The long side of a part: the area that a stage searches at the cost of an ordinary picture.
  private static let side = 2_600
  /// The size of a symbol of version 40 with four pixels per module; larger ones are visible at
  /// half the size.
  private static let overlap = 720
  /// The margin around the contents of a part: more than a symbol's quiet zone.
  private static let margin = 64
  /// The long side that the usual stages search as a whole, with smaller copies: `LocatorStage`.
  private static let searchedWhole = 2_100

  /// Returns the parts of a picture of some size, from top to bottom.
  ///
  /// - Parameter fold: the number of parts, along each side, that are combined.
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

  /// Searches a look and its smaller copies, part by part. Each part has the budget of an ordinary
  /// picture, so a page of ten times the size may cost ten times as much.
  static func search(
    _ look: Look, _ search: inout CodeSearch, partBudget: Duration?, halving: Bool = true,
    while isWanted: () -> Bool
  ) {
    var look = look
    while true {
      for area in areas(width: look.picture.width, height: look.picture.height) {
        guard isWanted(), search.wantsParts else { return }
        // Most of a page is blank.
        let whole = look.part(area)
        guard let content = whole.picture.content(margin: margin) else { continue }
        let part = whole.part(content)
        search.inPart(WorkBudget(partBudget)) { search in
          for stage in ScanPlan.part where stage.isSought(in: search) && stage.applies(to: part) {
            stage.run(on: part, &search, while: isWanted)
          }
        }
      }
      guard halving, look.longSide / 2 > searchedWhole else { return }
      look = look.showing(PicturePyramid.halved(look.picture))
    }
  }
}
