import CliptagBasics
public import Invocation
public import Issuing
package import NFCReader
public import Registry
import Synchronization
import TagTypes

/// Writes many tags, one after another, with a ledger that survives everything.
///
/// ```swift
/// let file = BatchFile(Array("url,label\n\(url),Table 1\n".utf8))
/// let run = RunBatch("tables", file).start(in: workplace)
/// for await event in run {
///   if case .tag(.wants(let row, _), _) = event { print("lay a tag down for row \(row.number)") }
/// }
/// print(try await run.output.result.done)
/// ```
public struct RunBatch: Job {
  /// The name of the batch in the registry.
  public var name: String
  /// The rows; `nil` for a batch that is on record.
  public var file: BatchFile?
  /// The tags that are taken, and what happens to them.
  public var options = TagBatch.Options()
  /// The keys of tags that are made ready, for `TagBatch.Options.provisions`.
  public var keys: SecureMessageKeys?
  /// Decisions about rows, which are recorded before the run.
  public var decisions = TagBatch.Decisions()
  /// Whether the file is only reviewed, and nothing is recorded or written.
  public var dryRun = false

  /// Makes a job.
  public init(_ name: String, _ file: BatchFile? = nil) {
    self.name = name
    self.file = file
  }

  /// A step of the job.
  public enum Event: Sendable {
    /// Every row of the file may be written, perhaps with warnings.
    case reviewed(Review)
    /// The batch was begun or continued before, with these options.
    case continues(TagBatch.Options)
    /// Rows were added to the record.
    case added(Int)
    /// A half-written tag was given up, and its row needs another one.
    case gaveUp(BatchRow)
    /// The reader was opened: its connection string and the name that it gives itself.
    case opened(reader: String, name: String)
    /// Rows were begun with a lock or a password, and end without it in this run.
    case endsUnprotected(Int)
    /// A step of the run, with its result if a tag was served.
    case tag(TagBatch.Event, BatchTagResult?)
  }

  /// The review of a file.
  public struct Review: Sendable {
    /// The rows that the batch was reviewed with.
    public let file: BatchFile
    /// The objections to rows, in their order.
    public let objections: [BatchObjection]
    /// The findings of the check in accepted rows, by their numbers.
    public let findings: [Int: [Finding]]
    let batch: TagBatch

    /// Whether the batch may begin.
    public var isAccepted: Bool { file.problems.isEmpty && objections.isEmpty }
    /// The number of rows that are objected to or cannot be read.
    public var objectionCount: Int { Set(objections.map(\.row)).count + file.problems.count }

    /// Returns rows of the file, those with objections first.
    public func rows(atMost count: Int) throws -> [BatchRowPreview] {
      let states = Dictionary(
        try batch.rows(in: Set(BatchRow.State.allCases)).map { ($0.number, $0.state.rawValue) }
      ) { first, _ in first }
      let sentences = Dictionary(objections.map { ($0.row, $0.sentence) }) { first, _ in first }
      let numbers = file.orders.indices.map { $0 + 1 }
      let shown = numbers.filter { sentences[$0] != nil } + numbers.filter { sentences[$0] == nil }
      return shown.prefix(count).map { number in
        let row = file.orders[number - 1]
        return BatchRowPreview(
          row: number, line: file.position(ofRow: number).line, label: row.label, url: row.url,
          place: row.placeID, uid: row.wantedUID, state: states[number] ?? "new",
          objection: sentences[number].map(WordedText.init),
          findings: (findings[number] ?? []).map(FindingResult.init))
      }
    }
  }

  /// The state of the batch after a run.
  public struct Output: Sendable {
    /// The number of rows in each state.
    public let counts: BatchCounts
    /// The number of rows that a rehearsal would add.
    public let newRowCount: Int
    /// The number of rows that the run finished.
    public let finishedCount: Int
    /// The rows that were begun or skipped.
    public let notable: [BatchRow]
    /// The results of the tags' signatures.
    public let signatures: BatchSignatures
    /// The result of the contract.
    public let result: BatchResult
  }

  /// The file has problems, or rows that may not be written. No tag was touched.
  public struct Refused: Error {
    /// The review of the file.
    public let review: Review
  }

  /// The batch is not on record.
  public struct NotBegun: Error, Hashable, Sendable {
    /// The name of the batch.
    public let name: String
  }

  /// A run ended before its last row; every row can be continued.
  public struct Ended: Error {
    /// The state of the batch.
    public let output: Output
    /// The reader.
    public let reader: String
    /// The error: `NFCReaderError`, `TagError`, `IssueRefusal`, `RegistryError` or
    /// `CancellationError`.
    public let underlying: any Error
  }

  /// Reviews the file, begins the batch or continues it, and writes one tag after another until
  /// every row is done or the limit is reached.
  ///
  /// Cancelling ends the run at the next page, or at the next look for a tag.
  ///
  /// - Throws: ``InputError``; ``Refused``; ``NotBegun``; `RegistryError`, with code
  ///   `batch-changed` if the batch was begun with other rows; `NFCReaderError` if the reader
  ///   cannot be opened; ``Ended``.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Event) -> Void
  ) async throws -> Output {
    let review = try await begin(in: workplace, reporting: report)
    let batch = batch(in: workplace)
    if dryRun { return try output(of: batch, rehearsing: review) }
    if !decisions.isEmpty {
      for row in try await batch.record(decisions) { report(.gaveUp(row)) }
    }
    guard try batch.counts().remaining > 0, options.limit != 0 else {
      return try output(of: batch)
    }
    let reader = try await NFCReader.open(
      workplace.reader.name,
      answerTimeout: .answer(within: options.timeout ?? workplace.reader.timeout))
    report(.opened(reader: reader.connectionString, name: await reader.name))
    let result: Result<Output, any Error>
    do {
      let unfinished = options.locks || options.setsPassword ? 0 : try batch.counts()[.written]
      if unfinished > 0 { report(.endsUnprotected(unfinished)) }
      result = .success(
        try await write(on: reader, in: workplace, review?.findings ?? [:]) {
          report(.tag($0, $1))
        })
    } catch {
      result = .failure(error)
    }
    await reader.close()
    return try result.get()
  }

  /// Reviews the file, and begins the batch or continues it. No tag is touched.
  ///
  /// - Returns: The review; `nil` without a file.
  /// - Throws: The errors of ``run(in:reporting:)`` before the reader is opened.
  @discardableResult
  package func begin(
    in workplace: Workplace, reporting report: @Sendable (Event) -> Void = { _ in }
  ) async throws -> Review? {
    try options.validate()
    let batch = batch(in: workplace)
    guard let file else {
      guard try batch.exists() else { throw NotBegun(name: name) }
      if !dryRun { try await batch.recordOptions() }
      return nil
    }
    let review = try review(file, in: workplace)
    guard review.isAccepted else { throw Refused(review: review) }
    report(.reviewed(review))
    guard !dryRun else { return review }
    if let before = try batch.recordedOptions() { report(.continues(before)) }
    let added = try await batch.begin(file.orders)
    if added > 0 { report(.added(added)) }
    return review
  }

  /// Writes one tag after another on a reader that is open and stays open.
  ///
  /// - Parameters:
  ///   - findings: The findings of the check in the rows, by their numbers.
  ///   - report: Receives each step, with its result if a tag was served.
  /// - Throws: ``Ended``.
  @discardableResult
  package func write(
    on reader: NFCReader, in workplace: Workplace, _ findings: [Int: [Finding]] = [:],
    reporting report: @Sendable (TagBatch.Event, BatchTagResult?) -> Void
  ) async throws -> Output {
    let batch = batch(in: workplace, reader: reader.connectionString)
    let counted = Mutex((finished: 0, notGenuine: Set<String>()))
    func output() throws -> Output {
      let (finished, notGenuine) = counted.withLock { $0 }
      return try self.output(of: batch, finished: finished, refused: notGenuine.count)
    }
    do {
      try await batch.run(on: reader) { event in
        counted.withLock { counted in
          switch event {
          case .served(.finished, _): counted.finished += 1
          case .served(.refused(let uid, _, let error as IssuingError), _)
          where error.code == .notGenuine:
            counted.notGenuine.insert(uid)
          default: break
          }
        }
        report(event, result(of: event, findings, reader: reader.connectionString))
      }
    } catch {
      throw Ended(output: try output(), reader: reader.connectionString, underlying: error)
    }
    return try output()
  }

  /// Reviews the file, without a change.
  ///
  /// - Throws: ``InputError``; an error of the registry.
  public func review(_ file: BatchFile, in workplace: Workplace) throws -> Review {
    try options.validate()
    let batch = batch(in: workplace)
    let (objections, findings) = try batch.review(of: file)
    return Review(file: file, objections: objections, findings: findings, batch: batch)
  }

  /// Returns what a run would do after a review.
  ///
  /// - Throws: `RegistryError`, with code `batch-changed` if the batch was begun with other rows.
  public func rehearsal(of review: Review, in workplace: Workplace) throws -> Output {
    try output(of: batch(in: workplace), rehearsing: review)
  }

  /// Returns the state of a batch on record.
  ///
  /// - Throws: ``NotBegun``; `RegistryError`.
  public func status(in workplace: Workplace) throws -> Output {
    let batch = batch(in: workplace)
    guard try batch.exists() else { throw NotBegun(name: name) }
    return try output(of: batch)
  }

  /// Returns the batch with its ledger.
  package func batch(in workplace: Workplace, reader: String = "-") -> TagBatch {
    TagBatch(
      named: name, in: workplace.registry, engine: workplace.engine,
      station: BatchStation(reader: reader, who: workplace.person), options: options, keys: keys,
      now: workplace.now)
  }

  private func output(
    of batch: TagBatch, finished: Int = 0, refused: Int = 0, rehearsing review: Review? = nil
  ) throws -> Output {
    let counts = try batch.counts()
    let new = try review.map { try batch.newRows($0.file.orders).count } ?? (dryRun ? 0 : nil)
    let signatures = BatchSignatures(
      try batch.rows(in: [.intended, .written, .done]), refusedCount: refused)
    return Output(
      counts: counts, newRowCount: new ?? 0, finishedCount: finished,
      notable: try batch.rows(in: [.intended, .written, .skipped]), signatures: signatures,
      result: BatchResult(
        name, counts, signatures, finished: finished, rehearsing: new, review?.findings ?? [:]))
  }

  /// Returns the result of a tag that was served.
  private func result(
    of event: TagBatch.Event, _ findings: [Int: [Finding]], reader: String
  ) -> BatchTagResult? {
    guard case .served(let served, _) = event else { return nil }
    func attempt(
      _ outcome: String, _ uid: String, _ row: BatchRow?, _ error: (any Error)? = nil
    ) -> BatchTagResult {
      .attempted(
        AttemptResult(outcome, uid: uid, row, error, batch: name, reader: reader))
    }
    return switch served {
    case .finished(let row, let report):
      .wrote(
        WriteRowResult(
          row, report, findings: findings[row.number] ?? [], setsPassword: options.setsPassword,
          batch: name, reader: reader))
    case .alreadyDone(let row): attempt("already-done", row.tag?.uid ?? "", row)
    case .refused(let uid, let row, let error): attempt("refused", uid, row, error)
    case .left(let uid, let row, let error): attempt("left", uid, row, error)
    case .torn(let row, let error): attempt("torn", row.tag?.uid ?? "", row, error)
    case .spoiled(let row, let error): attempt("spoiled", error.uid?.hexadecimal ?? "", row, error)
    case .unasked(let uid): attempt("unasked", uid, nil)
    }
  }
}

extension TagBatch.Decisions {
  /// Whether nothing was decided.
  var isEmpty: Bool { redo.isEmpty && skip.isEmpty && !givesUpTorn }
}

extension BatchObjection {
  /// The reason that the row may not be written, in a sentence.
  fileprivate var sentence: Hint {
    switch reason {
    case .wrongPlace(let message), .placeholder(let message), .appClipCode(let message):
      Hint(message)
    case .refused(let verification):
      verification.findings.first { $0.severity == .error }?.advice
        ?? verification.findings.first?.advice ?? Hint(verification.state.rawValue)
    }
  }
}
