import CliptagBasics
import Foundation
import Invocation

/// Findings of walks that are followed up. Their entries are only ever added to.
extension RegistryOperations where Self: ~Copyable {
  /// Returns every finding that was ever followed up, in the order of their names.
  public borrowing func followUps() throws(RegistryError) -> [FollowUp] {
    try followUps(where: "", [])
  }

  /// Returns the findings that are followed up, by their names.
  package borrowing func followUpsByName() throws(RegistryError) -> [FollowUp.ID: FollowUp] {
    Dictionary(try followUps().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the finding with a name; `nil` if there is none.
  public borrowing func followUp(_ id: String) throws(RegistryError) -> FollowUp? {
    try followUps(where: "WHERE id = ?", [id]).first
  }

  private borrowing func followUps(
    where condition: String, _ arguments: [(any SQLValue)?]
  ) throws(RegistryError) -> [FollowUp] {
    let rows = try rows(
      "SELECT * FROM follow_up \(condition) ORDER BY id, time, entry", arguments,
      comeInPieces: true, FollowUpRow.init(row:))
    return try rows.chunked().map { rows throws(RegistryError) in
      let found = rows.first { $0.kind == .found }
      guard let id = rows.first?.id, let subject = try found?.subject,
        let followUp = FollowUp(
          id: id, subject, entries: rows.map(\.entry))
      else { throw .damaged("a finding to follow up that no walk found") }
      return followUp
    }
  }

  /// Adds what a person did about a finding.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - id: The name of the finding.
  /// - Returns: The finding afterwards.
  /// - Throws: `RegistryError.Code.notFound`; `RegistryError.Code.unchangedState` for an entry
  ///   that leads to the present state.
  @discardableResult
  package borrowing func add(
    _ entry: FollowUp.Entry, to id: String
  ) throws(RegistryError) -> FollowUp {
    try write { registry throws(RegistryError) in
      let known = try registry.followUpToChange(id, entry.kind)
      try registry.insert(entry, to: known.subject)
      return try registry.followUp(id) ?? known
    }
  }

  /// Returns a finding to which an entry of a kind can be added.
  package borrowing func followUpToChange(
    _ id: String, _ kind: FollowUp.Entry.Kind
  ) throws(RegistryError) -> FollowUp {
    guard let known = try followUp(id) else { throw .missing("finding", id) }
    guard kind.state != known.state else {
      throw RegistryError(
        .unchangedState, "The finding \(id) is already \(known.state.rawValue).",
        hint: "List the findings with their states.")
    }
    return known
  }
}

extension RegistryTransaction {
  /// Adds an entry, unless the finding already has it.
  ///
  /// - Returns: Whether it is new.
  @discardableResult
  package borrowing func insert(
    _ entry: FollowUp.Entry, to subject: FollowUp.Subject
  ) throws(RegistryError) -> Bool {
    try mustChange()
    return try insert(
      FollowUpRow(entry, to: subject, by: session.name(of: entry.who), of: try ownRecorder()))
  }

  /// Adds the entries of another registry.
  ///
  /// - Returns: The number of new ones.
  borrowing func takeFollowUps(
    of source: borrowing RegistryTransaction
  ) throws(RegistryError) -> Int {
    let rows = try source.rows(
      "SELECT * FROM follow_up ORDER BY id, entry", comeInPieces: true, FollowUpRow.init(row:))
    var count = 0
    for row in rows where try insert(row) { count += 1 }
    return count
  }

  private borrowing func insert(_ row: FollowUpRow) throws(RegistryError) -> Bool {
    let known = try number(
      "SELECT count(*) AS number FROM follow_up WHERE id = ? AND entry = ?", [row.id, row.name])
    guard known == 0 else { return false }
    try run(
      """
      INSERT INTO follow_up (id, entry, time, kind, who, recorder, details)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        row.id, row.name, row.time.millisecondsSince1970, row.kind.rawValue, row.who,
        row.recorder.description, FlatJSON.text(row.details),
      ])
    return true
  }
}

/// A row of the table: an entry with the facts of its finding.
private struct FollowUpRow {
  /// The names of facts.
  enum Fact: String {
    case place, code, payload, finding, walk, stop, severity, note, owner, due, handedTo
  }

  let id: String
  /// The name of the entry, which is the same on every station that reports a walk.
  let name: String
  let time: Date
  let kind: FollowUp.Entry.Kind
  let who: String
  let recorder: Recorder
  let details: [String: String]

  init(
    _ entry: FollowUp.Entry, to subject: FollowUp.Subject, by who: String, of recorder: Recorder
  ) throws(RegistryError) {
    let facts: [(Fact, String?)] = [
      (.place, subject.placeID), (.code, subject.code?.description), (.payload, subject.payload),
      (.finding, subject.finding.rawValue), (.walk, entry.walk?.description),
      (.stop, entry.stop.map { "\($0)" }), (.severity, entry.severity?.rawValue),
      (.note, entry.note), (.owner, entry.owner), (.due, entry.due),
      (.handedTo, entry.handedTo),
    ]
    id = try subject.id
    (time, kind, self.who, self.recorder) = (entry.time, entry.kind, who, recorder)
    details = facts.reduce(into: [:]) { $0[$1.0.rawValue] = $1.1 }
    let own: [String?] =
      if let walk = entry.walk {
        [walk.description]
      } else {
        [recorder.description, who, entry.owner, entry.due, entry.note]
          + (entry.handedTo.map { [$0] } ?? [])
      }
    name = try Digest.of([id, kind.rawValue, "\(time.millisecondsSince1970)"] + own)
  }

  init(row: any RegistryRow) throws(RegistryError) {
    (id, name, time) = (try row["id"], try row["entry"], try row.date("time"))
    (kind, who) = (try row.name("kind", "the kind of entry "), try row["who"])
    recorder = try row.recorder("recorder")
    details = try row.details("details")
  }

  private subscript(_ fact: Fact) -> String? { details[fact.rawValue] }

  var subject: FollowUp.Subject {
    get throws(RegistryError) {
      guard let finding = self[.finding] else { throw .damaged("a finding without its kind") }
      let subject = FollowUp.Subject(
        placeID: self[.place], code: self[.code].flatMap { CodeID($0) }, payload: self[.payload],
        finding: Finding.Code(rawValue: finding))
      guard try subject.id == id else { throw .damaged("a finding that is not what “\(id)” names") }
      return subject
    }
  }

  var entry: FollowUp.Entry {
    FollowUp.Entry(
      kind, at: time, by: who, walk: self[.walk].flatMap { Walk.ID($0) },
      stop: self[.stop].flatMap { Int($0) },
      severity: self[.severity].flatMap { Finding.Severity(rawValue: $0) }, note: self[.note],
      owner: self[.owner], due: self[.due], handedTo: self[.handedTo])
  }
}

extension [FollowUpRow] {
  /// The rows of each finding.
  fileprivate func chunked() -> [ArraySlice<FollowUpRow>] {
    var pieces: [ArraySlice<FollowUpRow>] = []
    var start = startIndex
    while start < endIndex {
      let end = self[start...].firstIndex { $0.id != self[start].id } ?? endIndex
      pieces.append(self[start..<end])
      start = end
    }
    return pieces
  }
}
