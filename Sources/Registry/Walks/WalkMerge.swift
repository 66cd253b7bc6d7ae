import Basics

/// The changes that merging walks made, or would make.
public struct WalkMergeReport: Hashable, Sendable {
  /// The changes in the record of codes.
  public var record = MergeReport()
  /// The number of new walks.
  public var walks = 0
  /// The number of walks that were here already, with some of their stops or all.
  public var knownWalks = 0
  /// The number of new stops.
  public var stops = 0
  /// The number of stops that were here already.
  public var knownStops = 0

  /// Makes an empty report.
  package init() {}
}

extension RegistryStore {
  /// Merges another registry's record of codes, its counters, and its walks with their pictures, in
  /// one transaction: the union of both, so that nothing is counted twice, doing it again changes
  /// nothing, and the order of several merges does not matter.
  ///
  /// A walk is known by its id, a stop by its number in it. Stops and pictures are read one after
  /// another, so that memory does not grow with them.
  ///
  /// - Parameters:
  ///   - source: The other registry, which is seen in one unchanging state.
  ///   - name: The source's name, for messages.
  ///   - trust: The records of codes that are accepted; walks themselves are unsigned.
  ///   - dryRun: Whether to report only what would change.
  /// - Throws: The errors of ``merge(_:name:trusting:dryRun:)``;
  ///   ``RegistryError/Code/forkedRecord`` when one walk or stop is another one here,
  ///   ``RegistryError/Code/brokenRecord`` when a stop is missing. Nothing is changed then.
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
        return report
      }
    }
  }
}

/// Takes in the walks of another registry: what is here is only ever followed, never changed.
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
          hint: "Nothing was taken from it; find out who removed it.", path: name)
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
      "\(name): \(what) is another one than here: two copies went on with one walk, or one of the "
        + "two was altered.",
      hint: "Nothing was taken from it; find out which of the two was altered.", path: name)
  }
}
