import Invocation
import Synchronization

/// A registry in memory: for tests, for trying an import out, and as the reference that the other
/// store is compared with.
public final class MemoryRegistry: RegistryStore {
  private let state: Mutex<MemoryState>

  /// Makes an empty registry.
  public init() { state = Mutex(MemoryState()) }

  /// Nothing to tell.
  public var notes: [String] { [] }

  /// The version of the schema that the SQLite store would have.
  public var schemaVersion: Int { RegistrySchema.currentVersion }

  /// Runs `body` on one unchanging state; the registry is locked meanwhile.
  public func read<Value>(
    _ body: (borrowing RegistryTransaction) throws(RegistryError) -> Value
  ) throws(RegistryError) -> Value {
    // The lock is held only to copy: a body may then call the registry again.
    let records = MemoryRecords(state.withLock { $0 })
    return try body(RegistryTransaction(records, mayChange: false))
  }

  /// Runs `body` on a copy and keeps the copy when it succeeds; the registry is locked meanwhile.
  public func write<Value>(
    _ body: (borrowing RegistryTransaction) throws(RegistryError) -> Value
  ) throws(RegistryError) -> Value {
    try state.withLock { (state) throws(RegistryError) -> Value in
      let records = MemoryRecords(state)
      let value = try body(RegistryTransaction(records, mayChange: true))
      state = records.state
      return value
    }
  }
}

/// Everything a registry in memory holds.
struct MemoryState: Sendable {
  var clips: [ByteKey: AppClip] = [:]
  var experiences: [ByteKey: AdvancedExperience] = [:]
  /// Normal forms of the links under each host and folded key.
  var linksByKey: [HostKey: Set<ByteKey>] = [:]
  var places: [ByteKey: Place] = [:]
  var codes: [CodeID: IssuedCode] = [:]
  var record = MemoryRecord()
  var batches: [ByteKey: BatchState] = [:]
  var counters: [ByteKey: TagCounter] = [:]
  var walks: [Walk.ID: WalkState] = [:]

  struct HostKey: Hashable {
    let host: ByteKey
    let foldedKey: ByteKey

    init(_ link: InvocationURL) { self.init(link.host, link.foldedKey) }

    init(_ host: String, _ foldedKey: String) {
      self.host = ByteKey(host)
      self.foldedKey = ByteKey(foldedKey)
    }
  }
}
