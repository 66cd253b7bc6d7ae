public import Foundation

/// One line of work of a batch: a URL that shall be on one tag, and what has become of it.
///
/// What was asked for never changes. What has become of it goes this way, and every step is an
/// event of `BatchEvent`:
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
    /// The URL, exactly as the tag shall carry it.
    public let url: String
    /// The label that the operator sees, for example `Table 12`.
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

  /// A column that means nothing to this software, kept for reports.
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
    /// No tag has been chosen for it.
    case pending
    /// A tag was chosen, and may have been written in part. Only that tag finishes the row.
    case intended
    /// The tag holds the URL and was read back; it is still to be locked, or guarded by a password.
    case written
    /// The tag holds everything in the order.
    case done
    /// Skipped: an operator decided that this row needs no tag.
    case skipped

    /// Whether the row waits for the one tag that was begun for it.
    package var isTorn: Bool { self == .intended || self == .written }
  }

  /// The tag that was chosen for a row, as far as it is known.
  public struct Tag: Hashable, Sendable {
    /// The UID in upper-case hexadecimal.
    public let uid: String
    /// The tag's exact type, for example `NTAG215`.
    public let type: String
    /// SHA-256 of the NDEF message as it was read back, in upper-case hexadecimal; `nil` before.
    public let hash: String?
    /// The result of the originality signature check: `genuine`, `not-genuine` or `not-checkable`;
    /// `nil` when it was not requested.
    public let signature: String?
    /// Whether the tag is locked for good.
    public let isLocked: Bool
    /// The reader on which it was written.
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
  /// The person who changed it.
  public internal(set) var who: String?
  /// The reason for which the row is pending again or skipped, if it is.
  public internal(set) var reason: String?

  /// Makes a row that nothing has happened to.
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

  /// Counts a row in another state than before.
  package mutating func move(_ former: BatchRow.State, to state: BatchRow.State) {
    numbers[former, default: 0] -= 1
    numbers[state, default: 0] += 1
  }

  /// The number of all rows.
  public var total: Int { numbers.values.reduce(0, +) }
  /// Rows that wait for the one tag that was begun for them.
  package var torn: Int { self[.intended] + self[.written] }
  /// Rows that still need a tag, torn ones included.
  public var remaining: Int { self[.pending] + torn }
}
