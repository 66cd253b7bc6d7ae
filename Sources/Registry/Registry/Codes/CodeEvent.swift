public import Foundation

/// An event of an issued code. Events are only ever added.
public struct CodeEvent: Hashable, Sendable {
  /// The kind of event.
  public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name as printed in JSON, for example `verified`.
    public let rawValue: String

    /// Makes a kind from its printed name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name as printed in JSON.
    public var description: String { rawValue }

    /// The code was made.
    public static let issued = Self(rawValue: "issued")
    /// A tag was written.
    public static let written = Self(rawValue: "written")
    /// The code was read back and compared.
    public static let verified = Self(rawValue: "verified")
    /// The code was read in its place.
    public static let read = Self(rawValue: "read")
    /// The tag was locked against writing.
    public static let locked = Self(rawValue: "locked")
    /// The tag's password was set.
    public static let passwordSet = Self(rawValue: "password-set")
    /// The tag's password was changed.
    public static let passwordChanged = Self(rawValue: "password-changed")
    /// The tag's password was removed.
    public static let passwordRemoved = Self(rawValue: "password-removed")
    /// The tag was erased.
    public static let erased = Self(rawValue: "erased")
    /// The code was withdrawn.
    public static let retired = Self(rawValue: "retired")
    /// An item of the code, a print, was thrown away.
    public static let discarded = Self(rawValue: "discarded")
    /// The code was packed into the parcel for its place.
    public static let packed = Self(rawValue: "packed")
    /// The code was installed in its place.
    public static let installed = Self(rawValue: "installed")
    /// The code's print or tag was replaced by a new one.
    public static let replaced = Self(rawValue: "replaced")
    /// A clip, an experience, a place or a trusted key was added or changed.
    public static let registered = Self(rawValue: "registered")
    /// A clip, an experience, a place or a trusted key was removed.
    public static let removed = Self(rawValue: "removed")
    /// A message of a tag with a new counter was verified.
    public static let counted = Self(rawValue: "counted")
    /// A tag's counter was removed: every earlier message of the tag is accepted once more.
    public static let forgotten = Self(rawValue: "forgotten")
  }

  /// Names of details with the same meaning in every event.
  public enum Fact {
    /// The position of the event: latitude and longitude in degrees (WGS 84), separated by a comma.
    public static let position = "position"
    /// The largest distance of the true position from ``position``, in metres.
    public static let accuracy = "accuracy"
    /// The tag's UID in upper-case hexadecimal.
    public static let uid = "uid"
    /// SHA-256 of the tag's bytes or of the picture, in upper-case hexadecimal.
    public static let sha256 = "sha256"
    /// A note by the person who recorded it.
    public static let note = "note"
    /// The id of the walk on which it happened.
    public static let walk = "walk"
    /// The number of the stop in ``walk``.
    public static let stop = "stop"
    /// The id of the place stated by the person who read the code.
    public static let place = "place"
    /// The number of the stop of the same picture in ``walk`` that this reading supersedes.
    public static let supersedes = "supersedes"
    /// The name of the item of the code that the event is about.
    public static let item = "item"
    /// The file that was printed to.
    public static let output = "output"
    /// The time at which a picture was taken, RFC 3339 in UTC; the event has that of its import.
    public static let taken = "taken"
    /// The language of the words beside a printed code, as a tag of BCP 47.
    public static let language = "language"
    /// The caption printed beside a code, else the name of its row.
    public static let caption = "caption"
    /// The row of the file that a code was printed from, from 1.
    public static let row = "row"
    /// The sheet of labels that a code is on, from 1.
    public static let sheet = "sheet"
    /// The label on ``sheet``, from 1; the first, where ``copies`` follow each other.
    public static let label = "label"
    /// The number of labels that hold the code, if there are several.
    public static let copies = "copies"
    /// The result of the location confirmation, for example `outside`.
    public static let result = "result"
  }

  /// The code of the event.
  public let code: CodeID
  /// The event's place in the code's history, from 1: by time; among the entries of one recorder,
  /// in the order of writing. It changes when an older event is merged in.
  public let sequence: Int
  /// The time of the event, in whole milliseconds.
  public let time: Date
  /// The kind of event.
  public let kind: Kind
  /// The person or program that caused it, for example a user name.
  public let who: String
  /// Further facts, for example `reader` or `distance`.
  public let details: [String: String]

  /// Makes an event.
  package init(
    code: CodeID, sequence: Int, time: Date, kind: Kind, who: String,
    details: [String: String] = [:]
  ) {
    self.code = code
    self.sequence = sequence
    self.time = time.inWholeMilliseconds
    self.kind = kind
    self.who = who
    self.details = details
  }

  /// ``time`` as RFC 3339 in UTC with milliseconds, for example `2026-11-21T09:30:00.250Z`.
  package var timestamp: String { time.registryTimestamp }
}

extension Date {
  /// The date as the registry prints it: RFC 3339 in UTC with milliseconds.
  package var registryTimestamp: String {
    let (seconds, milliseconds) = millisecondsSince1970.floored(by: 1000)
    let fraction = String(1000 + milliseconds).dropFirst()
    let whole = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    return whole.dropLast() + "." + fraction + "Z"
  }
}

extension Int64 {
  /// Quotient and remainder of a division that rounds down, so that the remainder is never below
  /// zero.
  fileprivate func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
