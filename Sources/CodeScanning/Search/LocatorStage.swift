import Pictures

/// Finds finder patterns itself, samples the modules between them and corrects them, and gives zbar
/// the clean symbol: reads what is skewed, bent, noisy, or one of many, which zbar's own search for
/// a code cannot follow.
struct LocatorStage: ScanStage {
  let name: String
  /// Whether to look at twice the size, for modules of less than two pixels.
  var doubled = false
  /// Whether to look for light symbols on dark too, and to complete pairs of patterns whose third is
  /// lost: a second look at what the first could not explain.
  var looksTwice = false

  /// Whether only the pixels that a first look did not show are searched, for the smallest modules.
  var looksCloser = false
  /// Whether a part of a large picture is searched, and for what is small alone.
  var looksAtPart = false

  /// The longest side of a look that is worth doubling.
  private static let largestDoubled = 1300
  /// The long sides of the copies of the picture that are searched.
  private func searchedSides(of look: Look) -> ClosedRange<Int> {
    if looksAtPart { return look.longSide...look.longSide }
    return looksCloser ? 2101...5200 : 0...2100
  }
  /// What looking for patterns costs: in milliseconds a megapixel, and, besides, for each ray from a
  /// candidate's middle and for each three patterns put together.
  private var costOfLooking: Double { looksTwice ? 9 : 5 }
  private static let costOfRay = 0.0011
  private static let costOfTriple = 0.08
  /// The part of what is left that rays may cost, so that something is left for reading.
  private static let shareOfRays = 0.6
  /// How many rays are measured in one size of the picture: chance takes all of them, and a second
  /// symbol, beside one that was read, is seen as easily as that was.
  private static let raysBeforeCodes = 40_000
  private static let raysAfterCodes = 16_000
  /// How many pixels of a picture allow for one ray: in a small one, chance is soon exhausted.
  private static let pixelsOfRay = 4.0
  /// What reading three patterns may cost, in milliseconds: twice what the largest symbol takes.
  private static let mostForSymbol = 60.0
  /// What three patterns cost before any sample is taken, in milliseconds.
  private static let costOfTrying = 0.2
  /// What a code that is read adds to the budget, in milliseconds.
  private static let allowanceOfCode = 3.0
  /// How many triples may lead to nothing before the stage gives up; each symbol that is read allows
  /// some more. Of a single symbol the right one is among the first.
  private static let patience = 9
  private static let patienceAfterCodes = 6
  /// Where a module has fewer pixels than this, a closer look may read what this one does not.
  private static let smallModule = 3.0

  func applies(to look: Look) -> Bool { !doubled || look.longSide <= Self.largestDoubled }

  private func cost(of look: Look) -> Double {
    let searched = min(
      1, Double(searchedSides(of: look).upperBound) / Double(max(1, look.longSide)))
    let pixels = look.megapixels * (doubled ? 4 : 1)
    return pixels * searched * searched * costOfLooking + pixels * 1.5
  }

  func run(on look: Look, _ search: inout CodeSearch, while isWanted: () -> Bool) {
    guard search.pay(cost(of: look)) else { return }
    let look = doubled ? look.showing(Scaling.doubled(look.picture)) : look
    let locator = FinderLocator(
      findsInverted: looksTwice, completesPairs: looksTwice,
      mostRays: mostRays(in: look, search.budget),
      raysOfScan: search.found.count > 0 ? Self.raysAfterCodes : Self.raysBeforeCodes,
      searchedSides: searchedSides(of: look), findsSmallOnly: looksAtPart)
    let before = search.known(in: look)
    let seen = locator.search(look.picture, outside: before)
    search.spend(
      Double(seen.rays) * Self.costOfRay + Double(seen.triples.count) * Self.costOfTriple)
    var patience = search.found.count > 0 ? Self.patienceAfterCodes : Self.patience
    var known = before.map { Quadrilateral($0, enlargedBy: 1) }
    var failures = 0
    var unread: [FinderTriple] = []
    for triple in seen.triples where !known.contains(where: { $0.holdsSome(of: triple) }) {
      guard isWanted(), failures < patience, search.pay(Self.costOfTrying) else { break }
      let meter = SampleMeter(milliseconds: min(search.budget.left, Self.mostForSymbol))
      let symbol: LocatedSymbol
      switch SymbolSampler().attempt(triple, in: look.picture, meter: meter) {
      case .symbol(let read): symbol = read
      case .model1(let corners):
        search.spend(meter.cost)
        known.append(Quadrilateral(corners, enlargedBy: 1))
        search.add(UnreadSymbol(kind: .model1QR, corners: corners.map(look.whole)))
        continue
      case .unread:
        unread.append(triple)
        fallthrough
      case .nothing:
        search.spend(meter.cost)
        failures += 1
        continue
      }
      // Only what leads to nothing counts, and among many codes more leads to nothing: the last code
      // of a sheet shall be read like the first.
      search.allow(Self.allowanceOfCode)
      known.append(Quadrilateral(symbol.corners, enlargedBy: 1))
      add(symbol, isInverted: triple.isInverted, seenIn: look, to: &search)
      patience += 4
      if search.effort == .firstCode, search.isOver { return }
    }
    // What stays unread after a second look is damaged, unless it is too small for it.
    search.sawNothingMore =
      looksTwice
      ? !unread.contains { $0.topLeft.modulePixels < Self.smallModule }
      : unread.isEmpty && !seen.showsPair
    for finder in seen.finders where !known.contains(where: { $0.holds(finder.centre) }) {
      guard let symbol = SmallSymbol(of: finder, in: look.picture) else { continue }
      search.add(UnreadSymbol(kind: symbol.kind, corners: symbol.corners.map(look.whole)))
    }
  }

  private func mostRays(in look: Look, _ budget: WorkBudget) -> Int {
    let affordable = budget.left * Self.shareOfRays / Self.costOfRay
    return Int(min(affordable, max(10_000, look.megapixels * 1e6 / Self.pixelsOfRay)))
  }

  private func add(
    _ found: LocatedSymbol, isInverted: Bool, seenIn look: Look, to search: inout CodeSearch
  ) {
    let code = DecodedCode(found, isInverted: isInverted, in: look, stage: name)
    if found.symbol.structuredAppend == nil {
      search.add(code)
    } else {
      search.add(PartOfMessage(symbol: found.symbol, code: code))
    }
  }
}

extension Quadrilateral {
  /// Whether a pattern lies within a code that was read meanwhile.
  fileprivate func holdsSome(of triple: FinderTriple) -> Bool {
    holds(triple.topLeft.centre) || holds(triple.topRight.centre)
      || holds(triple.bottomLeft.centre)
  }
}

extension DecodedCode {
  /// What our own sampling read in a look.
  init(_ found: LocatedSymbol, isInverted: Bool, in look: Look, stage: String) {
    let symbol = found.symbol
    self.init(
      text: CodeText.decode(symbol.content, else: symbol.bytes),
      bytes: symbol.bytes, corners: found.corners.map(look.whole), version: symbol.version,
      errorCorrection: symbol.errorCorrection, mask: symbol.mask,
      modulePixels: found.modulePixels * (look.scale.x + look.scale.y) / 2,
      correction: ErrorCorrectionUse(
        correctedCodewords: symbol.correctedCodewords, codewords: symbol.totalCodewords,
        unused: symbol.unusedErrorCorrection),
      isMirrored: symbol.isMirrored, isInverted: isInverted, stage: stage)
  }
}
