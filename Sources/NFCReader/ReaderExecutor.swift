internal import Dispatch

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
