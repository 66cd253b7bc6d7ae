import Glibc
import Synchronization

/// A PN532 with a simulated tag, on a pseudo-terminal that unmodified libnfc opens as
/// `pn532_uart:/dev/pts/N`.
///
/// It serves from the moment it is made, one client after another, until ``stop()``, the end of
/// its last reference, or ``Fault/unplug(afterCommands:)``. Several may run at once.
///
/// ```swift
/// let reader = try SimulatedReader(.ntag215)
/// print(reader.connectionString)
/// try await reader.run()
/// ```
///
/// When a client closes the terminal, a tag that a fault had removed, torn or swapped lies on the
/// reader again, so that a second run can finish. The chip keeps its state, as the real one does.
/// A write that was torn stays torn.
///
/// The terminal has no speed: a client may choose any. Answers come at once, or as late as
/// ``SimulatedTiming`` says.
public final class SimulatedReader: Sendable {
  private let service: ReaderService

  /// Opens a pseudo-terminal and starts to serve.
  ///
  /// - Parameters:
  ///   - kind: What lies on the reader, as it leaves the factory.
  ///   - uid: Its UID, of the kind's size; `nil` for the kind's usual one.
  ///   - faults: What goes wrong, and when.
  ///   - memoryFile: Where the tag's memory is kept, in the layout that ``SimulatedTagKind``
  ///     tells; for a Type 2 tag exactly `layout.pageCount * 4` bytes, every page in order, PWD and
  ///     PACK in clear. If the file exists and is not empty, the tag takes its memory, UID
  ///     included; otherwise it is created. From then on every change is in the file before the
  ///     client hears of it, whole or not at all. Counters and the count of wrong passwords are
  ///     not kept. Two readers must not share a file.
  ///   - timing: How late answers come.
  ///   - trace: Is called with everything that happens on the line, in order, on the reader's own
  ///     thread; the reader waits for it to return.
  ///   - script: What is done at chosen moments.
  /// - Throws: `.malformedUID`, `.malformedMemory`, `.memoryUnreadable`, `.memoryUnwritable`,
  ///   `.memoryWithoutTag` (nothing has been changed), `.noPseudoTerminal`.
  public convenience init(
    _ kind: SimulatedTagKind, uid: [UInt8]? = nil, faults: [Fault] = [],
    memoryFile: String? = nil, timing: SimulatedTiming = .none,
    trace: (@Sendable (TraceEntry) -> Void)? = nil, script: SimulatorScript = SimulatorScript()
  ) throws(SimulatedReaderError) {
    try self.init(
      tag: kind.card(uid: uid), faults: faults, memoryFile: memoryFile, timing: timing,
      trace: trace, script: script)
  }

  /// The same with any tag, in any state; `nil` for nothing.
  package init(
    tag: (any SimulatedCard)?, faults: [Fault] = [], memoryFile: String? = nil,
    timing: SimulatedTiming = .none, trace: (@Sendable (TraceEntry) -> Void)? = nil,
    script: SimulatorScript = SimulatorScript()
  ) throws(SimulatedReaderError) {
    var tag = tag
    let file = memoryFile.map { TagMemoryFile(path: $0) }
    if let file {
      guard let blank = tag else {
        throw SimulatedReaderError(
          .memoryWithoutTag, "\(file.path) cannot keep the memory of no tag.",
          hint: "Name a kind of tag, or leave the memory file out.", path: file.path)
      }
      let held = try file.loaded(for: blank)
      try file.save(held.memory)
      tag = held
    }
    var chip = SimulatedPN532(tag: tag, faults: faults)
    chip.field.memoryFile = memoryFile
    chip.script = script
    service = try ReaderService(chip: chip, timing: timing, trace: trace)
  }

  /// Opens a pseudo-terminal and starts to serve a deck: one tag after another.
  ///
  /// - Parameters:
  ///   - deck: The tags; ``SimulatedDeck`` tells when one takes the place of another. A tag with a
  ///     memory file takes its memory from it if it exists, and the file is created when the tag
  ///     first lies on the reader.
  ///   - faults: What goes wrong, and when; counted across all tags.
  ///   - timing: How late answers come.
  ///   - trace: Is called with everything that happens, in order, on the reader's own thread.
  ///   - script: What is done at chosen moments.
  /// - Throws: `.malformedMemory`, `.memoryUnreadable`, `.memoryUnwritable` (nothing has been
  ///   changed), `.noPseudoTerminal`.
  public init(
    deck: SimulatedDeck, faults: [Fault] = [], timing: SimulatedTiming = .none,
    trace: (@Sendable (TraceEntry) -> Void)? = nil, script: SimulatorScript = SimulatorScript()
  ) throws(SimulatedReaderError) {
    var deck = deck
    try deck.loadMemories()
    var chip = SimulatedPN532(deck: deck, faults: faults)
    if let path = chip.field.memoryFile, let card = chip.field.card {
      try TagMemoryFile(path: path).save(card.memory)
    }
    chip.script = script
    service = try ReaderService(chip: chip, timing: timing, trace: trace)
  }

  deinit { service.stop() }

  /// The terminal's path, for example `/dev/pts/7`.
  public var devicePath: String { service.path }

  /// What libnfc opens, for example `pn532_uart:/dev/pts/7`.
  public var connectionString: String { "pn532_uart:\(devicePath)" }

  /// Waits until the reader has stopped. Cancelling the task stops it, within a few milliseconds.
  ///
  /// - Throws: `.memoryUnwritable` when a change could not be kept; the client was left without an
  ///   answer. Being stopped, cancelled or unplugged is no error.
  public func run() async throws(SimulatedReaderError) {
    let failure = await withTaskCancellationHandler {
      await service.ended()
    } onCancel: {
      service.stop()
    }
    if let failure { throw failure }
  }

  /// Stops serving; the terminal hangs up. Returns at once; ``run()`` tells when it is done.
  public func stop() { service.stop() }

  /// What belongs on this reader, as it is now, also while a fault keeps it away.
  package var card: (any SimulatedCard)? { service.withChip { ($0.field.card, []) } }

  /// What the tag that belongs on this reader holds now, as its memory file would; `nil` when there
  /// is none.
  public var memory: [UInt8]? { card?.memory }

  /// The Type 2 tag that belongs on this reader; `nil` when something else does, or nothing.
  package var tag: SimulatedTag? { service.withChip { ($0.field.tag, []) } }

  /// Lays another tag on the reader, or takes it away with `nil`. A client that waits for a tag
  /// finds it. The memory file, if there is one, is the new tag's from now on.
  package func replaceTag(with tag: (any SimulatedCard)?) {
    service.withChip { ((), $0.changeTag(to: tag)) }
  }

  /// The deck with every tag as it is now; `nil` when the reader has none.
  package var deck: SimulatedDeck? { service.withChip { ($0.field.deckNow, []) } }

  /// Does what a line of the control channel says; ``SimulatorCommand`` lists what there is.
  ///
  /// - Returns: The answer, one line.
  @discardableResult
  public func perform(_ command: SimulatorCommand) -> SimulatorAnswer {
    service.withChip { $0.perform(command) }
  }

  /// Adds a fault.
  ///
  /// - Parameter fault: What goes wrong; its number counts from now on.
  public func add(_ fault: Fault) { perform(.fault(fault)) }

  /// What has been asked of the reader since the start.
  public var counts: ReaderCounts { service.withChip { ($0.counts, []) } }

  /// How many commands the chip has taken since the start.
  package var commandCount: Int { service.withChip { ($0.commandCount, []) } }

  /// The latest exchanges between client and chip, oldest first, at most
  /// ``SimulatedPN532/exchangeLimit``.
  package var exchanges: [PN532Exchange] { service.withChip { ($0.exchanges, []) } }
}

/// The thread that joins a ``SimulatedPN532`` to a pseudo-terminal.
///
/// All its waiting is one `poll`, on a thread of its own and never on the cooperative pool.
final class ReaderService: Sendable {
  let path: String
  private let timing: SimulatedTiming
  private let trace: (@Sendable (TraceEntry) -> Void)?
  private let start = ContinuousClock.now
  private let wakeReader: Int32
  private let wakeWriter: Int32
  private let state: Mutex<State>

  private struct State {
    var chip: SimulatedPN532
    /// The file that was written last, and what is in it.
    var saved: (path: String, memory: [UInt8])?
    /// What the chip does, still to be done, with the moment for each.
    var queue = OutputQueue()
    var isStopping = false
    var hasEnded = false
    var failure: SimulatedReaderError?
    var waiters: [CheckedContinuation<SimulatedReaderError?, Never>] = []
  }

  /// Opens the terminal and starts to serve.
  ///
  /// - Parameter trace: Is called on the service's thread, in order, between exchanges.
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
  /// - Parameter body: Gets the chip, and returns what the chip does besides a result.
  func withChip<Result: Sendable>(
    _ body: (inout SimulatedPN532) -> (result: Result, output: [ChipOutput])
  ) -> Result {
    state.withLock { state in
      let (result, output) = body(&state.chip)
      state.queue.add(output, timing: timing)
      // Something else may be due now, and the memory may want to be kept.
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
  /// What the thread is given. It is taken once, by the thread.
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
        // `argument` is the retained job below; pthread hands it over unchanged and once.
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
    // The first round keeps the memory and does what a script says for the start.
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
        // What the last client sent before it closed is complete when nothing more comes.
        if isClosed { state.chip.lineClosed() }
        state.queue.add(state.chip.letTimePass(.now - start), timing: timing)
        state.queue.schedule(replyOf: state.chip)
        save(&state)
        let goesOn = !state.isStopping && !state.chip.isFinished && state.failure == nil
        // An answer to a write that could not be kept is never sent.
        let due = state.failure == nil ? state.queue.takeDue() : []
        deadline = [state.queue.deadline, state.chip.script.nextTime.map { start + $0 }]
          .compactMap(\.self).min()
        return (due, state.chip.isTracing == true, goesOn)
      }
      // Before anything is sent, for the next client may be here already.
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
    // A deadline longer ahead than a minute is looked at again after one.
    let rest = deadline.map { max(.zero, min($0 - .now, .seconds(60))) }
    let milliseconds = rest.map { Int32($0 / .milliseconds(1)) } ?? -1
    let isReady = poll(&polled, nfds_t(polled.count), milliseconds) > 0
    // `poll` knows no less than a millisecond, and the line needs less for a byte.
    if let rest, milliseconds == 0, !isReady { usleep(UInt32(rest / .microseconds(1))) }
    var wakes = [UInt8](repeating: 0, count: 64)
    while read(wakeReader, &wakes, wakes.count) > 0 {}
  }

  /// Keeps the memory file as the tag is, before the host hears that a write succeeded.
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

/// How much a client has asked of a simulated reader: the figures to measure clients by.
///
/// They grow from the simulator's start, across clients. What one job needs is the difference:
///
/// ```swift
/// let before = reader.counts
/// …
/// let job = reader.counts - before
/// print(job.exchanges, job.modelledMilliseconds)
/// ```
public struct ReaderCounts: Hashable, Sendable {
  /// Commands the chip took.
  public internal(set) var exchanges = 0
  /// Frames to a selected tag; requests, selection and halting do not count.
  public internal(set) var tagCommands = 0
  /// Writes to a tag, taken or not.
  public internal(set) var writes = 0
  /// Bytes on the serial line from the host, wake-up and acknowledgements included.
  public internal(set) var bytesFromHost = 0
  /// Bytes on the serial line to the host.
  public internal(set) var bytesToHost = 0
  /// How long those bytes take on the line at the speed the host chose, 115200 baud at first.
  public internal(set) var lineTime = Duration.zero
  /// How long the frames in the air and the writing of the tag's memory take.
  public internal(set) var radioTime = Duration.zero
  /// How long the chip waited for tags that did not answer.
  public internal(set) var waitingTime = Duration.zero

  /// Everything at its beginning.
  package init() {}

  /// How long a real reader would have been busy: the sum of the three times. It does not depend on
  /// the machine, on ``SimulatedTiming``, or on how long the client thought.
  public var modelledTime: Duration { lineTime + radioTime + waitingTime }

  /// ``modelledTime`` in milliseconds.
  public var modelledMilliseconds: Double { modelledTime / .milliseconds(1) }

  /// What has come since.
  public static func - (later: Self, earlier: Self) -> Self {
    var difference = ReaderCounts()
    difference.exchanges = later.exchanges - earlier.exchanges
    difference.tagCommands = later.tagCommands - earlier.tagCommands
    difference.writes = later.writes - earlier.writes
    difference.bytesFromHost = later.bytesFromHost - earlier.bytesFromHost
    difference.bytesToHost = later.bytesToHost - earlier.bytesToHost
    difference.lineTime = later.lineTime - earlier.lineTime
    difference.radioTime = later.radioTime - earlier.radioTime
    difference.waitingTime = later.waitingTime - earlier.waitingTime
    return difference
  }
}

extension ReaderCounts: CustomStringConvertible {
  /// The figures on one line.
  public var description: String {
    "\(exchanges) exchanges, \(tagCommands) tag commands, \(writes) writes, "
      + "\(bytesFromHost) bytes from the host, \(bytesToHost) bytes to the host, "
      + "\(Int(modelledMilliseconds.rounded())) ms modelled"
  }
}
