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
  /// Whether only patterns of few pixels are looked for, because others are seen in a smaller picture.
  var findsSmallOnly = false
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
      let (isSmallest, isLargest) = (index == levels.count - 1 && !findsSmallOnly, index == 0)
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
