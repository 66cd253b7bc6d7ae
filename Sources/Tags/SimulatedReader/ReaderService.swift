import Synchronization

/// Connects a ``SimulatedPN532`` to a pseudo-terminal.
final class ReaderService: SimulationService {
  let path: String
  let thread: ServiceThread
  private let timing: SimulatedTiming
  private let trace: (@Sendable (TraceEntry) -> Void)?
  private let start = ContinuousClock.now
  private let state: Mutex<State>

  private struct State {
    var chip: SimulatedPN532
    var memory = SavedMemory()
    /// The pending actions of the chip, with their due times.
    var queue = OutputQueue()
    /// The reason why the service ends early.
    var failure: SimulatedReaderError? { memory.failure ?? chip.playedFailure }
  }

  /// The owner of the terminal, which hangs up when the thread has ended.
  private final class Line: Sendable {
    let terminal: PseudoTerminal
    init() throws(SimulatedReaderError) { terminal = try PseudoTerminal() }
  }

  /// Opens the terminal and starts to serve.
  ///
  /// - Parameter trace: A closure called on the service's thread, in order, between exchanges.
  init(
    chip: SimulatedPN532, timing: SimulatedTiming = .none,
    trace: (@Sendable (TraceEntry) -> Void)? = nil
  ) throws(SimulatedReaderError) {
    let line = try Line()
    path = line.terminal.path
    thread = try ServiceThread()
    self.timing = timing
    self.trace = trace
    var chip = chip
    chip.isTracing = trace == nil ? nil : true
    state = Mutex(State(chip: chip))
    try thread.start { self.serve(line.terminal) }
  }

  /// Reads or changes the chip between two exchanges.
  ///
  /// - Parameter body: A closure that gets the chip, and returns a result and the chip's actions.
  func withChip<Result: Sendable>(
    _ body: (inout SimulatedPN532) -> (result: Result, output: [ChipOutput])
  ) -> Result {
    defer {
      // Another action may be due now, and the memory may have to be saved.
      thread.wake()
    }
    return state.withLock { state in
      let (result, output) = body(&state.chip)
      state.queue.add(output, timing: timing)
      return result
    }
  }

  private func serve(_ terminal: borrowing PseudoTerminal) {
    // The first round saves the memory and executes the script's lines for the start.
    var deadline: ContinuousClock.Instant? = .now
    while true {
      _ = thread.wait(for: [terminal.descriptor, terminal.closeWatch], until: deadline)
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
        state.memory.save(state.chip.field)
        let hasFailed = state.failure != nil
        // The response to a write that could not be saved is never sent.
        let due = hasFailed ? [] : state.queue.takeDue()
        deadline = [state.queue.deadline, state.chip.script.nextTime.map { start + $0 }]
          .compactMap(\.self).min()
        return (
          due, state.chip.isTracing == true,
          !thread.isStopping && !state.chip.isFinished && !hasFailed
        )
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
    thread.end(state.withLock(\.failure))
  }
}
