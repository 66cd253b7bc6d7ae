/// The reason why bytes are not an NDEF message, a record is not what a view expects, or a value
/// cannot be made into a record.
///
/// Two errors are equal if their codes are equal.
public struct NDEFError: Error, Sendable {
  /// The kind of fault.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name, for logs and machine-readable output.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There are no bytes at all. An empty message has three: `D0 00 00`.
    public static let zeroBytes = Code(rawValue: "zero-bytes")
    /// A message without records was requested; an empty message holds one empty record.
    public static let noRecords = Code(rawValue: "no-records")
    /// A header or a length extends past the end of the bytes.
    public static let truncated = Code(rawValue: "truncated")
    /// The first record does not carry the message-begin flag.
    public static let missingMessageBegin = Code(rawValue: "missing-message-begin")
    /// A record after the first carries the message-begin flag.
    public static let repeatedMessageBegin = Code(rawValue: "repeated-message-begin")
    /// The bytes end although no record carried the message-end flag.
    public static let missingMessageEnd = Code(rawValue: "missing-message-end")
    /// Bytes follow the record that carries the message-end flag.
    public static let trailingBytes = Code(rawValue: "trailing-bytes")
    /// The type name format is 7, which is reserved.
    public static let reservedTypeNameFormat = Code(rawValue: "reserved-type-name-format")
    /// An empty record has a type, an identifier or a payload.
    public static let emptyRecordWithContent = Code(rawValue: "empty-record-with-content")
    /// A record whose type name format requires a type has none.
    public static let missingType = Code(rawValue: "missing-type")
    /// A record of unknown type has a type field.
    public static let unexpectedType = Code(rawValue: "unexpected-type")
    /// A chunk occurs where none is allowed, or a chunked record is not continued.
    public static let brokenChunks = Code(rawValue: "broken-chunks")
    /// A later chunk has a type or an identifier.
    public static let chunkWithType = Code(rawValue: "chunk-with-type")
    /// There are more records than ``NDEFOptions/maximumRecordCount``.
    public static let tooManyRecords = Code(rawValue: "too-many-records")
    /// A payload is longer than ``NDEFOptions/maximumPayloadLength``.
    public static let payloadTooLong = Code(rawValue: "payload-too-long")
    /// A value does not fit its field: a type or identifier over 255 bytes, for instance.
    public static let fieldTooLong = Code(rawValue: "field-too-long")
    /// The record is of another type than the view reads.
    public static let wrongRecordType = Code(rawValue: "wrong-record-type")
    /// The payload is too short, or a length inside it goes past its end.
    public static let malformedPayload = Code(rawValue: "malformed-payload")
    /// The text is not valid in its encoding.
    public static let invalidText = Code(rawValue: "invalid-text")
    /// The URI prefix code is reserved (24 to FF).
    public static let reservedURIPrefix = Code(rawValue: "reserved-uri-prefix")
    /// The reserved bit of a Text record is set.
    public static let reservedTextBit = Code(rawValue: "reserved-text-bit")
    /// A Text record names no language.
    public static let missingLanguage = Code(rawValue: "missing-language")
    /// A Smart Poster holds no URI record.
    public static let missingURI = Code(rawValue: "missing-uri")
    /// A Smart Poster repeats a record that may occur only once.
    public static let repeatedPosterRecord = Code(rawValue: "repeated-poster-record")
  }

  /// The kind of fault.
  public let code: Code
  /// The position of the fault in bytes, from the start of the decoder's input, or of the record's
  /// payload for a typed view. `nil` only if a value was being made, not read.
  public let offset: Int?
  /// A description of the fault for people, without the offset.
  public let message: String

  /// Makes an error.
  package init(_ code: Code, at offset: Int?, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  /// The same error with its offset increased by `distance`.
  func moved(by distance: Int) -> NDEFError {
    NDEFError(code, at: offset.map { $0 + distance }, message)
  }
}

extension NDEFError: Hashable {
  /// Compares codes only, so that a test or a caller needs nothing else.
  public static func == (left: NDEFError, right: NDEFError) -> Bool { left.code == right.code }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension NDEFError: CustomStringConvertible {
  /// The message and the offset, as one sentence.
  public var description: String {
    guard let offset else { return message }
    return "\(message) (at byte \(offset))"
  }
}
