import Pictures

/// Finds finder patterns in a picture and groups them by threes.
///
/// The picture is looked at in several sizes and against local means over windows of several sizes:
/// large symbols and noise want a small picture, small symbols a large one, and the window must be
/// larger than the core of a pattern.
struct FinderLocator: Sendable {
  /// Whether to look for light symbols on dark as well.
  var findsInverted = false
  /// Whether to predict the third pattern of a symbol that shows only two.
  var completesPairs = false
  /// How many triples come out at most.
  var maximumTriples = 256

  /// How many rays from the middles of candidates are measured at most: most of the work.
  var mostRays = Int.max
  /// How many are measured at most in one size of the picture against one mean.
  var raysOfScan = 40_000
  /// The long sides of the sizes that are searched, in pixels.
  var searchedSides = 0...2100
  /// How many patterns are kept. Sixty symbols have 180.
  private static let maximumFinders = 600

  /// Triples of finder patterns that may be those of one symbol, likeliest first.
  ///
  /// - Parameters:
  ///   - picture: where to look.
  ///   - known: the corners of codes that were read; what lies inside is left out.
  func triples(
    in picture: GreyPicture, outside known: [[PicturePoint]] = []
  ) -> [FinderTriple] {
    search(picture, outside: known).triples
  }

  /// What a search saw.
  struct Findings {
    /// Likeliest first.
    var triples: [FinderTriple] = []
    /// Every pattern, in a triple or not.
    var finders: [LocatedFinder] = []
    /// How many rays were measured.
    var rays = 0
    /// Whether two patterns seem to belong together whose third is lost.
    var showsPair = false
  }

  /// The triples, with what else the search saw.
  func search(_ picture: GreyPicture, outside known: [[PicturePoint]] = []) -> Findings {
    guard min(picture.width, picture.height) >= 16 else { return Findings() }
    let pyramid = PicturePyramid(of: picture, smallestSide: 160)
    let found = collect(in: pyramid, outside: known.map { Quadrilateral($0, enlargedBy: 1) })
    let grouping = FinderGrouping(
      found.finders, in: pyramid, maximumTriples: maximumTriples, completesPairs: completesPairs)
    return Findings(
      triples: grouping.triples, finders: found.finders, rays: found.rays,
      showsPair: grouping.showsPair)
  }

  /// The patterns, each once.
  private func collect(
    in pyramid: PicturePyramid, outside known: [Quadrilateral]
  ) -> FinderCollection {
    // Both polarities offer twice as much that is no pattern.
    let share = findsInverted ? 2 : 1
    var finders = FinderCollection(
      outside: known, limit: share * Self.maximumFinders, work: share * raysOfScan,
      mostRays: mostRays)
    // Small sizes first: they are cheap, and what is found there is skipped in the large ones.
    let levels = pyramid.levels.filter {
      searchedSides.contains(max($0.picture.width, $0.picture.height))
    }
    for (index, level) in levels.enumerated().reversed() {
      let (isSmallest, isLargest) = (index == levels.count - 1, index == 0)
      let long = max(level.picture.width, level.picture.height)
      let sums = PixelSums(of: level.picture)
      for reach in reaches(at: level, isSmallest: isSmallest, isLargest: isLargest) {
        finders.begin(level)
        let scan = FinderScan(
          bitmap: LocalMeanBitmap(of: level.picture, sums: sums, reach: reach, offset: 3),
          step: long < 700 ? 1 : 2,
          modules: (isLargest ? 1.3 : 1.7)...(isSmallest ? 200 : Double(reach)),
          findsInverted: findsInverted)
        scan.search { candidate in
          finders.add(candidate, at: level, of: pyramid)
        } skipping: { x, y, module in
          finders.knows(
            PicturePoint(x: (Double(x) + 0.5) * level.scale, y: (Double(y) + 0.5) * level.scale),
            module: module * level.scale)
        }
      }
    }
    return finders
  }

  /// The windows, as pixels to each side of the middle.
  private func reaches(
    at level: PicturePyramid.Level, isSmallest: Bool, isLargest: Bool
  ) -> [Int] {
    let short = min(level.picture.width, level.picture.height)
    var reaches = isLargest ? [11, 24] : [24]
    if isSmallest { reaches += [short / 5] }
    return reaches
  }
}

/// A finder pattern seen in a picture (ISO/IEC 18004:2015, 6.3.3).
struct FinderPattern: Hashable, Sendable {
  /// The middle of its core, in pixels; the middle of the picture's first pixel is (0.5, 0.5).
  let centre: PicturePoint
  /// The four outer corners of its 7 × 7 modules, clockwise in the picture, starting anywhere.
  let corners: [PicturePoint]
  /// About how many pixels a module measures, the mean of both axes.
  let modulePixels: Double
}

/// Three finder patterns that may be those of one symbol.
struct FinderTriple: Hashable, Sendable {
  /// The pattern at the right angle.
  let topLeft: FinderPattern
  /// The pattern clockwise of the right angle's, as an unmirrored symbol has it. A mirrored one
  /// comes out with this and `bottomLeft` exchanged; the decoder tells.
  let topRight: FinderPattern
  /// The third pattern.
  let bottomLeft: FinderPattern
  /// Likely sizes in modules (21, 25 … 177), likeliest first.
  let sizes: [Int]
  /// Whether the symbol is light where it should be dark.
  var isInverted = false
}

/// A finder pattern, with what the search learned of it besides.
struct LocatedFinder: Hashable, Sendable {
  let pattern: FinderPattern
  /// A step is a module; the axes are the pattern's.
  let frame: PlaneFrame
  /// From 0 to 1, how much it looks like a finder pattern.
  let quality: Double
  /// Whether its corners tell its direction; a round one has none.
  let hasDirection: Bool
  let isInverted: Bool

  var centre: PicturePoint { pattern.centre }
  var modulePixels: Double { pattern.modulePixels }

  /// A pattern in the pixels of the original, from its outline at a level of the pyramid.
  init(_ outline: FinderOutline, scale: Double, isInverted: Bool) {
    let frame = PlaneFrame(
      origin: outline.frame.origin * scale, right: outline.frame.right * scale,
      down: outline.frame.down * scale)
    self.frame = frame
    self.isInverted = isInverted
    pattern = FinderPattern(
      centre: frame.origin, corners: outline.corners.map { $0 * scale },
      modulePixels: (frame.right.length + frame.down.length) / 2)
    quality = max(0, outline.clarity - outline.residual)
    hasDirection = outline.squareness > 0.3
  }

  /// Whether both are sightings of one pattern.
  func isSame(as other: LocatedFinder) -> Bool {
    let module = max(modulePixels, other.modulePixels)
    return isInverted == other.isInverted && (centre - other.centre).length < 2.5 * module
      && module < 1.7 * min(modulePixels, other.modulePixels)
  }
}

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
