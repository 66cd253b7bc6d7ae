#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Invocation

/// A satellite receiver's report of its position at one moment.
///
/// Values that it does not report are `nil`: nothing is estimated.
public struct PositionReport: Hashable, Sendable {
  /// The dimensions of a position; gpsd's numbers (gpsd_json(5), TPV, `mode`).
  public enum Mode: Int, Hashable, Sendable, CaseIterable {
    /// Not known yet.
    case unknown = 0
    /// No fix.
    case noFix = 1
    /// Latitude and longitude.
    case twoDimensional = 2
    /// Latitude, longitude and height.
    case threeDimensional = 3
  }

  /// The method of the fix; gpsd's numbers (gpsd_json(5), TPV, `status`). The set is open.
  public struct Status: RawRepresentable, Hashable, Sendable {
    /// gpsd's number.
    public let rawValue: Int
    /// Creates a status from gpsd's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// From satellites only.
    public static let normal = Status(rawValue: 1)
    /// With differential corrections.
    public static let differential = Status(rawValue: 2)
    /// By real-time kinematics with resolved ambiguities.
    public static let kinematicFixed = Status(rawValue: 3)
    /// By real-time kinematics with unresolved ambiguities.
    public static let kinematicFloat = Status(rawValue: 4)
    /// By dead reckoning: extrapolated from an earlier fix.
    public static let deadReckoning = Status(rawValue: 5)
    /// By satellites and dead reckoning.
    public static let combinedReckoning = Status(rawValue: 6)
    /// At a surveyed or entered place.
    public static let surveyed = Status(rawValue: 7)
    /// Simulated.
    public static let simulated = Status(rawValue: 8)
  }

  /// The time of the measurement; `nil` if the receiver does not know it.
  public var time: Date?
  /// The position.
  public var coordinate: Coordinate?
  /// The dimensions of the position.
  public var mode: Mode
  /// The radius, in metres, that contains the true position with some 95 %; above zero.
  public var horizontalError: Double?
  /// The method of the fix; `nil` if the receiver does not report it.
  public var status: Status?
  /// The device that sent the report.
  public var source: String

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - time: The time of the measurement.
  ///   - coordinate: The position.
  ///   - mode: The dimensions of the position.
  ///   - status: The method of the fix.
  ///   - source: The device that sent the report.
  ///   - horizontalError: The error in metres; values that are not finite and above zero are
  ///     invalid and omitted.
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
