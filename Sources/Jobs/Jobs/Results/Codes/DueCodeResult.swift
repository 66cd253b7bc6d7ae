public import Auditing
import Invocation
import Registry

/// A code that someone has to go to: the `due` object of the command's contract.
public struct DueCodeResult: Encodable, Sendable {
  /// The place of the code.
  public struct Place: Encodable, Sendable {
    /// The id.
    public let id: String
    /// The name; `nil` for a place that is not on record.
    public let name: String?
  }

  /// The type of the object.
  public let type = "due"
  /// The name of the code.
  public let code: String
  /// The text that the code carries, exactly.
  public let url: String
  /// `qr`, `nfc` or `app-clip-code`.
  public let carrier: String
  /// The place; `nil` without one.
  public let place: Place?
  /// The UID of a tag, in hexadecimal.
  public let uid: String?
  /// The file of a printed code.
  public let output: String?
  /// The stable name of the reason.
  public let reason: String
  /// The state of the URL in the registry.
  public let state: String
  /// The last time at which it was read where it belongs, RFC 3339 in UTC.
  public let lastSeen: String?
  /// The last time at which it was read anywhere, RFC 3339 in UTC.
  public let lastRead: String?
  /// The number of days since then, or since its issue.
  public let days: Int
  /// The reason in words.
  public let message: String
  /// The number of its prints or tags, with all copies.
  public let pieces: Int

  /// States a code that is due.
  public init(_ due: DueCode) {
    code = due.code.id.description
    url = due.code.payload
    carrier = due.code.carrier.rawValue
    place = due.code.placeID.map { Place(id: $0, name: due.place?.name) }
    uid = due.code.tagUID
    output = due.items.last?.output ?? due.code.output
    reason = due.reason.rawValue
    state = due.state.rawValue
    lastSeen = due.lastSeen?.registryTimestamp
    lastRead = due.lastRead?.registryTimestamp
    days = due.days
    message = due.message
    pieces = due.pieces
  }
}
