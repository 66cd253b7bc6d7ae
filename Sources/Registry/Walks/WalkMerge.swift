/// What merging walks changed, or would change.
public struct WalkMergeReport: Hashable, Sendable {
  /// What it changed in the record of codes.
  public var record = MergeReport()
  /// How many walks were new.
  public var walks = 0
  /// How many walks were here already, with some of their stops or all.
  public var knownWalks = 0
  /// How many stops were new.
  public var stops = 0
  /// How many stops were here already.
  public var knownStops = 0

  /// Makes an empty report.
  package init() {}
}

extension RegistryStore {
  /// Takes in what another registry recorded of codes, and its walks with their pictures, in one
  /// transaction: the union of both, so that nothing is counted twice, doing it again changes
  /// nothing, and the order of several merges does not matter.
  ///
  /// A walk is known by its id, a stop by its number in it. Stops and pictures are read one after
  /// another, so that memory does not grow with them.
  ///
  /// - Parameters:
  ///   - source: The other registry, which is seen in one unchanging state.
  ///   - name: What it is called, for messages.
  ///   - dryRun: Whether to say only what would change.
  /// - Throws: What ``merge(_:name:dryRun:)`` throws; ``RegistryError/Code/forkedRecord`` when one
  ///   walk or stop is another one here, ``RegistryError/Code/brokenRecord`` when a stop is missing.
  ///   Nothing is changed then.
  public func mergeWalks(
    from source: some RegistryStore, name: String, dryRun: Bool = false
  ) throws(RegistryError) -> WalkMergeReport {
    try rehearsing(dryRun, WalkMergeReport()) { registry throws(RegistryError) in
      let records = try registry.changeable()
      return try source.read { other throws(RegistryError) in
        var report = WalkMergeReport()
        report.record = try RecordMerge.take(into: records, name: name) {
          body throws(RegistryError) in
          try other.records.forEachEntry(body)
        }
        let merge = WalkMerge(source: other.records, records: records, name: name)
        for walk in try other.walks() { try merge.take(walk, &report) }
        return report
      }
    }
  }
}

/// Takes in the walks of another registry: what is here is only ever followed, never changed.
private struct WalkMerge {
  let source: any RegistryRecords
  let records: any RegistryRecords
  let name: String

  func take(_ walk: Walk, _ report: inout WalkMergeReport) throws(RegistryError) {
    if let known = try records.walk(walk.id) {
      guard known == walk else { throw forked("the walk “\(walk.name)” (\(walk.id))") }
      report.knownWalks += 1
    } else {
      try records.insert(walk)
      report.walks += 1
    }
    let last = try records.lastStop(of: walk.id)
    var number = 0
    try source.forEachStop(of: walk.id, .all) { stop throws(RegistryError) in
      number += 1
      guard stop.number == number else {
        throw RegistryError(
          .brokenRecord, "\(name): stop \(number) of the walk “\(walk.name)” is missing.",
          hint: "Nothing was taken from it; find out who removed it.", path: name)
      }
      let picture = try source.picture(of: walk.id, stop: stop.number)
      if stop.number > last {
        try records.insert(stop, picture: picture)
        report.stops += 1
        return
      }
      var known: WalkStop?
      try records.forEachStop(of: walk.id, .number(stop.number)) { known = $0 }
      guard known == stop, try records.picture(of: walk.id, stop: stop.number) == picture else {
        throw forked("stop \(stop.number) of the walk “\(walk.name)” (\(walk.id))")
      }
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
