import Foundation
import Registry
import Synchronization

/// Announces events to all listeners, as server-sent events (HTML Living Standard, section 9.2).
final class EventHub: Sendable {
  private struct State {
    var listeners: [Int: (party: StationRequest.Party, events: AsyncStream<Data>.Continuation)] =
      [:]
    var next = 0
  }

  private let state = Mutex(State())
  /// The number of events that wait for a slow listener; older ones are dropped, and the newest
  /// contains the whole state.
  private static let waiting = 256
  /// The largest number of concurrent listeners, and of those of one session.
  private static let mostListeners = 100
  private static let mostOfOneSession = 20

  /// A Boolean value that indicates whether there are listeners.
  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - party: The session that listens.
  ///   - first: Events that a new listener hears at once.
  /// - Throws: ``StationAccess/Refusal`` with status 503 where too many listen.
  func listen(
    _ party: StationRequest.Party, _ first: [(name: String, value: any Encodable & Sendable)]
  ) throws(StationAccess.Refusal) -> AsyncStream<Data> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Data.self, bufferingPolicy: .bufferingNewest(Self.waiting))
    let number: Int? = state.withLock { state in
      guard state.listeners.count < Self.mostListeners,
        state.listeners.values.count(where: { $0.party == party }) < Self.mostOfOneSession
      else { return nil }
      state.next += 1
      state.listeners[state.next] = (party, continuation)
      return state.next
    }
    guard let number else { throw .tooMuch(503, "Too many windows are open.") }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }
    // A browser that lost the connection tries again after a second.
    continuation.yield(Data("retry: 1000\n\n".utf8))
    for (name, value) in first { continuation.yield(Self.event(name, value)) }
    return stream
  }

  /// Announces an event to all listeners.
  func tell(_ name: String, _ value: some Encodable) { send(Self.event(name, value)) }

  /// Sends a heartbeat to all listeners: pages count the time since the last, and a dead connection
  /// is noticed.
  func beat() { tell("beat", ["time": Date().registryTimestamp]) }

  private func send(_ event: Data) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.events.yield(event) }
  }

  /// JSON on one line holds no line end, which would end an event.
  private static func event(_ name: String, _ value: some Encodable) -> Data {
    Data("event: \(name)\ndata: \(JSONValue(result: value).line)\n\n".utf8)
  }

  /// Ends the streams of all listeners.
  func end() {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.events.finish() }
  }
}
