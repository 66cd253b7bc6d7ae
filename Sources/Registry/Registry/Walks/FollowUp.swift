import CliptagBasics
public import Foundation
public import Invocation
import TagAuthenticity

/// A finding of a walk that someone follows up until it is right, with its history.
///
/// Its entries are only ever added, and everything else follows from them in the order of their
/// times, so that the entries of several stations form one history in any order of merges.
public struct FollowUp: Hashable, Sendable, Identifiable {
  /// Facts that identify a finding for every station.
  public struct Subject: Hashable, Sendable {
    /// The id of the place where it was found; `nil` for no known place.
    public let placeID: String?
    /// The code that it is about.
    public let code: CodeID?
    /// The text that was read, or a tag's UID, if there is no code.
    public let payload: String?
    /// The kind of finding.
    public let finding: Finding.Code

    /// Makes a subject; a payload counts only without a code.
    package init(placeID: String?, code: CodeID?, payload: String?, finding: Finding.Code) {
      self.placeID = placeID
      self.code = code
      self.payload = code == nil ? payload : nil
      self.finding = finding
    }

    /// The name of the finding that follows from the subject, for example
    /// `f-5c1de30a6e2b94f07a88`.
    package var id: String {
      get throws(RegistryError) {
        "f-" + (try Digest.of([placeID, code?.description, payload, finding.rawValue])).prefix(20)
      }
    }
  }

  /// The states of a finding.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Someone has to do something.
    case open
    /// It was put right.
    case done
    /// It stays as it is, by decision of a person.
    case willNot = "will-not"
  }

  /// An entry of the history.
  public struct Entry: Hashable, Sendable {
    /// The kinds of entries.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// A walk found it.
      case found
      /// A later walk saw the place without it.
      case right
      /// A person put it right.
      case done
      /// A person decided that it stays.
      case willNot = "will-not"
      /// A person opened it again.
      case reopened
      /// It was given an owner, a due date, or a note, or handed to a command.
      case assigned

      /// The state after such an entry; `nil` for an entry that leaves it.
      var state: State? {
        switch self {
        case .found, .reopened: .open
        case .right, .done: .done
        case .willNot: .willNot
        case .assigned: nil
        }
      }
    }

    /// The kind.
    public let kind: Kind
    /// The time, in whole milliseconds: of a walk, that of the visit.
    public let time: Date
    /// The person: of a walk, the one who had it reported.
    public let who: String
    /// The walk that saw it.
    public let walk: Walk.ID?
    /// The number of the stop in the walk.
    public let stop: Int?
    /// The severity, as found.
    public let severity: Finding.Severity?
    /// The sentence of the finding, or a note.
    public let note: String?
    /// The new owner; empty for none.
    public let owner: String?
    /// The new due date; empty for none.
    public let due: String?
    /// The command that it was handed to.
    public let handedTo: String?

    /// Makes an entry.
    package init(
      _ kind: Kind, at time: Date, by who: String, walk: Walk.ID? = nil, stop: Int? = nil,
      severity: Finding.Severity? = nil, note: String? = nil, owner: String? = nil,
      due: String? = nil, handedTo: String? = nil
    ) {
      self.kind = kind
      self.time = time.inWholeMilliseconds
      self.who = who
      self.walk = walk
      self.stop = stop
      self.severity = severity
      self.note = note
      self.owner = owner
      self.due = due
      self.handedTo = handedTo
    }
  }

  /// A time during which the finding is open.
  public struct Period: Hashable, Sendable {
    /// The entry that opened it.
    public let opened: Entry
    /// The entry that closed it; `nil` as long as it is open.
    public internal(set) var closed: Entry?
  }

  /// The name, which is the same on every station.
  public let id: String
  /// The facts that identify it.
  public let subject: Subject
  /// The entries, oldest first.
  public let entries: [Entry]
  /// The times during which it was open, oldest first; one at least.
  public let periods: [Period]
  /// The state after the last entry.
  public let state: State
  /// The entry that decided the state.
  public let decided: Entry
  /// The severity, as found last.
  public let severity: Finding.Severity
  /// The sentence of the finding, as found last.
  public let message: String
  /// The person who follows it up.
  public let owner: String?
  /// The day until which it is put right, for example `2026-12-01`.
  public let due: String?
  /// Whether a command took it over since it was opened last.
  public let isHandedOver: Bool

  /// The entry that opened it last.
  public var opened: Entry { periods[periods.count - 1].opened }

  /// Puts the entries of a finding in order; `nil` if no walk found it.
  init?(id: String, _ subject: Subject, entries: [Entry]) {
    guard let first = entries.first, let last = entries.last(where: { $0.kind == .found }) else {
      return nil
    }
    var periods = [Period(opened: first)]
    var (state, decided, isHandedOver) = (State.open, first, false)
    var (owner, due): (String?, String?)
    for entry in entries {
      owner = entry.owner ?? owner
      due = entry.due ?? due
      isHandedOver = isHandedOver || entry.handedTo != nil
      guard let new = entry.kind.state else { continue }
      switch (state, new) {
      case (.open, .open): break
      case (_, .open):
        periods.append(Period(opened: entry))
        isHandedOver = false
      case (.open, _): periods[periods.count - 1].closed = entry
      case (_, _): break
      }
      (state, decided) = (new, entry)
    }
    self.id = id
    self.subject = subject
    self.entries = entries
    (self.periods, self.isHandedOver) = (periods, isHandedOver)
    (self.state, self.decided) = (state, decided)
    severity = last.severity ?? .warning
    message = last.note ?? ""
    self.owner = owner?.isEmpty == true ? nil : owner
    self.due = due?.isEmpty == true ? nil : due
  }

  /// Returns whether a text is a day of the Gregorian calendar, for example `2026-12-01`.
  package static func isDay(_ text: String) -> Bool {
    guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else { return false }
    return Date(registryTimestamp: text + "T00:00:00.000Z")?.registryTimestamp.prefix(10)
      == text[...]
  }
}

/// Digests of texts, each of which may be missing.
enum Digest {
  /// SHA-256 in hexadecimal, of each text after its length in bytes.
  static func of(_ texts: [String?]) throws(RegistryError) -> String {
    let form = texts.flatMap { text in
      Array((text.map { "\($0.utf8.count) " } ?? "-").utf8) + Array((text ?? "").utf8)
    }
    do { return try SHA256.digest(of: form).hexadecimal.lowercased() } catch {
      throw RegistryError(wrapping: error)
    }
  }
}
