/// What is known in the course of the search for the codes of one picture.
struct CodeSearch {
  let effort: CodeScanner.Effort
  let symbologies: Set<DecodedCode.Symbology>
  var budget: WorkBudget
  private(set) var found = CodeCollection()
  /// Parts of messages that are spread over several symbols.
  private(set) var parts: [PartOfMessage] = []
  /// Small symbols that were seen and cannot be read.
  private var smallSymbols: [UnreadSymbol] = []
  /// Whether the last look that can tell saw nothing more that is worth a further look.
  var sawNothingMore = false
  /// Whether some work was left undone because the budget did not allow it.
  private(set) var wasCutShort = false

  init(effort: CodeScanner.Effort, symbologies: Set<DecodedCode.Symbology>, budget: WorkBudget) {
    self.effort = effort
    self.symbologies = symbologies
    self.budget = budget
  }

  /// Whether no further stage is wanted.
  var isOver: Bool {
    guard found.count > 0 || !parts.isEmpty else { return false }
    return effort == .firstCode ? found.count > 0 : sawNothingMore
  }

  /// Whether work of this cost is allowed; it is paid for when it is.
  mutating func pay(_ cost: Double) -> Bool {
    if budget.pay(cost) { return true }
    wasCutShort = true
    return false
  }

  /// Pays for work whose cost is known only afterwards; it was bounded by what was left before.
  mutating func spend(_ cost: Double) {
    budget.spend(cost)
    if budget.left <= 0 { wasCutShort = true }
  }

  /// Adds to the budget.
  mutating func allow(_ work: Double) { budget.allow(work) }

  /// The corners of what was read, in the pixels of a look.
  func known(in look: Look) -> [[PicturePoint]] {
    (found.corners + parts.map(\.code.corners)).map { $0.map(look.here) }
  }

  mutating func add(_ code: DecodedCode) { found.add(code) }

  mutating func add(_ part: PartOfMessage) {
    guard !parts.contains(where: { $0.isSame(as: part) }) else { return }
    parts.append(part)
  }

  /// Adds a symbol that cannot be read, unless it was seen before in another size.
  mutating func add(_ symbol: UnreadSymbol) {
    guard !smallSymbols.contains(where: { symbol.lies(in: $0.corners) }) else { return }
    smallSymbols.append(symbol)
  }

  /// Small symbols that lie in no code that was read since.
  var smallSymbolsOutsideCodes: [UnreadSymbol] {
    smallSymbols.filter { symbol in !found.corners.contains { symbol.lies(in: $0) } }
  }

  /// Whether a reading with these bytes, at corners in the whole picture, would tell nothing new.
  func knowsAll(of bytes: [UInt8], at corners: [PicturePoint]) -> Bool {
    found.knowsAll(of: bytes, at: corners)
  }
}

extension UnreadSymbol {
  /// Whether its middle lies between some corners.
  fileprivate func lies(in corners: [PicturePoint]) -> Bool {
    let middle = self.corners.reduce(PicturePoint(x: 0, y: 0)) {
      $0 + $1 * (1 / Double(self.corners.count))
    }
    return Quadrilateral(corners, enlargedBy: 1).holds(middle)
  }
}
