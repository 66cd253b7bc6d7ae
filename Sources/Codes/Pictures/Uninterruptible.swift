package import CliptagBasics

/// Uninterruptible work on a picture, such as a call of a C decoder, which a cancelled task
/// abandons instead of waiting for.
package enum Uninterruptible {
  /// Runs the work outside the cooperative pool.
  ///
  /// - Parameters:
  ///   - source: the name of the input, for messages.
  ///   - work: the work; a cancellation does not stop it, but it should check its argument where it
  ///     can.
  /// - Throws: errors of the work; `cancelled` as soon as the task is cancelled. The work then runs
  ///   to its end, and its result is dropped.
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
