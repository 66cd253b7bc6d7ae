public import Invocation
public import Registry

/// A finding that is followed up: the `follow-up` object of the command's contract.
public struct FollowUpResult: Encodable, Sendable {
  /// An entry of the history.
  public struct Entry: Encodable, Sendable {
    /// `found`, `right`, `done`, `will-not`, `reopened` or `assigned`.
    let kind: String
    /// The time, RFC 3339 in UTC.
    let time: String
    /// The person.
    let who: String
    /// The id of the walk that saw it.
    let walk: String?
    /// The number of the stop in the walk.
    let stop: Int?
    /// The sentence of the finding, or a note.
    let note: String?
    /// The new owner; empty for none.
    let owner: String?
    /// The new due date; empty for none.
    let due: String?
    /// The command that it was handed to.
    let handedTo: String?

    init(_ entry: FollowUp.Entry) {
      (kind, who) = (entry.kind.rawValue, entry.who)
      time = entry.time.registryTimestamp
      (walk, stop) = (entry.walk?.description, entry.stop)
      (note, owner, due) = (entry.note, entry.owner, entry.due)
      handedTo = entry.handedTo
    }
  }

  /// The type of the object.
  let type = "follow-up"
  /// The name of the finding, the same on every station.
  let id: String
  /// `open`, `done` or `will-not`.
  let state: String
  /// The finding, as found last.
  let finding: FindingResult
  /// The id of the place where it was found.
  let placeID: String?
  /// The place, if the registry has it.
  let place: PlaceReference?
  /// The name of the code.
  let code: String?
  /// The text that was read, or a tag's UID, if there is no code.
  let payload: String?
  /// The time at which it was opened, RFC 3339 in UTC.
  let opened: String
  /// The id of the walk that opened it.
  let walk: String?
  /// The number of the stop in the walk.
  let stop: Int?
  /// The person who follows it up.
  let owner: String?
  /// The day until which it is put right.
  let due: String?
  /// The entries, oldest first.
  let history: [Entry]

  /// States a finding.
  ///
  /// - Parameters:
  ///   - followUp: The finding.
  ///   - place: Its place.
  public init(_ followUp: FollowUp, at place: Place?) {
    let subject = followUp.subject
    (id, state) = (followUp.id, followUp.state.rawValue)
    finding = FindingResult(Finding(subject.finding, followUp.severity, followUp.message))
    placeID = subject.placeID
    self.place = place.map(PlaceReference.init)
    (code, payload) = (subject.code?.description, subject.payload)
    opened = followUp.opened.time.registryTimestamp
    (walk, stop) = (followUp.opened.walk?.description, followUp.opened.stop)
    (owner, due) = (followUp.owner, followUp.due)
    history = followUp.entries.map(Entry.init)
  }
}
