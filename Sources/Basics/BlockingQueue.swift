import Dispatch
import Synchronization

/// Runs work that blocks on threads outside the cooperative pool, so that tasks go on and a
/// cancellation is heard meanwhile.
///
/// Two things do not come here: libnfc's calls, which are an actor's own (`NFCReader` is its
/// executor), and requests over HTTPS, each of which has a thread without SIGPIPE (`WebFetching`).
package struct BlockingQueue: Sendable {
  /// Whether anybody still waits for the work; what takes long looks here, at best every 50 ms.
  package final class Wanted: Sendable {
    private let hasEnded = Atomic<Bool>(false)

    /// Makes a wish that has not ended.
    package init() {}

    /// Once false, it stays so.
    package var isSet: Bool { !hasEnded.load(ordering: .relaxed) }

    /// Tells the work that nobody waits any more.
    package func end() { hasEnded.store(true, ordering: .relaxed) }
  }

  /// How long work waits for a device before it looks around, in milliseconds.
  package static let interval: Int32 = 50

  /// Work side by side, on as many threads as the machine has processors.
  package static let shared = BlockingQueue(.global())

  /// Work that mostly waits, for a device or another process: each piece has a thread to itself.
  package static let waiting = BlockingQueue(
    DispatchQueue(label: "waiting", attributes: .concurrent))

  private let queue: DispatchQueue

  /// A queue whose work is done in order, one piece after another.
  package init(_ label: String) { self.init(DispatchQueue(label: label)) }

  private init(_ queue: DispatchQueue) { self.queue = queue }

  /// Runs work to its end. When the task is cancelled, the work is told, and its result returned
  /// all the same.
  ///
  /// - Parameter wanted: For whoever ends the work in another way, too.
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

  /// Runs work that is told to end when a time is over; its result is returned all the same.
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

  /// Runs work that nothing can stop, such as a call of a C decoder, and of which a cancelled task
  /// lets go.
  ///
  /// - Returns: `nil` as soon as the task is cancelled. The work is told, goes on to its end, and its
  ///   result is dropped.
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
