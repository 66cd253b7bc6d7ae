import CliptagBasics
import Foundation
public import Registry

/// A batch as a CSV file: the orders and their results, one line for each row.
///
/// It is strict RFC 4180 with a header and CRLF. The columns `url`, `label`, `place` and further
/// ones of the file are repeated, so that the report can be the file of another batch; the tag's
/// UID is in `tag` and not in `uid`, which would bind that batch to these tags.
package struct BatchReport: Sendable {
  /// The rows, in order.
  package let rows: [BatchRow]

  /// Creates a report.
  package init(_ rows: [BatchRow]) { self.rows = rows }

  private static let columns = [
    "row", "url", "label", "place", "state", "tag", "type", "sha256", "signature", "locked", "code",
    "reader", "operator", "time", "reason",
  ]

  /// The file's text.
  package var text: String {
    let captions = rows.first?.order.captions.map(\.name) ?? []
    var lines = [Self.columns + captions]
    for row in rows { lines.append(fields(of: row)) }
    return lines.map(\.csvLine).joined()
  }

  private func fields(of row: BatchRow) -> [String] {
    let tag = row.tag
    let facts: [String?] = [
      "\(row.number)", row.order.url, row.order.label, row.order.placeID, row.state.rawValue,
      tag?.uid, tag?.type, tag?.hash, tag?.signature, tag.map { $0.isLocked ? "yes" : "no" },
      tag?.code?.description, tag?.reader, row.who, row.changed?.registryTimestamp, row.reason,
    ]
    return facts.map { $0 ?? "" } + row.order.captions.map(\.value)
  }
}

extension TagBatch {
  /// Returns all facts about the batch's rows.
  package func report() throws(RegistryError) -> BatchReport {
    try registry.read { registry in
      BatchReport(try registry.batchRows(BatchRowFilter(batch: name)))
    }
  }
}

/// The progress of a batch, and the rate of this run.
public struct BatchProgress: Hashable, Sendable {
  /// The number of rows of the batch in each state, by all stations.
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
