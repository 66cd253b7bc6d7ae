import Foundation
public import Invocation
public import Registry

/// Lists the findings that are followed up, the worst first.
public struct ListFollowUps: Job {
  /// The only state to list; `nil` for all.
  public var state: FollowUp.State? = .open
  /// The id of the only place; `nil` for all.
  public var place: String?
  /// The only owner; `nil` for all.
  public var owner: String?
  /// The last due date to list, for example `2026-12-01`; `nil` for all, also without a due date.
  public var due: String?

  /// Makes a job for the open findings.
  public init() {}

  /// Reports the findings: errors before warnings, then by due date, then the oldest first.
  ///
  /// - Returns: The number of findings.
  /// - Throws: ``NotOnRecord`` for an unknown place that no finding names; `RegistryError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (ListedFollowUp) -> Void
  ) async throws -> Int {
    let registry = workplace.registry
    let (all, places) = try await registry.read { registry in
      (try registry.followUps(), try registry.places())
    }
    if let place, !places.contains(where: { $0.id == place }),
      !all.contains(where: { $0.subject.placeID == place })
    {
      throw NotOnRecord(kind: .place, name: place)
    }
    let names = Dictionary(places.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let found = all.filter(isWanted).sorted { $0.isBefore($1) }
    for followUp in found {
      report(ListedFollowUp(followUp, place: followUp.subject.placeID.flatMap { names[$0] }))
    }
    return found.count
  }

  private func isWanted(_ followUp: FollowUp) -> Bool {
    (state.map { followUp.state == $0 } ?? true)
      && (place.map { followUp.subject.placeID == $0 } ?? true)
      && (owner.map { followUp.owner == $0 } ?? true)
      && (due.map { last in followUp.due.map { $0 <= last } ?? false } ?? true)
  }
}

extension FollowUp {
  fileprivate func isBefore(_ other: FollowUp) -> Bool {
    if severity != other.severity { return severity > other.severity }
    // Every day is before the missing one.
    let (mine, others) = (due ?? "~", other.due ?? "~")
    return (mine, opened.time, id) < (others, other.opened.time, other.id)
  }
}

/// Closes, assigns or opens again a finding that is followed up.
public struct ChangeFollowUp: Job {
  /// The changes.
  public enum Change: String, Hashable, Sendable {
    /// It was put right.
    case done
    /// It stays as it is.
    case willNot = "will-not"
    /// It is to be put right after all.
    case reopened
    /// Only the owner, the due date or a note.
    case assigned
  }

  /// The name of the finding.
  public var finding: String
  /// The change.
  public var change: Change
  /// The new owner; empty for none.
  public var owner: String?
  /// The new due date, for example `2026-12-01`; empty for none.
  public var due: String?
  /// Words for the history.
  public var note: String?
  /// Whether nothing is recorded.
  public var dryRun = false

  /// Makes a job.
  public init(_ finding: String, _ change: Change) {
    self.finding = finding
    self.change = change
  }

  /// Records the change.
  ///
  /// - Returns: The finding afterwards.
  /// - Throws: ``NotOnRecord``; `RegistryError`, also for a finding that has the state.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Never) -> Void
  ) async throws -> ListedFollowUp {
    let registry = workplace.registry
    guard try registry.followUp(finding) != nil else {
      throw NotOnRecord(kind: .finding, name: finding)
    }
    let kind = FollowUp.Entry.Kind(change)
    let followUp =
      dryRun
      ? try registry.followUpToChange(finding, kind)
      : try registry.add(
        FollowUp.Entry(
          kind, at: workplace.now(), by: workplace.person, note: note, owner: owner, due: due),
        to: finding)
    return ListedFollowUp(
      followUp, place: try followUp.subject.placeID.flatMap { try registry.place(id: $0) })
  }
}

extension FollowUp.Entry.Kind {
  fileprivate init(_ change: ChangeFollowUp.Change) {
    self =
      switch change {
      case .done: .done
      case .willNot: .willNot
      case .reopened: .reopened
      case .assigned: .assigned
      }
  }
}

/// A finding that is followed up, with its place.
public struct ListedFollowUp: Sendable {
  /// The finding.
  public let followUp: FollowUp
  /// The place, if the registry has it.
  public let place: Place?

  init(_ followUp: FollowUp, place: Place?) {
    self.followUp = followUp
    self.place = place
  }

  /// The `follow-up` object of the command's contract.
  public var result: FollowUpResult { FollowUpResult(followUp, at: place) }
}
