public import FoundationEssentials
public import Invocation
import Synchronization

/// What comes from a source of positions.
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

/// What a satellite receiver says of its position at one moment.
///
/// What it does not say is `nil`: nothing is guessed.
public struct PositionReport: Hashable, Sendable {
  /// How much of a position the receiver has; gpsd's numbers (gpsd_json(5), TPV, `mode`).
  public enum Mode: Int, Hashable, Sendable, CaseIterable {
    /// Nothing is known yet.
    case unknown = 0
    /// No fix.
    case noFix = 1
    /// Latitude and longitude.
    case twoDimensional = 2
    /// Latitude, longitude and height.
    case threeDimensional = 3
  }

  /// How the fix was made; gpsd's numbers (gpsd_json(5), TPV, `status`). Open: others may come.
  public struct Status: RawRepresentable, Hashable, Sendable {
    /// gpsd's number.
    public let rawValue: Int
    /// Takes gpsd's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// From the satellites alone.
    public static let normal = Status(rawValue: 1)
    /// With differential corrections.
    public static let differential = Status(rawValue: 2)
    /// By real-time kinematics, ambiguities resolved.
    public static let kinematicFixed = Status(rawValue: 3)
    /// By real-time kinematics, ambiguities not resolved.
    public static let kinematicFloat = Status(rawValue: 4)
    /// By dead reckoning: carried on from an earlier fix.
    public static let deadReckoning = Status(rawValue: 5)
    /// By satellites and dead reckoning.
    public static let combinedReckoning = Status(rawValue: 6)
    /// At a place that was surveyed or typed in.
    public static let surveyed = Status(rawValue: 7)
    /// Simulated.
    public static let simulated = Status(rawValue: 8)
  }

  /// When the position was measured; `nil` when the receiver does not know the time.
  public var time: Date?
  /// The position.
  public var coordinate: Coordinate?
  /// How much of a position it is.
  public var mode: Mode
  /// Radius, in metres, that holds the true position with some 95 %; above zero.
  public var horizontalError: Double?
  /// How the fix was made; `nil` when the receiver does not say.
  public var status: Status?
  /// What the report came from: a device.
  public var source: String

  /// Makes a report.
  ///
  /// - Parameters:
  ///   - time: When the receiver was there.
  ///   - coordinate: Where it was.
  ///   - mode: How much of a position it has.
  ///   - status: How the fix was made.
  ///   - source: The device that it came from.
  ///   - horizontalError: In metres; what is not above zero and finite is no error that a
  ///     receiver can have, and is left out.
  public init(
    time: Date? = nil, coordinate: Coordinate? = nil, mode: Mode = .unknown,
    horizontalError: Double? = nil, status: Status? = nil, source: String
  ) {
    self.time = time
    self.coordinate = coordinate
    self.mode = mode
    self.horizontalError = horizontalError.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    self.status = status
    self.source = source
  }
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
