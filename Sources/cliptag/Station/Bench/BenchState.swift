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

  var json: JSONValue {
    .object([
      ("type", "now"), ("sequence", .integer(sequence)), ("mode", .string(mode.rawValue)),
      ("phase", .string(phase.rawValue)), ("time", .string(Date().registryTimestamp)),
      ("batch", JSONValue(batch)), ("row", row?.stationJSON ?? .null),
      ("own", .array(ownRows.prefix(50).map(\.stationJSON))), ("uid", JSONValue(uid)),
      ("tagType", JSONValue(tagType)),
      (
        "failure",
        failure.map { failure in
          .object([
            ("code", .string(failure.code)), ("message", .string(failure.message)),
            ("hint", .string(failure.hint)),
          ])
        } ?? .null
      ),
      ("counts", counts.map { .object($0.members) } ?? .null), ("finished", .integer(finished)),
      ("perMinute", JSONValue(perMinute)),
      ("secondsLeft", remaining.map { .number(($0 / .seconds(1)).rounded()) } ?? .null),
      ("reader", JSONValue(reader)), ("locks", .bool(locks)), ("setsPassword", .bool(setsPassword)),
      ("place", JSONValue(place)), ("recent", .array(recent)),
    ])
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
      hub.tell("now", state.json)
    }
  }
}

extension BatchRow {
  /// The row in the station's JSON.
  fileprivate var stationJSON: JSONValue { JSONValue(result: BatchRowResult(self)) }
}

extension BatchCounts {
  /// The numbers as the command's summary has them.
  var members: [(String, JSONValue)] {
    [
      ("rows", .integer(total)), ("done", .integer(self[.done])),
      ("pending", .integer(self[.pending])), ("torn", .integer(torn)),
      ("skipped", .integer(self[.skipped])),
    ]
  }
}
