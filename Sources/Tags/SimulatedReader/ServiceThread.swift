import CliptagBasics
import CliptagPlatform
import Synchronization

/// The thread of a simulated device: it waits in a single `poll` for the device's descriptors, a
/// wake-up or a deadline, and never on the cooperative pool.
final class ServiceThread: Sendable {
  private struct State {
    var isStopping = false
    var hasEnded = false
    var failure: SimulatedReaderError?
    var waiters: [CheckedContinuation<SimulatedReaderError?, Never>] = []
  }

  private let state = Mutex(State())
  private let wakeReader: Int32
  private let wakeWriter: Int32

  /// Opens the pipe that interrupts the `poll`.
  ///
  /// - Throws: `.noPseudoTerminal`.
  init() throws(SimulatedReaderError) {
    var pipe: [Int32] = [-1, -1]
    guard CliptagPlatform.pipe(&pipe) == 0 else { throw Self.unavailable(errno) }
    for end in pipe {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (wakeReader, wakeWriter) = (pipe[0], pipe[1])
  }

  deinit {
    close(wakeReader)
    close(wakeWriter)
  }

  /// The argument of the thread, which takes it once.
  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts the thread.
  ///
  /// - Parameter body: The work, retained until it returns; it ends with ``end(_:)``.
  /// - Throws: `.noPseudoTerminal`.
  func start(_ body: @escaping @Sendable () -> Void) throws(SimulatedReaderError) {
    let job = Unmanaged.passRetained(Job(body))
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { argument in
        // `argument` is the retained job below; pthread passes it on unchanged and once.
        guard let argument else { return nil }
        Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, job.toOpaque())
    guard failure == 0 else {
      job.release()
      throw Self.unavailable(failure)
    }
    pthread_detach(thread)
  }

  /// Waits for bytes or a new client at a descriptor, a wake-up or the deadline.
  ///
  /// - Returns: For each descriptor, whether something happened there.
  func wait(
    for descriptors: [Int32], until deadline: ContinuousClock.Instant? = nil
  ) -> [Bool] {
    var polled = (descriptors + [wakeReader]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // A deadline more than a minute ahead is checked again after one.
    let rest = deadline.map { max(.zero, min($0 - .now, .seconds(60))) }
    let milliseconds = rest.map { Int32(clamping: Int(bounded: $0 / .milliseconds(1))) } ?? -1
    let isReady = poll(&polled, nfds_t(polled.count), milliseconds) > 0
    // `poll` has a resolution of one millisecond, and a serial line needs less for a byte.
    if let rest, milliseconds == 0, !isReady {
      usleep(UInt32(clamping: Int(bounded: rest / .microseconds(1))))
    }
    var wakes = [UInt8](repeating: 0, count: 64)
    while read(wakeReader, &wakes, wakes.count) > 0 {}
    return polled.dropLast().map { $0.revents != 0 }
  }

  /// Interrupts the wait.
  func wake() { _ = withUnsafeBytes(of: UInt8(0)) { write(wakeWriter, $0.baseAddress, 1) } }

  /// Asks the thread to end soon.
  func stop() {
    state.withLock { $0.isStopping = true }
    wake()
  }

  /// A Boolean value that indicates whether the thread must end.
  var isStopping: Bool { state.withLock(\.isStopping) }

  /// Reports the end of the work.
  func end(_ failure: SimulatedReaderError? = nil) {
    let waiters = state.withLock { state in
      (state.hasEnded, state.failure) = (true, failure)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: failure) }
  }

  /// Waits until the work has ended, and returns the reason if it failed.
  func ended() async -> SimulatedReaderError? {
    await withCheckedContinuation { continuation in
      let outcome: SimulatedReaderError?? = state.withLock { state in
        if state.hasEnded { return .some(state.failure) }
        state.waiters.append(continuation)
        return nil
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }

  private static func unavailable(_ error: Int32) -> SimulatedReaderError {
    SimulatedReaderError(
      .noPseudoTerminal, "The simulated reader could not start: \(systemMessage(error)).",
      hint: "End other programs of this user: the limit on files or threads is reached.",
      systemError: error)
  }
}

/// The service behind a ``SimulatedReader/SimulatedReader``: a serial line, or a PC/SC service.
protocol SimulationService: AnyObject, Sendable {
  var path: String { get }
  var thread: ServiceThread { get }
  /// Reads or changes the chip between two exchanges.
  func withChip<Result: Sendable>(
    _ body: (inout SimulatedPN532) -> (result: Result, output: [ChipOutput])
  ) -> Result
}

/// The tag's memory in its file, saved before the host learns that a write succeeded.
struct SavedMemory: Sendable {
  private var saved: (path: String, memory: [UInt8])?
  /// The reason why the memory could not be saved.
  private(set) var failure: SimulatedReaderError?

  /// Saves the memory of the tag in a field, if it changed and has a file.
  mutating func save(_ field: SimulatedField) {
    guard let path = field.memoryFile, let memory = field.card?.memory,
      saved?.path != path || saved?.memory != memory
    else { return }
    do {
      try TagMemoryFile(path: path).save(memory)
      saved = (path, memory)
    } catch {
      failure = error
    }
  }
}
