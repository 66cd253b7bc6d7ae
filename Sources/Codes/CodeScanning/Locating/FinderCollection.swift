import Pictures

/// The finder patterns found so far, without duplicates.
struct FinderCollection {
  private(set) var finders: [LocatedFinder] = []
  private var known: [Quadrilateral]
  private let limit: Int
  /// The positions of good patterns, around which the search is skipped.
  private var taken: [Disc] = []
  /// The number of unsuccessful searches in each square of the current level.
  private var failures: [UInt8] = []
  /// The number of rays that may still be measured in the current scan.
  private var work = 0
  /// The number of rays measured in all scans.
  private(set) var rays = 0
  private let mostRays: Int
  private var columns = 0
  private var side = 1.0

  /// The position of a pattern and its module size.
  private struct Disc {
    let x: Float
    let y: Float
    let module: Float
  }

  /// - Parameters:
  ///   - known: codes that were read; patterns in them are skipped.
  ///   - earlier: the patterns of an earlier search.
  ///   - limit: the largest number of patterns kept.
  ///   - mostRays: the largest number of rays in total. The raster of a screen produces a hundred
  ///     thousand candidates.
  init(outside known: [Quadrilateral], besides earlier: [LocatedFinder], limit: Int, mostRays: Int)
  {
    self.mostRays = mostRays
    self.known = known
    self.limit = limit
    finders = earlier.filter { finder in !known.contains { $0.holds(finder.centre) } }
  }

  /// The patterns that are not in an excluded place.
  var outside: [LocatedFinder] {
    finders.filter { finder in !known.contains { $0.holds(finder.centre) } }
  }

  /// Excludes the place of a code that was read.
  mutating func exclude(_ place: Quadrilateral) { known.append(place) }

  /// Resets the failures for another size of the picture, or other means.
  mutating func begin(_ level: PicturePyramid.Level) {
    let pixels = level.picture.width * level.picture.height
    work = max(Self.leastWork, pixels / Self.pixelsOfRay)
    columns = level.picture.width / Self.pixelsOfSquare + 1
    side = level.scale * Double(Self.pixelsOfSquare)
    failures = [UInt8](
      repeating: 0, count: columns * (level.picture.height / Self.pixelsOfSquare + 1))
  }

  /// The rays that a scan may measure, however small the picture, and the pixels for each of them in
  /// a large one: the likeliest places come first, and most symbols take a few hundred.
  private static let leastWork = 800
  private static let pixelsOfRay = 300
  /// The rays that a pattern of a high quality adds, and that quality.
  private static let workForGood = 1500
  private static let qualityWorthWork = 0.93
  private static let pixelsOfSquare = 4
  private static let triesOfSquare: UInt8 = 3

  /// Returns whether a place needs no further search: a pattern of about this module size is known
  /// there, or the searches there failed often enough.
  ///
  /// - Parameters:
  ///   - point: in pixels of the original.
  ///   - module: the size of a module there.
  func knows(_ point: PicturePoint, module: Double) -> Bool {
    guard !isExhausted, let square = square(of: point) else { return true }
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

  /// A Boolean value that indicates whether no further pattern may be measured in this scan.
  var isExhausted: Bool { finders.count >= limit || work <= 0 || rays >= mostRays }

  /// Adds the pattern around a candidate if it has a valid outline.
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
    // Among very many, as in a screen's raster, only good ones are kept.
    guard finders.count < limit / 4 || outline.clarity - outline.residual > 0.75 else { return }
    let finder = LocatedFinder(outline, scale: fine.scale, isInverted: candidate.isInverted)
    if let same = finders.firstIndex(where: { $0.isSame(as: finder) }) {
      failures[square] += 1
      if finders[same].quality < finder.quality { finders[same] = finder }
    } else {
      finders.append(finder)
    }
    // A poor pattern may be next to a good one.
    guard finder.quality > 0.85 else { return }
    // Around symbols, more work is worthwhile.
    if finder.quality > Self.qualityWorthWork { work += Self.workForGood }
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
