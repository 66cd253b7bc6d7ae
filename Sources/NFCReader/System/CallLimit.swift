import Dispatch
import Synchronization

/// How long a call to a library may take that knows no time-out of its own.
///
/// Shared by all connections of one reader.
final class CallLimit: Sendable {
  /// What a call may still take after the work was cancelled. A healthy reader answers within a tenth of it.
  static let grace = Duration.milliseconds(500)

  /// The longest time for one call.
  let duration: Duration
  private let hurried = Mutex(false)

  /// Makes a limit.
  ///
  /// - Parameter duration: The longest time for one call.
  init(_ duration: Duration = .seconds(10)) { self.duration = duration }

  /// Whether calls, those under way included, get no more than ``grace``: the work was cancelled.
  var isHurried: Bool {
    get { hurried.withLock { $0 } }
    set { hurried.withLock { $0 = newValue } }
  }
}

/// Runs calls that may never return, one after another, on a thread of its own.
///
/// After one that was given up it runs no other: the thread, and the library's lock that the call holds,
/// are not to be had back.
final class LimitedWorker: Sendable {
  private let queue = DispatchQueue(label: "LimitedWorker")
  private let limit: CallLimit
  private let givenUp = Mutex(false)

  init(_ limit: CallLimit) { self.limit = limit }

  /// Whether a call took too long.
  var hasGivenUp: Bool { givenUp.withLock { $0 } }

  /// Runs a call and waits for its result, blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - longer: What the call may take beyond the limit, because it waits for something itself.
  ///   - work: The call.
  /// - Returns: Its result; nil when it took too long, or an earlier one did.
  func run<Result: Sendable>(
    longer: Duration = .zero, _ work: @escaping @Sendable () -> Result
  ) -> Result? {
    guard !hasGivenUp else { return nil }
    let box = Box<Result>()
    let done = DispatchSemaphore(value: 0)
    queue.async {
      box.value.withLock { $0 = work() }
      done.signal()
    }
    let start = ContinuousClock.now
    var hurried: ContinuousClock.Instant?
    // In slices, because a cancellation shortens the wait.
    while done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if limit.isHurried, hurried == nil { hurried = .now }
      let isOver =
        hurried.map { $0.duration(to: .now) >= CallLimit.grace }
        ?? (start.duration(to: .now) >= limit.duration + longer)
      guard isOver else { continue }
      givenUp.withLock { $0 = true }
      return nil
    }
    return box.value.withLock { $0 }
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
