public import Invocation
import Synchronization

/// An event of a source of positions.
public enum PositionEvent: Hashable, Sendable {
  /// The receiver says where it is, or that it does not know.
  case report(PositionReport)
  /// How many satellites the receiver sees, and how many it uses.
  case satellites(used: Int, seen: Int)
  /// A piece of what came could not be read, and was left out.
  case broken
  /// The connection ended; the source connects again. Why, as a clause.
  case disconnected(String)
}

/// Something that says again and again where it is.
///
/// One task reads it at a time. Waiting happens on a thread of the source's own. A cancelled wait
/// ends within 100 ms with ``PositionError/Code/cancelled``; what comes later is kept for the next.
public protocol PositionSource: Sendable {
  /// What the source is called in sentences: `gpsd at 127.0.0.1:2947`.
  var description: String { get }
  /// What origins call it: `127.0.0.1:2947`, `/dev/ttyACM0`.
  var name: String { get }
  /// The kind of origin that its positions have.
  var kind: PositionOrigin.Kind { get }

  /// Makes sure that the source is there.
  ///
  /// - Throws: Why it is not.
  func open() async throws(PositionError)

  /// Waits for the next event.
  ///
  /// - Returns: `nil` when nothing more will come.
  /// - Throws: When the source is gone for good, or the task is cancelled.
  func next() async throws(PositionError) -> PositionEvent?
}

extension PositionSource {
  /// Nothing to open.
  public func open() async throws(PositionError) {}
}

/// Positions that were written down before: for tests, and for trying a walk at a desk.
public final class RecordedPositions: PositionSource {
  /// What comes after the last event.
  public enum End: Sendable {
    /// The source is at its end.
    case end
    /// Silence, until the task is cancelled.
    case silence
    /// The source fails.
    case failure(PositionError)
  }

  /// For messages.
  public let description = "the recording"
  /// For origins.
  public let name = "recording"
  /// The kind that its positions pass for.
  public let kind: PositionOrigin.Kind

  private let rest: Mutex<[PositionEvent]>
  private let end: End

  /// Makes a source that gives these events, one after another.
  public init(
    _ events: [PositionEvent], end: End = .end, kind: PositionOrigin.Kind = .nmea
  ) {
    rest = Mutex(events)
    self.end = end
    self.kind = kind
  }

  /// Whether every event was taken.
  var isEmpty: Bool { rest.withLock { $0.isEmpty } }

  /// The next event, at once.
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
