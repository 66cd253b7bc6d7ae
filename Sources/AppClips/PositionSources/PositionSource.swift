import CliptagBasics
public import Invocation
import Synchronization

/// An event of a source of positions.
public enum PositionEvent: Hashable, Sendable {
  /// A report of the receiver, with or without a position.
  case report(PositionReport)
  /// The numbers of satellites that the receiver uses and sees.
  case satellites(used: Int, seen: Int)
  /// A part of the input could not be read and was skipped.
  case broken
  /// The connection ended; the source reconnects. The value is the reason as a clause.
  case disconnected(String)
}

/// A source of repeated position reports.
///
/// One task reads it at a time. Waiting takes place on a separate thread of the source. A cancelled
/// wait ends within 100 ms with ``PositionError/Code/cancelled``; later input is kept for the next
/// call.
public protocol PositionSource: Sendable {
  /// The name of the source in messages: `gpsd at 127.0.0.1:2947`.
  var description: String { get }
  /// The name of the source in origins: `127.0.0.1:2947`, `/dev/ttyACM0`.
  var name: String { get }
  /// The kind of origin of the positions.
  var kind: PositionOrigin.Kind { get }

  /// Opens the source if necessary.
  ///
  /// - Throws: The reason that it cannot be opened.
  func open() async throws(PositionError)

  /// Waits for the next event.
  ///
  /// - Returns: `nil` at the end of the source.
  /// - Throws: ``PositionError`` if the source is lost permanently or the task is cancelled.
  func next() async throws(PositionError) -> PositionEvent?
}

extension PositionSource {
  /// Does nothing: there is nothing to open.
  public func open() async throws(PositionError) {}
}

/// Recorded positions: for tests, and for rehearsing a walk at a desk.
public final class RecordedPositions: PositionSource {
  /// The behaviour after the last event.
  public enum End: Sendable {
    /// The source ends.
    case end
    /// The source is silent until the task is cancelled.
    case silence
    /// The source fails.
    case failure(PositionError)
  }

  /// The description for messages.
  public let description = "the recording"
  /// The name for origins.
  public let name = "recording"
  /// The kind of origin that is reported for the positions.
  public let kind: PositionOrigin.Kind

  private let rest: Mutex<[PositionEvent]>
  private let end: End

  /// Creates a source that returns these events in order.
  public init(
    _ events: [PositionEvent], end: End = .end, kind: PositionOrigin.Kind = .nmea
  ) {
    rest = Mutex(events)
    self.end = end
    self.kind = kind
  }

  /// A Boolean value that indicates whether all events were returned.
  var isEmpty: Bool { rest.withLock { $0.isEmpty } }

  /// Returns the next event without waiting.
  public func next() async throws(PositionError) -> PositionEvent? {
    if Task.isCancelled { throw .cancelled(description) }
    if let event = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return event }
    switch end {
    case .end: return nil
    case .failure(let error): throw error
    case .silence:
      for await _ in AsyncStream<Never>.makeStream().stream {}
      throw .cancelled(description)
    }
  }
}
