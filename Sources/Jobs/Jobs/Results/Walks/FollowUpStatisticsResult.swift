public import Auditing
public import Invocation

/// The findings of a place, a kind or a walk: the `finding-statistics` object of the command's
/// contract.
public struct FollowUpStatisticsResult: Encodable, Sendable {
  /// The type of the object.
  let type = "finding-statistics"
  /// `place`, `finding` or `walk`.
  let by: String
  /// The id of the place, the kind of finding, or the name of the walks; absent for no known place,
  /// and for findings that a person opened again.
  let name: String?
  /// The place, if the registry has it.
  let place: PlaceReference?
  /// The number of times that a finding was opened.
  let opened: Int
  /// The number of findings that are open.
  let open: Int
  /// The number of times that one was put right.
  let done: Int
  /// The number of times that it was decided to leave one.
  let willNot: Int
  /// The median number of days for which those that are closed were open.
  let medianDays: Double?
  /// The number of days for which the oldest open one is open.
  let oldestDays: Double?

  /// States a group.
  ///
  /// - Parameters:
  ///   - group: The group.
  ///   - grouping: The facts by which it was made.
  ///   - place: Its place.
  public init(
    _ group: FollowUpStatistics.Group, by grouping: FollowUpStatistics.Grouping, at place: Place?
  ) {
    by = grouping.rawValue
    name = group.key
    self.place = place.map(PlaceReference.init)
    (opened, open, done, willNot) = (group.opened, group.open, group.done, group.willNot)
    func days(_ seconds: Double?) -> Double? { seconds.map { ($0 / 864).rounded() / 100 } }
    (medianDays, oldestDays) = (days(group.medianTime), days(group.oldestTime))
  }
}
