import CCurl
import Synchronization

/// Open connections that are reused by later requests (libcurl's multi handle).
///
/// Sendable, unchecked: one transfer at a time uses it, handed over through a mutex, and only
/// ``wake()`` is called by other threads, which libcurl allows.
final class Connections: @unchecked Sendable {
  private let pointer: UnsafeMutableRawPointer

  /// Creates an empty set; `nil` if memory runs out.
  init?() {
    guard let pointer = ccurl_multi_init() else { return nil }
    self.pointer = pointer
  }

  deinit { ccurl_multi_cleanup(pointer) }

  /// Ends the wait of the running transfer. May be called from any thread.
  fileprivate func wake() { _ = ccurl_multi_wakeup(pointer) }

  /// Runs one transfer to its end.
  ///
  /// - Parameter patience: Called before each wait; returns the milliseconds until it must be
  ///   called again, or `nil` to abandon the transfer.
  /// - Returns: The result code; `nil` if the transfer was abandoned.
  func run(
    _ easy: borrowing EasyHandle, patience: () -> Int?
  ) throws(ConnectionsFailure) -> CURLcode? {
    try Self.check(ccurl_multi_add(pointer, easy.pointer))
    defer { _ = ccurl_multi_remove(pointer, easy.pointer) }
    var result = CURLE_OK
    while true {
      var running: Int32 = 0
      try Self.check(ccurl_multi_perform(pointer, &running))
      if ccurl_multi_result(pointer, easy.pointer, &result) { return result }
      guard let milliseconds = patience() else { return nil }
      try Self.check(ccurl_multi_poll(pointer, Int32(clamping: milliseconds)))
    }
  }

  private static func check(_ code: CURLMcode) throws(ConnectionsFailure) {
    guard code == CURLM_OK else { throw ConnectionsFailure(code: code.rawValue) }
  }
}

/// libcurl could not proceed, because memory ran out or because of an internal fault.
struct ConnectionsFailure: Error {
  let code: Int32
}

/// Passes the cancellation of a task to the thread that works for it.
final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var connections: Connections?
  }

  private let state = Mutex(State())

  /// A Boolean value that indicates whether the work should stop.
  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Stops the work, at once if it is waiting. May be called from any thread.
  func cancel() {
    let connections = state.withLock { state in
      state.isCancelled = true
      return state.connections
    }
    connections?.wake()
  }

  /// Sets the connections that a cancellation wakes.
  func wakes(_ connections: Connections?) {
    state.withLock { $0.connections = connections }
  }
}
