public import Registry

/// How far a batch has come, and how fast this run goes.
public struct BatchProgress: Hashable, Sendable {
  /// How many rows of the batch are in which state, by all stations.
  public let counts: BatchCounts
  /// Rows that this run finished.
  public let finished: Int
  /// Rows a minute, over the latest rows of this run; `nil` before there are two.
  public let perMinute: Double?

  /// The time the rest takes at this rate; `nil` before there is one.
  public var remainingTime: Duration? {
    perMinute.map { .seconds(Double(counts.remaining) / $0 * 60) }
  }
}

/// Measures the rate of a run by its latest rows, so that a break does not count for long.
struct BatchPace {
  /// Rows that are looked at.
  private static let window = 20

  private(set) var finished = 0
  private var latest: [Duration] = []

  /// Counts a row that was finished at this time since the start.
  mutating func count(at time: Duration) {
    finished += 1
    latest.append(time)
    if latest.count > Self.window { latest.removeFirst() }
  }

  /// Rows a minute.
  var perMinute: Double? {
    guard latest.count > 1, let first = latest.first, let last = latest.last, last > first else {
      return nil
    }
    return Double(latest.count - 1) * 60 / ((last - first) / .seconds(1))
  }

  func progress(_ counts: BatchCounts) -> BatchProgress {
    BatchProgress(counts: counts, finished: finished, perMinute: perMinute)
  }
}
