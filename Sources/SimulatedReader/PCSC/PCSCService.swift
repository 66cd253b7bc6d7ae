import CliptagBasics
import Glibc
import Synchronization

/// The thread that offers a ``SimulatedPCSCReader`` to every PC/SC program on this machine, in
/// place of pcscd: it implements the protocol between pcsc-lite's library and its daemon
/// (winscard_msg.h, versions 4:4 and 4:5) on a Unix socket, which clients find by
/// `PCSCLITE_CSOCK_NAME`.
///
/// It waits in a single `poll`, on a separate thread.
final class PCSCService: SimulationService {
  let path: String
  private let trace: (@Sendable (TraceEntry) -> Void)?
  private let start = ContinuousClock.now
  private let listener: Int32
  private let wakeReader: Int32
  private let wakeWriter: Int32
  private let state: Mutex<State>

  private struct State {
    var daemon: PCSCDaemon
    var saved: (path: String, memory: [UInt8])?
    var isStopping = false
    var hasEnded = false
    var failure: SimulatedReaderError?
    var waiters: [CheckedContinuation<SimulatedReaderError?, Never>] = []
  }

  /// Opens the socket and starts to serve.
  init(
    _ reader: SimulatedPCSCReader, path: String, trace: (@Sendable (TraceEntry) -> Void)? = nil
  ) throws(SimulatedReaderError) {
    listener = try ControlSocket.listen(at: path)
    var pipe: [Int32] = [-1, -1]
    guard Glibc.pipe(&pipe) == 0 else {
      let reason = systemMessage(errno)
      close(listener)
      unlink(path)
      throw ControlSocket.unavailable(path, reason)
    }
    for end in pipe {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    self.path = path
    self.trace = trace
    (wakeReader, wakeWriter) = (pipe[0], pipe[1])
    var reader = reader
    reader.chip.isTracing = trace == nil ? nil : true
    state = Mutex(State(daemon: PCSCDaemon(reader)))
    let job = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { argument in
        // `argument` is the retained service below; pthread passes it on unchanged and once.
        guard let argument else { return nil }
        Unmanaged<PCSCService>.fromOpaque(argument).takeRetainedValue().serve()
        return nil
      }, job.toOpaque())
    guard failure == 0 else {
      job.release()
      for descriptor in [listener] + pipe { close(descriptor) }
      unlink(path)
      throw ControlSocket.unavailable(path, systemMessage(failure))
    }
    pthread_detach(thread)
  }

  func withChip<Result: Sendable>(
    _ body: (inout SimulatedPN532) -> (result: Result, output: [ChipOutput])
  ) -> Result {
    state.withLock { state in
      let (result, _) = body(&state.daemon.reader.chip)
      wake(state)
      return result
    }
  }

  func stop() {
    state.withLock { state in
      state.isStopping = true
      wake(state)
    }
  }

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

  private func wake(_ state: State) {
    guard !state.hasEnded else { return }
    _ = withUnsafeBytes(of: UInt8(0)) { write(wakeWriter, $0.baseAddress, 1) }
  }

  private func serve() {
    var buffers: [Int32: [UInt8]] = [:]
    while true {
      let clients = buffers.keys.sorted()
      var polled = ([wakeReader, listener] + clients).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let deadline = state.withLock { state in
        [state.daemon.reader.chip.script.nextTime.map { start + $0 }, state.daemon.personActs]
          .compactMap(\.self).min()
      }
      let rest = deadline.map { max(.zero, min($0 - .now, .seconds(60))) }
      _ = poll(&polled, nfds_t(polled.count), rest.map { Int32($0 / .milliseconds(1)) + 1 } ?? -1)
      var wakes = [UInt8](repeating: 0, count: 64)
      while read(wakeReader, &wakes, wakes.count) > 0 {}
      if polled[1].revents != 0 {
        let descriptor = accept(listener, nil, nil)
        if descriptor >= 0 {
          _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
          buffers[descriptor] = []
        }
      }
      var gone: Set<Int32> = []
      for (index, descriptor) in clients.enumerated() where polled[index + 2].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        guard count > 0 else {
          gone.insert(descriptor)
          continue
        }
        buffers[descriptor]? += bytes[..<count]
      }
      let (output, notes, goesOn) = state.withLock { state in
        var output: [(client: Int32, bytes: [UInt8])] = []
        for client in clients where !gone.contains(client) {
          output += state.daemon.take(&buffers[client, default: []], from: client)
        }
        for client in gone { state.daemon.clientLeft(client) }
        _ = state.daemon.reader.chip.letTimePass(.now - start)
        state.daemon.letPersonAct(at: .now)
        output += state.daemon.notice()
        save(&state)
        let chip = state.daemon.reader.chip
        let notes = chip.isTracing == true ? state.daemon.takeNotes() : []
        return (
          state.failure == nil ? output : [], notes,
          !state.isStopping && !chip.hasQuit && state.failure == nil
        )
      }
      for note in notes { trace?(TraceEntry(time: .now - start, event: .note(note))) }
      for (client, bytes) in output where !send(bytes, to: client) { gone.insert(client) }
      for client in gone {
        close(client)
        buffers[client] = nil
      }
      guard goesOn else { break }
    }
    for client in buffers.keys { close(client) }
    end()
  }

  private func send(_ bytes: [UInt8], to client: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func save(_ state: inout State) {
    let field = state.daemon.reader.chip.field
    guard let path = field.memoryFile, let memory = field.card?.memory,
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
    // Before the waiters are resumed: the next service may have the same path.
    close(listener)
    unlink(path)
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

/// The service behind a ``SimulatedReader/SimulatedReader``: a serial line, or a PC/SC service.
protocol SimulationService: AnyObject, Sendable {
  var path: String { get }
  /// Reads or changes the chip between two exchanges.
  func withChip<Result: Sendable>(
    _ body: (inout SimulatedPN532) -> (result: Result, output: [ChipOutput])
  ) -> Result
  /// Ends the thread soon.
  func stop()
  /// Waits until the thread has ended.
  func ended() async -> SimulatedReaderError?
}
