import CliptagBasics
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
  /// picture, so a page of ten times the size may cost ten times as much; parts in which the first
  /// look shows nothing more have none.
  static func search(
    _ look: Look, _ search: inout CodeSearch, _ sight: FirstSight, partBudget: Duration?,
    halving: Bool = true, while isWanted: () -> Bool
  ) {
    var look = look
    while true {
      for area in areas(width: look.picture.width, height: look.picture.height) {
        guard isWanted(), search.wantsParts else { return }
        let corners = [(area.x, area.y), (area.x + area.width, area.y + area.height)].map {
          look.whole(PicturePoint(x: Double($0.0), y: Double($0.1)))
        }
        guard sight.shows(corners[0], corners[1]) else { continue }
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

/// The first look at a large picture, without the codes that were read in it.
///
/// What is blank there hides no code, and a code in which nothing had to be corrected hides none
/// beneath it: a drawing of some kilobytes may state the size of a house.
struct FirstSight {
  /// The pixels of the smallest code that one of the look may stand for: renderers draw nothing of what
  /// covers less than a fifteenth of a pixel.
  private static let mostReduced = 32
  private let look: Look
  private let known: [Quadrilateral]
  private let isFine: Bool

  /// Takes the look.
  ///
  /// - Parameter width: The width of the whole, in pixels of the smallest code.
  init(_ look: Look, _ search: CodeSearch, of width: Int) {
    self.look = look
    isFine = width <= Self.mostReduced * look.picture.width
    known = search.cornersOfCleanCodes.map { Quadrilateral($0.map(look.here), enlargedBy: 1.1) }
  }

  /// Returns whether it shows anything between two points of the whole picture.
  func shows(_ first: PicturePoint, _ last: PicturePoint) -> Bool {
    guard isFine else { return true }
    let (first, last, picture) = (look.here(first), look.here(last), look.picture)
    let rows = pixels(from: first.y, to: last.y, of: picture.height)
    let columns = pixels(from: first.x, to: last.x, of: picture.width)
    var ground: UInt8?
    for y in rows {
      for x in columns where picture.pixels[y * picture.width + x] != ground {
        let point = PicturePoint(x: Double(x) + 0.5, y: Double(y) + 0.5)
        guard !known.contains(where: { $0.holds(point) }) else { continue }
        guard ground == nil else { return true }
        ground = picture.pixels[y * picture.width + x]
      }
    }
    return false
  }

  /// The pixels of a side between two places, and one more at each end.
  private func pixels(from first: Double, to last: Double, of count: Int) -> Range<Int> {
    let start = min(max(0, Int(bounded: first.rounded(.down)) - 1), count)
    return start..<min(max(start, Int(bounded: last.rounded(.up)) + 1), count)
  }
}
