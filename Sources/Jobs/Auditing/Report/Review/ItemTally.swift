import Invocation
import Registry

/// The prints of each code that were seen where it belongs.
///
/// Prints of one code cannot be distinguished by reading them. Two places in one picture are two
/// prints; two pictures may show the same one.
struct ItemTally {
  /// The readings of a code at its place.
  private struct Count {
    /// The largest number in one picture.
    var together = 0
    var total = 0
  }

  private var counts: [Int: Count] = [:]
  /// The most readings of a code at one stop, wherever that was, if there are several.
  private var most: [Int: (count: Int, spot: Int)] = [:]

  /// Adds all codes read at one stop, each once for each reading.
  mutating func take(together codes: [Int], at spot: Int) {
    for (code, times) in Dictionary(grouping: codes, by: \.self).mapValues(\.count)
    where times > 1 && times > most[code]?.count ?? 1 {
      most[code] = (times, spot)
    }
  }

  /// The most readings of a code at one stop, and that stop; `nil` if it never was more than one.
  func most(_ code: Int) -> (count: Int, spot: Int)? { most[code] }

  /// Adds the codes read at one stop, each where it belongs, once for each reading.
  mutating func take(_ codes: [Int]) {
    for (code, times) in Dictionary(grouping: codes, by: \.self).mapValues(\.count) {
      counts[code, default: Count()].together = max(counts[code]?.together ?? 0, times)
      counts[code]?.total += times
    }
  }

  /// The number of prints of a code that were certainly seen.
  ///
  /// - Parameter items: The items of the code.
  func seen(_ code: Int, of items: [CodeItem]) -> Int {
    min(counts[code]?.together ?? 0, items.pieceCount)
  }

  /// Returns the finding about a code of which fewer prints were certainly seen than there are, at
  /// least one, with a remark for people: a warning if some print was certainly not read.
  ///
  /// - Parameter elsewhere: The names of other places at which the code was read.
  func finding(
    _ code: Int, _ issued: IssuedCode, _ items: [CodeItem], elsewhere: [String]
  ) -> (finding: Finding, remark: String)? {
    let pieces = items.pieceCount
    guard issued.tagUID == nil, let count = counts[code], count.together < pieces else {
      return nil
    }
    let isShort = count.total < pieces
    let seen =
      switch count.total {
      case count.together: "\(count.total) of \(pieces) seen"
      case pieces...: "at least \(count.together) of \(pieces) seen"
      default: "at least \(count.together) and at most \(count.total) of \(pieces) seen"
      }
    let why =
      isShort && !elsewhere.isEmpty
      ? ": one was read at \(Counted.list(elsewhere)), fetch it."
      : isShort
        ? ": look for the others, or retire what was thrown away."
        : ": separate pictures may show the same one."
    return (
      Finding(
        .printsNotSeen, isShort ? .warning : .note,
        "Of the prints of \(issued.id) (\(issued.payload)), \(seen)\(why) The prints: "
          + items.map { "\($0.name) (\($0.words))" }.joined(separator: "; ") + "."),
      seen.prefix(1).uppercased() + seen.dropFirst() + ": "
        + items.map(\.words.prose).joined(separator: "; ") + "."
    )
  }
}

extension WalkTally {
  /// The numbers of prints and tags of the codes expected at a place, and of those certainly seen.
  func pieces(at place: Int, _ items: [CodeID: [CodeItem]]) -> (pieces: Int, seen: Int) {
    expected[place].reduce(into: (0, 0)) { sum, code in
      let own = items[codes[code].id] ?? []
      sum.0 += own.pieceCount
      if isSeen(code) { sum.1 += max(1, itemTally.seen(code, of: own)) }
    }
  }

  /// Looks up the items of the codes expected at visited places, and adds an item for each code of
  /// which fewer prints were seen than there are.
  mutating func addPrintsNotSeen(
    from registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> [CodeID: [CodeItem]] {
    let visited = places.indices.filter { isVisited[$0] }
    let items = try registry.items(of: visited.flatMap { expected[$0].map { codes[$0] } })
    for place in visited {
      for code in expected[place] where isSeen(code) && !isSwapped(code) {
        guard let own = items[codes[code].id],
          let (finding, remark) = itemTally.finding(
            code, codes[code], own, elsewhere: awayNames(of: code))
        else { continue }
        add(WalkReport.Item(finding, code: codes[code], remark: remark), at: place, spot: nil)
      }
    }
    return items
  }
}
