import Foundation
package import Registry

/// The number of entries of one kind by a person in a month at a place.
package struct RecordActivity: Hashable, Sendable {
  /// The month in UTC, such as `2026-11`.
  package let month: String
  /// The person, as entries name them.
  package let who: String
  /// The place of the codes, by its id; `nil` for codes without one, and for settings.
  package let place: String?
  /// The kind of the entries, such as `written`.
  package let kind: String
  /// The number of entries.
  package let count: Int

  private struct Key: Hashable {
    let month: String
    let who: String
    let place: String?
    let kind: String
  }

  /// All activity in the record of a registry, by month, person, place and kind.
  ///
  /// - Throws: The errors of the registry.
  package static func all(in registry: any RegistryStore) throws -> [RecordActivity] {
    var places: [CodeID: String] = [:]
    try registry.forEachPiece { codes in
      for code in codes { places[code.id] = code.placeID }
    }
    var counts: [Key: Int] = [:]
    try registry.forEachEntry { entry throws(RegistryError) in
      let key = Key(
        month: String(entry.time.registryTimestamp.prefix(7)), who: entry.who,
        place: entry.code.flatMap { places[$0] }, kind: entry.kind.rawValue)
      counts[key, default: 0] += 1
    }
    return counts.map { key, count in
      RecordActivity(
        month: key.month, who: key.who, place: key.place, kind: key.kind, count: count)
    }.sorted {
      ($0.month, $0.who, $0.place ?? "", $0.kind) < ($1.month, $1.who, $1.place ?? "", $1.kind)
    }
  }
}
