internal import Synchronization

/// Carries the cancellation of a task to the thread that works for it.
final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var connections: Connections?
  }

  private let state = Mutex(State())

  /// Whether to stop.
  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Stops the work, at once if it waits. May be called from any thread.
  func cancel() {
    let connections = state.withLock { state in
      state.isCancelled = true
      return state.connections
    }
    connections?.wake()
  }

  /// Says who is to be woken.
  func wakes(_ connections: Connections?) {
    state.withLock { $0.connections = connections }
  }
}
