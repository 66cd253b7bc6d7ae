import Dispatch
import Synchronization

/// Runs blocking work on threads outside the cooperative pool, so that other tasks proceed and a
/// cancellation is noticed meanwhile.
///
/// Two kinds of work do not use it: libnfc's calls, which run on an actor's executor (`NFCReader`),
/// and HTTPS requests, each of which has a thread without SIGPIPE (`WebFetching`).
package struct BlockingQueue: Sendable {
  /// A flag that indicates whether the result of the work is still wanted. Long-running work checks
  /// it, ideally every 50 ms.
  package final class Wanted: Sendable {
    private let hasEnded = Atomic<Bool>(false)

    /// Creates a flag that is set.
    package init() {}

    /// A Boolean value that indicates whether the result is still wanted; once `false`, it remains
    /// `false`.
    package var isSet: Bool { !hasEnded.load(ordering: .relaxed) }

    /// Clears the flag: the result is no longer wanted.
    package func end() { hasEnded.store(true, ordering: .relaxed) }
  }

  /// The time that work waits for a device before it checks the flag again, in milliseconds.
  package static let interval: Int32 = 50

  /// A concurrent queue with as many threads as the machine has processors.
  package static let shared = BlockingQueue(.global())

  /// A queue for work that mostly waits for a device or another process; each piece has its own
  /// thread.
  package static let waiting = BlockingQueue(
    DispatchQueue(label: "waiting", attributes: .concurrent))

  private let queue: DispatchQueue

  /// Creates a serial queue, which runs its work in order, one piece at a time.
  package init(_ label: String) { self.init(DispatchQueue(label: label)) }

  private init(_ queue: DispatchQueue) { self.queue = queue }

  /// Runs work to its end. When the task is cancelled, `wanted` is cleared, and the result of the
  /// work is still returned.
  ///
  /// - Parameter wanted: A flag of the caller, which lets it end the work in another way too.
  package func run<Value: Sendable, Failure: Error>(
    _ wanted: Wanted = Wanted(),
    _ work: @escaping @Sendable (Wanted) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
        queue.async {
          continuation.resume(returning: Result { () throws(Failure) in try work(wanted) })
        }
      }
    } onCancel: {
      wanted.end()
    }
    return try result.get()
  }

  /// Runs work whose flag is cleared after a time limit; the result of the work is still returned.
  package func run<Value: Sendable, Time: Clock>(
    for limit: Duration, on clock: Time, _ work: @escaping @Sendable (Wanted) -> Value
  ) async -> Value where Time.Duration == Duration {
    await withTaskGroup(of: Void.self) { group in
      let wanted = Wanted()
      group.addTask {
        try? await clock.sleep(for: limit)
        wanted.end()
      }
      let value = await run(wanted, work)
      group.cancelAll()
      return value
    }
  }

  /// Runs work that cannot be interrupted, such as a call of a C decoder, and abandons it when the
  /// task is cancelled.
  ///
  /// - Returns: `nil` as soon as the task is cancelled. The flag is then cleared, the work runs to
  ///   its end, and its result is dropped.
  package func runUntilCancelled<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (Wanted) throws(Failure) -> Value
  ) async throws(Failure) -> Value? {
    if Task.isCancelled { return nil }
    let wanted = Wanted()
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, Failure>.self)
    queue.async {
      continuation.yield(Result { () throws(Failure) in try work(wanted) })
      continuation.finish()
    }
    // A stream ends for its reader when the reader's task is cancelled.
    var iterator = results.makeAsyncIterator()
    let result = await iterator.next()
    guard let result, !Task.isCancelled else {
      wanted.end()
      return nil
    }
    return try result.get()
  }
}
