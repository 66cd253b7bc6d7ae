import Dispatch
public import TagTypes

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

/// A tag that a reader has selected.
///
/// It stays usable until the reader is closed, or until the reader's next
/// ``NFCReader/waitForTag(timeout:)`` begins; from then on its exchanges fail with `.tagLost`.
/// Every call runs on the reader's own thread and never blocks the caller's. A call that has begun
/// is not cut short by cancellation, because a write that was sent cannot be taken back: it ends
/// by itself in at most a few seconds, on a healthy reader in milliseconds.
public struct NFCTag: TagChannel {
  /// The tag as it answered when it was selected.
  public let target: TagTarget
  /// The reader that holds the tag.
  public let reader: NFCReader
  /// Which of the reader's selections this tag came from.
  let selection: Int

  /// The most bytes of an answer: 60 on an ACR122U, else 240 for a Type 2 tag and 258 for an APDU
  /// (256 bytes and the status word).
  public let maximumAnswerByteCount: Int

  /// Sends one command and returns the answer without its CRC.
  ///
  /// READ, WRITE and COMPATIBILITY_WRITE of a Type 2 tag, every APDU of an ISO/IEC 14443-4 tag and
  /// every command of a MIFARE Classic (`60` or `61`, block, key, UID; `30`, block) are framed by
  /// the reader (InDataExchange); all other commands go out as they are, with a CRC
  /// (InCommunicateThru). An answer that is longer than the command's data sheet says is cut;
  /// one that is shorter counts as a refusal. A command that may be repeated without harm is sent
  /// once more when the line to the reader, not the tag, was at fault; an APDU never is. A command
  /// of more than 262 bytes is refused unsent.
  ///
  /// An APDU may take 2 s and four of the tag's frame waiting times, 22 s for the slowest tag that
  /// the standard permits; any other command 0.7 s.
  public func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    try await reader.exchange(command, with: self)
  }

  /// Selects the same tag again, with the field switched off for a moment when asked.
  public func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    try await reader.reselect(self, fieldCycle: fieldCycle)
  }
}

/// The serial queue on which one reader's blocking calls run.
///
/// libnfc blocks for up to seconds; on the cooperative pool, which has one thread per core, two
/// readers could stop every task of the process.
final class ReaderExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "NFCReader")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The closure keeps the executor alive while a job of an otherwise forgotten reader runs.
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }

  /// Runs `work` on the queue after everything that was put there before.
  func submit(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  /// Runs `work` on the queue and waits for its result without blocking the caller's thread.
  func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      submit { continuation.resume(returning: work()) }
    }
  }
}
