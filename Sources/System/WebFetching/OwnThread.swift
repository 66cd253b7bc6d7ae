import CliptagPlatform

/// Runs blocking work on a separate thread, never on the cooperative pool.
///
/// SIGPIPE is blocked there: TLS writes to connections that the peer may have closed, and the write
/// then fails with an error instead.
///
/// - Returns: The work's result; `nil` if the system cannot create a thread.
func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
  await withCheckedContinuation { (continuation: CheckedContinuation<Result?, Never>) in
    let job = Unmanaged.passRetained(ThreadJob { continuation.resume(returning: work()) })
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = pthread_create(&thread, nil, { runJob($0) }, job.toOpaque())
    guard failure == 0 else {
      job.release()
      return continuation.resume(returning: nil)
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }
}

private final class ThreadJob: Sendable {
  let work: @Sendable () -> Void
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

private func runJob(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  // The retained job, which pthread passes on unchanged and once.
  if let argument { Unmanaged<ThreadJob>.fromOpaque(argument).takeRetainedValue().work() }
  return nil
}
