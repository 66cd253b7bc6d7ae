import Dispatch
import Synchronization

/// Work that nothing can stop, such as a call of a C decoder, and of which a cancelled task lets
/// go instead of waiting.
package enum Uninterruptible {
  /// Whether anybody still waits for the work.
  package final class Interest: Sendable {
    private let lost = Atomic<Bool>(false)

    /// Once false, it stays so; the work may end where it likes.
    package var isAlive: Bool { !lost.load(ordering: .relaxed) }

    fileprivate func lose() { lost.store(true, ordering: .relaxed) }
  }

  /// Runs the work on a thread outside the cooperative pool, so that a cancellation is heard even
  /// while every thread of the pool is busy.
  ///
  /// - Parameters:
  ///   - source: what is being read, for the message.
  ///   - work: is not stopped by a cancellation; it should look at its argument where it can.
  /// - Throws: what the work throws; `cancelled` as soon as the task is. The work then goes on to
  ///   its end, and its result is dropped.
  package static func run<Value: Sendable>(
    _ source: String, _ work: @escaping @Sendable (Interest) throws(PictureError) -> Value
  ) async throws(PictureError) -> Value {
    if Task.isCancelled { throw .cancelled(source) }
    let interest = Interest()
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, PictureError>.self)
    DispatchQueue.global().async {
      continuation.yield(Result { () throws(PictureError) in try work(interest) })
      continuation.finish()
    }
    // A stream ends for its reader when the reader's task is cancelled.
    var iterator = results.makeAsyncIterator()
    let result = await iterator.next()
    guard let result, !Task.isCancelled else {
      interest.lose()
      throw .cancelled(source)
    }
    return try result.get()
  }
}
