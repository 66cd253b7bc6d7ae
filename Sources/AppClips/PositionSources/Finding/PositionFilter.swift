import CliptagBasics
#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A reason to refuse a report.
package enum PositionRefusal: Hashable, Sendable {
  /// The receiver has no fix.
  case noFix
  /// The fix has no position, or one off the Earth.
  case noCoordinate
  /// The time of the measurement is unknown.
  case noTime
  /// The position is too old, by the system's clock.
  case stale(age: Duration)
  /// The position is in the future by the system's clock: one of the clocks is wrong.
  case early(by: Duration)
  /// The receiver is simulating.
  case simulated
  /// The receiver does not report its error.
  case noError

  /// The stable name of the reason.
  package var code: String {
    switch self {
    case .noFix: "no-fix"
    case .noCoordinate: "no-coordinate"
    case .noTime: "no-time"
    case .stale: "stale"
    case .early: "early"
    case .simulated: "simulated"
    case .noError: "no-error"
    }
  }
}

extension PositionRefusal: CustomStringConvertible {
  /// The reason as a clause.
  package var description: String {
    switch self {
    case .noFix: "the receiver has no fix"
    case .noCoordinate: "the receiver's fix has no position"
    case .noTime: "the receiver reports no time"
    case .stale(let age): "the fix is \(Self.text(age)) old"
    case .early(let lead):
      "the fix is \(Self.text(lead)) ahead of this computer's clock, so one of the two is wrong"
    case .simulated: "the receiver reports a simulated position"
    case .noError: "the receiver reports no accuracy"
    }
  }

  private static func text(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    switch seconds {
    case ..<120: return "\(seconds) s"
    case ..<7_200: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3_600) h"
    default: return "\(seconds / 86_400) days"
    }
  }
}

/// Decides which reports may determine a position.
public struct PositionFilter: Hashable, Sendable {
  /// The largest difference between the time of a fix and the system's clock, in either direction.
  public var longestAge: Duration
  /// A Boolean value that indicates whether simulated positions are accepted.
  public var allowsSimulated: Bool

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - longestAge: Five seconds by default: the distance a person walks in that time is within
  ///     the error of most receivers.
  ///   - allowsSimulated: Whether simulated positions are accepted.
  public init(longestAge: Duration = .seconds(5), allowsSimulated: Bool = false) {
    self.longestAge = longestAge
    self.allowsSimulated = allowsSimulated
  }

  /// Returns the reason to refuse a report.
  ///
  /// - Parameters:
  ///   - report: The report of a receiver.
  ///   - now: The system's clock when the report arrived.
  /// - Returns: The first reason that applies, or `nil`.
  package func refusal(of report: PositionReport, now: Date) -> PositionRefusal? {
    if report.status == .simulated, !allowsSimulated { return .simulated }
    guard report.mode.rawValue >= PositionReport.Mode.twoDimensional.rawValue else { return .noFix }
    guard report.coordinate != nil else { return .noCoordinate }
    guard let time = report.time else { return .noTime }
    let age = Duration.seconds(now.timeIntervalSince(time))
    if age > longestAge { return .stale(age: age) }
    if age < .zero - longestAge { return .early(by: .zero - age) }
    return report.horizontalError == nil ? .noError : nil
  }
}
