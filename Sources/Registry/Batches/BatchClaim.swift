package import Foundation

/// Who works on a row at the moment, so that nobody else takes it.
///
/// A claim is no history: it goes when its row is finished, or when whoever made it no longer runs.
package struct BatchClaim: Hashable, Sendable {
  /// One running process, named so that a later one with the same number is another.
  package struct Holder: Hashable, Sendable {
    /// The machine: its name and the number of this start of its system.
    package let machine: String
    /// The process number.
    package let process: Int
    /// When the process was started, in the system's own count; tells a number used again.
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
  /// The reader on which it works.
  package let reader: String
  /// When the claim was made.
  package let since: Date
  /// When the process last said that it is still there.
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

/// A station that works on a batch: the process, its reader, its operator, and how it tells which
/// other stations still run.
public struct BatchStation: Sendable {
  /// The process.
  package let holder: BatchClaim.Holder
  /// The reader on which it works.
  public let reader: String
  /// Who works there, for the history.
  public let who: String
  /// Whether the process behind a claim still runs.
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
