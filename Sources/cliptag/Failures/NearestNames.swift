/// The names that a misspelled one was probably meant to be.
struct NearestNames {
  /// At most three, the nearest first; none when nothing is near.
  let names: [String]

  /// Names that contain what was typed, or that a few slips lead to.
  init(of typed: String, among candidates: [String]) {
    // Nobody means a name by a text that is much longer than any.
    let typed = String(typed.lowercased().prefix(64))
    let allowance = max(1, typed.count / 3)
    var seen: Set<String> = []
    let near = candidates.filter { seen.insert($0).inserted }.compactMap { name in
      let slips = Self.distance(Array(typed.utf8), Array(name.utf8))
      let isPart = typed.count > 2 && (name.contains(typed) || typed.contains(name))
      return slips <= allowance || isPart ? (name: name, slips: slips) : nil
    }
    names = near.sorted { ($0.slips, $0.name) < ($1.slips, $1.name) }.prefix(3).map(\.name)
  }

  /// Letters to add, leave out or exchange (Levenshtein).
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let kept = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(kept, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
