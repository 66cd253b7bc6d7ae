public import Foundation

/// One thing that happened to a row of a batch. Events are only ever added.
public struct BatchEvent: Hashable, Sendable {
  /// What happened. The names are those of the database and never change meaning.
  public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Makes a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// A tag was chosen, before anything was written to it.
    public static let intended = Self(rawValue: "intended")
    /// The tag left untouched, and the row may have another.
    public static let released = Self(rawValue: "released")
    /// The tag was written, or found to be right, and read back.
    public static let written = Self(rawValue: "written")
    /// The tag was locked against writing.
    public static let locked = Self(rawValue: "locked")
    /// The tag was given up and must not be used again; the row needs another.
    public static let spoiled = Self(rawValue: "spoiled")
    /// The row was skipped.
    public static let skipped = Self(rawValue: "skipped")
    /// The row that was done or skipped needs a tag again.
    public static let redone = Self(rawValue: "redone")
  }

  /// The batch's name.
  public let batch: String
  /// The row's number.
  public let row: Int
  /// The event's place in the row's history, from 1.
  public let sequence: Int
  /// When it happened, in whole milliseconds.
  public let time: Date
  /// What happened.
  public let kind: Kind
  /// Who or what did it.
  public let who: String
  /// The UID of the tag concerned, if one was.
  public let uid: String?
  /// Further facts, for example `reader` or `reason`.
  public let details: [String: String]

  init(
    batch: String, row: Int, sequence: Int, time: Date, kind: Kind, who: String, uid: String?,
    details: [String: String]
  ) {
    self.batch = batch
    self.row = row
    self.sequence = sequence
    self.time = time.inWholeMilliseconds
    self.kind = kind
    self.who = who
    self.uid = uid
    self.details = details
  }
}
