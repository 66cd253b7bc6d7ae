import Issuing
import Registry

/// Lists the batches on record, the newest first.
public struct ListBatches: Job {
  /// Makes a job.
  public init() {}

  /// Reads the batches and their progress at one moment.
  ///
  /// - Throws: `RegistryError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Never) -> Void
  ) async throws -> [BatchListing] {
    try await workplace.registry.read { registry throws(RegistryError) in
      let batches = try registry.batches().sorted { $0.created > $1.created }
      return try batches.map { batch throws(RegistryError) in
        var unfinished = BatchRowFilter(batch: batch.name, states: [.pending, .intended, .written])
        unfinished.limit = 1
        return BatchListing(
          batch, try registry.batchCounts(batch.name),
          try registry.batchOptions(batch.name).map(TagBatch.Options.init(recorded:)),
          next: try registry.batchRows(unfinished).first?.number)
      }
    }
  }
}

/// A batch on record with its progress: the `batch` object of a listing.
public struct BatchListing: Encodable, Sendable {
  /// The options of a batch, as far as the record keeps them.
  public struct Options: Encodable, Hashable, Sendable {
    /// Whether each tag is locked for good.
    public let lock: Bool
    /// Whether a password is put in force on each tag.
    public let setPassword: Bool
    /// Whether data that is not ours may be replaced.
    public let overwrite: Bool
    /// Whether tags are taken that carry another code.
    public let reuse: Bool
    /// Whether rows are written although the check does not accept their URLs.
    public let unregistered: Bool
    /// Whether rows are refused that the check warns of.
    public let strict: Bool
    /// Whether only tags with a genuine signature are taken.
    public let requireGenuine: Bool
    /// The only product that is taken.
    public let type: String?
    /// Whether each tag is made ready with keys and a URL with messages.
    public let provision: Bool

    init(_ options: TagBatch.Options) {
      lock = options.locks
      setPassword = options.setsPassword
      overwrite = options.overwrites
      reuse = options.reuses
      unregistered = options.unregistered
      strict = options.refusesWarnings
      requireGenuine = options.requiresGenuine
      type = options.type
      provision = options.provisions
    }
  }

  /// The type of the object.
  public let type = "batch"
  /// The name of the batch.
  public let batch: String
  /// The number of rows.
  public let rows: Int
  /// The number of rows that are done.
  public let done: Int
  /// The number of rows that wait for any tag.
  public let pending: Int
  /// The number of rows that wait for the one tag that was begun for them.
  public let torn: Int
  /// The number of rows that need no tag.
  public let skipped: Int
  /// The time at which the batch was begun, by RFC 3339.
  public let created: String
  /// The person who began it.
  public let who: String
  /// The number of the first row that is not done.
  public let next: Int?
  /// The options that it was last begun or continued with.
  public let options: Options?

  init(_ batch: Batch, _ counts: BatchCounts, _ options: TagBatch.Options?, next: Int?) {
    self.batch = batch.name
    rows = counts.total
    done = counts[.done]
    pending = counts[.pending]
    torn = counts.torn
    skipped = counts[.skipped]
    created = batch.created.registryTimestamp
    who = batch.who
    self.next = next
    self.options = options.map(Options.init)
  }
}
