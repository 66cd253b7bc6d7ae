import CliptagBasics
internal import Invocation

/// The changes that merging a record made, or would make.
public struct MergeReport: Hashable, Sendable {
  /// The number of new entries.
  public var added = 0
  /// The number of entries that the registry already had.
  public var known = 0
  /// The raised counters of tags, by UID.
  public var counters: [TagCounter] = []
  /// Places of the record's codes that are not in this registry, by id.
  public var unknownPlaces: [UnknownPlace] = []
  /// The number of new codes.
  public var codes = 0
  /// The number of codes that the merge retired, new ones not counted.
  public var retired = 0
  /// The number of new recorders.
  public var recorders = 0
  /// The number of new entries without a signature of a trusted key.
  public var unsigned = 0
  /// The number of new entries whose chain continued differently here, and that were added to a
  /// separate chain.
  public var retold = 0

  /// Makes an empty report.
  package init() {}
}

/// Merges the entries of another record chain by chain; present entries are only ever followed,
/// never changed.
struct RecordMerge {
  private let name: String
  private(set) var report = MergeReport()
  private var check: EntryCheck
  private var warrant: MergeWarrant
  private let retellsForks: Bool
  /// The last number of each chain before the merge.
  private var present: [Recorder: Int] = [:]
  /// The entries that were passed and not taken yet.
  private var waiting: [RecordEntry] = []
  /// The hashes that the registry has where the waiting entries are, by recorder and number.
  private var hashes: [Recorder: [Int: EntryHash]] = [:]
  /// The last counters in new entries, by recorder and tag.
  private var counters: [Recorder: [String: TagCounter]] = [:]
  /// Codes of entries that are not in the registry yet.
  private var awaited: Set<CodeID> = []
  private var awaitedRetired: Set<CodeID> = []
  /// The number of the first new entry about a setting, by recorder.
  private var settings: [Recorder: Int] = [:]
  /// The chains that repeat the entries after a fork, by the recorder whose chain forked.
  private var retellings: [Recorder: Retelling] = [:]

  private struct Retelling {
    let recorder: Recorder
    var head: ChainHead?
  }

  init(name: String, warrant: MergeWarrant, retellsForks: Bool = false) {
    self.name = name
    self.retellsForks = retellsForks
    self.warrant = warrant
    check = EntryCheck(name: name)
  }

  /// The number of entries that are taken together.
  private static let group = 500

  /// Takes an entry, together with others: what the registry has of them is looked up at once.
  mutating func take(
    _ entry: RecordEntry, into registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    waiting.append(entry)
    if waiting.count >= Self.group { try takeWaiting(into: registry) }
  }

  private mutating func takeWaiting(
    into registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    defer { (waiting, hashes) = ([], [:]) }
    for entry in waiting { try meet(entry.recorder, in: registry) }
    hashes = try registry.hashes(
      ofEach: waiting.filter { $0.number <= present[$0.recorder] ?? 0 }
        .map { ($0.recorder, $0.number) })
    try registry.lookAhead(
      firstPrintsOf: waiting.compactMap {
        guard $0.number > present[$0.recorder] ?? 0, case .code(let id) = $0.subject else {
          return nil
        }
        return id
      })
    for entry in waiting {
      try check.take(entry)
      try take(entry, as: entry, into: registry)
    }
  }

  /// Looks up the end of a chain before its first entry.
  private mutating func meet(
    _ recorder: Recorder, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    guard present[recorder] == nil else { return }
    let head = try registry.head(of: recorder)
    present[recorder] = head?.number ?? 0
    if head == nil { report.recorders += 1 }
  }

  /// - Parameter original: The entry in the other record.
  private mutating func take(
    _ entry: RecordEntry, as original: RecordEntry, into registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    if retellings[entry.recorder] != nil { return try retell(entry, into: registry) }
    try meet(entry.recorder, in: registry)
    if entry.number <= present[entry.recorder] ?? 0 {
      // An entry of a separate chain is none of those that were looked up together.
      var hash = hashes[entry.recorder]?[entry.number]
      if hash == nil { hash = try registry.hash(of: entry.recorder, number: entry.number) }
      guard hash == entry.hash else {
        if retellsForks { return try retell(entry, into: registry) }
        throw RegistryError(
          .forkedRecord,
          "\(name): \(entry.title) differs from the entry here: two copies continued one chain, or "
            + "one of the two was altered.",
          hint:
            "Nothing was imported from it; \(.settleFork).",
          path: name)
      }
      report.known += 1
      return
    }
    guard try entry.recorder != registry.presentRecorder() else {
      if retellsForks { return try retell(entry, into: registry) }
      throw RegistryError(
        .forkedRecord,
        "\(name): \(entry.title) claims to be of this registry, which never wrote it: the log is "
          + "forged, or this file is an older copy of the registry.",
        hint:
          "Nothing was imported from it; \(.settleFork).",
        path: name)
    }
    try follow(entry, as: original, in: registry)
  }

  /// Moves an entry after a fork to a separate chain, whose recorder derives from the fork: every
  /// merge of the same entries makes the same chain.
  private mutating func retell(
    _ entry: RecordEntry, into registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    var retelling =
      retellings[entry.recorder] ?? Retelling(recorder: Recorder(retellingFrom: entry))
    // Continuing a chain that was also continued elsewhere would fork it again.
    if try registry.presentRecorder() == entry.recorder { try registry.leaveOwnChain() }
    let told = try RecordEntry(retelling: entry, after: retelling.head, by: retelling.recorder)
    retelling.head = told.head
    retellings[entry.recorder] = retelling
    let before = report.added
    try take(told, as: entry, into: registry)
    report.retold += report.added - before
  }

  private mutating func follow(
    _ entry: RecordEntry, as original: RecordEntry, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    // Entries about the other registry's settings are kept, but not applied.
    switch entry.subject {
    case .code(let id): try follow(entry, about: id, in: registry)
    case .setting(let setting):
      note(setting, entry)
      settings[entry.recorder] = settings[entry.recorder] ?? entry.number
    }
    try registry.append(entry)
    warrant.take(original)
    report.added += 1
    if warrant.isForEverybody { report.unsigned += 1 }
  }

  /// Notes a chain's last entry about a tag's counter.
  private mutating func note(_ setting: Setting, _ entry: RecordEntry) {
    guard setting.kind == .counter else { return }
    let counter = entry.details["counter"].flatMap { Int($0) }
    counters[entry.recorder, default: [:]][setting.name] =
      entry.kind == .counted
      ? counter.map { TagCounter(uid: setting.name, counter: $0, seen: entry.time) } : nil
  }

  private mutating func follow(
    _ entry: RecordEntry, about id: CodeID, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    if let facts = entry.issued { try begin(entry, id, facts, in: registry) }
    let code = awaited.contains(id) ? nil : try registry.firstPrint(of: id)
    if code == nil { awaited.insert(id) }
    if entry.kind == .retired {
      if code?.status == .issued {
        try registry.markRetired(id)
        report.retired += 1
      } else if code == nil {
        awaitedRetired.insert(id)
      }
    }
  }

  /// Adds the code that an entry begins.
  private mutating func begin(
    _ entry: RecordEntry, _ id: CodeID, _ facts: [String: String],
    in registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    if let known = try registry.firstPrint(of: id) {
      guard FlatJSON.areSame(known.facts, facts) else {
        throw RegistryError(
          .brokenRecord,
          "\(name): \(entry.title) issues another code under a name in use here.",
          hint: "Nothing was imported from it; determine the altered one.", path: name)
      }
      return
    }
    guard let code = IssuedCode(id: id, facts: facts) else {
      throw RegistryError(
        .brokenRecord, "\(name): \(entry.title) issues a code that no version of cliptag writes.",
        hint: "Nothing was imported from it; try a newer cliptag.", path: name)
    }
    try registry.insert(code)
    report.codes += 1
    awaited.remove(code.id)
    if awaitedRetired.remove(code.id) != nil { try registry.markRetired(code.id) }
  }

  /// Takes the last entries, and checks that everything to which the entries refer exists, and that
  /// the required signatures vouch for them.
  mutating func finish(in registry: borrowing RegistryTransaction) throws(RegistryError) {
    try takeWaiting(into: registry)
    try warrant.finish(name: name)
    if let code = awaited.min(by: { $0.description < $1.description }) {
      throw RegistryError(
        .brokenRecord, "\(name) has entries of the code \(code), but not its issue.",
        hint: "Nothing was imported from it; merge the whole record of its registry.",
        path: name)
    }
    for (recorder, number) in settings.sorted(by: { $0.key < $1.key }) {
      try registry.noteMerge(of: recorder, from: number)
    }
  }
}

/// Checks the hashes and the order of entries, one after another.
private struct EntryCheck {
  private let name: String
  private var verifier: RecordVerifier
  private let trouble: Trouble

  private final class Trouble {
    var first: RecordFinding?
  }

  init(name: String) {
    self.name = name
    let trouble = Trouble()
    self.trouble = trouble
    verifier = RecordVerifier { finding in trouble.first = trouble.first ?? finding }
  }

  /// - Throws: `RegistryError.Code.brokenRecord`.
  mutating func take(_ entry: RecordEntry) throws(RegistryError) {
    try verifier.take(entry)
    guard let finding = trouble.first else { return }
    throw RegistryError(
      .brokenRecord, "\(name): \(finding.message) [\(finding.code)]",
      hint: "Nothing was imported from it; \(.verifyRecord).", path: name)
  }
}

extension RegistryStore {
  /// Merges another record, in one transaction: the union of all chains, so that nothing is counted
  /// twice and another merge changes nothing. Codes that only the other record has are added; codes
  /// that it retired are retired; the last counter of a tag is the higher of both. Clips,
  /// experiences, places, batches and walks are not merged: see ``unmerged(from:)``.
  ///
  /// The other record is read to its end and checked before the lock of writers is taken, so that a
  /// slow pipe or a broken log delays no other writer.
  ///
  /// - Parameters:
  ///   - source: The other record.
  ///   - name: The source's name, for messages.
  ///   - trust: The records that are accepted.
  ///   - retellingForks: Whether entries after a fork are added to a separate chain, instead of
  ///     throwing `RegistryError.Code.forkedRecord`: the repair after a file was overwritten by
  ///     its own copy.
  ///   - dryRun: Whether to report the changes without making them.
  /// - Throws: `RegistryError.Code.brokenRecord`, `RegistryError.Code.forkedRecord`,
  ///   `RegistryError.Code.untrustedRecord`, `RegistryError.Code.wrongSignature`, the errors of
  ///   the source; nothing is changed then.
  public func merge(
    _ source: some RecordSource, name: String, trusting trust: MergeTrust,
    retellingForks: Bool = false, dryRun: Bool = false
  ) throws(RegistryError) -> MergeReport {
    let source = try source.settled()
    var check = EntryCheck(name: name)
    try source.forEachEntry { entry throws(RegistryError) in try check.take(entry) }
    return try rehearsing(dryRun) { registry in
      var beside = MergeBesideRecord(trust)
      let (merged, counters) = try RecordMerge.take(
        into: registry, name: name, trusting: trust, retellingForks: retellingForks
      ) {
        body throws(RegistryError) in
        try beside.take(source, into: registry, entry: body)
      }
      var report = merged
      try beside.take(counters, into: registry)
      beside.tell(in: &report)
      return report
    }
  }
}

extension RecordMerge {
  /// Merges all entries of a source.
  ///
  /// - Returns: The changes, and the counters in the new entries.
  /// - Parameter forEachEntry: Passes the entries, one after another; those of one recorder by
  ///   number.
  static func take(
    into registry: borrowing RegistryTransaction, name: String, trusting trust: MergeTrust,
    retellingForks: Bool = false,
    from forEachEntry: ((RecordEntry) throws(RegistryError) -> Void) throws(RegistryError) -> Void
  ) throws(RegistryError) -> (report: MergeReport, counters: [TagCounter]) {
    // An entry may concern a code that comes later.
    try registry.session.letReferencesFollow()
    var merge = RecordMerge(
      name: name, warrant: try MergeWarrant(trust, in: registry), retellsForks: retellingForks)
    try forEachEntry { entry throws(RegistryError) in try merge.take(entry, into: registry) }
    try merge.finish(in: registry)
    try registry.session.settleReferences()
    return (merge.report, merge.counters.values.flatMap(\.values))
  }
}
