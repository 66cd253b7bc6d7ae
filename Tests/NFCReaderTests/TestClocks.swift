import Synchronization

/// A clock on which time passes only while somebody sleeps, and then at once.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration = .zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Mutex((now: Instant(), sleeps: 0))
  private let onSleep: @Sendable (_ sleeps: Int) -> Void

  init(onSleep: @escaping @Sendable (_ sleeps: Int) -> Void = { _ in }) {
    self.onSleep = onSleep
  }

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let sleeps = state.withLock { state in
      state.now = max(state.now, deadline)
      state.sleeps += 1
      return state.sleeps
    }
    onSleep(sleeps)
    await Task.yield()
    try Task.checkCancellation()
  }
}

/// A clock whose sleeps end only when the task is cancelled or the gate's stream ends.
struct GatedClock: Clock {
  private let base = ContinuousClock()
  let onSleep: @Sendable () -> Void
  let gate: AsyncStream<Void>

  init(
    onSleep: @escaping @Sendable () -> Void,
    gate: AsyncStream<Void> = AsyncStream.makeStream(of: Void.self).stream
  ) {
    self.onSleep = onSleep
    self.gate = gate
  }

  var now: ContinuousClock.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    onSleep()
    for await _ in gate {}
    try Task.checkCancellation()
  }
}
