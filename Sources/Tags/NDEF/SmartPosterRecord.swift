/// A Smart Poster (well-known type `Sp`): a URI with titles and a recommended action, as a message
/// inside the record's payload.
///
/// Apple's background tag reading does not list Smart Posters: a tag for iPhones contains a plain
/// ``URIRecord``. NFC Forum, Smart Poster Record Type Definition 1.1.
public struct SmartPosterRecord: Hashable, Sendable {
  /// The action recommended to a phone (`act` record).
  public struct Action: RawRepresentable, Hashable, Sendable {
    /// The code; 3 and above are reserved.
    public let rawValue: UInt8
    /// Makes an action from its code.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Opens the URI (0).
    public static let open = Action(rawValue: 0)
    /// Saves it for later (1).
    public static let save = Action(rawValue: 1)
    /// Opens it for editing (2).
    public static let edit = Action(rawValue: 2)
  }

  /// The underlying record, byte for byte as it was read or made.
  public let record: NDEFRecord
  /// The message inside, including records that this view does not interpret.
  public let message: NDEFMessage
  /// The URI.
  public let uri: URIRecord
  /// The titles, at most one per language.
  public let titles: [TextRecord]
  /// The recommended action, or `nil` if the poster has none.
  public let action: Action?
  /// The size in bytes of the resource at the URI, or `nil` if the poster has none.
  public let size: UInt32?
  /// The media type of the resource at the URI, or `nil` if the poster has none.
  public let mediaType: String?
  /// The icons: records of media type `image/…` or `video/…`.
  public let icons: [NDEFRecord]
  /// The errors that a strict reading would have thrown, in this record and those inside it.
  public let forgiven: [NDEFError]

  /// Reads a Smart Poster.
  ///
  /// - Parameters:
  ///   - record: A record of well-known type `Sp`.
  ///   - options: The leniencies, which also apply to the message inside and its records.
  /// - Throws: ``NDEFError`` with an offset into the payload.
  public init(_ record: NDEFRecord, options: NDEFOptions = .strict) throws(NDEFError) {
    guard record.isWellKnown("Sp") else {
      throw NDEFError(.wrongRecordType, at: 0, "the record is not a Smart Poster (type Sp)")
    }
    let reading = try NDEFReading(record.payload, options: options)
    var parts = PosterParts(options: options)
    parts.leniency.add(reading.forgiven, movedBy: 0)
    for (inner, offset) in zip(reading.message.records, reading.payloadOffsets) {
      do throws(NDEFError) {
        try parts.add(inner, at: offset)
      } catch {
        throw error.moved(by: offset)
      }
    }
    guard let uri = parts.uri else {
      throw NDEFError(.missingURI, at: record.payload.count, "a Smart Poster needs a URI record")
    }
    self.record = record
    message = reading.message
    self.uri = uri
    titles = parts.titles
    action = parts.action
    size = parts.size
    mediaType = parts.mediaType
    icons = parts.icons
    forgiven = parts.leniency.forgiven
  }

  /// Makes a Smart Poster.
  ///
  /// - Parameters:
  ///   - uri: The URI.
  ///   - titles: At most one per language.
  ///   - action: The recommended action, or `nil` to leave it to the phone.
  /// - Throws: ``NDEFError``: `repeatedPosterRecord` for two titles of one language.
  public init(
    uri: String, titles: [TextRecord] = [], action: Action? = nil
  ) throws(NDEFError) {
    var records = [URIRecord(uri).record] + titles.map(\.record)
    if let action {
      records.append(
        try NDEFRecord(.wellKnown, type: Array("act".utf8), payload: [action.rawValue]))
    }
    let payload = try NDEFMessage(records).bytes
    try self.init(NDEFRecord(.wellKnown, type: Array("Sp".utf8), payload: payload))
  }
}

/// The parts of a Smart Poster found so far.
private struct PosterParts {
  let options: NDEFOptions
  var leniency = Leniency()
  var uri: URIRecord?
  var titles: [TextRecord] = []
  var action: SmartPosterRecord.Action?
  var size: UInt32?
  var mediaType: String?
  var icons: [NDEFRecord] = []

  /// Adds one record of the poster. The offsets of its errors are relative to the record's payload,
  /// which begins `offset` bytes into the poster's.
  mutating func add(_ record: NDEFRecord, at offset: Int) throws(NDEFError) {
    guard record.typeNameFormat == .wellKnown else {
      let type = String(decoding: record.type, as: UTF8.self)
      if record.typeNameFormat == .media && (type.hasPrefix("image/") || type.hasPrefix("video/")) {
        icons.append(record)
      }
      return
    }
    switch String(decoding: record.type, as: UTF8.self) {
    case "U":
      let view = try URIRecord(record, options: options)
      leniency.add(view.forgiven, movedBy: offset)
      if try isFirst(uri == nil, "URI record", offset) { uri = view }
    case "T":
      let view = try TextRecord(record, options: options)
      leniency.add(view.forgiven, movedBy: offset)
      let isNew = !titles.contains { $0.language == view.language }
      if try isFirst(isNew, "title of language \(view.language)", offset) { titles.append(view) }
    case "act":
      let code = try integer(record, bytes: 1, "an action")
      if try isFirst(action == nil, "action", offset) { action = .init(rawValue: UInt8(code)) }
    case "s":
      let count = try integer(record, bytes: 4, "a size")
      if try isFirst(size == nil, "size", offset) { size = count }
    case "t":
      switch TextDecoding.decode(record.payload, as: UTF8.self) {
      case .success(let text):
        if try isFirst(mediaType == nil, "type", offset) { mediaType = text }
      case .failure(let invalid):
        throw NDEFError(.invalidText, at: invalid.index, "the type is not UTF-8")
      }
    default: break
    }
  }

  /// Returns `true` if a record is the first of its type; a second is a fault that may be forgiven.
  private mutating func isFirst(
    _ isFirst: Bool, _ name: String, _ offset: Int
  ) throws(NDEFError) -> Bool {
    if isFirst { return true }
    let message = "a Smart Poster has one \(name) at most"
    guard options.allowsRepeatedPosterRecords else {
      throw NDEFError(.repeatedPosterRecord, at: 0, message)
    }
    leniency.add([NDEFError(.repeatedPosterRecord, at: 0, message)], movedBy: offset)
    return false
  }

  private func integer(
    _ record: NDEFRecord, bytes count: Int, _ name: String
  ) throws(NDEFError) -> UInt32 {
    guard record.payload.count == count else {
      throw NDEFError(
        .malformedPayload, at: 0, "\(name) has \(count) bytes, not \(record.payload.count)")
    }
    return record.payload.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
