package import Registry

/// The `merge` object of a record that was taken in, and the `audit-merge` object of walks.
package struct MergeResult: Encodable {
  private struct Head: Encodable {
    let type: String
    let source: String
    let dryRun: Bool
  }

  private struct Walks: Encodable {
    let walks: Int
    let knownWalks: Int
    let stops: Int
    let knownStops: Int
  }

  private struct Entries: Encodable {
    struct UnknownPlace: Encodable {
      let place: String
      let codes: Int
    }

    let added: Int
    let known: Int
    let codes: Int
    let retired: Int
    let recorders: Int
    let unsigned: Int
    let retold: Int
    let counters: Int
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
    struct Things: Encodable {
      let places: Int
      let walks: Int
      let batches: Int
    }

    let notMerged: Things?

    init(_ left: UnmergedThings?) {
      notMerged = left.map { Things(places: $0.places, walks: $0.walks, batches: $0.batches) }
    }
  }

  private let head: Head
  private var walks: Walks?
  private let entries: Entries
  private let tail: Tail

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
  }

  package func encode(to encoder: any Encoder) throws {
    try head.encode(to: encoder)
    try walks?.encode(to: encoder)
    try entries.encode(to: encoder)
    try tail.encode(to: encoder)
  }
}
