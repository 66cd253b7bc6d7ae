/// How strictly NDEF bytes and payloads are read, and how much of them.
///
/// Every leniency has a name and is off in ``strict``. What a leniency let pass is reported as
/// ``NDEFReading/forgiven`` (or the view's own `forgiven`), never silently. Lengths that go past
/// the end, a later chunk without a first, and a limit that is exceeded are never forgiven.
public struct NDEFOptions: Hashable, Sendable {
  /// Ignore bytes behind the record that ends the message.
  public var allowsTrailingBytes = false
  /// Accept a first record without the message-begin flag.
  public var allowsMissingMessageBegin = false
  /// Accept the message-begin flag on a later record.
  public var allowsRepeatedMessageBegin = false
  /// Accept bytes that end without the message-end flag, if they end between two records.
  public var allowsMissingMessageEnd = false
  /// Accept type, identifier or payload on an empty record, and keep them.
  public var allowsContentInEmptyRecord = false
  /// Accept type name format 7 and keep the record as it is.
  public var allowsReservedTypeNameFormat = false
  /// Accept well-known, media, absolute-URI and external records without a type.
  public var allowsMissingType = false
  /// Accept a type on a record of unknown type, and keep it.
  public var allowsTypeOnUnknown = false
  /// Accept a type or an identifier on a later chunk, and drop it.
  public var allowsChunkWithType = false
  /// Read a reserved URI prefix code (24 to FF) as "no prefix".
  public var allowsReservedURIPrefix = false
  /// Accept the reserved bit in the status byte of a Text record.
  public var allowsReservedTextBit = false
  /// Accept a Text record that names no language.
  public var allowsMissingLanguage = false
  /// Accept repeated URI, action, size and type records and titles of one language in a Smart
  /// Poster; the first of each counts.
  public var allowsRepeatedPosterRecords = false

  /// The most records one message may have. At least 1.
  public var maximumRecordCount = 1024
  /// The most bytes one payload may have, after its chunks were joined. 0 to 4,294,967,295.
  public var maximumPayloadLength = 1 << 20

  /// Strict: every leniency off, 1,024 records, payloads up to 1 MiB.
  public init() {}

  /// Nothing is forgiven.
  public static let strict = NDEFOptions()

  /// Everything that can be forgiven is.
  public static let lenient = {
    var options = NDEFOptions()
    options.allowsTrailingBytes = true
    options.allowsMissingMessageBegin = true
    options.allowsRepeatedMessageBegin = true
    options.allowsMissingMessageEnd = true
    options.allowsContentInEmptyRecord = true
    options.allowsReservedTypeNameFormat = true
    options.allowsMissingType = true
    options.allowsTypeOnUnknown = true
    options.allowsChunkWithType = true
    options.allowsReservedURIPrefix = true
    options.allowsReservedTextBit = true
    options.allowsMissingLanguage = true
    options.allowsRepeatedPosterRecords = true
    return options
  }()
}

/// Collects what was forgiven, and throws what is not.
struct Leniency {
  private(set) var forgiven: [NDEFError] = []

  /// Notes `error` when `allowed`, else throws it.
  mutating func check(_ allowed: Bool, _ error: NDEFError) throws(NDEFError) {
    guard allowed else { throw error }
    forgiven.append(error)
  }

  mutating func add(_ errors: [NDEFError], movedBy distance: Int) {
    forgiven += errors.map { $0.moved(by: distance) }
  }
}
