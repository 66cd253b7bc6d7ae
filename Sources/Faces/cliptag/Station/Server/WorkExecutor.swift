import Dispatch
import Synchronization

/// Dedicated threads for the work of requests: it blocks on files, databases and devices, and must
/// not delay the threads that answer.
final class WorkExecutor: TaskExecutor {
  /// The threads for sessions.
  static let sessions = WorkExecutor(
    DispatchQueue(label: "cliptag.station.work", attributes: .concurrent))
  /// The threads for phones, whose work is done one piece after another and delays no other party.
  static let phones = WorkExecutor(DispatchQueue(label: "cliptag.station.phones"), inOrder: true)

  /// The threads of the current client.
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
