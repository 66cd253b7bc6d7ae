import Foundation
import Invocation
public import Registry

/// Opens the findings of walks to be followed up, and closes those that a later walk sees right.
///
/// Taking a report again changes nothing. A finding that a person closed is opened again only by a
/// later visit, and one that stays by decision is left alone.
public struct FollowUpReview: Sendable {
  /// The findings that a report changed.
  public struct Changes: Hashable, Sendable {
    /// The findings that are open now and were not before.
    public var opened: [FollowUp] = []
    /// The findings that were open before and are not now.
    public var closed: [FollowUp] = []

    /// Makes an empty list.
    public init() {}
  }

  private struct Addition {
    let subject: FollowUp.Subject
    let entry: FollowUp.Entry
  }

  private let registry: any RegistryStore
  private let who: String

  /// Makes a review.
  ///
  /// - Parameters:
  ///   - registry: The registry that holds the findings.
  ///   - who: The person for the histories.
  public init(of registry: any RegistryStore, by who: String) {
    self.registry = registry
    self.who = who
  }

  /// Returns whether a report would change anything.
  public func hasNews(_ report: WalkReport) throws(RegistryError) -> Bool {
    !(try additions(report, to: try registry.followUps()).isEmpty)
  }

  /// Adds the findings of a report about all places.
  ///
  /// - Throws: The errors of the registry.
  public func take(_ report: WalkReport) throws(RegistryError) -> Changes {
    try registry.write { registry throws(RegistryError) in
      let before = try registry.followUps()
      let states = Dictionary(
        before.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first })
      for addition in try additions(report, to: before) {
        try registry.insert(addition.entry, to: addition.subject)
      }
      var changes = Changes()
      for followUp in try registry.followUps() where states[followUp.id] != followUp.state {
        if followUp.state == .open {
          changes.opened.append(followUp)
        } else {
          changes.closed.append(followUp)
        }
      }
      return changes
    }
  }

  private func additions(
    _ report: WalkReport, to followUps: [FollowUp]
  ) throws(RegistryError) -> [Addition] {
    let walks = Set(report.walks.map(\.id))
    let known = Dictionary(followUps.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var additions: [Addition] = []
    var present: Set<String> = []
    for section in report.sections {
      for item in section.items {
        guard let subject = item.followUpSubject(at: section.place) else { continue }
        let id = try subject.id
        guard present.insert(id).inserted, item.isFollowedUp,
          let walk = item.stop?.walk ?? report.walks.last?.id,
          let seen = item.stop?.visited ?? section.lastVisit
        else { continue }
        var time = seen
        if let known = known[id] {
          // A walk keeps a finding open once, however often it is reported.
          let isKept =
            known.state == .open
            && known.entries.contains { $0.kind == .found && walks.contains($0.walk) }
          guard known.state != .willNot, !isKept, let next = known.time(after: seen, by: walks)
          else { continue }
          time = next
        }
        additions.append(
          Addition(
            subject: subject,
            entry: FollowUp.Entry(
              .found, at: time, by: who, walk: walk, stop: item.stop?.number,
              severity: item.finding.severity, note: item.finding.message)))
      }
    }
    for followUp in followUps where followUp.state == .open && !present.contains(followUp.id) {
      guard let seen = report.visit(withoutNeedOf: followUp, in: walks),
        let time = followUp.time(after: seen, by: walks), let walk = report.walks.last?.id
      else { continue }
      additions.append(
        Addition(
          subject: followUp.subject,
          entry: FollowUp.Entry(.right, at: time, by: who, walk: walk)))
    }
    return additions
  }
}

extension Set<Walk.ID> {
  fileprivate func contains(_ walk: Walk.ID?) -> Bool { walk.map { contains($0) } ?? false }
}

extension FollowUp {
  /// The time of a new entry that decides the state; `nil` if a later one decided it already. What
  /// walks decided they correct, when more of them becomes known.
  fileprivate func time(after seen: Date, by walks: Set<Walk.ID>) -> Date? {
    if seen > decided.time { return seen }
    return walks.contains(decided.walk) ? decided.time.addingTimeInterval(0.001) : nil
  }
}

extension WalkReport {
  /// The time at which a place was certainly seen, for a finding that the report does not have;
  /// `nil` if the finding may still be there.
  fileprivate func visit(withoutNeedOf followUp: FollowUp, in walks: Set<Walk.ID>) -> Date? {
    // The reading was replaced by another one of the same picture.
    if let walk = followUp.decided.walk, let stop = followUp.decided.stop, walks.contains(walk),
      superseded[StopName(walk: walk, number: stop)] != nil
    {
      return followUp.decided.time
    }
    guard let id = followUp.subject.placeID,
      let section = sections.first(where: { $0.place?.id == id }), section.isCertain,
      !section.items.contains(where: { $0.finding.code == .unfinishedSearch }),
      !(section.missing + section.unconfirmed).contains(where: { $0.id == followUp.subject.code })
    else { return nil }
    return section.lastVisit
  }
}
