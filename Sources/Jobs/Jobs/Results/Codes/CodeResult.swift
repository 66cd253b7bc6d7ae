import Invocation
public import Registry

/// A code on record: the `code` object of the command's contract.
///
/// Absent facts are `nil` and encoded as `null`.
public struct CodeResult: Encodable, Sendable {
  /// An event in the history of a code.
  public struct Event: Encodable, Sendable {
    /// The number of the event in its code's history, from 1.
    public let sequence: Int
    /// The time, RFC 3339 in UTC.
    public let time: String
    /// The kind of event, such as `installed`.
    public let kind: String
    /// The person.
    public let who: String
    /// The facts of the event by their names.
    private let details: SortedMembers

    init(_ event: CodeEvent) {
      sequence = event.sequence
      time = event.timestamp
      kind = event.kind.rawValue
      who = event.who
      details = SortedMembers(event.details)
    }
  }

  /// The type of the object.
  public let type = "code"
  /// The name of the code.
  public let code: String
  /// The text that the code carries, exactly.
  public let url: String
  /// `qr`, `nfc` or `app-clip-code`.
  public let carrier: String
  /// The id of its place.
  public let place: String?
  /// The time of issue, RFC 3339 in UTC.
  public let created: String
  /// Whether the registry accepted the URL when the code was issued.
  public let registered: Bool
  /// `issued` or `retired`.
  public let status: String
  /// The file of a printed code.
  public let output: String?
  /// The UID of a tag, in hexadecimal.
  public let uid: String?
  /// The product of a tag.
  public let tagType: String?
  /// The version of a QR code, 1 to 40.
  public let version: Int?
  /// The error-correction level of a QR code.
  public let errorCorrection: String?
  /// The side of a module, in millimetres.
  public let moduleSize: Double?
  /// The width with the quiet zone, in millimetres.
  public let width: Double?
  /// The events, oldest first; `nil` in a list of codes.
  public let history: [Event]?
  /// The number of its prints or tags in use, with all copies.
  public let pieces: Int
  /// Its prints or tags in use, in the order in which they were made.
  public let items: [CodeItemResult]

  /// States a code.
  ///
  /// - Parameters:
  ///   - code: The code on record.
  ///   - items: The items of the code.
  ///   - history: The events of the code, oldest first; `nil` for a list of codes.
  public init(_ code: IssuedCode, items: [CodeItem], history: [CodeEvent]? = nil) {
    self.code = code.id.description
    url = code.payload
    carrier = code.carrier.rawValue
    place = code.placeID
    created = code.created.registryTimestamp
    registered = code.registered
    status = code.status.rawValue
    output = code.output
    uid = code.tagUID
    tagType = code.tagType
    version = code.symbol?.version
    errorCorrection = code.symbol?.errorCorrection
    moduleSize = code.symbol?.moduleSize
    width = code.symbol?.width
    self.history = history?.map(Event.init)
    pieces = items.pieceCount
    self.items = items.map(CodeItemResult.init)
  }
}
