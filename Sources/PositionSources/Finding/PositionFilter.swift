package import FoundationEssentials

/// Why a report is not used.
package enum PositionRefusal: Hashable, Sendable {
  /// The receiver has no fix.
  case noFix
  /// There is a fix, and no position with it, or one off the Earth.
  case noCoordinate
  /// Nobody knows when the position was measured.
  case noTime
  /// The position is too old, by the system's clock.
  case stale(age: Duration)
  /// The position is of the future, by the system's clock: one of the clocks is wrong.
  case early(by: Duration)
  /// The receiver simulates.
  case simulated
  /// The receiver does not say how large its error is.
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
    case .noCoordinate: "the receiver gives no position with its fix"
    case .noTime: "the receiver does not say when it measured"
    case .stale(let age): "the fix is \(Self.text(age)) old"
    case .early(let lead):
      "the fix is \(Self.text(lead)) ahead of this computer's clock, so one of the two is wrong"
    case .simulated: "the receiver says that it simulates"
    case .noError: "the receiver does not say how exact it is"
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

/// Decides which reports may say where somebody stands.
public struct PositionFilter: Hashable, Sendable {
  /// How far the time of a fix may be from the system's clock, in either direction.
  public var longestAge: Duration
  /// Whether simulated positions count.
  public var allowsSimulated: Bool

  /// Makes a filter.
  ///
  /// - Parameters:
  ///   - longestAge: Five seconds unless given: what somebody walks in that time is within the error
  ///     of most receivers.
  ///   - allowsSimulated: Whether simulated positions count.
  public init(longestAge: Duration = .seconds(5), allowsSimulated: Bool = false) {
    self.longestAge = longestAge
    self.allowsSimulated = allowsSimulated
  }

  /// Why a report is not used.
  ///
  /// - Parameters:
  ///   - report: What a receiver said.
  ///   - now: The system's clock when the report came.
  /// - Returns: The first reason that holds, or `nil` when there is none.
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

/// What came from a source while a position was looked for.
public struct PositionSightings: Hashable, Sendable {
  /// Reports, used or not.
  public private(set) var reports = 0
  /// How many reports were refused, by ``PositionRefusal/code``.
  package private(set) var refusals: [String: Int] = [:]
  /// The last refusal.
  package private(set) var lastRefusal: PositionRefusal?
  /// Lines or sentences that could not be read.
  package private(set) var brokenPieces = 0
  /// How often the connection was lost.
  package private(set) var disconnections = 0
  /// Satellites the receiver last used and saw, when it said so.
  package private(set) var satellites: SatelliteCount?
  /// Jumps between reports that were used.
  package internal(set) var jumps: [PositionAverage.Jump] = []

  /// How many satellites a receiver uses and sees.
  package struct SatelliteCount: Hashable, Sendable {
    /// Satellites that the position comes from.
    package let used: Int
    /// Satellites above the horizon.
    package let seen: Int
  }

  /// Makes an empty record.
  public init() {}

  mutating func note(_ event: PositionEvent) {
    switch event {
    case .report: reports += 1
    case .satellites(let used, let seen): satellites = SatelliteCount(used: used, seen: seen)
    case .broken: brokenPieces += 1
    case .disconnected: disconnections += 1
    }
  }

  mutating func note(_ refusal: PositionRefusal) {
    refusals[refusal.code, default: 0] += 1
    lastRefusal = refusal
  }

  /// What was seen, as clauses: `12 reports came, none of them of use: the receiver has no fix`.
  public var summary: String {
    var clauses: [String] = []
    if reports == 0 {
      clauses.append("no report came")
    } else if let lastRefusal {
      let count = reports == 1 ? "1 report came" : "\(reports) reports came"
      clauses.append("\(count), and the last was of no use: \(lastRefusal)")
    }
    if let satellites {
      clauses.append("the receiver uses \(satellites.used) of \(satellites.seen) satellites")
    }
    if brokenPieces > 0 {
      clauses.append(brokenPieces == 1 ? "1 line was broken" : "\(brokenPieces) lines were broken")
    }
    if disconnections > 0 {
      clauses.append(
        "the connection was lost \(disconnections == 1 ? "once" : "\(disconnections) times")")
    }
    return clauses.joined(separator: "; ")
  }

  /// What to do when no report could be used.
  var hint: String {
    switch lastRefusal {
    case .noFix, .noCoordinate:
      "Take the receiver where it sees the sky and wait for its fix, or give the position with --at."
    case .stale, .early, .noTime:
      "Set this computer's clock, and look whether the receiver still measures."
    case .simulated: "Use a real receiver, or allow simulated positions."
    case .noError: "Wait for more satellites, or use a receiver that tells its error."
    case nil: "Look whether the receiver is plugged in and its speed is right."
    }
  }
}
