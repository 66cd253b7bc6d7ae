public import Invocation
internal import Synchronization

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
