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

/// A clock whose sleeps end only when the task is cancelled.
struct EndlessClock: Clock {
  private let base = ContinuousClock()
  let onSleep: @Sendable () -> Void

  init(onSleep: @escaping @Sendable () -> Void) { self.onSleep = onSleep }

  var now: ContinuousClock.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    onSleep()
    let (never, _) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    try Task.checkCancellation()
  }
}
