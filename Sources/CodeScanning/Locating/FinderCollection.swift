import Pictures

/// The finder patterns found so far, each once.
struct FinderCollection {
  private(set) var finders: [LocatedFinder] = []
  private let known: [Quadrilateral]
  private let limit: Int
  /// Finders by the square of the picture that their middle lies in.
  private var places: [Place: [Int]] = [:]
  /// How often an outline was sought in vain at a place.
  private var failures: [Place: Int] = [:]

  /// A square of the original picture.
  private struct Place: Hashable {
    let column: Int
    let row: Int
    /// The power of two that the square's side is.
    let size: Int
  }

  /// - Parameters:
  ///   - known: codes that were read; patterns in them are left out.
  ///   - limit: how many are kept at most.
  init(outside known: [Quadrilateral], limit: Int) {
    self.known = known
    self.limit = limit
  }

  /// Whether a place needs no further look: a pattern of about this module is known there, or
  /// was sought often enough.
  ///
  /// - Parameters:
  ///   - point: in pixels of the original.
  ///   - module: what a module measures there.
  func knows(_ point: PicturePoint, module: Double) -> Bool {
    guard finders.count < limit else { return true }
    if failures[Self.place(of: point, module), default: 0] >= 3 { return true }
    if known.contains(where: { $0.holds(point) }) { return true }
    // A poor one may stand beside a good one.
    return first(near: point, module) { finder in
      finder.quality > 0.85
        && (finder.centre - point).length < 2.5 * finder.modulePixels
        && module < 1.7 * finder.modulePixels && finder.modulePixels < 1.7 * module
    } != nil
  }

  /// Adds the pattern around a candidate, if its outline is one.
  mutating func add(
    _ candidate: FinderCandidate, at level: PicturePyramid.Level, of pyramid: PicturePyramid
  ) {
    let middle = PicturePoint(x: candidate.x * level.scale, y: candidate.y * level.scale)
    let module = candidate.modulePixels * level.scale
    guard !knows(middle, module: module) else { return }
    let fine = pyramid.level(bringing: module, downTo: 4)
    let outline = FinderOutline(
      in: fine.picture, around: middle * (1 / fine.scale),
      radii: candidate.radii.map { $0 * level.scale / fine.scale },
      isInverted: candidate.isInverted)
    guard let outline, outline.clarity - outline.residual > 0.5 else {
      failures[Self.place(of: middle, module), default: 0] += 1
      return
    }
    let finder = LocatedFinder(outline, scale: fine.scale, isInverted: candidate.isInverted)
    if let same = first(near: finder.centre, finder.modulePixels, where: { $0.isSame(as: finder) })
    {
      failures[Self.place(of: middle, module), default: 0] += 1
      if finders[same].quality < finder.quality { finders[same] = finder }
      return
    }
    places[Self.place(of: finder.centre, finder.modulePixels), default: []].append(finders.count)
    finders.append(finder)
  }

  private static func place(of point: PicturePoint, _ module: Double) -> Place {
    // A square some modules wide. A module has at most some thousand pixels.
    var size = 2
    while size < 14, Double(1 << size) < 4 * module { size += 1 }
    return Place(
      column: Int(max(-1, min(point.x, 1e6))) >> size, row: Int(max(-1, min(point.y, 1e6))) >> size,
      size: size)
  }

  /// The first finder of this and neighbouring places and sizes that is as wanted.
  private func first(
    near point: PicturePoint, _ module: Double, where isWanted: (LocatedFinder) -> Bool
  ) -> Int? {
    guard point.isFinite else { return nil }
    let middle = Self.place(of: point, module)
    for size in max(2, middle.size - 1)...middle.size + 1 {
      let column = Int(max(-1, min(point.x, 1e6))) >> size
      let row = Int(max(-1, min(point.y, 1e6))) >> size
      for y in row - 1...row + 1 {
        for x in column - 1...column + 1 {
          for index in places[Place(column: x, row: y, size: size)] ?? []
          where isWanted(finders[index]) {
            return index
          }
        }
      }
    }
    return nil
  }
}
