import Synchronization

/// Runs jobs on the thread that asks for it, one after another.
private final class InlineExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func drain() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// Runs asynchronous work to its end on this thread, without any other.
///
/// - Throws: What the work throws; ``BrokenRule`` when it waits for something that never comes.
func runInline(_ work: @escaping @Sendable () async throws -> Void) throws {
  let executor = InlineExecutor()
  let outcome = Mutex<Result<Void, any Error>?>(nil)
  Task(executorPreference: executor) {
    let result: Result<Void, any Error>
    do {
      result = .success(try await work())
    } catch {
      result = .failure(error)
    }
    outcome.withLock { $0 = result }
  }
  executor.drain()
  guard let result = outcome.withLock({ $0 }) else { throw BrokenRule("the work never ends") }
  try result.get()
}
