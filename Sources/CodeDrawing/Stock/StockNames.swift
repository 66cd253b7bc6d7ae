/// How names of label stock are compared: people leave spaces and hyphens out.
enum StockNames {
  /// The names that a mistyped one may mean, the nearest first.
  ///
  /// - Parameter count: The most that are returned.
  static func near(_ name: String, among names: [String], count: Int = 5) -> [String] {
    let wanted = Array(name.stockName.unicodeScalars)
    let scored = names.map { candidate in
      // The maker may be left out.
      let part = candidate.split(separator: " ").last.map(String.init) ?? candidate
      let distance = min(
        Self.distance(wanted, Array(candidate.stockName.unicodeScalars)),
        Self.distance(wanted, Array(part.stockName.unicodeScalars)))
      return (candidate, distance)
    }
    let most = wanted.count < 4 ? 1 : 2
    return Array(
      scored.filter { $0.1 <= most }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(count).map(\.0))
  }

  /// The fewest insertions, deletions and replacements between two names (Levenshtein).
  private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    guard abs(first.count - second.count) <= 2 else { return .max }
    var row = Array(0...second.count)
    for (index, scalar) in first.enumerated() {
      var previous = row[0]
      row[0] = index + 1
      for column in second.indices {
        let replaced = previous + (second[column] == scalar ? 0 : 1)
        previous = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, previous + 1)
      }
    }
    return row[second.count]
  }
}

extension String {
  /// A stock's name as it is compared: lower case, without spaces, hyphens and slashes.
  var stockName: String { lowercased().filter { !" -_/".contains($0) } }
}

extension [UInt8] {
  /// Whether a template file can hold a stock of this name: its longest run of digits stands in it.
  ///
  /// Letters, spaces and hyphens may be written otherwise; digits cannot.
  func mayName(_ wanted: String) -> Bool {
    let digits = wanted.split { !$0.isASCII || !$0.isNumber }.max { $0.count < $1.count }
    guard let digits else { return true }
    let pattern = Array(String(digits).utf8)
    guard count >= pattern.count else { return false }
    return withUnsafeBufferPointer { bytes in
      (0...(bytes.count - pattern.count)).contains { start in
        bytes[start] == pattern[0]
          && pattern.indices.allSatisfy { bytes[start + $0] == pattern[$0] }
      }
    }
  }
}
