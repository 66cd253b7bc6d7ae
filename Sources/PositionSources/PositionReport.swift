public import FoundationEssentials
public import Invocation

/// A satellite receiver's word on its position at one moment.
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
