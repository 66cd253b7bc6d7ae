package import Foundation

/// When somebody last met a code where it hangs.
package struct Sighting: Hashable, Sendable {
  /// The code.
  package let code: CodeID
  /// When it was last read, hung up or replaced, or verified at a position; `nil` for never.
  package let last: Date?
  /// When it was retired; `nil` for a code in use.
  package let retired: Date?

  /// Makes a sighting.
  package init(code: CodeID, last: Date?, retired: Date?) {
    self.code = code
    self.last = last
    self.retired = retired
  }

  /// The kinds of events for which somebody stood before the code.
  static let kinds: [CodeEvent.Kind] = [.read, .installed, .replaced]
}

extension RecordEntry {
  /// Whether somebody stood before the code where it hangs. What is verified when a code is made is
  /// not, as nobody says where it was.
  var isSighting: Bool {
    Sighting.kinds.contains(kind) || kind == .verified && details[CodeEvent.Fact.position] != nil
  }
}

extension RegistryTransaction {
  /// When each code was last met, for those that ever were, or that were retired.
  package borrowing func sightings() throws(RegistryError) -> [CodeID: Sighting] {
    Dictionary(try records.sightings().map { ($0.code, $0) }) { first, _ in first }
  }
}

extension RegistryStore {
  /// When each code was last met, for those that ever were, or that were retired.
  package func sightings() throws(RegistryError) -> [CodeID: Sighting] {
    try read { registry throws(RegistryError) in try registry.sightings() }
  }
}

extension MemoryRecords {
  func sightings() -> [Sighting] {
    state.record.codes.compactMap { code, entries in
      let last = entries.filter(\.isSighting).map(\.milliseconds).max()
      let retired = entries.filter { $0.kind == .retired }.map(\.milliseconds).max()
      guard last != nil || retired != nil else { return nil }
      return Sighting(
        code: code, last: last.map(Date.init(millisecondsSince1970:)),
        retired: retired.map(Date.init(millisecondsSince1970:)))
    }
  }
}
