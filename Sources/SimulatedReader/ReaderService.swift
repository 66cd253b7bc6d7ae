import Glibc
import Synchronization

/// The thread that connects a ``SimulatedPN532`` to a pseudo-terminal.
///
/// It waits in a single `poll`, on a separate thread and never on the cooperative pool.
final class ReaderService: SimulationService {
  let path: String
  private let timing: SimulatedTiming
  private let trace: (@Sendable (TraceEntry) -> Void)?
  private let start = ContinuousClock.now
  private let wakeReader: Int32
  private let wakeWriter: Int32
  private let state: Mutex<State>

  private struct State {
    var chip: SimulatedPN532
    /// The file that was written last, and its content.
    var saved: (path: String, memory: [UInt8])?
    /// The pending actions of the chip, with their due times.
    var queue = OutputQueue()
    var isStopping = false
    var hasEnded = false
    var failure: SimulatedReaderError?
    var waiters: [CheckedContinuation<SimulatedReaderError?, Never>] = []
  }

  /// Opens the terminal and starts to serve.
  ///
  /// - Parameter trace: A closure called on the service's thread, in order, between exchanges.
  init(
    chip: SimulatedPN532, timing: SimulatedTiming = .none,
    trace: (@Sendable (TraceEntry) -> Void)? = nil
  ) throws(SimulatedReaderError) {
    let terminal = try PseudoTerminal()
    var pipe: [Int32] = [-1, -1]
    guard Glibc.pipe(&pipe) == 0 else { throw Self.noThread(errno) }
    for end in pipe {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    path = terminal.path
    self.timing = timing
    self.trace = trace
    wakeReader = pipe[0]
    wakeWriter = pipe[1]
    var chip = chip
    chip.isTracing = trace == nil ? nil : true
    state = Mutex(State(chip: chip))
    try start(terminal)
  }

  /// Reads or changes the chip between two exchanges.
  ///
  /// - Parameter body: A closure that gets the chip, and returns a result and the chip's actions.
  func withChip<Result: Sendable>(
    _ body: (inout SimulatedPN532) -> (result: Result, output: [ChipOutput])
  ) -> Result {
    state.withLock { state in
      let (result, output) = body(&state.chip)
      state.queue.add(output, timing: timing)
      // Another action may be due now, and the memory may have to be saved.
      wake(state)
      return result
    }
  }

  /// Ends the thread soon; the terminal hangs up.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      wake(state)
    }
  }

  /// Waits until the thread has ended.
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

  /// Interrupts the `poll`. The pipe is closed only after `hasEnded` is set under the same lock.
  private func wake(_ state: State) {
    guard !state.hasEnded else { return }
    _ = withUnsafeBytes(of: UInt8(0)) { write(wakeWriter, $0.baseAddress, 1) }
  }

  private static func noThread(_ error: Int32) -> SimulatedReaderError {
    SimulatedReaderError(
      .noPseudoTerminal, "The simulated reader could not start: \(systemMessage(error)).",
      hint: "End other programs of this user; a limit on files or threads is reached.",
      systemError: error)
  }
}

/// The thread.
extension ReaderService {
  /// The argument of the thread, which takes it once.
  private final class Job {
    let service: ReaderService
    let terminal: PseudoTerminal
    init(_ service: ReaderService, _ terminal: consuming PseudoTerminal) {
      self.service = service
      self.terminal = terminal
    }
  }

  private func start(_ terminal: consuming PseudoTerminal) throws(SimulatedReaderError) {
    let job = Unmanaged.passRetained(Job(self, terminal))
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { argument in
        // `argument` is the retained job below; pthread passes it on unchanged and once.
        guard let argument else { return nil }
        let job = Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
        job.service.serve(job.terminal)
        return nil
      }, job.toOpaque())
    guard failure == 0 else {
      job.release()
      end()
      throw Self.noThread(failure)
    }
    pthread_detach(thread)
  }

  private func serve(_ terminal: borrowing PseudoTerminal) {
    // The first round saves the memory and executes the script's lines for the start.
    var deadline: ContinuousClock.Instant? = .now
    while true {
      wait(terminal, until: deadline)
      let received = terminal.receive()
      let isClosed = terminal.hasBeenClosed()

      let (due, isTracing, goesOn) = state.withLock { state in
        if !received.isEmpty {
          state.queue.add(state.chip.hear(received), timing: timing)
        } else if state.queue.isReplyDue(of: state.chip) {
          state.queue.add(state.chip.letDelayElapse(), timing: timing)
        }
        // The last client's bytes before its close are complete when no more arrive.
        if isClosed { state.chip.lineClosed() }
        state.queue.add(state.chip.letTimePass(.now - start), timing: timing)
        state.queue.schedule(replyOf: state.chip)
        save(&state)
        let goesOn = !state.isStopping && !state.chip.isFinished && state.failure == nil
        // The response to a write that could not be saved is never sent.
        let due = state.failure == nil ? state.queue.takeDue() : []
        deadline = [state.queue.deadline, state.chip.script.nextTime.map { start + $0 }]
          .compactMap(\.self).min()
        return (due, state.chip.isTracing == true, goesOn)
      }
      // Before anything is sent, since the next client may already be here.
      if isClosed { terminal.tidy() }
      for output in due {
        if isTracing, let trace, let event = output.event {
          trace(TraceEntry(time: .now - start, event: event))
        }
      }
      let bytes = due.flatMap(\.bytes)
      if !bytes.isEmpty { terminal.send(bytes) }
      guard goesOn else { break }
    }
    end()
  }

  /// Waits for bytes, a close, a wake-up or the deadline.
  private func wait(
    _ terminal: borrowing PseudoTerminal, until deadline: ContinuousClock.Instant?
  ) {
    var polled = [terminal.descriptor, terminal.closeWatch, wakeReader].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // A deadline more than a minute ahead is checked again after one.
    let rest = deadline.map { max(.zero, min($0 - .now, .seconds(60))) }
    let milliseconds = rest.map { Int32($0 / .milliseconds(1)) } ?? -1
    let isReady = poll(&polled, nfds_t(polled.count), milliseconds) > 0
    // `poll` has a resolution of one millisecond, and the line needs less for a byte.
    if let rest, milliseconds == 0, !isReady { usleep(UInt32(rest / .microseconds(1))) }
    var wakes = [UInt8](repeating: 0, count: 64)
    while read(wakeReader, &wakes, wakes.count) > 0 {}
  }

  /// Saves the tag's memory to the file, before the host learns that a write succeeded.
  private func save(_ state: inout State) {
    guard let path = state.chip.field.memoryFile, let memory = state.chip.field.card?.memory,
      state.saved?.path != path || state.saved?.memory != memory
    else { return }
    do {
      try TagMemoryFile(path: path).save(memory)
      state.saved = (path, memory)
    } catch {
      state.failure = error
    }
  }

  private func end() {
    let (waiters, failure) = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [] }
      return (state.waiters, state.failure)
    }
    close(wakeReader)
    close(wakeWriter)
    for waiter in waiters { waiter.resume(returning: failure) }
  }
}
