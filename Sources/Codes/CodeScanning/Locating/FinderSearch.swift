import Pictures

/// A search for finder patterns in steps, so that what is read meanwhile ends the search there.
///
/// The small sizes of the picture come first, because they are cheap, and the likeliest places of
/// each; the places of the patterns found, and of the codes that are read meanwhile, are skipped.
struct FinderSearch {
  private let locator: FinderLocator
  private let pyramid: PicturePyramid
  private var finders: FinderCollection
  /// The scans that are still to be made, the first last.
  private var scans: [Scan] = []
  /// The level that was scanned last, and the places in it that are still to be measured.
  private var level: PicturePyramid.Level?
  private var places: ArraySlice<[FinderCandidate]> = []
  /// The sums of a level, by its scale: several scans need them.
  private var sums: (scale: Double, sums: PixelSums)?
  /// The number of patterns when triples were last formed.
  private var formed = 0

  /// A scan of one size of the picture against one mean.
  private struct Scan {
    let level: PicturePyramid.Level
    /// The window of the mean, as pixels to each side of the centre.
    let reach: Int
    /// The sizes of a module, in pixels.
    let modules: ClosedRange<Double>
  }

  /// The number of places that are measured in a step.
  private static let placesOfStep = 8
  /// The largest number of patterns kept. Sixty symbols have 180.
  private static let maximumFinders = 600
  /// The number of triples that are judged between two steps.
  private static let likelyTriples = 12

  /// - Parameters:
  ///   - picture: the picture to search.
  ///   - locator: what is searched for, and the limits of the work.
  ///   - known: the corners of codes that were read; the search skips their interiors.
  ///   - earlier: the patterns of an earlier search of the same picture.
  init(
    _ picture: GreyPicture, by locator: FinderLocator, outside known: [[PicturePoint]],
    besides earlier: [LocatedFinder] = []
  ) {
    self.locator = locator
    let isSearched = min(picture.width, picture.height) >= 16
    pyramid = PicturePyramid(of: picture, smallestSide: isSearched ? 160 : .max)
    // Both polarities produce twice as many false candidates.
    let share = locator.polarities == .dark ? 1 : 2
    finders = FinderCollection(
      outside: known.map { Quadrilateral($0, enlargedBy: 1) }, besides: earlier,
      limit: share * Self.maximumFinders, mostRays: locator.mostRays)
    guard isSearched else { return }
    let levels = pyramid.levels.filter { locator.searchedSides.contains($0.longSide) }
    for (index, level) in levels.enumerated() {
      let (isLargest, isSmallest) = (
        index == 0, index == levels.count - 1 && !locator.findsSmallOnly
      )
      let widest = min(level.picture.width, level.picture.height) / 5
      var reaches = isLargest ? [11, 24] : [24]
      if isSmallest, !reaches.contains(widest) { reaches.append(widest) }
      scans += reaches.reversed().map { reach in
        Scan(
          level: level, reach: reach,
          modules: (isLargest ? 1.3 : 1.7)...(isSmallest ? 200 : Double(reach)))
      }
    }
  }

  /// The number of rays measured so far.
  var rays: Int { finders.rays }

  /// Measures some more places; returns `false` if there are none.
  mutating func takeStep() -> Bool {
    if places.isEmpty {
      guard let scan = scans.popLast() else { return false }
      level = scan.level
      places = self.places(in: scan)[...]
    }
    guard let level else { return false }
    for place in places.prefix(Self.placesOfStep) {
      for candidate in place { finders.add(candidate, at: level, of: pyramid) }
    }
    places = finders.isExhausted ? [] : places.dropFirst(Self.placesOfStep)
    return true
  }

  /// Returns the places that a scan meets, the likeliest first.
  private mutating func places(in scan: Scan) -> [[FinderCandidate]] {
    let level = scan.level
    if sums?.scale != level.scale { sums = (level.scale, PixelSums(of: level.picture)) }
    guard let sums else { return [] }
    finders.begin(level)
    let lines = FinderScan(
      bitmap: LocalMeanBitmap(
        of: level.picture, sums: sums.sums, reach: scan.reach, offset: 3),
      step: level.longSide < 400 ? 1 : 2, modules: scan.modules, polarities: locator.polarities)
    var places = CandidatePlaces(
      width: level.picture.width, height: level.picture.height, step: lines.step)
    lines.search { candidate in
      places.add(candidate)
    } skipping: { x, y, module in
      places.isCertain(x, y, module: module)
        || finders.knows(
          PicturePoint(x: (Double(x) + 0.5) * level.scale, y: (Double(y) + 0.5) * level.scale),
          module: module * level.scale)
    }
    return places.likeliestFirst
  }

  /// Excludes the place of a code that was read from the sizes that are still to be examined.
  mutating func exclude(_ corners: [PicturePoint]) {
    finders.exclude(Quadrilateral(corners, enlargedBy: 1))
  }

  /// Returns triples that almost certainly are those of symbols, formed from the patterns found so
  /// far; none if not enough were added since the last call.
  mutating func certainTriples() -> [FinderTriple] {
    let found = finders.outside
    // With more patterns, forming them takes longer and is done less often.
    let isEnough =
      found.count >= formed + max(3, formed / 3) || (places.isEmpty && found.count > formed)
    guard found.count >= 3, isEnough || found.count < formed else { return [] }
    formed = found.count
    return FinderGrouping(found, in: pyramid, maximumTriples: Self.likelyTriples, pairs: .ignored)
      .certainTriples
  }

  /// The results so far.
  var findings: FinderLocator.Findings {
    let grouping = FinderGrouping(
      finders.finders, in: pyramid, maximumTriples: locator.maximumTriples,
      pairs: locator.completesPairs ? .completed : .seen)
    return FinderLocator.Findings(
      triples: grouping.triples, finders: finders.finders, rays: finders.rays,
      showsPair: grouping.showsPair)
  }
}
