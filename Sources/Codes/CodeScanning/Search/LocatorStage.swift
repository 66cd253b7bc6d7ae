import Pictures
import SymbolStructure

/// Finds finder patterns, and samples, corrects and decodes the modules between them: reads skewed,
/// bent or noisy codes, and many at once, for which zbar's search is not sufficient.
struct LocatorStage: ScanStage {
  let name: String
  let symbologies: Set<DecodedCode.Symbology> = [.qr]
  /// A Boolean value that indicates whether the picture is doubled, for modules of less than two
  /// pixels.
  var doubled = false
  /// A Boolean value that indicates whether light symbols on dark are also searched for, and pairs
  /// of patterns whose third is lost are completed: a second look at the remains of the first.
  var looksTwice = false

  /// A Boolean value that indicates whether a first look at the same picture found the usual
  /// patterns already.
  var continuesFirst = false

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
  private static let patience = 6
  /// The number of unsuccessful triples between two steps of the search, of those that are almost
  /// certain.
  private static let patienceBetweenSteps = 2
  /// The quality of a certain pattern: of 10 pictures in which the locator reads nothing and zbar's
  /// pass over the whole picture does, 9 have one of 0.97, and the tenth has triples that are
  /// certain; of 22 without a code, none has one of 0.86, and one has such a triple.
  private static let qualityOfPattern = 0.9
  /// The number of pixels per module below which a closer look may read more.
  private static let smallModule = 3.0

  func applies(to look: Look) -> Bool { !doubled || look.longSide <= Self.largestDoubled }

  func cost(of look: Look) -> Double {
    let searched = min(
      1, Double(searchedSides(of: look).upperBound) / Double(max(1, look.longSide)))
    let pixels = look.megapixels * (doubled ? 4 : 1)
    return pixels * searched * searched * costOfLooking + pixels * 1.5
  }

  func run(on look: Look, _ search: inout CodeSearch, while isWanted: () -> Bool) {
    guard search.pay(cost(of: look)) else { return }
    let look = doubled ? look.showing(Scaling.doubled(look.picture)) : look
    let locator = FinderLocator(
      polarities: continuesFirst ? .light : looksTwice ? .both : .dark, completesPairs: looksTwice,
      mostRays: mostRays(in: look, search.budget), searchedSides: searchedSides(of: look),
      findsSmallOnly: looksAtPart)
    let before = search.known(in: look)
    var finders = FinderSearch(
      look.picture, by: locator, outside: before, besides: continuesFirst ? search.patterns : [])
    var reading = Reading(
      look: look, known: before.map { KnownPlace($0) },
      earlier: continuesFirst ? search.triedTriples : TriedTriples())
    var raysPaid = 0
    while finders.takeStep() {
      search.spend(Double(finders.rays - raysPaid) * Self.costOfRay)
      raysPaid = finders.rays
      guard isWanted() else { return }
      var misses = 0
      for triple in finders.certainTriples()
      where !reading.knows(triple) && !reading.failedEarlier(triple) {
        guard misses < Self.patienceBetweenSteps, search.pay(Self.costOfTrying) else { break }
        guard let symbol = read(triple, &reading, &search) else {
          misses += 1
          continue
        }
        if !symbol.mayHoldCode { finders.exclude(symbol.corners) }
        if search.effort == .firstCode, search.isOver { return }
      }
    }
    let seen = finders.findings
    search.patterns = seen.finders
    search.spend(Double(seen.triples.count) * Self.costOfTriple)
    var failures = 0
    for triple in seen.triples where !reading.knows(triple) {
      guard isWanted(), failures < reading.patience, search.pay(Self.costOfTrying) else { break }
      if reading.failedEarlier(triple) || read(triple, &reading, &search) == nil { failures += 1 }
      if search.effort == .firstCode, search.isOver { return }
    }
    search.triedTriples = reading.tried
    let unread = reading.tried.unread.filter { triple in
      !reading.known.contains { $0.excludes(triple) }
    }
    if !unread.isEmpty || (!looksTwice && seen.showsPair) { search.showsCode = true }
    if seen.triples.contains(where: { triple in
      triple.isCertain && !reading.known.contains { $0.excludes(triple) }
    }) {
      search.showsPatterns = true
    }
    // A symbol that is unread after a second look is damaged, unless it is too small for it.
    search.sawNothingMore =
      looksTwice
      ? !unread.contains { $0.topLeft.modulePixels < Self.smallModule }
      : unread.isEmpty && !seen.showsPair
    for finder in seen.finders
    where !reading.known.contains(where: { $0.quadrilateral.holds(finder.centre) }) {
      if finder.quality > Self.qualityOfPattern { search.showsPatterns = true }
      guard isWanted() else { return }
      readSmallSymbol(of: finder, in: look, &search)
    }
  }

  /// Reads the small symbol of a finder pattern, or names it.
  private func readSmallSymbol(
    of finder: LocatedFinder, in look: Look, _ search: inout CodeSearch
  ) {
    var unread: UnreadSymbol?
    for candidate in SmallSymbol.candidates(of: finder, in: look.picture) {
      let meter = SampleMeter(milliseconds: min(search.budget.left, Self.mostForSymbol))
      defer { search.spend(meter.cost) }
      switch SmallSymbolSampler(candidate, in: look.picture, meter: meter)?.attempt() {
      case .symbol(let symbol):
        return add(symbol, isInverted: candidate.isInverted, seenIn: look, to: &search)
      case .unread(let form, let corners):
        unread = UnreadSymbol(kind: form.unreadKind, corners: corners.map(look.whole))
      case nil: break
      }
    }
    if let unread { search.add(unread) }
  }

  /// The state of reading the symbols of a look.
  private struct Reading {
    let look: Look
    /// The places of symbols that need no further attempt.
    var known: [KnownPlace]
    var patience = LocatorStage.patience
    /// The triples that failed in an earlier search of the same picture.
    let earlier: Set<FinderTriple>
    var tried: TriedTriples

    init(look: Look, known: [KnownPlace], earlier: TriedTriples) {
      self.look = look
      self.known = known
      self.earlier = earlier.all
      tried = earlier
    }

    /// Returns whether a triple was tried in this search, or belongs to a symbol that was read.
    func knows(_ triple: FinderTriple) -> Bool {
      (tried.all.contains(triple) && !earlier.contains(triple))
        || known.contains { $0.excludes(triple) }
    }

    /// Returns whether an earlier search of the same picture tried a triple: the result would be
    /// the same.
    func failedEarlier(_ triple: FinderTriple) -> Bool { earlier.contains(triple) }
  }

  /// Reads the symbol of a triple and adds it to the results; `nil` if it was not read.
  private func read(
    _ triple: FinderTriple, _ reading: inout Reading, _ search: inout CodeSearch
  ) -> LocatedSymbol? {
    reading.tried.all.insert(triple)
    let meter = SampleMeter(milliseconds: min(search.budget.left, Self.mostForSymbol))
    switch SymbolSampler().attempt(triple, in: reading.look.picture, meter: meter) {
    case .symbol(let symbol):
      // Only unsuccessful triples count, and among many codes there are more of them: the last code
      // of a sheet must be read like the first.
      search.allow(Self.allowanceOfCode)
      reading.known.append(KnownPlace(symbol.corners, mayHoldCode: symbol.mayHoldCode))
      add(symbol, isInverted: triple.isInverted, seenIn: reading.look, to: &search)
      reading.patience += 4
      return symbol
    case .model1(let corners):
      search.spend(meter.cost)
      reading.known.append(KnownPlace(corners))
      search.add(UnreadSymbol(kind: .model1QR, corners: corners.map(reading.look.whole)))
      return nil
    case .unread:
      reading.tried.unread.append(triple)
    case .nothing: break
    }
    search.spend(meter.cost)
    return nil
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

extension SmallForm {
  /// The kind of a symbol of the form that is not read.
  fileprivate var unreadKind: UnreadSymbol.Kind {
    switch self {
    case .micro: .microQR
    case .rectangular: .rectangularMicroQR
    }
  }
}

extension LocatedSymbol {
  /// A Boolean value that indicates whether another code may be inside: it destroys codewords.
  fileprivate var mayHoldCode: Bool { symbol.unusedErrorCorrection < 0.9 }
}

/// The place of a symbol that was read.
private struct KnownPlace {
  let quadrilateral: Quadrilateral
  /// The longest distance of two patterns of a symbol inside; 0 if there is none.
  private let reachInside: Double

  /// The distance of two patterns of the smallest symbol is two thirds of its side.
  private static let mostInside = 0.6

  init(_ corners: [PicturePoint], mayHoldCode: Bool = false) {
    quadrilateral = Quadrilateral(corners, enlargedBy: 1)
    let sides = corners.indices.map { corners[$0].distance(to: corners[($0 + 1) % corners.count]) }
    reachInside = mayHoldCode ? Self.mostInside * (sides.min() ?? 0) : 0
  }

  /// Returns whether a triple is not that of another symbol: one of its patterns is inside, and it
  /// is no smaller symbol within this one.
  func excludes(_ triple: FinderTriple) -> Bool {
    let centres = [triple.topLeft, triple.topRight, triple.bottomLeft].map(\.centre)
    let inside = centres.count { quadrilateral.holds($0) }
    return inside > 0
      && (inside < 3 || centres[0].distance(to: centres[1]) > reachInside
        || centres[0].distance(to: centres[2]) > reachInside)
  }
}

extension DecodedCode {
  /// Creates a code from a sampled symbol in a look.
  init(_ found: LocatedSymbol, isInverted: Bool, in look: Look, stage: String) {
    let symbol = found.symbol
    self.init(
      text: CodeText.decode(symbol.content), bytes: CodeText.bytes(of: symbol.content),
      symbology: symbol.symbology, corners: found.corners.map(look.whole), version: symbol.version,
      errorCorrection: symbol.errorCorrection, mask: symbol.mask,
      modulePixels: found.modulePixels * (look.scale.x + look.scale.y) / 2,
      correction: ErrorCorrectionUse(
        correctedCodewords: symbol.correctedCodewords, codewords: symbol.totalCodewords,
        unused: symbol.unusedErrorCorrection),
      isMirrored: symbol.isMirrored, isInverted: isInverted, stage: stage)
  }
}
