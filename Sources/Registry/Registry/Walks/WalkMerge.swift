import CliptagBasics

/// The changes that merging walks made, or would make.
public struct WalkMergeReport: Hashable, Sendable {
  /// The changes in the record of codes.
  public var record = MergeReport()
  /// The number of new walks.
  public var walks = 0
  /// The number of walks that the registry already had, with some or all of their stops.
  public var knownWalks = 0
  /// The number of new stops.
  public var stops = 0
  /// The number of stops that the registry already had.
  public var knownStops = 0

  /// The number of new entries of findings that are followed up.
  public var followUps = 0

  /// Makes an empty report.
  package init() {}
}

extension RegistryStore {
  /// Merges another registry's record of codes, its counters, and its walks with their pictures, in
  /// one transaction: the union of both, so that nothing is counted twice, another merge changes
  /// nothing, and the order of several merges does not matter.
  ///
  /// Entries of findings that are followed up are united, too.
  ///
  /// A walk is identified by its id, a stop by its number in the walk. Stops and pictures are read
  /// one after another, so that memory does not grow with their number.
  ///
  /// - Parameters:
  ///   - source: The other registry, which is seen in one unchanging state.
  ///   - name: The source's name, for messages.
  ///   - trust: The records of codes that are accepted; walks themselves are unsigned.
  ///   - dryRun: Whether to report the changes without making them.
  /// - Throws: The errors of `merge(_:name:trusting:dryRun:)`;
  ///   `RegistryError.Code.forkedRecord` if a walk or stop differs from the present one,
  ///   `RegistryError.Code.brokenRecord` when a stop is missing. Nothing is changed then.
  public func mergeWalks(
    from source: any RegistryStore, name: String, trusting trust: MergeTrust,
    dryRun: Bool = false
  ) throws(RegistryError) -> WalkMergeReport {
    try rehearsing(dryRun) { registry in
      try source.read { other in
        var report = WalkMergeReport()
        var beside = MergeBesideRecord(trust)
        let (merged, counters) = try RecordMerge.take(into: registry, name: name, trusting: trust) {
          body throws(RegistryError) in
          try beside.take(other, into: registry, entry: body)
        }
        report.record = merged
        try beside.take(counters, into: registry)
        beside.tell(in: &report.record)
        let merge = WalkMerge(name: name)
        for walk in try other.walks() {
          try merge.take(walk, from: other, into: registry, &report)
        }
        report.followUps = try registry.takeFollowUps(of: other)
        return report
      }
    }
  }
}

/// Merges the walks of another registry: present stops are only ever followed, never changed.
private struct WalkMerge {
  let name: String

  func take(
    _ walk: Walk, from source: borrowing RegistryTransaction,
    into registry: borrowing RegistryTransaction, _ report: inout WalkMergeReport
  ) throws(RegistryError) {
    if let known = try registry.walk(walk.id) {
      guard known == walk else { throw forked("the walk “\(walk.name)” (\(walk.id))") }
      report.knownWalks += 1
    } else {
      try registry.insert(walk)
      report.walks += 1
    }
    let last = try registry.lastStop(of: walk.id)
    var number = 0
    try source.forEachStop(of: walk.id) { stop throws(RegistryError) in
      number += 1
      guard stop.number == number else {
        throw RegistryError(
          .brokenRecord, "\(name): stop \(number) of the walk “\(walk.name)” is missing.",
          hint: "Nothing was imported from it; find the cause of the removal.", path: name)
      }
      let picture = try source.picture(of: walk.id, stop: stop.number)
      if stop.number > last {
        try registry.insert(stop, picture: picture)
        report.stops += 1
        return
      }
      guard try registry.stop(stop.number, of: walk.id) == stop,
        try registry.picture(of: walk.id, stop: stop.number) == picture
      else { throw forked("stop \(stop.number) of the walk “\(walk.name)” (\(walk.id))") }
      report.knownStops += 1
    }
  }

  private func forked(_ what: String) -> RegistryError {
    RegistryError(
      .forkedRecord,
      "\(name): \(what) differs from the one here: two copies continued one walk, or one of the "
        + "two was altered.",
      hint: "Nothing was imported from it; determine the altered one.", path: name)
  }
}
