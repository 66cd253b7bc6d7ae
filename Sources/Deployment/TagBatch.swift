public import Foundation
public import Invocation
public import Registry

/// Many tags, one URL each, written one after another with a ledger that survives everything.
///
/// The ledger is in the registry. Before the first page of a tag is written, its UID is recorded
/// as the one of its row; when the tag was read back, the row and the code are recorded together.
/// Killed at any instant, a row is therefore pending (its tag is as it was), done, or waits for
/// the one tag that was begun for it, which is finished for that row when it is laid on a reader
/// again; so does a row whose tag is to be locked and is not yet. No UID is on two rows, and no row on two tags.
///
/// Several processes may work on one batch: each claims the row that it asks its operator for.
public struct TagBatch: Sendable {
  /// What is wanted of a run.
  public struct Options: Hashable, Sendable {
    /// Whether data on a tag that is not ours may be replaced.
    public var overwrites = false
    /// Whether a tag may be taken that carries another code, which is retired then, or that was
    /// given up before.
    public var reuses = false
    /// Whether rows are written although the check does not accept their URLs.
    public var unregistered = false
    /// The only product that is taken, in any case, for example `ntag215`; `nil` for any.
    public var type: String?
    /// Whether the originality signature is read and its verdict recorded: one exchange.
    public var readsSignature = true
    /// Whether only tags with a genuine signature are taken.
    public var requiresGenuine = false
    /// Whether each tag is locked for good once it was written and read back. A row that an
    /// earlier run left to be locked is finished without that unless this is set.
    public var locks = false
    /// The most rows that this run finishes; `nil` for all.
    public var limit: Int?
    /// The longest wait for one tag; `nil` for ever.
    public var timeout: Duration?

    /// Makes options: nothing that cannot be undone, no limits.
    public init() {}
  }

  /// The batch's name.
  public let name: String
  /// Where the ledger is.
  package let registry: any RegistryStore
  /// How URLs are checked before they are written.
  package let check: InvocationCheck
  /// This process, its reader and its operator.
  package let station: BatchStation
  /// What is wanted of this run.
  package let options: Options
  let now: @Sendable () -> Date
  let clock: any Clock<Duration>

  /// Makes a batch; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - name: The batch's name in the registry.
  ///   - registry: Where the ledger is kept.
  ///   - check: What decides whether a payload is accepted.
  ///   - station: Who writes, and with which reader.
  ///   - options: What is wanted of a run.
  ///   - now: The clock of the ledger.
  ///   - clock: Measures rates and waits.
  public init(
    named name: String, in registry: any RegistryStore, check: InvocationCheck,
    station: BatchStation, options: Options = Options(),
    now: @escaping @Sendable () -> Date = { Date() },
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.name = name
    self.registry = registry
    self.check = check
    self.station = station
    self.options = options
    self.now = now
    self.clock = clock
  }

  /// How often a waiting station says that it is still there.
  static let renewalInterval = Duration.seconds(60)
  /// How often a station that has no row of its own looks whether others have finished.
  static let restInterval = Duration.seconds(5)

  /// The ledger of codes, with this station's operator.
  var ledger: CodeLedger { CodeLedger(registry: registry, who: station.who, now: now) }
}

/// The ledger's steps, each one transaction.
extension TagBatch {
  /// Gives up this station's claims and claims the next row that any tag will do for.
  func claimNext() async throws(RegistryError) -> BatchRow? {
    let time = now()
    return try await registry.write { registry in
      try registry.releaseClaims(of: name, for: station)
      return try registry.claimNextRow(of: name, for: station, at: time)
    }
  }

  func release() async throws(RegistryError) {
    try await registry.write { registry in
      try registry.releaseClaims(of: name, for: station)
    }
  }

  func renew() async throws(RegistryError) {
    let time = now()
    try await registry.write { registry in
      try registry.renewClaims(of: name, for: station, at: time)
    }
  }

  /// How many rows are in which state, by all stations; all zero before the batch was begun.
  public func counts() throws(RegistryError) -> BatchCounts {
    try registry.read { registry in try registry.batchCounts(name) }
  }

  /// The rows in some states, in order.
  public func rows(in states: Set<BatchRow.State>) throws(RegistryError) -> [BatchRow] {
    try registry.read { registry in
      try registry.batchRows(BatchRowFilter(batch: name, states: states))
    }
  }

  /// Whether the batch was begun.
  public func exists() throws(RegistryError) -> Bool {
    try registry.read { registry in try registry.batch(named: name) } != nil
  }

  /// The rows that only one tag can finish, and that no other running station works on: begun
  /// ones, and those that name their tag.
  func rowsForOneTag() throws(RegistryError) -> [BatchRow] {
    try registry.read { registry in
      let others = Set(
        try registry.batchClaims(name)
          .filter { $0.holder != station.holder && station.isAlive($0) }.map(\.row))
      let states: Set<BatchRow.State> = [.pending, .intended, .written]
      return try registry.batchRows(BatchRowFilter(batch: name, states: states))
        .filter { row in
          (row.state.isTorn || row.order.wantedUID != nil) && !others.contains(row.number)
        }
    }
  }
}
