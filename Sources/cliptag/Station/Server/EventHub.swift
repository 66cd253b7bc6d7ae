import Foundation
import Synchronization

/// Tells everybody who listens what happens, as server-sent events (HTML Living Standard, section 9.2).
final class EventHub: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<Data>.Continuation] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  /// So many events wait for a slow listener; older ones go, and the newest tells the whole state.
  private static let waiting = 256
  /// The most that listen at once.
  private static let mostListeners = 100

  /// Whether anybody listens.
  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// Begins to listen.
  ///
  /// - Parameter first: Events that a new listener hears at once.
  /// - Returns: `nil` where too many listen.
  func listen(_ first: [(name: String, value: JSONValue)]) -> AsyncStream<Data>? {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Data.self, bufferingPolicy: .bufferingNewest(Self.waiting))
    let number: Int? = state.withLock { state in
      guard state.listeners.count < Self.mostListeners else { return nil }
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    guard let number else { return nil }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }
    // A browser that lost the connection tries again after a second.
    continuation.yield(Data("retry: 1000\n\n".utf8))
    for (name, value) in first { continuation.yield(Self.event(name, value)) }
    return stream
  }

  /// Tells everybody.
  func tell(_ name: String, _ value: JSONValue) { send(Self.event(name, value)) }

  /// Says nothing, so that a connection to nobody is noticed.
  func keepAlive() { send(Data(": \n\n".utf8)) }

  private func send(_ event: Data) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield(event) }
  }

  /// JSON on one line holds no line end, which would end an event.
  private static func event(_ name: String, _ value: JSONValue) -> Data {
    Data("event: \(name)\ndata: \(value.line)\n\n".utf8)
  }

  /// Ends everybody's listening.
  func end() {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.finish() }
  }
}
