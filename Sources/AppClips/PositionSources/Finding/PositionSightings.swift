import CliptagBasics

/// The counted events of a source during a search for a position.
public struct PositionSightings: Hashable, Sendable {
  /// The number of reports, used or not.
  public private(set) var reports = 0
  /// The number of refused reports, by ``PositionRefusal/code``.
  package private(set) var refusals: [String: Int] = [:]
  /// The last refusal.
  package private(set) var lastRefusal: PositionRefusal?
  /// The number of lines or sentences that could not be read.
  package private(set) var brokenPieces = 0
  /// The number of times the connection was lost.
  package private(set) var disconnections = 0
  /// The satellites that the receiver last used and saw, if it reported them.
  package private(set) var satellites: SatelliteCount?
  /// Jumps between reports that were used.
  package internal(set) var jumps: [PositionAverage.Jump] = []

  /// The numbers of satellites that a receiver uses and sees.
  package struct SatelliteCount: Hashable, Sendable {
    /// The number of satellites used for the position.
    package let used: Int
    /// The number of satellites above the horizon.
    package let seen: Int
  }

  /// Creates an empty record.
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

  /// A summary of the events as clauses: `12 reports came, and the last was of no use: the receiver
  /// has no fix`.
  public var summary: String {
    var clauses: [String] = []
    if reports == 0 {
      clauses.append("no report arrived")
    } else if let lastRefusal {
      let count = reports == 1 ? "1 report arrived" : "\(reports) reports arrived"
      clauses.append("\(count), and the last was not usable: \(lastRefusal)")
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

  /// The next step if no report could be used.
  var hint: Hint {
    switch lastRefusal {
    case .noFix, .noCoordinate:
      "Move the receiver to a clear view of the sky and wait for its fix, or \(.givePosition)."
    case .stale, .early, .noTime:
      "Set this computer's clock, and check that the receiver still measures."
    case .simulated: "Use a real receiver, or allow simulated positions."
    case .noError: "Wait for more satellites, or use a receiver that reports its accuracy."
    case nil: "Check that the receiver is plugged in and its speed is correct."
    }
  }
}
