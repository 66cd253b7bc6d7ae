import Dispatch
import Synchronization

/// The time limit of calls to a library without time-outs.
///
/// Shared by all connections of one reader.
final class CallLimit: Sendable {
  /// The time left for a call after the work was cancelled. A healthy reader answers within a tenth
  /// of it.
  static let grace = Duration.milliseconds(500)

  /// The longest time for one call.
  let duration: Duration
  private let hurried = Mutex(false)

  /// Makes a limit.
  ///
  /// - Parameter duration: The longest time for one call.
  init(_ duration: Duration = .seconds(10)) { self.duration = duration }

  /// A Boolean value that indicates whether calls, including those in progress, get no more than
  /// ``grace`` because the work was cancelled.
  var isHurried: Bool {
    get { hurried.withLock { $0 } }
    set { hurried.withLock { $0 = newValue } }
  }
}

/// Runs calls that may never return, one after another, on a separate thread.
///
/// After an abandoned call it runs no other: the thread, and the library's lock that the call
/// holds, cannot be recovered.
final class LimitedWorker: Sendable {
  private let queue = DispatchQueue(label: "LimitedWorker")
  private let limit: CallLimit
  private let givenUp = Mutex(false)

  init(_ limit: CallLimit) { self.limit = limit }

  /// A Boolean value that indicates whether a call took too long.
  var hasGivenUp: Bool { givenUp.withLock { $0 } }

  /// Runs a call and waits for its result, blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - longer: The time allowed beyond the limit, because the call itself waits.
  ///   - work: The call.
  /// - Returns: Its result; `nil` if it or an earlier call took too long.
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
