/// A message that was read from bytes, and the faults that were forgiven.
public struct NDEFReading: Hashable, Sendable {
  /// The message. Encoding it again gives the bytes that were read, unless a fault was forgiven or
  /// a record was chunked.
  public let message: NDEFMessage
  /// The errors that a strict reading would have thrown, in the order of the bytes; empty after a
  /// strict reading.
  public let forgiven: [NDEFError]
  /// The offset of each record's payload (of its first chunk) in the bytes read.
  public let payloadOffsets: [Int]
  /// A Boolean value that indicates whether a record was chunked.
  package let hasChunks: Bool

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - bytes: The message, as contained in a tag's NDEF field.
  ///   - options: The faults to forgive, and the limits.
  /// - Throws: ``NDEFError`` with the offset of the first byte that is wrong.
  public init(_ bytes: [UInt8], options: NDEFOptions = .strict) throws(NDEFError) {
    var parser = Parser(bytes: bytes, options: options)
    try parser.run()
    message = NDEFMessage(unchecked: parser.records)
    forgiven = parser.leniency.forgiven
    payloadOffsets = parser.payloadOffsets
    hasChunks = parser.hasChunks
  }
}

/// A parser that reads a message from its first byte to its last.
private struct Parser {
  let bytes: [UInt8]
  let options: NDEFOptions
  var position = 0
  var records: [NDEFRecord] = []
  var payloadOffsets: [Int] = []
  var hasChunks = false
  var leniency = Leniency()

  /// One record or chunk as read from the bytes.
  struct Piece {
    let start: Int
    let flags: UInt8
    let record: NDEFRecord
    let payloadOffset: Int

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
  }

  mutating func run() throws(NDEFError) {
    guard !bytes.isEmpty else {
      throw NDEFError(
        .zeroBytes, at: 0, "the message has no bytes; the empty message is D0 00 00")
    }
    var ended = false
    while !ended {
      guard position < bytes.count else {
        try leniency.check(
          options.allowsMissingMessageEnd,
          NDEFError(.missingMessageEnd, at: position, "no record ends the message"))
        break
      }
      guard records.count < options.maximumRecordCount else {
        throw NDEFError(
          .tooManyRecords, at: position,
          "the message has more than \(options.maximumRecordCount) records")
      }
      let first = try piece()
      try checkMessageBegin(of: first)
      guard first.record.typeNameFormat != .unchanged else {
        throw NDEFError(
          .brokenChunks, at: first.start, "a later chunk (type name format 6) without the first")
      }
      if let fault = first.record.shapeFault(at: first.start) {
        try leniency.check(allows(fault.code), fault)
      }
      ended = try append(first)
    }
    if position < bytes.count {
      let count = bytes.count - position
      try leniency.check(
        options.allowsTrailingBytes,
        NDEFError(.trailingBytes, at: position, "bytes follow the end of the message: \(count)"))
    }
  }

  /// Appends the record that begins with this piece, with its later chunks if there are any.
  ///
  /// - Returns: `true` if the record ends the message.
  private mutating func append(_ first: Piece) throws(NDEFError) -> Bool {
    payloadOffsets.append(first.payloadOffset)
    guard first.has(Header.chunk) else {
      records.append(first.record)
      return first.has(Header.messageEnd)
    }
    guard first.record.typeNameFormat != .empty else {
      throw NDEFError(.brokenChunks, at: first.start, "an empty record cannot be chunked")
    }
    hasChunks = true
    var payload = first.record.payload
    var last = first
    while last.has(Header.chunk) {
      guard !last.has(Header.messageEnd) else {
        throw NDEFError(
          .brokenChunks, at: last.start, "the message ends inside a chunked record")
      }
      guard position < bytes.count else {
        throw NDEFError(.brokenChunks, at: position, "the last chunk of a record is missing")
      }
      last = try laterChunk(after: payload.count)
      payload += last.record.payload
    }
    records.append(
      NDEFRecord(
        unchecked: first.record.typeNameFormat, type: first.record.type,
        identifier: first.record.identifier, payload: payload,
        lengthForm: payload.count > 255 ? .long : .short))
    return last.has(Header.messageEnd)
  }

  private mutating func laterChunk(after length: Int) throws(NDEFError) -> Piece {
    let chunk = try piece(after: length)
    guard chunk.record.typeNameFormat == .unchanged else {
      throw NDEFError(
        .brokenChunks, at: chunk.start, "a record begins before the last chunk of another")
    }
    if chunk.has(Header.messageBegin) { try checkMessageBegin(of: chunk) }
    if !chunk.record.type.isEmpty || chunk.has(Header.identifierLength) {
      try leniency.check(
        options.allowsChunkWithType,
        NDEFError(.chunkWithType, at: chunk.start, "a later chunk has no type or identifier"))
    }
    return chunk
  }

  private mutating func checkMessageBegin(of piece: Piece) throws(NDEFError) {
    if piece.start == 0 && !piece.has(Header.messageBegin) {
      try leniency.check(
        options.allowsMissingMessageBegin,
        NDEFError(
          .missingMessageBegin, at: 0, "the first record does not begin a message"))
    } else if piece.start > 0 && piece.has(Header.messageBegin) {
      try leniency.check(
        options.allowsRepeatedMessageBegin,
        NDEFError(
          .repeatedMessageBegin, at: piece.start, "a message begins inside the message"))
    }
  }

  private func allows(_ code: NDEFError.Code) -> Bool {
    switch code {
    case .emptyRecordWithContent: options.allowsContentInEmptyRecord
    case .missingType: options.allowsMissingType
    case .unexpectedType: options.allowsTypeOnUnknown
    case .reservedTypeNameFormat: options.allowsReservedTypeNameFormat
    default: false
    }
  }

  /// Reads one record or chunk; `length` is the total length of the record's earlier chunks.
  private mutating func piece(after length: Int = 0) throws(NDEFError) -> Piece {
    let start = position
    let flags = try integer(bytes: 1, "the header")
    let typeLength = try integer(bytes: 1, "the type's length")
    let isShort = flags & Int(Header.shortRecord) != 0
    let lengthPosition = position
    let payloadLength = try integer(bytes: isShort ? 1 : 4, "the payload's length")
    let hasIdentifier = flags & Int(Header.identifierLength) != 0
    let identifierLength =
      hasIdentifier ? try integer(bytes: 1, "the identifier's length") : nil
    // Neither number exceeds 32 bits, so the sum cannot overflow.
    guard length + payloadLength <= options.maximumPayloadLength else {
      throw NDEFError(
        .payloadTooLong, at: lengthPosition,
        "a payload of \(length + payloadLength) bytes; the limit is "
          + "\(options.maximumPayloadLength)")
    }
    let type = try field(typeLength, "the type")
    var identifier: [UInt8]?
    if let identifierLength { identifier = try field(identifierLength, "the identifier") }
    let payloadOffset = position
    let payload = try field(payloadLength, "the payload")
    // Three bits always name a format, so the fallback is never used.
    let format =
      TypeNameFormat(rawValue: UInt8(flags) & Header.typeNameFormat) ?? TypeNameFormat.reserved
    return Piece(
      start: start, flags: UInt8(flags),
      record: NDEFRecord(
        unchecked: format, type: type, identifier: identifier, payload: payload,
        lengthForm: isShort ? .short : .long),
      payloadOffset: payloadOffset)
  }

  private mutating func integer(bytes count: Int, _ name: String) throws(NDEFError) -> Int {
    try field(count, name).reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func field(_ count: Int, _ name: String) throws(NDEFError) -> [UInt8] {
    let left = bytes.count - position
    guard count <= left else {
      throw NDEFError(
        .truncated, at: position, "\(name) needs \(count) bytes, and \(left) are left")
    }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }
}

/// Leniencies and limits for reading NDEF bytes and payloads.
///
/// Every leniency has a name and is off in ``strict``. A fault that a leniency accepts is reported
/// in ``NDEFReading/forgiven`` (or the view's own `forgiven`), never silently. A length that
/// extends past the end, a later chunk without a first, and an exceeded limit are never forgiven.
public struct NDEFOptions: Hashable, Sendable {
  /// Ignores bytes after the record that ends the message.
  public var allowsTrailingBytes = false
  /// Accepts a first record without the message-begin flag.
  public var allowsMissingMessageBegin = false
  /// Accepts the message-begin flag on a later record.
  public var allowsRepeatedMessageBegin = false
  /// Accepts bytes that end without the message-end flag, if they end between two records.
  public var allowsMissingMessageEnd = false
  /// Accepts a type, identifier or payload on an empty record, and keeps them.
  public var allowsContentInEmptyRecord = false
  /// Accepts type name format 7 and keeps the record unchanged.
  public var allowsReservedTypeNameFormat = false
  /// Accepts well-known, media, absolute-URI and external records without a type.
  public var allowsMissingType = false
  /// Accepts a type on a record of unknown type, and keeps it.
  public var allowsTypeOnUnknown = false
  /// Accepts a type or an identifier on a later chunk, and drops it.
  public var allowsChunkWithType = false
  /// Reads a reserved URI prefix code (24 to FF) as "no prefix".
  public var allowsReservedURIPrefix = false
  /// Accepts the reserved bit in the status byte of a Text record.
  public var allowsReservedTextBit = false
  /// Accepts a Text record without a language.
  public var allowsMissingLanguage = false
  /// Accepts repeated URI, action, size and type records and repeated titles of one language in a
  /// Smart Poster; the first of each is used.
  public var allowsRepeatedPosterRecords = false

  /// The maximum number of records in a message, at least 1.
  public var maximumRecordCount = 1024
  /// The maximum length of a payload in bytes, after its chunks are joined, 0 to 4,294,967,295.
  public var maximumPayloadLength = 1 << 20

  /// Makes strict options: every leniency off, 1,024 records, payloads up to 1 MiB.
  public init() {}

  /// The options that forgive nothing.
  public static let strict = NDEFOptions()

  /// The options with every leniency on.
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

/// A collector of forgiven errors, which throws the others.
struct Leniency {
  private(set) var forgiven: [NDEFError] = []

  /// Records `error` if `allowed`, otherwise throws it.
  mutating func check(_ allowed: Bool, _ error: NDEFError) throws(NDEFError) {
    guard allowed else { throw error }
    forgiven.append(error)
  }

  mutating func add(_ errors: [NDEFError], movedBy distance: Int) {
    forgiven += errors.map { $0.moved(by: distance) }
  }
}
