internal import Dispatch
internal import Synchronization

/// Runs work that blocks, one piece after another, on a thread outside the cooperative pool.
struct BlockingQueue: Sendable {
  /// Whether anybody still waits for the work; it looks here at least every 50 ms.
  final class Wanted: Sendable {
    private let hasEnded = Atomic<Bool>(false)
    var isSet: Bool { !hasEnded.load(ordering: .relaxed) }
    func end() { hasEnded.store(true, ordering: .relaxed) }
  }

  /// How long work waits for a device before it looks around, in milliseconds.
  static let interval: Int32 = 50

  private let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: label) }

  /// Runs work to its end. When the task is cancelled, the work is told, and its result returned
  /// all the same.
  func run<Result: Sendable>(_ work: @escaping @Sendable (Wanted) -> Result) async -> Result {
    await run(Wanted(), work)
  }

  /// Runs work that is told to end when a time is over; its result is returned all the same.
  func run<Result: Sendable, Time: Clock>(
    for limit: Duration, on clock: Time, _ work: @escaping @Sendable (Wanted) -> Result
  ) async -> Result where Time.Duration == Duration {
    await withTaskGroup(of: Void.self) { group in
      let wanted = Wanted()
      group.addTask {
        try? await clock.sleep(for: limit)
        wanted.end()
      }
      let result = await run(wanted, work)
      group.cancelAll()
      return result
    }
  }

  private func run<Result: Sendable>(
    _ wanted: Wanted, _ work: @escaping @Sendable (Wanted) -> Result
  ) async -> Result {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: work(wanted)) }
      }
    } onCancel: {
      wanted.end()
    }
  }
}
