import Basics
package import Registry

/// The record of codes as a table for spreadsheets: strict RFC 4180 with a header and CRLF, UTF-8.
///
/// A field that a spreadsheet would take for a formula (one that begins with `=`, `+`, `-`, `@`, a
/// tab or a line end, and is no plain number) has an apostrophe in front, as spreadsheets write it
/// themselves. What nobody may change unseen is the log, not the table.
package struct RecordTable: Sendable {
  /// The names of the columns.
  package static let columns = [
    "code", "url", "carrier", "place", "event", "time", "kind", "who", "latitude", "longitude",
    "accuracy", "uid", "sha256", "note", "details", "recorder", "number", "hash",
  ]

  private let registry: any RegistryStore

  /// Makes a table of everything that is in a registry.
  package init(of registry: any RegistryStore) { self.registry = registry }

  /// Writes the table, line by line: by code, and what happened to each in order.
  ///
  /// - Returns: How many lines there are below the header.
  /// - Throws: What the registry throws, and what `write` does.
  package func write(_ write: (String) throws -> Void) throws -> Int {
    try write(Self.line(Self.columns))
    var count = 0
    for code in try registry.codes() {
      let history = try registry.read { registry in
        try registry.recordedHistory(of: code.id)
      }
      for (entry, sequence) in history {
        try write(Self.line(Self.fields(of: entry, sequence, code)))
        count += 1
      }
    }
    return count
  }

  private static func fields(
    of entry: RecordEntry, _ sequence: Int, _ code: IssuedCode
  ) -> [String] {
    typealias Fact = CodeEvent.Fact
    var details = entry.details
    let position = details.removeValue(forKey: Fact.position)?.split(separator: ",") ?? []
    let facts = [Fact.accuracy, Fact.uid, Fact.sha256, Fact.note].map {
      details.removeValue(forKey: $0) ?? ""
    }
    let others = details.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    return [
      code.id.description, code.payload, code.carrier.rawValue, code.placeID ?? "", "\(sequence)",
      entry.time.registryTimestamp, entry.kind.rawValue, entry.who,
      position.first.map(String.init) ?? "",
      position.count == 2 ? String(position[1]) : "",
    ] + facts + [others, entry.recorder.description, "\(entry.number)", entry.hash.description]
  }

  static func line(_ fields: [String]) -> String {
    fields.map(\.withoutFormula).csvLine
  }
}

extension String {
  /// The text as a spreadsheet takes it for a text.
  fileprivate var withoutFormula: String {
    guard let first = utf8.first, "=+-@\t\r\n".utf8.contains(first) else { return self }
    return isPlainNumber ? self : "'" + self
  }

  /// Digits, perhaps with a minus before them and a point within them. By hand, because every row
  /// has a longitude, and a pattern takes longer than all the rest of the row.
  private var isPlainNumber: Bool {
    let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { part in
        (1...15).contains(part.count)
          && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
  }
}
