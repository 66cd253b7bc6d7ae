import Pictures

/// Finds finder patterns, samples and corrects the modules between them, and passes the clean
/// symbol to zbar: reads skewed, bent or noisy codes, and many at once, for which zbar's search is
/// not sufficient.
struct LocatorStage: ScanStage {
  let name: String
  /// A Boolean value that indicates whether the picture is doubled, for modules of less than two
  /// pixels.
  var doubled = false
  /// A Boolean value that indicates whether light symbols on dark are also searched for, and pairs
  /// of patterns whose third is lost are completed: a second look at the remains of the first.
  var looksTwice = false

  /// A Boolean value that indicates whether only sizes above those of a first look are searched,
  /// for the smallest modules.
  var looksCloser = false
  /// A Boolean value that indicates whether a part of a large picture is searched, and only for
  /// small symbols.
  var looksAtPart = false

  /// The longest side of a look that is doubled.
  private static let largestDoubled = 1300
  /// Returns the long sides of the copies of the picture that are searched.
  private func searchedSides(of look: Look) -> ClosedRange<Int> {
    if looksAtPart { return look.longSide...look.longSide }
    return looksCloser ? 2101...5200 : 0...2100
  }
  /// The cost of searching for patterns: in milliseconds per megapixel, per ray from a candidate's
  /// centre, and per triple.
  private var costOfLooking: Double { looksTwice ? 9 : 5 }
  private static let costOfRay = 0.0011
  private static let costOfTriple = 0.08
  /// The share of the remaining budget for rays; the rest is for reading.
  private static let shareOfRays = 0.6
  /// The number of rays in one size of the picture: false candidates take all of them, and a second
  /// symbol, beside one that was read, is as easy to find.
  private static let raysBeforeCodes = 40_000
  private static let raysAfterCodes = 16_000
  /// The number of pixels of a picture per ray: in a small one, false candidates soon run out.
  private static let pixelsOfRay = 4.0
  /// The largest cost of reading a triple, in milliseconds: twice that of the largest symbol.
  private static let mostForSymbol = 60.0
  /// The cost of a triple before sampling, in milliseconds.
  private static let costOfTrying = 0.2
  /// The amount that each code read adds to the budget, in milliseconds.
  private static let allowanceOfCode = 3.0
  /// The number of unsuccessful triples after which the stage gives up; each symbol read allows
  /// some more. For a single symbol, the right triple is among the first.
  private static let patience = 9
  private static let patienceAfterCodes = 6
  /// The number of pixels per module below which a closer look may read more.
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
      // Only unsuccessful triples count, and among many codes there are more of them: the last code
      // of a sheet must be read like the first.
      search.allow(Self.allowanceOfCode)
      known.append(Quadrilateral(symbol.corners, enlargedBy: 1))
      add(symbol, isInverted: triple.isInverted, seenIn: look, to: &search)
      patience += 4
      if search.effort == .firstCode, search.isOver { return }
    }
    // A symbol that is unread after a second look is damaged, unless it is too small for it.
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
  /// Returns whether a pattern is inside a code that was read meanwhile.
  fileprivate func holdsSome(of triple: FinderTriple) -> Bool {
    holds(triple.topLeft.centre) || holds(triple.topRight.centre)
      || holds(triple.bottomLeft.centre)
  }
}

extension DecodedCode {
  /// Creates a code from a sampled symbol in a look.
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
