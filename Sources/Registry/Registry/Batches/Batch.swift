import CliptagBasics
package import Foundation

/// A named set of work: many tags, one URL each.
package struct Batch: Hashable, Sendable {
  /// The name.
  package let name: String
  /// The time of creation, in whole milliseconds.
  package let created: Date
  /// The person who began the batch.
  package let who: String

  init(name: String, created: Date, who: String) {
    self.name = name
    self.created = created.inWholeMilliseconds
    self.who = who
  }
}

/// A filter for rows of batches. Every property that is not `nil` must match.
package struct BatchRowFilter: Hashable, Sendable {
  /// The batch of matching rows.
  package var batch: String?
  /// The number of the matching row.
  package var number: Int?
  /// The states of matching rows.
  package var states: Set<BatchRow.State>?
  /// The UID of the tag of matching rows, in hexadecimal of any case.
  package var uid: String?
  /// The UID for which matching rows are reserved.
  package var wantedUID: String?
  /// A Boolean value that indicates whether only rows for any tag match.
  package var isForAnyTag = false
  /// A Boolean value that indicates whether only unclaimed rows match.
  package var isUnclaimed = false
  /// The holder whose claims do not count with ``isUnclaimed``.
  package var claimant: BatchClaim.Holder?
  /// The largest number of rows.
  package var limit: Int?

  /// Makes a filter; without arguments, every row matches.
  package init(
    batch: String? = nil, number: Int? = nil, states: Set<BatchRow.State>? = nil,
    uid: String? = nil, wantedUID: String? = nil
  ) {
    self.batch = batch
    self.number = number
    self.states = states
    self.uid = uid
    self.wantedUID = wantedUID
  }
}

extension RegistryError {
  static func batchChanged(_ name: String, _ difference: String) -> RegistryError {
    RegistryError(
      .batchChanged, "The batch \(name) was begun with another file: \(difference).",
      hint: "Restore the previous file (rows may be added at its end), or \(.beginBatch).")
  }

  static func rowNotFree(_ row: BatchRow) -> RegistryError {
    RegistryError(
      .rowNotFree,
      "Row \(row.number) of the batch \(row.batch) is \(row.state.rawValue)"
        + (row.state == .pending ? ", but in use by another station." : "."),
      hint: row.state == .pending
        ? "Try again when the other station has finished the row."
        : .sentence("\(.redoRow(row.number)) to give the row another tag, or \(.lookAtBatch)")
    )
  }

  static func tagInBatch(_ uid: String, _ row: BatchRow) -> RegistryError {
    RegistryError(
      .tagInBatch, "Tag \(uid) belongs to row \(row.number) of the batch \(row.batch).",
      hint: "Use another tag.")
  }
}

/// The claim on a row that is being worked on, which keeps other stations from taking it.
///
/// A claim is not part of the history: it is deleted when its row is finished, or when its process
/// no longer runs.
package struct BatchClaim: Hashable, Sendable {
  /// A running process, named so that a later process with the same number differs.
  package struct Holder: Hashable, Sendable {
    /// The machine: its name and the number of this start of its system.
    package let machine: String
    /// The process number.
    package let process: Int
    /// The process's start time, in the system's own count; distinguishes a process number used
    /// again.
    package let started: String

    /// Makes a holder.
    package init(machine: String, process: Int, started: String) {
      self.machine = machine
      self.process = process
      self.started = started
    }
  }

  /// The batch's name.
  package let batch: String
  /// The row's number.
  package let row: Int
  /// The process.
  package let holder: Holder
  /// The reader on which the process works.
  package let reader: String
  /// The time of the claim.
  package let since: Date
  /// The time at which the process last renewed the claim.
  package let renewed: Date

  init(
    batch: String, row: Int, holder: Holder, reader: String, since: Date, renewed: Date
  ) {
    self.batch = batch
    self.row = row
    self.holder = holder
    self.reader = reader
    self.since = since.inWholeMilliseconds
    self.renewed = renewed.inWholeMilliseconds
  }
}

/// A station that works on a batch: the process, its reader, its operator, and the check whether
/// other stations still run.
public struct BatchStation: Sendable {
  /// The process.
  package let holder: BatchClaim.Holder
  /// The reader on which the station works.
  public let reader: String
  /// The station's operator, for the history.
  public let who: String
  /// Returns whether the process of a claim still runs.
  package let isAlive: @Sendable (BatchClaim) -> Bool

  /// Makes a station.
  package init(
    holder: BatchClaim.Holder, reader: String, who: String,
    isAlive: @escaping @Sendable (BatchClaim) -> Bool
  ) {
    self.holder = holder
    self.reader = reader
    self.who = who
    self.isAlive = isAlive
  }
}
