public import Foundation

/// One row of a batch: a URL to write to one tag, and its state.
///
/// The order never changes. The state changes as follows, and every step is a `BatchEvent`:
///
/// ```
/// pending ──▶ intended ──▶ written ──▶ done
///    ▲  │         │      (to be locked)  │
///    │  ▼         ▼                      │
///    │ skipped    freed, the tag spoiled │
///    └────┴───────┴──────────────────────┘ redone
/// ```
public struct BatchRow: Hashable, Sendable {
  /// The order: one row of the file the batch was made from.
  public struct Order: Hashable, Sendable {
    /// The URL, exactly as the tag must carry it.
    public let url: String
    /// The label shown to the operator, for example `Table 12`.
    public let label: String?
    /// The id of the place that the row names.
    public let placeID: String?
    /// The UID of the one tag that this row is for, in upper-case hexadecimal; `nil` for any tag.
    public let wantedUID: String?
    /// The file's further columns, in its order.
    public let captions: [Caption]

    /// Makes an order.
    public init(
      url: String, label: String? = nil, placeID: String? = nil, wantedUID: String? = nil,
      captions: [Caption] = []
    ) {
      self.url = url
      self.label = label
      self.placeID = placeID
      self.wantedUID = wantedUID?.uppercased()
      self.captions = captions
    }
  }

  /// A column without meaning to this software, kept for reports.
  public struct Caption: Hashable, Sendable, Codable {
    /// The column's name.
    public let name: String
    /// The row's value in this column.
    public let value: String

    /// Makes a caption.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The state of a row.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// No tag has been chosen for the row.
    case pending
    /// A tag was chosen, and may have been written in part. Only that tag can finish the row.
    case intended
    /// The tag holds the URL and was read back; it must still be locked or get a password.
    case written
    /// The tag holds everything in the order.
    case done
    /// Skipped: an operator decided that this row needs no tag.
    case skipped

    /// A Boolean value that indicates whether the row waits for the one tag that was begun for it.
    package var isTorn: Bool { self == .intended || self == .written }
  }

  /// The known facts of the tag chosen for a row.
  public struct Tag: Hashable, Sendable {
    /// The UID in upper-case hexadecimal.
    public let uid: String
    /// The tag's exact type, for example `NTAG215`.
    public let type: String
    /// The SHA-256 of the NDEF message read back, in upper-case hexadecimal; `nil` before.
    public let hash: String?
    /// The result of the originality signature check: `genuine`, `not-genuine` or `not-checkable`;
    /// `nil` when it was not requested.
    public let signature: String?
    /// A Boolean value that indicates whether the tag is locked permanently.
    public let isLocked: Bool
    /// The reader on which the tag was written.
    public let reader: String
    /// The code's name in the registry; `nil` before the tag was read back.
    public let code: CodeID?

    /// Makes the facts of a tag.
    package init(
      uid: String, type: String, hash: String? = nil, signature: String? = nil,
      isLocked: Bool = false, reader: String, code: CodeID? = nil
    ) {
      self.uid = uid.uppercased()
      self.type = type
      self.hash = hash
      self.signature = signature
      self.isLocked = isLocked
      self.reader = reader
      self.code = code
    }
  }

  /// The batch's name.
  public let batch: String
  /// The row's number in its file, from 1; the header does not count.
  public let number: Int
  /// The row's order.
  public let order: Order
  /// The row's state.
  public internal(set) var state: State
  /// The tag, from ``State/intended`` on.
  public internal(set) var tag: Tag?
  /// The time of the last change of state, in whole milliseconds; `nil` before the first.
  public internal(set) var changed: Date?
  /// The person who last changed the state.
  public internal(set) var who: String?
  /// The reason for which the row is pending again or skipped, if any.
  public internal(set) var reason: String?

  /// Makes a row without events.
  init(batch: String, number: Int, order: Order) {
    self.batch = batch
    self.number = number
    self.order = order
    state = .pending
  }
}

/// The number of rows of a batch in each state.
public struct BatchCounts: Hashable, Sendable {
  private var numbers: [BatchRow.State: Int]

  init(_ numbers: [BatchRow.State: Int] = [:]) { self.numbers = numbers }

  /// The number of rows in a state.
  public subscript(state: BatchRow.State) -> Int { numbers[state, default: 0] }

  /// Counts a row's change from one state to another.
  package mutating func move(_ former: BatchRow.State, to state: BatchRow.State) {
    numbers[former, default: 0] -= 1
    numbers[state, default: 0] += 1
  }

  /// The number of all rows.
  public var total: Int { numbers.values.reduce(0, +) }
  /// The number of rows that wait for the one tag that was begun for them.
  package var torn: Int { self[.intended] + self[.written] }
  /// The number of rows that still need a tag, torn ones included.
  public var remaining: Int { self[.pending] + torn }
}
