import CCurl
import Synchronization

/// Open connections, kept from one request to the next (libcurl's multi handle).
///
/// Sendable, unchecked: one transfer at a time has it, handed over through a mutex, and of its
/// functions only ``wake()`` is called by others, which libcurl allows from any thread.
final class Connections: @unchecked Sendable {
  private let pointer: UnsafeMutableRawPointer

  /// Makes an empty set; nil when there is no memory.
  init?() {
    guard let pointer = ccurl_multi_init() else { return nil }
    self.pointer = pointer
  }

  deinit { ccurl_multi_cleanup(pointer) }

  /// Ends the wait of whoever runs a transfer. May be called from any thread.
  fileprivate func wake() { _ = ccurl_multi_wakeup(pointer) }

  /// Runs one transfer to its end.
  ///
  /// - Parameter patience: Asked before each wait, for the milliseconds that may pass before it is
  ///   asked again; nil gives the transfer up.
  /// - Returns: How it ended; nil when it was given up.
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

/// libcurl could not go on, for want of memory or because of a fault of its own.
struct ConnectionsFailure: Error {
  let code: Int32
}

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
