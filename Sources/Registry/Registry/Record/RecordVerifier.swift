public import Invocation

/// Checks chains entry by entry, in constant memory for each recorder.
///
/// Entries of different recorders may be mixed; those of one must come by number.
public struct RecordVerifier {
  /// The verified state of one chain.
  public struct Chain: Hashable, Sendable {
    /// The last entry.
    public internal(set) var head: ChainHead
    /// The number of entries.
    public internal(set) var entries = 0
    /// The number of findings.
    public internal(set) var findings = 0
  }

  /// The verified state of every chain so far.
  package private(set) var chains: [Recorder: Chain] = [:]
  private let seen: [Recorder: ChainHead]
  private let report: (RecordFinding) -> Void

  /// The distance from its place within which a misplaced entry is sought.
  private static let reach = 16

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - checkpoint: The heads in a checkpoint; empty without one.
  ///   - report: Called with each finding, as soon as it is known.
  package init(
    against checkpoint: [ChainHead] = [], report: @escaping (RecordFinding) -> Void
  ) {
    seen = Dictionary(checkpoint.map { ($0.recorder, $0) }) { first, _ in first }
    self.report = report
  }

  /// Takes the next entry.
  ///
  /// - Throws: `RegistryError.Code.failed` when OpenSSL fails.
  package mutating func take(_ entry: RecordEntry) throws(RegistryError) {
    var chain =
      chains[entry.recorder]
      ?? Chain(head: ChainHead(recorder: entry.recorder, number: 0, hash: .none))
    let finding = try finding(entry, after: chain.head)
    if let finding { tell(finding, &chain) }
    chain.entries += 1
    if entry.number > chain.head.number {
      if let seen = seen[entry.recorder], seen.number == entry.number, seen.hash != entry.hash {
        tell(
          RecordFinding(
            code: .chainRewritten, recorder: entry.recorder, number: entry.number,
            subject: entry.subject,
            message: "\(entry.title) differs from that of the checkpoint."), &chain)
      }
      chain.head = entry.head
    }
    chains[entry.recorder] = chain
  }

  /// Reports the entries missing at the ends of chains.
  package mutating func finish() {
    for (recorder, seen) in seen.sorted(by: { $0.key < $1.key }) {
      var chain =
        chains[recorder] ?? Chain(head: ChainHead(recorder: recorder, number: 0, hash: .none))
      guard chain.head.number < seen.number else { continue }
      let last = chain.head.number
      tell(
        RecordFinding(
          code: .chainTruncated, recorder: recorder, number: last + 1, subject: nil,
          message: "The chain of recorder \(recorder) ends with entry \(last); the checkpoint has "
            + "\(seen.number)."), &chain)
      chains[recorder] = chain
    }
  }

  private func tell(_ finding: RecordFinding, _ chain: inout Chain) {
    chain.findings += 1
    report(finding)
  }

  /// Returns the first fault of an entry, given the last one of its chain.
  private func finding(
    _ entry: RecordEntry, after head: ChainHead
  ) throws(RegistryError) -> RecordFinding? {
    func finding(_ code: Finding.Code, number: Int? = nil, _ message: String) -> RecordFinding {
      RecordFinding(
        code: code, recorder: entry.recorder, number: number ?? entry.number,
        subject: entry.subject,
        message: message)
    }
    guard (1...RecordEntry.largestNumber).contains(entry.number) else {
      return finding(.entryAltered, "\(entry.title) has an invalid number.")
    }
    if entry.number <= head.number {
      let isFork = entry.number == head.number && entry.hash != head.hash
      return isFork
        ? finding(.chainForked, "\(entry.title) exists twice, with two hashes.")
        : finding(.entryReordered, "\(entry.title) comes after entry \(head.number).")
    }
    guard try entry.computedHash() == entry.hash else {
      for distance in 1...Self.reach {
        for number in [entry.number - distance, entry.number + distance]
        where number > 0 {
          guard try entry.holds(as: number) else { continue }
          return finding(
            .entryReordered, "\(entry.title) was made as entry \(number).")
        }
      }
      return finding(
        .entryAltered,
        "\(entry.title) does not match its hash: the entry, or the issued code, was altered.")
    }
    if entry.number > head.number + 1 {
      let first = head.number + 1
      let last = entry.number - 1
      return RecordFinding(
        code: .entryMissing, recorder: entry.recorder, number: first, subject: nil,
        message: first == last
          ? "Entry \(first) of recorder \(entry.recorder) is missing."
          : "Entries \(first) to \(last) of recorder \(entry.recorder) are missing.")
    }
    guard entry.previous == head.hash else {
      return finding(
        .chainBroken,
        head.number == 0
          ? "\(entry.title) was made after another entry, which is missing."
          : "\(entry.title) was made after another entry \(head.number) than the one before it.")
    }
    return nil
  }
}

extension RecordEntry {
  /// The entry as words of a sentence.
  var title: String {
    "Entry \(number) of recorder \(recorder) (\(kind), \(subject.title))"
  }
}

extension RegistryOperations where Self: ~Copyable {
  /// Returns whether a recorder of this registry has written here; none has in a copy that was not
  /// changed yet.
  package borrowing func isContinued() throws(RegistryError) -> Bool {
    try read { registry throws(RegistryError) in try registry.presentRecorder() != nil }
  }

  /// Checks the whole record: every entry, its place in its chain, the codes' status, and the
  /// settings.
  ///
  /// - Parameters:
  ///   - checkpoint: The heads in a checkpoint.
  ///   - report: Called with each finding, as soon as it is known.
  /// - Returns: The verified state of each chain, by recorder.
  public borrowing func verifyRecord(
    against checkpoint: [ChainHead] = [], report: @escaping (RecordFinding) -> Void
  ) throws(RegistryError) -> [RecordVerifier.Chain] {
    try read { registry in
      var verifier = RecordVerifier(against: checkpoint, report: report)
      try registry.forEachEntry { entry throws(RegistryError) in try verifier.take(entry) }
      verifier.finish()
      for code in try registry.codesWithoutIssue() {
        report(
          RecordFinding(
            code: .entryMissing, recorder: nil, number: nil, subject: .code(code),
            message: "The entry of the issue of \(code) is missing."))
      }
      for code in try registry.codesOfWrongStatus() {
        report(
          RecordFinding(
            code: .statusAltered, recorder: nil, number: nil, subject: .code(code),
            message:
              "The status of \(code) contradicts its record: only one of the two states that it "
              + "was retired; retiring the code mends both."))
      }
      for code in try registry.codesOfWrongPrint() {
        report(
          RecordFinding(
            code: .printAltered, recorder: nil, number: nil, subject: .code(code),
            message: "The last print or the items of \(code) contradict its record."))
      }
      for finding in try registry.settingFindings() { report(finding) }
      return verifier.chains.values.sorted { $0.head.recorder < $1.head.recorder }
    }
  }
}

/// A problem with the record of codes.
public struct RecordFinding: Hashable, Sendable {
  /// The finding's code.
  public let code: Finding.Code
  /// The recorder of the chain; `nil` for a finding about a code alone.
  public let recorder: Recorder?
  /// The entry's number; of missing entries, the first.
  public let number: Int?
  /// The subject of the entry, if it is known.
  public let subject: RecordSubject?
  /// One sentence that describes the problem and its place.
  public let message: String
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let entryAltered = Self(
    "entry-altered", "An entry of the record, or its issued code, does not match the hash.")
  public static let entryMissing = Self(
    "entry-missing", "Entries of the record are missing between two others.")
  public static let entryReordered = Self(
    "entry-reordered",
    "An entry of the record is out of its place in the chain.")
  public static let chainBroken = Self(
    "chain-broken",
    "An entry was made after another entry than the one before it, which was replaced.")
  public static let chainForked = Self(
    "chain-forked",
    "Two entries of one recorder have the same number: a copy was continued.")
  public static let chainTruncated = Self(
    "chain-truncated", "A chain ends before an entry of a checkpoint.")
  public static let chainRewritten = Self(
    "chain-rewritten", "An entry differs from that of a checkpoint: the chain was rewritten.")
  public static let statusAltered = Self(
    "status-altered", "A code's status contradicts its record.")
  public static let printAltered = Self(
    "print-altered",
    "The stored data of a code's last print, or of its items, contradicts its record.")
  public static let settingAltered = Self(
    "setting-altered",
    "A clip, an experience, a place, a tag's counter or a trusted key contradicts the record."
  )

  /// The codes above, in the order of the documentation.
  package static let ofRecords: [Self] = [
    .entryAltered, .entryMissing, .entryReordered, .chainBroken, .chainForked, .chainTruncated,
    .chainRewritten, .statusAltered, .printAltered, .settingAltered,
  ]
}
