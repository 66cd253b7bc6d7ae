package import Basics

/// Work on a picture that nothing can stop, such as a call of a C decoder, and of which a cancelled
/// task lets go instead of waiting.
package enum Uninterruptible {
  /// Runs the work outside the cooperative pool.
  ///
  /// - Parameters:
  ///   - source: what is being read, for the message.
  ///   - work: is not stopped by a cancellation; it should look at its argument where it can.
  /// - Throws: what the work throws; `cancelled` as soon as the task is. The work then goes on to
  ///   its end, and its result is dropped.
  package static func run<Value: Sendable>(
    _ source: String,
    _ work: @escaping @Sendable (BlockingQueue.Wanted) throws(PictureError) -> Value
  ) async throws(PictureError) -> Value {
    guard let value = try await BlockingQueue.shared.runUntilCancelled(work) else {
      throw .cancelled(source)
    }
    return value
  }
}
