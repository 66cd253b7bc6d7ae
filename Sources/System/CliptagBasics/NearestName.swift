extension Sequence<String> {
  /// Returns the known name that a misspelled one was probably meant to be; `nil` if none is near.
  ///
  /// A third of the letters may differ, four at most, see ``Swift/String/changes(to:)``; case is ignored.
  /// Of equally near names, it is the first of the alphabet.
  package func nearest(to typed: String) -> String? { misspelled(as: typed).first }

  /// Returns the known names that a typed one may mean: at most three, the nearest first.
  ///
  /// Where none is a few changes away, these are names that contain the typed one or are part of it.
  package func meant(by typed: String) -> [String] {
    let near = misspelled(as: typed)
    guard near.isEmpty else { return Array(near.prefix(3)) }
    let typed = typed.lowercased()
    guard (3...64).contains(typed.unicodeScalars.count) else { return [] }
    let related = filter {
      let name = $0.lowercased()
      return name.contains(typed) || name.count >= 3 && typed.contains(name)
    }
    return Array(Set(related).sorted { ($0.count, $0) < ($1.count, $1) }.prefix(3))
  }

  /// Returns the question “Did you mean …?” with the names that a typed one may mean; an empty text if
  /// there are none.
  package func question(about typed: String) -> String { meant(by: typed).didYouMean }

  private func misspelled(as typed: String) -> [String] {
    let typed = typed.lowercased()
    let near = Set(self).compactMap { name -> (name: String, changes: Int)? in
      let most = Swift.min(4, Swift.max(1, Swift.min(name.count, typed.count) / 3))
      let known = name.lowercased()
      // Cheaper than the table of changes, which few names need.
      guard !typed.isEmpty, abs(known.utf8.count - typed.utf8.count) <= 4 * most else { return nil }
      let changes = typed.changes(to: known)
      return changes <= most ? (name, changes) : nil
    }
    let least = near.map(\.changes).min() ?? 0
    return near.filter { $0.changes <= least + 1 }
      .sorted { ($0.changes, $0.name) < ($1.changes, $1.name) }.map(\.name)
  }
}

extension [String] {
  /// The question whether one of these names was meant: `Did you mean “scan”?`; an empty text for no
  /// names.
  package var didYouMean: String {
    let names = map { "“\($0)”" }
    guard let last = names.last else { return "" }
    let others = names.dropLast().joined(separator: ", ")
    return "Did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
  }

  /// The sentences that are not empty, with spaces between them.
  package var sentences: String { filter { !$0.isEmpty }.joined(separator: " ") }
}

extension String {
  /// Returns the number of changes that turn this text into another: a letter is added, omitted or
  /// replaced, or two neighbours are exchanged (optimal string alignment distance).
  ///
  /// Texts of more than 64 letters are not compared and count as far apart (`Int.max`).
  package func changes(to other: String) -> Int {
    let (from, to) = (Array(self), Array(other))
    guard from.count <= 64, to.count <= 64 else { return .max }
    // Rows of the table: for one letter less than the current row, and for two.
    var (last, older) = (Array(0...to.count), [Int]())
    for i in from.indices {
      var row = [i + 1]
      for j in to.indices {
        var least = Swift.min(
          last[j + 1] + 1, row[j] + 1, last[j] + (from[i] == to[j] ? 0 : 1))
        if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] {
          least = Swift.min(least, older[j - 1] + 1)
        }
        row.append(least)
      }
      (last, older) = (row, last)
    }
    return last[to.count]
  }
}
