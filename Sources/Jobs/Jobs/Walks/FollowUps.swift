public import Auditing
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
      throw NotOnRecord(kind: .place, name: place, among: places.map(\.id))
    }
    let found = all.filter(isWanted).sorted { $0.isBefore($1) }
    for listed in found.listed(at: places) { report(listed) }
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

/// Counts the findings that were followed up, over all walks.
public struct CountFollowUps: Job {
  /// The facts by which they are grouped, in order.
  public var groupings = FollowUpStatistics.Grouping.allCases

  /// A group of findings.
  public struct Group: Sendable {
    /// The group.
    public let group: FollowUpStatistics.Group
    /// The facts by which it was made.
    public let grouping: FollowUpStatistics.Grouping
    /// Its place, if it is of one that the registry has.
    public let place: Place?

    /// The `finding-statistics` object of the command's contract.
    public var result: FollowUpStatisticsResult {
      FollowUpStatisticsResult(group, by: grouping, at: place)
    }
  }

  /// Makes a job for all groupings.
  public init() {}

  /// Reports the groups: those with the most open findings first, then those opened most often.
  ///
  /// - Returns: The number of findings.
  /// - Throws: `RegistryError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Group) -> Void
  ) async throws -> Int {
    let (all, walks, places) = try await workplace.registry.read { registry in
      (try registry.followUps(), try registry.walks(), try registry.places())
    }
    let statistics = FollowUpStatistics(of: all, walks: walks, now: workplace.now())
    for grouping in groupings {
      for group in statistics.groups(by: grouping) {
        let place = grouping == .place ? places.first { $0.id == group.key } : nil
        report(Group(group: group, grouping: grouping, place: place))
      }
    }
    return all.count
  }
}

/// Closes, assigns or opens again a finding that is followed up.
public struct ChangeFollowUp: Job {
  /// The changes.
  public enum Change: String, Hashable, Sendable, Decodable {
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
  /// - Throws: ``NotOnRecord``; ``InputError`` for a due date that is no day; `RegistryError`, also
  ///   for a finding that has the state.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Never) -> Void
  ) async throws -> ListedFollowUp {
    let registry = workplace.registry
    if let due, !due.isEmpty, !FollowUp.isDay(due) { throw InputError.notADay(.due, due) }
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
      followUp: followUp, place: try followUp.subject.placeID.flatMap { try registry.place(id: $0) }
    )
  }
}

/// Hands new findings over to another program, each once after it was opened.
///
/// A finding counts as handed over when the delivery has succeeded and is in its history. If the
/// delivery fails, the next one has the same findings again; the receiver knows them by their names.
public struct HandOverFindings: Job {
  /// The receiver, for the histories.
  public var receiver: String
  /// Delivers the findings, the worst first; throws if they were not taken over.
  public var deliver: @Sendable ([ListedFollowUp]) async throws -> Void

  /// Makes a job.
  ///
  /// - Parameters:
  ///   - receiver: The receiver, for the histories.
  ///   - deliver: Delivers the findings, the worst first; throws if they were not taken over.
  public init(
    to receiver: String, deliver: @escaping @Sendable ([ListedFollowUp]) async throws -> Void
  ) {
    self.receiver = receiver
    self.deliver = deliver
  }

  /// Delivers every open finding that was not handed over since it was opened; without one, delivers
  /// nothing.
  ///
  /// - Returns: The findings that were handed over.
  /// - Throws: The errors of the delivery; `RegistryError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Never) -> Void
  ) async throws -> [ListedFollowUp] {
    let registry = workplace.registry
    let (all, places) = try await registry.read { registry in
      (try registry.followUps(), try registry.places())
    }
    let new = all.filter { $0.state == .open && !$0.isHandedOver }.sorted { $0.isBefore($1) }
      .listed(at: places)
    guard !new.isEmpty else { return [] }
    try await deliver(new)
    for listed in new {
      try registry.add(
        FollowUp.Entry(
          .assigned, at: workplace.now(), by: workplace.person, handedTo: receiver),
        to: listed.followUp.id)
    }
    return new
  }
}

extension [FollowUp] {
  /// Returns the findings with their places.
  package func listed(at places: [Place]) -> [ListedFollowUp] {
    let known = Dictionary(places.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return map { ListedFollowUp(followUp: $0, place: $0.subject.placeID.flatMap { known[$0] }) }
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

  /// The `follow-up` object of the command's contract.
  public var result: FollowUpResult { FollowUpResult(followUp, at: place) }
}
