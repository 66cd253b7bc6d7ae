import AppClipCodes

/// The state of the search for the codes of one picture.
struct CodeSearch {
  let effort: CodeScanner.Effort
  let symbologies: Set<DecodedCode.Symbology>
  var budget: WorkBudget
  private(set) var found = CodeCollection()
  /// Parts of messages that are spread over several symbols.
  private(set) var parts: [PartOfMessage] = []
  /// The App Clip Codes found so far.
  private(set) var appClipCodes: [SeenAppClipCode] = []
  /// Small symbols that cannot be read.
  private var smallSymbols: [UnreadSymbol] = []
  /// A Boolean value that indicates whether the last look that can determine it saw nothing more
  /// that is worth a further look.
  var sawNothingMore = false
  /// A Boolean value that indicates whether something that looks like a code was seen and not read.
  var showsCode = false
  /// A Boolean value that indicates whether finder patterns were seen outside the codes read.
  var showsPatterns = false
  /// The finder patterns of a first look, for a second one at the same picture.
  var patterns: [LocatedFinder] = []
  /// The triples of these patterns that were tried.
  var triedTriples = TriedTriples()
  /// A Boolean value that indicates whether some work was skipped because of the budget.
  private(set) var wasCutShort = false
  private var unsearched: String?
  /// The background over which a picture without one was laid.
  var ground: DecodedCode.Ground?

  init(effort: CodeScanner.Effort, symbologies: Set<DecodedCode.Symbology>, budget: WorkBudget) {
    self.effort = effort
    self.symbologies = symbologies
    self.budget = budget
  }

  /// A Boolean value that indicates whether no further stage is needed.
  var isOver: Bool {
    if effort == .firstCode, !appClipCodes.isEmpty { return true }
    guard found.count > 0 || !parts.isEmpty else { return false }
    return effort == .firstCode ? found.count > 0 : sawNothingMore
  }

  /// Returns whether work of this cost is allowed, and pays for it in that case.
  mutating func pay(_ cost: Double) -> Bool {
    if budget.pay(cost) { return true }
    wasCutShort = true
    return false
  }

  /// Returns whether work of this cost is worthwhile: without a sign of a code, only a little is.
  func isWorth(_ cost: Double) -> Bool { showsCode || cost <= Self.costWithoutSign }

  /// Returns whether work of this cost is worthwhile that reads symbols with visible patterns.
  func isWorthWithPatterns(_ cost: Double) -> Bool { showsPatterns || isWorth(cost) }

  /// The cost of a stage that rarely helps and is worthwhile without a sign of a code, in
  /// milliseconds.
  private static let costWithoutSign = 6.0

  /// Pays for work whose cost is known only afterwards; it was bounded by the remaining budget.
  mutating func spend(_ cost: Double) {
    budget.spend(cost)
    if budget.left <= 0 { wasCutShort = true }
  }

  /// A Boolean value that indicates whether parts of a large picture should be searched: a picture
  /// with one code may contain others.
  var wantsParts: Bool { effort == .everyCode || !isOver }

  /// Performs some work with a separate budget.
  mutating func inPart(_ budget: WorkBudget, _ work: (inout CodeSearch) -> Void) {
    let left = self.budget
    self.budget = budget
    work(&self)
    self.budget = left
  }

  /// Records a part of the picture that could not be searched, and the reason, as a clause.
  mutating func leaveOut(_ reason: String) {
    if unsearched == nil { unsearched = reason }
  }

  /// Adds to the budget.
  mutating func allow(_ work: Double) { budget.allow(work) }

  /// Returns the corners of the codes read, in the pixels of a look.
  func known(in look: Look) -> [[PicturePoint]] {
    (found.corners + parts.map(\.code.corners)).map { $0.map(look.here) }
  }

  /// The corners, in the whole picture, of the codes in which nothing had to be corrected.
  var cornersOfCleanCodes: [[PicturePoint]] {
    found.codes.filter { $0.correction?.correctedCodewords == 0 }.map(\.corners)
  }

  mutating func add(_ code: DecodedCode) { found.add(code.seen(on: ground)) }

  /// Adds an App Clip Code, unless one is known at the same place; the more reliable of two
  /// readings is kept.
  mutating func add(_ code: SeenAppClipCode) {
    guard let known = appClipCodes.firstIndex(where: { $0.overlaps(code) }) else {
      appClipCodes.append(code)
      return
    }
    if code.sureness > appClipCodes[known].sureness { appClipCodes[known] = code }
  }

  mutating func add(_ part: PartOfMessage) {
    guard !parts.contains(where: { $0.isSame(as: part) }) else { return }
    parts.append(part)
  }

  /// Adds a symbol that cannot be read, unless it was seen before in another size.
  mutating func add(_ symbol: UnreadSymbol) {
    guard !smallSymbols.contains(where: { symbol.lies(in: $0.corners) }) else { return }
    smallSymbols.append(symbol)
  }

  /// Small symbols outside the codes that were read since.
  private var smallSymbolsOutsideCodes: [UnreadSymbol] {
    smallSymbols.filter { symbol in !found.corners.contains { symbol.lies(in: $0) } }
  }

  /// Returns whether a reading with these bytes, at corners in the whole picture, would give
  /// nothing new.
  func knowsAll(of bytes: [UInt8], at corners: [PicturePoint]) -> Bool {
    found.knowsAll(of: bytes, at: corners)
  }

  /// The results so far.
  var result: ScanResult {
    var all = found
    for message in parts.messages { all.add(message) }
    let isSatisfied = effort == .firstCode && found.count > 0
    return ScanResult(
      codes: all.codes,
      appClipCodes: appClipCodes.sorted {
        ($0.centre.y, $0.centre.x) < ($1.centre.y, $1.centre.x)
      }, unread: parts.unread + smallSymbolsOutsideCodes,
      wasCutShort: wasCutShort && !isSatisfied, unsearched: isSatisfied ? nil : unsearched)
  }
}

/// Triples of finder patterns that were tried in a picture.
struct TriedTriples: Sendable {
  var all: Set<FinderTriple> = []
  /// Those that look like the patterns of a symbol that was not read, in the order of the attempts.
  var unread: [FinderTriple] = []
}

extension SeenAppClipCode {
  /// The mean of the corners.
  var centre: PicturePoint {
    corners.reduce(PicturePoint(x: 0, y: 0)) { $0 + $1 * (1 / Double(corners.count)) }
  }

  /// Returns whether both are readings of the same code.
  fileprivate func overlaps(_ other: SeenAppClipCode) -> Bool {
    centre.distance(to: other.centre) < min(diameter, other.diameter) / 2
  }

  /// A measure of the reliability, for comparing readings of one code.
  fileprivate var sureness: Float { reading.continues.reduce(0) { $0 + abs($1) } }
}

extension UnreadSymbol {
  /// Returns whether its centre is inside some corners.
  fileprivate func lies(in corners: [PicturePoint]) -> Bool {
    let middle = self.corners.reduce(PicturePoint(x: 0, y: 0)) {
      $0 + $1 * (1 / Double(self.corners.count))
    }
    return Quadrilateral(corners, enlargedBy: 1).holds(middle)
  }
}

/// The budget of work for a picture, in milliseconds of the machine on which the stages were
/// measured (one core of a server of 2023).
///
/// It is independent of the clock: the result for a picture must not depend on the load of a
/// machine, and the same bytes must give the same result in every run. Therefore each stage states
/// its cost, from the pixels it walks over and the candidates it tries, and begins only work that
/// still fits. On a machine half as fast, a budget of 400 ms takes up to 800.
struct WorkBudget: Sendable {
  private(set) var left: Double

  /// Creates a budget; unlimited without a duration.
  init(_ duration: Duration?) {
    guard let duration else {
      left = .infinity
      return
    }
    left =
      Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
  }

  /// Returns whether some work still fits, and pays for it in that case.
  mutating func pay(_ cost: Double) -> Bool {
    guard cost <= left else { return false }
    left -= cost
    return true
  }

  /// Adds some work to the remaining budget.
  mutating func allow(_ work: Double) { left += work }

  /// Pays for completed work.
  mutating func spend(_ cost: Double) { left -= min(left, cost) }
}

/// The codes found so far, without duplicates, regardless of the stages that read them.
struct CodeCollection {
  private var found: [DecodedCode] = []

  var count: Int { found.count }

  /// The corners of each code, in no particular order.
  var corners: [[PicturePoint]] { found.map(\.corners) }

  /// The codes in rows from top to bottom, and from left to right within a row. Codes are in the
  /// same row if their centres are within half a code's height of the row's highest.
  var codes: [DecodedCode] {
    var rest = found.sorted { ($0.centre.y, $0.centre.x) < ($1.centre.y, $1.centre.x) }[...]
    var ordered: [DecodedCode] = []
    while let first = rest.first {
      let heights = first.corners.map(\.y)
      let half = ((heights.max() ?? 0) - (heights.min() ?? 0)) / 2
      let row = rest.prefix { $0.centre.y <= first.centre.y + half }
      ordered += row.sorted { ($0.centre.x, $0.centre.y) < ($1.centre.x, $1.centre.y) }
      rest = rest.dropFirst(row.count)
    }
    return ordered
  }

  /// Adds a code, unless one is known at the same place. Two posters with the same text at two
  /// places remain two codes. A second reading with certain facts about the symbol replaces one of
  /// the same code without them.
  mutating func add(_ code: DecodedCode) {
    guard let known = found.firstIndex(where: { $0.overlaps(code) }) else {
      found.append(code)
      return
    }
    if found[known].version == nil, code.version != nil, found[known].bytes == code.bytes {
      found[known] = code
    }
  }

  /// Returns whether adding a reading with these bytes and corners would change nothing.
  func knowsAll(of bytes: [UInt8], at corners: [PicturePoint]) -> Bool {
    let probe = DecodedCode(text: "", bytes: bytes, corners: corners, stage: "")
    return found.contains { $0.overlaps(probe) && ($0.version != nil || $0.bytes != bytes) }
  }
}

extension DecodedCode {
  /// The mean of the corners.
  package var centre: PicturePoint { PicturePoint.mean(of: corners) }

  /// Returns whether both are readings of the same code: the centre of one is inside the other,
  /// and, because a small code may be printed in the middle of a large one, they have about the
  /// same size if their bytes differ.
  func overlaps(_ other: DecodedCode) -> Bool {
    guard contains(other.centre) || other.contains(centre) else { return false }
    return bytes == other.bytes || max(area, other.area) < 2 * min(area, other.area)
  }

  /// The area within the corners, in square pixels.
  private var area: Double {
    abs(
      zip(corners, corners.dropFirst() + corners.prefix(1)).reduce(0) {
        $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
      }) / 2
  }

  private func contains(_ point: PicturePoint) -> Bool {
    var isInside = false
    for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1))
    where (a.y > point.y) != (b.y > point.y) {
      if point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
    }
    return isInside
  }
}

/// A symbol that holds one part of a message (structured append, ISO/IEC 18004:2015, 8).
struct PartOfMessage: Sendable {
  let symbol: DecodedSymbol
  /// Its part of the text, and its position in the whole picture.
  let code: DecodedCode

  func isSame(as other: PartOfMessage) -> Bool {
    symbol.structuredAppend == other.symbol.structuredAppend && symbol.bytes == other.symbol.bytes
      && code.overlaps(other.code)
  }
}

extension [PartOfMessage] {
  /// The complete messages, each as one code at the place of its first part.
  fileprivate var messages: [DecodedCode] {
    byMessage.compactMap { parts in
      guard let content = StructuredAppend.joined(parts.map(\.symbol)),
        let first = parts.first(where: { $0.symbol.structuredAppend?.index == 0 })
      else { return nil }
      return first.code.saying(content)
    }
  }

  /// The parts of incomplete messages, as unread symbols.
  fileprivate var unread: [UnreadSymbol] {
    byMessage.filter { StructuredAppend.joined($0.map(\.symbol)) == nil }.joined()
      .compactMap { part in
        part.symbol.structuredAppend.map {
          UnreadSymbol(
            kind: .partOfMessage(number: $0.index + 1, of: $0.count), corners: part.code.corners)
        }
      }
  }

  /// The parts grouped by message: those with the same number of parts and the same parity.
  private var byMessage: [[PartOfMessage]] {
    reduce(into: []) { groups, part in
      let index = groups.firstIndex { $0[0].symbol.isOfOneMessage(with: part.symbol) }
      if let index { groups[index].append(part) } else { groups.append([part]) }
    }
  }
}

extension DecodedSymbol {
  fileprivate func isOfOneMessage(with other: DecodedSymbol) -> Bool {
    structuredAppend?.count == other.structuredAppend?.count
      && structuredAppend?.parity == other.structuredAppend?.parity
  }
}
