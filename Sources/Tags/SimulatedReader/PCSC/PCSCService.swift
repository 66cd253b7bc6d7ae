import CliptagBasics
import CliptagPlatform
import Synchronization

/// Offers a ``SimulatedPCSCReader`` to every PC/SC program on this machine, in place of pcscd: it
/// implements the protocol between pcsc-lite's library and its daemon (winscard_msg.h, versions 4:4
/// and 4:5) on a Unix socket, which clients find by `PCSCLITE_CSOCK_NAME`.
final class PCSCService: SimulationService {
  let path: String
  let thread: ServiceThread
  private let trace: (@Sendable (TraceEntry) -> Void)?
  private let start = ContinuousClock.now
  private let listener: Int32
  private let state: Mutex<State>

  private struct State {
    var daemon: PCSCDaemon
    var memory = SavedMemory()
    /// The reason why the service ends early.
    var failure: SimulatedReaderError? { memory.failure ?? daemon.reader.chip.playedFailure }
  }

  /// Opens the socket and starts to serve.
  init(
    _ reader: SimulatedPCSCReader, path: String, trace: (@Sendable (TraceEntry) -> Void)? = nil
  ) throws(SimulatedReaderError) {
    thread = try ServiceThread()
    listener = try ControlSocket.listen(at: path)
    self.path = path
    self.trace = trace
    var reader = reader
    reader.chip.isTracing = trace == nil ? nil : true
    state = Mutex(State(daemon: PCSCDaemon(reader)))
    do throws(SimulatedReaderError) {
      try thread.start { self.serve() }
    } catch {
      close(listener)
      unlink(path)
      throw error
    }
  }

  func withChip<Result: Sendable>(
    _ body: (inout SimulatedPN532) -> (result: Result, output: [ChipOutput])
  ) -> Result {
    defer { thread.wake() }
    return state.withLock { body(&$0.daemon.reader.chip).result }
  }

  private func serve() {
    var buffers: [Int32: [UInt8]] = [:]
    while true {
      let clients = buffers.keys.sorted()
      let deadline = state.withLock { state in
        [state.daemon.reader.chip.script.nextTime.map { start + $0 }, state.daemon.personActs]
          .compactMap(\.self).min()
      }
      let isReady = thread.wait(for: [listener] + clients, until: deadline)
      if isReady[0] {
        let descriptor = accept(listener, nil, nil)
        if descriptor >= 0 {
          _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
          buffers[descriptor] = []
        }
      }
      var gone: Set<Int32> = []
      for (index, descriptor) in clients.enumerated() where isReady[index + 1] {
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
        state.memory.save(state.daemon.reader.chip.field)
        let hasFailed = state.failure != nil
        let chip = state.daemon.reader.chip
        let notes = chip.isTracing == true ? state.daemon.takeNotes() : []
        return (
          hasFailed ? [] : output, notes, !thread.isStopping && !chip.hasQuit && !hasFailed
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
    // Before the waiters are resumed: the next service may have the same path.
    close(listener)
    unlink(path)
    thread.end(state.withLock(\.failure))
  }

  private func send(_ bytes: [UInt8], to client: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        CliptagPlatform.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
