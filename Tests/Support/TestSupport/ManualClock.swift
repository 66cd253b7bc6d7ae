import Synchronization

/// A clock whose time passes only during a sleep, which returns at once, or when a test advances
/// it.
package final class ManualClock: Clock {
  package struct Instant: InstantProtocol {
    package private(set) var offset = Duration.zero

    package func advanced(by duration: Duration) -> Instant {
      var later = self
      later.offset += duration
      return later
    }

    package func duration(to other: Instant) -> Duration { other.offset - offset }

    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Mutex((now: Instant(), begun: 0, waits: [Duration]()))
  private let passes: @Sendable (_ wait: Duration, _ number: Int) async -> Bool

  /// Makes a clock.
  ///
  /// - Parameter passes: Called at each sleep with its length and its number, from 1; returns
  ///   whether the sleep passes, and may suspend. A sleep that does not pass lasts until its task is
  ///   cancelled.
  package init(
    passing passes: @escaping @Sendable (_ wait: Duration, _ number: Int) async -> Bool = { _, _ in
      true
    }
  ) {
    self.passes = passes
  }

  /// The lengths of the sleeps that passed, in order.
  package var waits: [Duration] { state.withLock { $0.waits } }
  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Advances the time.
  package func advance(by duration: Duration) {
    state.withLock { $0.now = $0.now.advanced(by: duration) }
  }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let (wait, number) = state.withLock { state in
      state.begun += 1
      return (state.now.duration(to: deadline), state.begun)
    }
    guard await passes(wait, number) else {
      for await _ in AsyncStream.makeStream(of: Void.self).stream {}
      throw CancellationError()
    }
    state.withLock { state in
      state.now = max(state.now, deadline)
      state.waits.append(wait)
    }
    await Task.yield()
    try Task.checkCancellation()
  }
}
