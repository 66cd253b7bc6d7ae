import Invocation

/// A place that codes name but the registry does not contain.
public struct UnknownPlace: Hashable, Sendable {
  /// The place's id.
  public let id: String
  /// The number of codes of the merged record that belong to it.
  public let codes: Int
}

/// The effects of a merge besides the record: it raises counters, and collects the codes whose
/// places are missing.
struct MergeBesideRecord {
  private var risen: [String: TagCounter] = [:]
  /// A Boolean value that indicates whether counters without an entry are taken.
  private let takesCounters: Bool
  private var codes: [ByteKey: Set<CodeID>] = [:]
  private var known: Set<ByteKey> = []

  /// A counter that a source states beside its entries is covered by no hash and no checkpoint: a
  /// person who can write the file can make the next messages of a genuine tag look like copies
  /// with it. Like an unsigned entry of others, it is taken only if everybody is trusted.
  init(_ trust: MergeTrust) {
    takesCounters = if case .everybody = trust { true } else { false }
  }

  /// Merges the counters in new entries of the record.
  mutating func take(
    _ counters: [TagCounter], into registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    for counter in counters { try registry.merge(counter, risen: &risen) }
  }

  /// Passes each entry of a source to `entry`.
  mutating func take(
    _ source: some RecordSource, into registry: borrowing RegistryTransaction,
    entry body: (RecordEntry) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    try source.forEachEntry { entry throws(RegistryError) in
      try body(entry)
      try take(entry, in: registry)
    } counter: { counter throws(RegistryError) in
      if takesCounters { try registry.merge(counter, risen: &risen) }
    }
  }

  /// Passes each entry of another registry to `entry`.
  mutating func take(
    _ other: borrowing RegistryTransaction, into registry: borrowing RegistryTransaction,
    entry body: (RecordEntry) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    try other.forEachEntry { entry throws(RegistryError) in
      try body(entry)
      try take(entry, in: registry)
    }
    if takesCounters { try take(try other.tagCounters(), into: registry) }
  }

  /// Notes a code if its place is missing.
  private mutating func take(
    _ entry: RecordEntry, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    guard let code = entry.code, let place = entry.issued?["place"] else { return }
    let key = ByteKey(place)
    if known.contains(key) { return }
    if codes[key] == nil, try registry.place(id: place) != nil {
      known.insert(key)
      return
    }
    codes[key, default: []].insert(code)
  }

  /// Adds the results to a report.
  func tell(in report: inout MergeReport) {
    report.counters = risen.values.sorted { $0.uid < $1.uid }
    report.unknownPlaces = codes.map { UnknownPlace(id: $0.text, codes: $1.count) }
      .sorted { $0.id < $1.id }
  }
}

/// The differing contents of another registry besides its record and counters, which a merge of
/// records omits.
public struct UnmergedThings: Hashable, Sendable {
  /// The number of places that are missing or differ here.
  public var places = 0
  /// The number of walks that are missing here, or lack stops.
  public var walks = 0
  /// The number of batches that are missing here or have another state.
  public var batches = 0

  /// A Boolean value that indicates whether there are no differences.
  public var isEmpty: Bool { self == UnmergedThings() }

  /// Creates an empty value.
  package init() {}
}

extension RegistryStore {
  /// Returns the contents of another registry that merging its record leaves out.
  public func unmerged(from other: any RegistryStore) throws(RegistryError) -> UnmergedThings {
    try read { registry in
      try other.read { other in
        var things = UnmergedThings()
        for place in try other.places() where try registry.place(id: place.id) != place {
          things.places += 1
        }
        for walk in try other.walks()
        where try registry.walk(walk.id) == nil
          || registry.lastStop(of: walk.id) < other.lastStop(of: walk.id)
        {
          things.walks += 1
        }
        for batch in try other.batches()
        where try registry.batchCounts(batch.name) != other.batchCounts(batch.name) {
          things.batches += 1
        }
        return things
      }
    }
  }
}
