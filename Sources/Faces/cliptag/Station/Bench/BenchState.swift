import Jobs
import CliptagBasics
import Foundation
import Issuing
import Jobs
import Registry
import Synchronization

/// The present state of the bench: the reader's work as all clients see it, in one place.
struct BenchState: Sendable {
  /// The uses of the reader.
  enum Mode: String, Sendable {
    case idle, batch, check, parcel
  }

  /// The phases of a use.
  enum Phase: String, Sendable {
    case idle, opening, waiting, reading, writing, done, refused, left, torn, spoiled, unasked, seen
    case finished, stopped, failed
    case ownTags = "own-tags"
    case alreadyDone = "already-done"
    case anotherTag = "another-tag"
    case readerLost = "reader-lost"
    /// The registry does not answer; it is tried again.
    case registryLost = "registry-lost"

    /// A Boolean value that indicates whether a tag is being worked on, which must not be
    /// interrupted.
    var isBusy: Bool { self == .reading || self == .writing }
  }

  var mode = Mode.idle
  var phase = Phase.idle
  var batch: String?
  var row: BatchRow?
  var ownRows: [BatchRow] = []
  var uid: String?
  var tagType: String?
  var failure: Failure?
  var counts: BatchCounts?
  /// The rows that were finished since the batch was begun or gone on with here.
  var finished = 0
  /// The rows finished by runs before the present one.
  var finishedBefore = 0
  var perMinute: Double?
  var remaining: Duration?
  var reader: String?
  var locks = false
  var setsPassword = false
  /// The place of the parcel that tags are compared with.
  var place: String?
  /// The output for the last tags, the newest first.
  var recent: [JSONValue] = []
  /// Counts the changes.
  var sequence = 0
}

extension BenchState: Encodable {
  private struct Trouble: Encodable {
    let code: String
    let message: String
    let hint: String

    init(_ failure: Failure) {
      (code, message, hint) = (failure.code, failure.message, failure.hint)
    }
  }

  private struct Counts: Encodable {
    let rows: Int
    let done: Int
    let pending: Int
    let torn: Int
    let skipped: Int

    init(_ counts: BatchCounts) {
      (rows, done, pending) = (counts.total, counts[.done], counts[.pending])
      (torn, skipped) = (counts.torn, counts[.skipped])
    }
  }

  /// The largest number of rows of the tag on the reader.
  private static let mostOwnRows = 50

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: NameKey.self)
    try values.encode("now", forKey: "type")
    try values.encode(sequence, forKey: "sequence")
    try values.encode(mode.rawValue, forKey: "mode")
    try values.encode(phase.rawValue, forKey: "phase")
    try values.encode(Date().registryTimestamp, forKey: "time")
    try values.encodeIfPresent(batch, forKey: "batch")
    try values.encodeIfPresent(row.map(BatchRowResult.init), forKey: "row")
    try values.encode(ownRows.prefix(Self.mostOwnRows).map(BatchRowResult.init), forKey: "own")
    try values.encodeIfPresent(uid, forKey: "uid")
    try values.encodeIfPresent(tagType, forKey: "tagType")
    try values.encodeIfPresent(failure.map(Trouble.init), forKey: "failure")
    try values.encodeIfPresent(counts.map(Counts.init), forKey: "counts")
    try values.encode(finished, forKey: "finished")
    try values.encodeIfPresent(perMinute, forKey: "perMinute")
    try values.encodeIfPresent(
      remaining.map { ($0 / .seconds(1)).rounded() }, forKey: "secondsLeft")
    try values.encodeIfPresent(reader, forKey: "reader")
    try values.encode(locks, forKey: "locks")
    try values.encode(setsPassword, forKey: "setsPassword")
    try values.encodeIfPresent(place, forKey: "place")
    try values.encode(recent, forKey: "recent")
  }
}

/// The state of the bench, announced to all clients at each change.
final class BenchBoard: Sendable {
  private let state = Mutex(BenchState())
  private let hub: EventHub
  private static let mostRecent = 20

  init(telling hub: EventHub) { self.hub = hub }

  var now: BenchState { state.withLock { $0 } }

  /// Changes the state, and announces it.
  func change(_ body: (inout BenchState) -> Void) {
    // Announced while the state is locked: changes arrive in their order.
    state.withLock { state in
      body(&state)
      state.recent = Array(state.recent.prefix(Self.mostRecent))
      state.sequence += 1
      hub.tell("now", state)
    }
  }
}
