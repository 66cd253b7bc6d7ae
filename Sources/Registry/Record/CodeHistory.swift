package import Foundation

/// The history of one code, as it is told, from the entries of every recorder.
enum CodeHistory {
  /// What an adopted entry says, and the how-many-eth it is to say it in its chain.
  private struct Telling: Hashable {
    let milliseconds: Int64
    let kind: CodeEvent.Kind
    let who: String
    let details: [String: String]
    var count = 0
  }

  private struct Placed {
    let entry: RecordEntry
    /// The time, but never before that of an earlier entry of the same recorder.
    let milliseconds: Int64
  }

  /// Orders entries by time, recorder and number, and numbers them.
  ///
  /// What one recorder wrote keeps its order, even when its clock was set back between two entries:
  /// an entry counts as no earlier than those before it. What two copies of an old registry both
  /// took over when their chains began is told once.
  ///
  /// - Parameter entries: The code's entries by recorder and number.
  static func events(_ entries: [RecordEntry]) -> [CodeEvent] {
    entries.withPlaces.map { entry, sequence in
      CodeEvent(
        code: entry.code, sequence: sequence, time: entry.time, kind: entry.kind, who: entry.who,
        details: entry.details)
    }
  }

  fileprivate static func ordered(_ entries: [RecordEntry]) -> [RecordEntry] {
    var placed: [Placed] = []
    placed.reserveCapacity(entries.count)
    for entry in entries {
      let isSame = placed.last?.entry.recorder == entry.recorder
      let earliest = isSame ? placed.last?.milliseconds : nil
      placed.append(
        Placed(entry: entry, milliseconds: max(earliest ?? entry.milliseconds, entry.milliseconds)))
    }
    if entries.first?.recorder != entries.last?.recorder {
      placed = toldOnce(placed).sorted {
        ($0.milliseconds, $0.entry.recorder, $0.entry.number)
          < ($1.milliseconds, $1.entry.recorder, $1.entry.number)
      }
    }
    return placed.map(\.entry)
  }

  private static func toldOnce(_ placed: [Placed]) -> [Placed] {
    var tellers: [Telling: Recorder] = [:]
    var counts: [Telling: Int] = [:]
    var last: Recorder?
    return placed.filter { placed in
      let entry = placed.entry
      guard entry.isAdopted else { return true }
      if last != entry.recorder { counts = [:] }
      last = entry.recorder
      var telling = Telling(
        milliseconds: entry.milliseconds, kind: entry.kind, who: entry.who,
        details: entry.details)
      counts[telling, default: 0] += 1
      telling.count = counts[telling, default: 0]
      let teller = tellers[telling] ?? entry.recorder
      tellers[telling] = teller
      return teller == entry.recorder
    }
  }
}

extension [RecordEntry] {
  /// The entries of one code, which come by recorder and number, in the order in which they are
  /// told, each with its place from 1.
  var withPlaces: [(entry: RecordEntry, sequence: Int)] {
    CodeHistory.ordered(self).enumerated().map { ($1, $0 + 1) }
  }
}

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
