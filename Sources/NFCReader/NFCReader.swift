internal import TagTypes

/// One NFC reader, driven through libnfc.
///
/// Everything that blocks runs on a serial queue of the reader's own. A reader holds its port
/// against other programs until it is closed or forgotten.
///
/// ```swift
/// let reader = try await NFCReader.open()
/// let tag = try await reader.waitForTag(timeout: .seconds(10))
/// let pages = try await tag.exchange([0x30, 0x00])
/// await reader.close()
/// ```
public actor NFCReader {
  /// The libnfc connection string the reader was opened with.
  public nonisolated let connectionString: String
  /// The chip in the reader and its firmware version, such as `PN532 v1.6`; the connection string
  /// when libnfc does not say.
  public internal(set) var name: String

  nonisolated let executor: ReaderExecutor
  /// The reader's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let clock: any Clock<Duration>
  /// Nil before opening and after closing.
  var device: ReaderDevice?
  /// What the reader was opened with, to open it anew.
  var origin: Origin?
  /// Counts the tags that were handed out; only the last one may be used.
  var selection = 0
  /// Whether the chip has the last tag selected.
  var isSelected = false
  /// Technologies to which the chip has answered with a failure; they are not asked for again.
  var unsupported: Set<OtherTechnology> = []

  /// What opening a reader needs.
  struct Origin {
    let library: NFCLibrary
    let system: SystemView
  }

  init(connectionString: String, executor: ReaderExecutor, clock: any Clock<Duration>) {
    self.connectionString = connectionString
    self.name = connectionString
    self.executor = executor
    self.clock = clock
  }
}
