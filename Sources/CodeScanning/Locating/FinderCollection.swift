import Pictures

/// The finder patterns found so far, each once.
struct FinderCollection {
  private(set) var finders: [LocatedFinder] = []
  private let known: [Quadrilateral]
  private let limit: Int
  private let workOfScan: Int
  /// Where good patterns stand: nothing else is sought there.
  private var taken: [Disc] = []
  /// How often a search in vain was made in each square of the level that is searched.
  private var failures: [UInt8] = []
  /// How many rays may still be measured in the scan under way.
  private var work = 0
  /// How many were measured in all scans.
  private(set) var rays = 0
  private let mostRays: Int
  private var columns = 0
  private var side = 1.0

  /// Where a pattern is, and what its modules measure.
  private struct Disc {
    let x: Float
    let y: Float
    let module: Float
  }

  /// - Parameters:
  ///   - known: codes that were read; patterns in them are left out.
  ///   - limit: how many are kept at most.
  ///   - work: how many rays are measured at most in one size of the picture against one mean. The
  ///     raster of a screen offers a hundred thousand candidates.
  ///   - mostRays: how many rays are measured at most in all.
  init(outside known: [Quadrilateral], limit: Int, work: Int, mostRays: Int) {
    self.mostRays = mostRays
    self.known = known
    workOfScan = work
    self.limit = limit
  }

  /// Forgets failures: another size of the picture is looked at, or against other means.
  mutating func begin(_ level: PicturePyramid.Level) {
    work = workOfScan
    columns = level.picture.width / Self.pixelsOfSquare + 1
    side = level.scale * Double(Self.pixelsOfSquare)
    failures = [UInt8](
      repeating: 0, count: columns * (level.picture.height / Self.pixelsOfSquare + 1))
  }

  private static let workForGood = 1500
  private static let pixelsOfSquare = 4
  private static let triesOfSquare: UInt8 = 3

  /// Whether a place needs no further look: a pattern of about this module is known there, or
  /// was sought often enough.
  ///
  /// - Parameters:
  ///   - point: in pixels of the original.
  ///   - module: what a module measures there.
  func knows(_ point: PicturePoint, module: Double) -> Bool {
    guard finders.count < limit, work > 0, rays < mostRays, let square = square(of: point) else {
      return true
    }
    if failures[square] >= Self.triesOfSquare { return true }
    let (x, y, module) = (Float(point.x), Float(point.y), Float(module))
    for disc in taken {
      let (dx, dy) = (x - disc.x, y - disc.y)
      if dx * dx + dy * dy < 6 * disc.module * disc.module, module < 1.7 * disc.module,
        disc.module < 1.7 * module
      {
        return true
      }
    }
    return known.contains { $0.holds(point) }
  }

  /// Adds the pattern around a candidate, if its outline is one.
  mutating func add(
    _ candidate: FinderCandidate, at level: PicturePyramid.Level, of pyramid: PicturePyramid
  ) {
    let middle = PicturePoint(x: candidate.x * level.scale, y: candidate.y * level.scale)
    let module = candidate.modulePixels * level.scale
    guard !knows(middle, module: module), let square = square(of: middle) else { return }
    let fine = pyramid.level(bringing: module, downTo: 4)
    let before = work
    let outline = FinderOutline(
      in: fine.picture, around: middle * (1 / fine.scale),
      radii: candidate.radii.map { $0 * level.scale / fine.scale },
      isInverted: candidate.isInverted, work: &work)
    rays += before - work
    guard let outline else {
      failures[square] += 1
      return
    }
    // Among very many, as in a screen's raster, only good ones are worth keeping.
    guard finders.count < limit / 4 || outline.clarity - outline.residual > 0.75 else { return }
    let finder = LocatedFinder(outline, scale: fine.scale, isInverted: candidate.isInverted)
    if let same = finders.firstIndex(where: { $0.isSame(as: finder) }) {
      failures[square] += 1
      if finders[same].quality < finder.quality { finders[same] = finder }
    } else {
      finders.append(finder)
    }
    // A poor one may stand beside a good one.
    guard finder.quality > 0.85 else { return }
    // Where there are symbols, looking is worth more.
    work += Self.workForGood
    taken.append(
      Disc(
        x: Float(finder.centre.x), y: Float(finder.centre.y), module: Float(finder.modulePixels)))
  }

  private func square(of point: PicturePoint) -> Int? {
    guard point.isFinite, point.x >= 0, point.y >= 0 else { return nil }
    let (column, row) = (point.x / side, point.y / side)
    guard column < Double(columns), row < 1e6 else { return nil }
    let index = Int(row) * columns + Int(column)
    return index < failures.count ? index : nil
  }
}
