import Dispatch
import Synchronization

/// Threads of their own for what requests ask for: it blocks on files, databases and devices, for which the
/// threads that answer have no time.
final class WorkExecutor: TaskExecutor {
  /// For sessions.
  static let sessions = WorkExecutor(
    DispatchQueue(label: "cliptag.station.work", attributes: .concurrent))
  /// For phones, whose work is done one piece after another and delays nobody else's.
  static let phones = WorkExecutor(DispatchQueue(label: "cliptag.station.phones"), inOrder: true)

  /// Those of whoever asked.
  @TaskLocal static var current = sessions

  private let queue: DispatchQueue
  private let isInOrder: Bool
  /// Ends with the last piece of work that waits or is done.
  private let last = Mutex<Task<Void, Never>?>(nil)

  private init(_ queue: DispatchQueue, inOrder: Bool = false) {
    self.queue = queue
    isInOrder = inOrder
  }

  /// Does work on these threads, and whatever it begins on them, too.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = Self.$current.withValue(self) {
      last.withLock { last in
        let task = Task(executorPreference: self) { [before = isInOrder ? last : nil] in
          await before?.value
          return await work()
        }
        if isInOrder { last = Task { _ = await task.value } }
        return task
      }
    }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
