public import Invocation

/// Something that is wrong with the record of codes.
public struct RecordFinding: Hashable, Sendable {
  /// What it is; one of `Finding.Code.ofRecord`.
  public let code: Finding.Code
  /// Whose chain it is in; `nil` for what concerns a code alone.
  public let recorder: Recorder?
  /// The entry's number; the first of those that are missing.
  public let number: Int?
  /// The code that the entry is about, as far as that can be told.
  public let subject: CodeID?
  /// One sentence: what is wrong, and where.
  public let message: String

  init(
    _ code: Finding.Code, recorder: Recorder?, number: Int?, subject: CodeID?, _ message: String
  ) {
    self.code = code
    self.recorder = recorder
    self.number = number
    self.subject = subject
    self.message = message
  }
}

extension Finding.Code {
  /// An entry of the record, or what it says was issued, is not what was hashed.
  public static let entryAltered = Finding.Code(rawValue: "entry-altered")
  /// Entries of the record are missing between two others.
  public static let entryMissing = Finding.Code(rawValue: "entry-missing")
  /// An entry of the record stands in another place than the one it was made for.
  public static let entryReordered = Finding.Code(rawValue: "entry-reordered")
  /// An entry was made after another one than stands before it: that one was exchanged.
  public static let chainBroken = Finding.Code(rawValue: "chain-broken")
  /// Two entries of one recorder have the same number: somebody went on with a copy.
  public static let chainForked = Finding.Code(rawValue: "chain-forked")
  /// A chain ends before an entry that a checkpoint saw.
  public static let chainTruncated = Finding.Code(rawValue: "chain-truncated")
  /// An entry is not the one that a checkpoint saw: the chain was written anew.
  public static let chainRewritten = Finding.Code(rawValue: "chain-rewritten")
  /// A code's status is not what its record says.
  public static let statusAltered = Finding.Code(rawValue: "status-altered")

  /// The codes that only checking the record gives, with their meanings, for the documentation.
  package static let ofRecord: [(code: Finding.Code, meaning: String)] = [
    (
      .entryAltered, "An entry of the record, or what it says was issued, is not what was hashed."
    ),
    (.entryMissing, "Entries of the record are missing between two others."),
    (
      .entryReordered,
      "An entry of the record stands in another place than the one it was made for."
    ),
    (
      .chainBroken,
      "An entry was made after another one than stands before it: that one was exchanged."
    ),
    (
      .chainForked,
      "Two entries of one recorder have the same number: somebody went on with a copy."
    ),
    (.chainTruncated, "A chain ends before an entry that a checkpoint saw."),
    (
      .chainRewritten,
      "An entry is not the one that a checkpoint saw: the chain was written anew."
    ),
    (.statusAltered, "A code's status is not what its record says."),
  ]
}
