extension Sequence<String> {
  /// Returns the name that was probably meant by a mistyped one: the only one that contains it, else
  /// the first of those with the fewest changes.
  ///
  /// A change is a letter that is added, omitted or replaced, or two letters that are exchanged
  /// (optimal string alignment distance); a third of the letters may differ. Case is ignored.
  ///
  /// - Parameter typed: The mistyped name.
  /// - Returns: `nil` if no name is near.
  package func nearest(to typed: String) -> String? {
    let wanted = Array(typed.lowercased().unicodeScalars)
    // A long text is no mistyped name.
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    if wanted.count >= 3 {
      let holding = filter { $0.lowercased().contains(typed.lowercased()) }
      if holding.count == 1 { return holding[0] }
    }
    var best: (name: String, changes: Int)?
    for name in self where name != typed {
      let letters = Array(name.lowercased().unicodeScalars)
      let most = Swift.max(1, Swift.min(letters.count, wanted.count) / 3)
      guard abs(letters.count - wanted.count) <= most else { continue }
      let changes = Self.changes(from: wanted, to: letters)
      if changes <= most, changes < best?.changes ?? .max { best = (name, changes) }
    }
    return best?.name
  }

  private static func changes(from a: [Unicode.Scalar], to b: [Unicode.Scalar]) -> Int {
    // The rows of the table for the last letters of `a`, from before the last to the current one.
    var (older, last) = ([Int](), Array(0...b.count))
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = Swift.min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = Swift.min(least, older[j - 1] + 1)
        }
        row.append(least)
      }
      (older, last) = (last, row)
    }
    return last[b.count]
  }
}
