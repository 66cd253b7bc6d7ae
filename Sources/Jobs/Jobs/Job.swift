/// One use of the product: checked inputs, and the work that they describe.
///
/// A program constructs a job, or decodes it from JSON, and runs it in a ``Workplace``:
///
/// ```swift
/// let workplace = try Workplace(registry: "registry.sqlite")
/// var poster = PrintPoster(url: "https://fruta.example.com/order/cupertino")
/// poster.outputs = [try PrintOutput(path: "sign.pdf")]
/// let files = try await poster.run(in: workplace)
/// ```
///
/// Every face of cliptag (the command, the station, a program of one's own) runs the same jobs, so
/// that a default or a check holds everywhere.
public protocol Job<Event, Output>: Sendable {
  /// An observation or a step that is reported while the job runs.
  associatedtype Event: Sendable
  /// The answer of the finished job.
  associatedtype Output: Sendable

  /// Runs the job to its end.
  ///
  /// Blocking work runs outside the cooperative pool. Cancelling the task ends the job with
  /// `CancellationError` or a partial answer, as the job documents; nothing stays half written.
  ///
  /// - Parameters:
  ///   - workplace: The registry and the settings that the job works with.
  ///   - report: Receives events in their order, on the task that runs the job.
  func run(
    in workplace: Workplace, reporting report: @Sendable (Event) -> Void
  ) async throws -> Output
}

extension Job {
  /// Runs the job to its end without observing it.
  public func run(in workplace: Workplace) async throws -> Output {
    try await run(in: workplace) { _ in }
  }

  /// Starts the job in a task of its own.
  ///
  /// - Returns: The run: a sequence of events, with the answer at its end.
  public func start(in workplace: Workplace) -> JobRun<Self> { JobRun(self, in: workplace) }
}

/// A job under way: a sequence of its events that ends with the job.
///
/// ```swift
/// let run = poster.start(in: workplace)
/// for await event in run { print(event) }
/// let files = try await run.output
/// ```
///
/// The job is cancelled when the run is released.
public final class JobRun<Work: Job>: AsyncSequence, Sendable {
  /// The events of the job.
  public typealias Element = Work.Event
  /// A run throws nothing while it reports; the answer does.
  public typealias Failure = Never

  private let stream: AsyncStream<Work.Event>
  private let task: Task<Work.Output, any Error>

  init(_ job: Work, in workplace: Workplace) {
    let (stream, continuation) = AsyncStream<Work.Event>.makeStream()
    self.stream = stream
    task = Task {
      defer { continuation.finish() }
      return try await job.run(in: workplace) { continuation.yield($0) }
    }
  }

  deinit { task.cancel() }

  /// The job's answer; waits for the end of the job. Cancelling the waiting task cancels the job.
  public var output: Work.Output {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Cancels the job.
  public func cancel() { task.cancel() }

  /// The events from now on. A run has one iterator.
  public func makeAsyncIterator() -> AsyncStream<Work.Event>.Iterator { stream.makeAsyncIterator() }
}
