import SimulatedReader

/// A piece of work on a tag that faults are put in the way of.
struct Operation: Sendable {
  /// What it is called in the table.
  let name: String
  /// The tag as it lies there before.
  let tag: @Sendable () throws -> any SimulatedCard
  /// A fresh desk: what the work needs besides the reader (a registry, say), kept for the next run.
  let makeWork: @Sendable () async throws -> Work
  /// Pages that the operation may change, of a Type 4 tag offsets in its NDEF file; every other
  /// one stays as it is, whatever happens.
  let pages: Set<Int>
  /// Whether the work is content with whatever tag lies there: another one may take the place of a
  /// tag that left, and one that proved bad is not taken again.
  var takesAnyTag = false

  /// Does the work once on the reader of a connection string.
  typealias Work = @Sendable (_ connectionString: String) async -> Report
}

/// How a run of an operation ended, in the words a user gets.
struct Report: Sendable {
  /// Whether the operation said that it succeeded.
  let isSuccess: Bool
  /// The error's code and message; empty after a success.
  let code: String
  let message: String

  static let success = Report(isSuccess: true, code: "", message: "")

  static func failure(_ code: String, _ message: String) -> Report {
    Report(isSuccess: false, code: code, message: message)
  }
}

/// One operation with one fault.
struct Trial: Sendable {
  let operation: Operation
  let fault: Fault
}
