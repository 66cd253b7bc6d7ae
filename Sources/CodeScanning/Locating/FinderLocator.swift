import Pictures

/// Finds finder patterns in a picture and groups them in threes.
///
/// The picture is searched in several sizes and against local means over windows of several sizes:
/// large symbols and noise need a small picture, small symbols a large one, and the window must be
/// larger than the core of a pattern.
struct FinderLocator: Sendable {
  /// A Boolean value that indicates whether light symbols on dark are also searched for.
  var findsInverted = false
  /// A Boolean value that indicates whether the third pattern of a symbol with only two visible
  /// ones is predicted.
  var completesPairs = false
  /// The largest number of triples in the result.
  var maximumTriples = 256

  /// The largest number of rays measured from the centres of candidates, which is most of the work.
  var mostRays = Int.max
  /// The largest number of rays measured in one size of the picture against one mean.
  var raysOfScan = 40_000
  /// The long sides of the searched sizes, in pixels.
  var searchedSides = 0...2100
  /// A Boolean value that indicates whether only patterns of few pixels are searched for, because
  /// others are visible in a smaller picture.
  var findsSmallOnly = false
  /// The largest number of patterns kept. Sixty symbols have 180.
  private static let maximumFinders = 600

  /// Returns triples of finder patterns that may belong to one symbol, likeliest first.
  ///
  /// - Parameters:
  ///   - picture: the picture to search.
  ///   - known: the corners of codes that were read; the search skips their interiors.
  func triples(
    in picture: GreyPicture, outside known: [[PicturePoint]] = []
  ) -> [FinderTriple] {
    search(picture, outside: known).triples
  }

  /// The results of a search.
  struct Findings {
    /// The triples, likeliest first.
    var triples: [FinderTriple] = []
    /// All patterns, in a triple or not.
    var finders: [LocatedFinder] = []
    /// The number of rays measured.
    var rays = 0
    /// A Boolean value that indicates whether two patterns seem to belong to a symbol whose third
    /// is lost.
    var showsPair = false
  }

  /// Returns the triples and the other results of the search.
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

  /// Returns the patterns, without duplicates.
  private func collect(
    in pyramid: PicturePyramid, outside known: [Quadrilateral]
  ) -> FinderCollection {
    // Both polarities produce twice as many false candidates.
    let share = findsInverted ? 2 : 1
    var finders = FinderCollection(
      outside: known, limit: share * Self.maximumFinders, work: share * raysOfScan,
      mostRays: mostRays)
    // Small sizes first: they are cheap, and patterns found there are skipped in the large ones.
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

  /// Returns the windows, as pixels to each side of the centre.
  private func reaches(
    at level: PicturePyramid.Level, isSmallest: Bool, isLargest: Bool
  ) -> [Int] {
    let short = min(level.picture.width, level.picture.height)
    var reaches = isLargest ? [11, 24] : [24]
    if isSmallest { reaches += [short / 5] }
    return reaches
  }
}
