package import Foundation

/// An event of a row of a batch. Events are only ever added.
package struct BatchEvent: Hashable, Sendable {
  /// The kind of event. The names are those of the database and never change meaning.
  package struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name.
    package let rawValue: String

    /// Makes a kind from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    package var description: String { rawValue }

    /// A tag was chosen, before anything was written to it.
    package static let intended = Self(rawValue: "intended")
    /// The tag was left untouched, and the row may have another.
    package static let released = Self(rawValue: "released")
    /// The tag was written, or found to be correct, and read back.
    package static let written = Self(rawValue: "written")
    /// The tag was locked against writing.
    package static let locked = Self(rawValue: "locked")
    /// A password was set on the tag.
    package static let guarded = Self(rawValue: "guarded")
    /// The tag was given up and must not be used again; the row needs another.
    package static let spoiled = Self(rawValue: "spoiled")
    /// The row was skipped.
    package static let skipped = Self(rawValue: "skipped")
    /// A row that was done or skipped needs a tag again.
    package static let redone = Self(rawValue: "redone")
    /// The options of the batch from here on; recorded as an event of its first row.
    package static let options = Self(rawValue: "options")
  }

  /// The batch's name.
  package let batch: String
  /// The row's number.
  package let row: Int
  /// The event's place in the row's history, from 1.
  package let sequence: Int
  /// The time of the event, in whole milliseconds.
  package let time: Date
  /// The kind of event.
  package let kind: Kind
  /// The person or program that caused the event.
  package let who: String
  /// The UID of the tag concerned, if one was.
  package let uid: String?
  /// Further facts, for example `reader` or `reason`.
  package let details: [String: String]

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
