public import Foundation
import Invocation
public import Registry

/// Statistics over all walks about the findings that were followed up: how often one was opened, and
/// for how long each was open.
///
/// A finding that was opened again counts once for each time.
public struct FollowUpStatistics: Sendable {
  /// The facts by which findings are grouped.
  public enum Grouping: String, CaseIterable, Hashable, Sendable {
    /// The place where it was found.
    case place
    /// The kind of finding.
    case finding
    /// The name of the walks that opened it.
    case walk
  }

  /// The findings of a group.
  public struct Group: Hashable, Sendable {
    /// The id of the place, the kind of finding, or the name of the walks; `nil` for no known place,
    /// and for findings that a person opened again.
    public let key: String?
    /// The number of times that a finding was opened.
    public let opened: Int
    /// The number of findings that are open.
    public let open: Int
    /// The number of times that one was put right.
    public let done: Int
    /// The number of times that it was decided to leave one.
    public let willNot: Int
    /// The median time for which those that are closed were open, in seconds; `nil` if none is.
    public let medianTime: TimeInterval?
    /// The time for which the oldest open one is open, in seconds; `nil` if none is.
    public let oldestTime: TimeInterval?
  }

  private let periods: [(followUp: FollowUp, period: FollowUp.Period)]
  private let walks: [Walk.ID: String]
  private let now: Date

  /// Takes findings.
  ///
  /// - Parameters:
  ///   - followUps: The findings.
  ///   - walks: The walks, for their names.
  ///   - now: The time at which open ones are counted.
  public init(of followUps: [FollowUp], walks: [Walk], now: Date) {
    periods = followUps.flatMap { followUp in followUp.periods.map { (followUp, $0) } }
    self.walks = Dictionary(walks.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    self.now = now
  }

  /// Returns the groups, those with the most open findings first, then those opened most often.
  public func groups(by grouping: Grouping) -> [Group] {
    let groups = Dictionary(grouping: periods) { followUp, period -> String? in
      switch grouping {
      case .place: followUp.subject.placeID
      case .finding: followUp.subject.finding.rawValue
      case .walk: period.opened.walk.flatMap { walks[$0] }
      }
    }
    return groups.map { group($0, $1.map(\.period)) }.sorted {
      ($1.open, $1.opened, $0.key ?? "") < ($0.open, $0.opened, $1.key ?? "")
    }
  }

  private func group(_ key: String?, _ periods: [FollowUp.Period]) -> Group {
    let times = periods.compactMap { period in
      period.closed.map { $0.time.timeIntervalSince(period.opened.time) }
    }.sorted()
    let middle = times.count / 2
    let median: TimeInterval? =
      if times.isEmpty {
        nil
      } else {
        times.count.isMultiple(of: 2) ? (times[middle - 1] + times[middle]) / 2 : times[middle]
      }
    return Group(
      key: key, opened: periods.count, open: periods.count { $0.closed == nil },
      done: periods.count { [.done, .right].contains($0.closed?.kind) },
      willNot: periods.count { $0.closed?.kind == .willNot }, medianTime: median,
      oldestTime: periods.filter { $0.closed == nil }
        .map { now.timeIntervalSince($0.opened.time) }.max())
  }
}
