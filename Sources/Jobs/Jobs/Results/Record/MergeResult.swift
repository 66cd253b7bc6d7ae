package import Registry

/// The `merge` object of a record that was taken in, and the `audit-merge` object of walks.
package struct MergeResult: Encodable {
  private struct Head: Encodable {
    /// `merge` or `audit-merge`.
    let type: String
    /// The record that was taken in.
    let source: String
    /// Whether nothing was changed.
    let dryRun: Bool
  }

  private struct Walks: Encodable {
    /// The number of new walks.
    let walks: Int
    /// The number of walks that the registry already had.
    let knownWalks: Int
    /// The number of new stops.
    let stops: Int
    /// The number of stops that the registry already had.
    let knownStops: Int
  }

  private struct Entries: Encodable {
    /// A place that is not in the registry.
    struct UnknownPlace: Encodable {
      /// The id of the place.
      let place: String
      /// The number of its codes.
      let codes: Int
    }

    /// The number of new entries.
    let added: Int
    /// The number of entries that the registry already had.
    let known: Int
    /// The number of new codes.
    let codes: Int
    /// The number of codes that the merge retired, new ones not counted.
    let retired: Int
    /// The number of new recorders.
    let recorders: Int
    /// The number of new entries without a signature of a trusted key.
    let unsigned: Int
    /// The number of new entries that were added to a separate chain.
    let retold: Int
    /// The number of raised counters of tags.
    let counters: Int
    /// The places of the record's codes that are not in this registry.
    let unknownPlaces: [UnknownPlace]

    init(_ report: MergeReport) {
      (added, known, codes) = (report.added, report.known, report.codes)
      (retired, recorders) = (report.retired, report.recorders)
      (unsigned, retold) = (report.unsigned, report.retold)
      counters = report.counters.count
      unknownPlaces = report.unknownPlaces.map { UnknownPlace(place: $0.id, codes: $0.codes) }
    }
  }

  private struct Tail: Encodable {
    /// The numbers of things that stay behind.
    struct Things: Encodable {
      /// The number of places that are missing or differ here.
      let places: Int
      /// The number of walks that are missing here, or lack stops.
      let walks: Int
      /// The number of batches that are missing here or have another state.
      let batches: Int
    }

    /// The things that stay behind; `nil` for a log, which holds none.
    let notMerged: Things?

    init(_ left: UnmergedThings?) {
      notMerged = left.map { Things(places: $0.places, walks: $0.walks, batches: $0.batches) }
    }
  }

  private struct FollowUps: Encodable {
    /// The number of new entries of findings that are followed up.
    let followUps: Int
  }

  private let head: Head
  private var walks: Walks?
  private let entries: Entries
  private let tail: Tail
  private var followUps: FollowUps?

  /// - Parameter left: The things that stay behind; `nil` for a log, which holds none.
  package init(
    _ report: MergeReport, source: String, leaving left: UnmergedThings?, isRehearsal: Bool
  ) {
    head = Head(type: "merge", source: source, dryRun: isRehearsal)
    entries = Entries(report)
    tail = Tail(left)
  }

  /// - Parameter left: The things that stay behind.
  package init(
    _ report: WalkMergeReport, source: String, leaving left: UnmergedThings, isRehearsal: Bool
  ) {
    head = Head(type: "audit-merge", source: source, dryRun: isRehearsal)
    walks = Walks(
      walks: report.walks, knownWalks: report.knownWalks, stops: report.stops,
      knownStops: report.knownStops)
    entries = Entries(report.record)
    tail = Tail(left)
    followUps = FollowUps(followUps: report.followUps)
  }

  package func encode(to encoder: any Encoder) throws {
    try head.encode(to: encoder)
    try walks?.encode(to: encoder)
    try entries.encode(to: encoder)
    try tail.encode(to: encoder)
    try followUps?.encode(to: encoder)
  }
}
