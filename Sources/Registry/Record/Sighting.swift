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

extension RegistryOperations where Self: ~Copyable {
  /// When each code was last met, for those that ever were, or that were retired.
  ///
  /// Somebody stood before the code where it hangs; what is verified when a code is made is not
  /// meant, as nobody says where it was.
  package borrowing func sightings() throws(RegistryError) -> [CodeID: Sighting] {
    let kinds = Sighting.kinds.map { "'\($0)'" }.joined(separator: ", ")
    // A name in quotes and a colon stand in a text of JSON only where they are a name: quotes inside
    // a text are escaped.
    let sightings = try rows(
      """
      SELECT code,
        max(CASE WHEN kind <> 'retired' THEN time END) AS met,
        max(CASE WHEN kind = 'retired' THEN time END) AS retired
      FROM code_entry
      WHERE kind IN (\(kinds), 'retired')
        OR kind = 'verified' AND instr(details, '"\(CodeEvent.Fact.position)":') > 0
      GROUP BY code
      """, [],
      { row in
        Sighting(
          code: try row.codeID("code"), last: row.dateIfAny("met"),
          retired: row.dateIfAny("retired"))
      })
    return Dictionary(sightings.map { ($0.code, $0) }) { first, _ in first }
  }
}
