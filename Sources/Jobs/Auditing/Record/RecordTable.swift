import CliptagBasics
package import Registry

/// The record of codes as a table for spreadsheets: strict RFC 4180 with a header and CRLF, UTF-8.
///
/// Only the log is protected against unnoticed changes; the table is not.
package struct RecordTable: Sendable {
  /// The names of the columns.
  package static let columns = [
    "code", "url", "carrier", "place", "event", "time", "kind", "who", "latitude", "longitude",
    "accuracy", "uid", "sha256", "note", "details", "recorder", "number", "hash",
  ]

  private let registry: any RegistryStore

  /// Makes a table of everything in a registry.
  package init(of registry: any RegistryStore) { self.registry = registry }

  /// Writes the table, line by line: by code, with the events of each in order.
  ///
  /// - Returns: The number of lines below the header.
  /// - Throws: The errors of the registry and of `write`.
  package func write(_ write: (String) throws -> Void) throws -> Int {
    try write(Self.columns.csvLine)
    var count = 0
    try registry.forEachPiece(size: 1000) { codes in
      let histories = try registry.recordedHistories(of: codes)
      for code in codes {
        for (entry, sequence) in histories[code.id] ?? [] {
          try write(Self.fields(of: entry, sequence, code).csvLine)
          count += 1
        }
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
}
