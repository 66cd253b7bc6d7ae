internal import Invocation

/// What merging a record changed, or would change.
public struct MergeReport: Hashable, Sendable {
  /// How many entries were new.
  public var added = 0
  /// How many entries were here already.
  public var known = 0
  /// The last counters of tags that rose, by UID.
  public var counters: [TagCounter] = []
  /// Places of its codes that are not in this registry, by id.
  public var unknownPlaces: [UnknownPlace] = []
  /// How many codes were new.
  public var codes = 0
  /// How many codes were retired by it, new ones not counted.
  public var retired = 0
  /// How many recorders were new.
  public var recorders = 0

  /// Makes an empty report.
  package init() {}
}

/// Takes in the entries of another record: chain by chain the same, so that what is here is only
/// ever followed, never changed.
struct RecordMerge {
  private let name: String
  private(set) var report = MergeReport()
  private var verifier: RecordVerifier
  private let trouble: Trouble
  /// The last number of each chain before the merge.
  private var present: [Recorder: Int] = [:]
  /// Codes that entries are about and that are not here yet.
  private var awaited: Set<CodeID> = []
  private var awaitedRetired: Set<CodeID> = []

  private final class Trouble {
    var first: RecordFinding?
  }

  init(name: String) {
    self.name = name
    let trouble = Trouble()
    self.trouble = trouble
    verifier = RecordVerifier { finding in trouble.first = trouble.first ?? finding }
  }

  mutating func take(
    _ entry: RecordEntry, into registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    try verifier.take(entry)
    if let finding = trouble.first {
      throw RegistryError(
        .brokenRecord, "\(name): \(finding.message) [\(finding.code)]",
        hint: "Nothing was taken from it; verify all of it.",
        path: name)
    }
    if present[entry.recorder] == nil {
      let head = try registry.head(of: entry.recorder)
      present[entry.recorder] = head?.number ?? 0
      if head == nil { report.recorders += 1 }
    }
    if entry.number <= present[entry.recorder] ?? 0 {
      guard try registry.hash(of: entry.recorder, number: entry.number) == entry.hash else {
        throw RegistryError(
          .forkedRecord,
          "\(name): \(entry.title) is another one than here: two copies went on with one chain, or "
            + "one of the two was altered.",
          hint:
            "Nothing was taken from it; verify both with a checkpoint.",
          path: name)
      }
      report.known += 1
      return
    }
    guard try entry.recorder != registry.presentRecorder() else {
      throw RegistryError(
        .forkedRecord,
        "\(name): \(entry.title) is told in the name of this registry, which never wrote it: the log is "
          + "forged, or this file is an older copy of the one that went on.",
        hint: "Nothing was taken from it; verify both with a checkpoint.",
        path: name)
    }
    try follow(entry, in: registry)
  }

  private mutating func follow(
    _ entry: RecordEntry, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    if let facts = entry.issued { try begin(entry, facts, in: registry) }
    let code = awaited.contains(entry.code) ? nil : try registry.firstPrint(of: entry.code)
    if code == nil { awaited.insert(entry.code) }
    if entry.kind == .retired {
      if code?.status == .issued {
        try registry.markRetired(entry.code)
        report.retired += 1
      } else if code == nil {
        awaitedRetired.insert(entry.code)
      }
    }
    try registry.append(entry)
    report.added += 1
  }

  /// Adds the code that an entry begins.
  private mutating func begin(
    _ entry: RecordEntry, _ facts: [String: String], in registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    if let known = try registry.firstPrint(of: entry.code) {
      guard FlatJSON.areSame(known.facts, facts) else {
        throw RegistryError(
          .brokenRecord,
          "\(name): \(entry.title) issues another code than the one of that name here.",
          hint: "Nothing was taken from it; find out which of the two was altered.", path: name)
      }
      return
    }
    guard let code = IssuedCode(id: entry.code, facts: facts) else {
      throw RegistryError(
        .brokenRecord, "\(name): \(entry.title) issues what no version of cliptag writes.",
        hint: "Nothing was taken from it; a newer cliptag may be able to read it.", path: name)
    }
    try registry.insert(code)
    report.codes += 1
    awaited.remove(code.id)
    if awaitedRetired.remove(code.id) != nil { try registry.markRetired(code.id) }
  }

  /// Checks that everything that was told about is here.
  func finish() throws(RegistryError) {
    guard let code = awaited.min(by: { $0.description < $1.description }) else { return }
    throw RegistryError(
      .brokenRecord, "\(name) tells of the code \(code), and not how it was issued.",
      hint: "Nothing was taken from it; merge the whole record of the registry it is from.",
      path: name)
  }
}

extension RegistryStore {
  /// Takes in another record, in one transaction: the union of all chains, so that nothing is
  /// counted twice and doing it again changes nothing. Codes that only the other has are added;
  /// codes that it retired are retired; the last counter of a tag is the higher of both. Its clips,
  /// experiences, places, batches and walks are not looked at: see ``unmerged(from:)``.
  ///
  /// - Parameters:
  ///   - source: The other record.
  ///   - name: What it is called, for messages.
  ///   - dryRun: Whether to say only what would change.
  /// - Throws: ``RegistryError/Code/brokenRecord``, ``RegistryError/Code/forkedRecord``, what the
  ///   source throws; nothing is changed then.
  public func merge(
    _ source: some RecordSource, name: String, dryRun: Bool = false
  ) throws(RegistryError) -> MergeReport {
    try rehearsing(dryRun) { registry in
      var beside = MergeBesideRecord()
      var report = try RecordMerge.take(into: registry, name: name) { body throws(RegistryError) in
        try beside.take(source, into: registry, entry: body)
      }
      beside.tell(in: &report)
      return report
    }
  }
}

extension RecordMerge {
  /// Takes in all entries of a source.
  ///
  /// - Parameter forEachEntry: Gives the entries, one after another; those of one recorder by number.
  static func take(
    into registry: borrowing RegistryTransaction, name: String,
    from forEachEntry: ((RecordEntry) throws(RegistryError) -> Void) throws(RegistryError) -> Void
  ) throws(RegistryError) -> MergeReport {
    // An entry may be about a code that comes later.
    try registry.session.letReferencesFollow()
    var merge = RecordMerge(name: name)
    try forEachEntry { entry throws(RegistryError) in try merge.take(entry, into: registry) }
    try merge.finish()
    return merge.report
  }
}
