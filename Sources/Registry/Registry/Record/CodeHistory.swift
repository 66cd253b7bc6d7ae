package import Foundation
import Invocation

/// The merged history of one code, from the entries of every recorder.
enum CodeHistory {
  /// The contents of an adopted entry, with the count of their repetitions in its chain.
  private struct Telling: Hashable {
    let milliseconds: Int64
    let kind: CodeEvent.Kind
    let who: String
    let details: [String: String]
    var count = 0
  }

  private struct Placed {
    let entry: RecordEntry
    /// The entry's time, or that of an earlier entry of the same recorder if that is later.
    let milliseconds: Int64
  }

  /// Orders entries by time, recorder and number, and numbers them.
  ///
  /// The entries of one recorder keep their order, even when its clock was set back between two
  /// entries: an entry counts as no earlier than those before it. An entry that two copies of an
  /// old registry both adopted when their chains began occurs once.
  ///
  /// - Parameter entries: The code's entries by recorder and number.
  static func events(_ entries: [RecordEntry]) -> [CodeEvent] {
    entries.withPlaces.compactMap { entry, sequence in
      guard let code = entry.code else { return nil }
      return CodeEvent(
        code: code, sequence: sequence, time: entry.time, kind: entry.kind, who: entry.who,
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
    // The original of a retold entry is also here, unless it lies after a fork.
    for placed in placed where !placed.entry.isAdopted {
      let entry = placed.entry
      let telling = Telling(
        milliseconds: entry.milliseconds, kind: entry.kind, who: entry.who,
        details: entry.details, count: 1)
      tellers[telling] = tellers[telling] ?? entry.recorder
    }
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
  /// Orders the entries of one code, which come by recorder and number, as its history does, each
  /// with its place from 1.
  var withPlaces: [(entry: RecordEntry, sequence: Int)] {
    CodeHistory.ordered(self).enumerated().map { ($1, $0 + 1) }
  }
}

/// The last time at which a person saw a code in its place.
package struct Sighting: Hashable, Sendable {
  /// The code.
  package let code: CodeID
  /// The time at which the code was last read, installed or replaced where it belongs, or verified
  /// at a position there; `nil` for never. A reading at an unknown or another place does not count.
  package let last: Date?
  /// The time at which the code was last read, at any place; `nil` for never.
  package let lastRead: Date?
  /// The time at which the code was retired; `nil` for a code in use.
  package let retired: Date?

  /// The kinds of events that imply the presence of a person at the code.
  static let kinds: [CodeEvent.Kind] = [.read, .installed, .replaced]
}

extension RegistryOperations where Self: ~Copyable {
  /// Returns the last sighting of each code that was ever seen in its place, or that was retired.
  ///
  /// A sighting needs a person at the code in its place; a verification during production does not
  /// count, as it has no place.
  ///
  /// - Parameter codes: Consecutive codes, to restrict the result to these; `nil` for all.
  package borrowing func sightings(
    of codes: [IssuedCode]? = nil
  ) throws(RegistryError) -> [CodeID: Sighting] {
    try read { registry throws(RegistryError) in
      let range = SightingRange(codes)
      var sightings = try registry.sightingsByResult(in: range)
      var homes = CodeHomes(codes)
      try registry.addComparedSightings(in: range, to: &sightings, &homes)
      try registry.correctSightings(in: range, &sightings, &homes)
      return sightings
    }
  }
}

/// The range of codes whose sightings are looked up.
private struct SightingRange {
  /// The condition, to follow others; empty for all codes.
  let condition: String
  let arguments: [(any SQLValue)?]

  init(_ codes: [IssuedCode]?) {
    condition = codes == nil ? "" : " AND code BETWEEN ? AND ?"
    arguments =
      codes.map { [$0.first?.id.description ?? "", $0.last?.id.description ?? ""] } ?? []
  }
}

/// The SQL conditions that decide whether the code was where it belongs. A name in quotes followed
/// by a colon occurs in JSON text only as a name: quotes inside a text are escaped.
private enum SightingCondition {
  static func has(_ fact: String, _ value: String? = nil) -> String {
    "replace(details, '\"\(fact)\":\(value.map { "\"\($0)\"" } ?? "")', '') <> details"
  }

  /// The condition for a person at the code.
  static let isMeeting: String = {
    let kinds = Sighting.kinds.map { "'\($0)'" }.joined(separator: ", ")
    return "(kind IN (\(kinds)) OR kind = 'verified' AND \(has(CodeEvent.Fact.position)))"
  }()

  private static func isResult(_ results: LocationOutcome.Result...) -> String {
    "(\(results.map { has(CodeEvent.Fact.result, $0.rawValue) }.joined(separator: " OR ")))"
  }

  /// The condition for a comparison: an event with a stated place, or a position without a
  /// comparison.
  static let isToCompare =
    "(\(has(CodeEvent.Fact.place)) OR \(has(CodeEvent.Fact.position)) "
    + "AND NOT \(isResult(.inside, .outside, .undecided, .waived)))"

  /// The condition that the event is of a picture that states when it was taken.
  static let isTaken = has(CodeEvent.Fact.taken)

  /// The condition that no detail places the code elsewhere or at an unknown place.
  static let isConfirmed =
    "(\(isResult(.inside, .waived)) "
    + "OR NOT \(has(CodeEvent.Fact.result)) AND NOT \(has(CodeEvent.Fact.walk)))"
}

extension RegistryTransaction {
  /// Returns sightings by the events' own location results.
  fileprivate borrowing func sightingsByResult(
    in range: SightingRange
  ) throws(RegistryError) -> [CodeID: Sighting] {
    let sightings = try rows(
      """
      SELECT code,
        max(CASE WHEN kind <> 'retired' AND NOT \(SightingCondition.isToCompare)
          AND NOT \(SightingCondition.isTaken) AND \(SightingCondition.isConfirmed) THEN time END) AS met,
        max(CASE WHEN kind <> 'retired' AND NOT \(SightingCondition.isTaken) THEN time END) AS told,
        max(CASE WHEN kind = 'retired' THEN time END) AS retired
      FROM code_entry
      WHERE (kind = 'retired' OR \(SightingCondition.isMeeting))\(range.condition)
      GROUP BY code
      """, range.arguments,
      { row in
        Sighting(
          code: try row.codeID("code"), last: row.dateIfAny("met"),
          lastRead: row.dateIfAny("told"), retired: row.dateIfAny("retired"))
      })
    return Dictionary(sightings.map { ($0.code, $0) }) { first, _ in first }
  }

  /// Adds the events whose place or position must be compared with the code's place, and those of
  /// pictures, whose time is that at which they were taken.
  fileprivate borrowing func addComparedSightings(
    in range: SightingRange, to sightings: inout [CodeID: Sighting], _ homes: inout CodeHomes
  ) throws(RegistryError) {
    let events = try session.rows(
      """
      SELECT code, time, details FROM code_entry
      WHERE \(SightingCondition.isMeeting)
        AND (\(SightingCondition.isToCompare) OR \(SightingCondition.isTaken))\(range.condition)
      """, range.arguments, isShared: false)
    while let row = try events.next() {
      let code = try row.codeID("code")
      guard let known = sightings[code], let told = row.dateIfAny("time"),
        min(known.last ?? .distantPast, known.lastRead ?? .distantPast) < told
      else { continue }
      let details = FlatJSON.texts(try row["details"]) ?? [:]
      let time = details.visited(toldAt: told)
      let lastRead = max(known.lastRead ?? time, time)
      let (home, place) = try homes.home(of: code, in: self)
      let isMet = time > known.last ?? .distantPast && details.isWhereItBelongs(home, place)
      sightings[code] = Sighting(
        code: code, last: isMet ? time : known.last, lastRead: lastRead, retired: known.retired)
    }
  }

  /// Removes the readings of pictures that were read again with a better position or place.
  fileprivate borrowing func correctSightings(
    in range: SightingRange, _ sightings: inout [CodeID: Sighting], _ homes: inout CodeHomes
  ) throws(RegistryError) {
    let corrected = try rows(
      """
      SELECT DISTINCT code FROM code_entry
      WHERE kind = 'read' AND \(SightingCondition.has(CodeEvent.Fact.supersedes))\(range.condition)
      """, range.arguments, { row in try row.codeID("code") })
    for code in corrected {
      guard let known = sightings[code] else { continue }
      let (home, place) = try homes.home(of: code, in: self)
      let events = try history(of: code)
      let superseded = Set(
        events.compactMap { event in
          event.details[CodeEvent.Fact.supersedes].map {
            [event.details[CodeEvent.Fact.walk] ?? "", $0]
          }
        })
      let last = events.filter { event in
        let details = event.details
        return
          (Sighting.kinds.contains(event.kind)
          || event.kind == .verified && details[CodeEvent.Fact.position] != nil)
          && !superseded.contains([
            details[CodeEvent.Fact.walk] ?? "", details[CodeEvent.Fact.stop] ?? "",
          ]) && details.isWhereItBelongs(home, place)
      }.map { $0.details.visited(toldAt: $0.time) }.max()
      sightings[code] = Sighting(
        code: code, last: last, lastRead: known.lastRead, retired: known.retired)
    }
  }
}

/// The places where codes belong, looked up on first use.
private struct CodeHomes {
  private let codes: [IssuedCode]?
  private var homes: [CodeID: String]?
  private var places: [String: Place] = [:]

  /// - Parameter codes: The codes to look up; `nil` for all.
  init(_ codes: [IssuedCode]?) { self.codes = codes }

  private func known(
    _ registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> [IssuedCode] {
    if let codes { return codes }
    return try registry.codes()
  }

  mutating func home(
    of code: CodeID, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> (id: String?, place: Place?) {
    if homes == nil {
      homes = Dictionary(
        try known(registry).compactMap { code in code.placeID.map { (code.id, $0) } },
        uniquingKeysWith: { first, _ in first })
      places = Dictionary(
        try registry.places().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let home = homes?[code]
    return (home, home.flatMap { places[$0] })
  }
}

extension [String: String] {
  /// Returns the time of the visit at which an event happened: for a picture, the time at which it
  /// was taken, unless a wrong clock put that after its import.
  fileprivate func visited(toldAt time: Date) -> Date {
    Swift.min(self[CodeEvent.Fact.taken].flatMap { Date(registryTimestamp: $0) } ?? time, time)
  }

  /// Returns whether the facts of an event place the code where it belongs.
  ///
  /// A code without a place is in place wherever it is read.
  fileprivate func isWhereItBelongs(_ home: String?, _ place: Place?) -> Bool {
    typealias Fact = CodeEvent.Fact
    typealias Result = LocationOutcome.Result
    guard let home else { return true }
    let result = self[Fact.result].flatMap { Result(rawValue: $0) }
    let measured = position.flatMap { fix in
      place.map { LocationConfirmation.confirm(fix, in: $0.region).result }
    }
    if let stated = self[Fact.place] {
      return stated == home && result != .outside && measured != .outside
    }
    switch result {
    case .inside, .waived: return true
    case .outside, .undecided: return false
    default: break
    }
    if self[Fact.position] != nil {
      // Without the place's region nothing contradicts the recorded statement.
      return place == nil || measured == .inside
    }
    return result == nil && self[Fact.walk] == nil
  }

  private var position: LocationFix? {
    let numbers = self[CodeEvent.Fact.position]?.split(separator: ",").compactMap { Double($0) }
    guard let numbers, numbers.count == 2,
      let coordinate = Coordinate(latitude: numbers[0], longitude: numbers[1])
    else { return nil }
    return LocationFix(
      coordinate: coordinate, accuracy: self[CodeEvent.Fact.accuracy].flatMap { Double($0) } ?? 0)
  }
}
