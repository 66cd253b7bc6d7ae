/// A Smart Poster (well-known type `Sp`): a URI with titles and a hint what to do with it, as a
/// message inside the record's payload.
///
/// Apple's background tag reading does not list Smart Posters: a tag for iPhones carries a plain
/// ``URIRecord``. NFC Forum, Smart Poster Record Type Definition 1.1.
public struct SmartPosterRecord: Hashable, Sendable {
  /// What a phone is asked to do (`act` record).
  public struct Action: RawRepresentable, Hashable, Sendable {
    /// The code; 3 and above are reserved.
    public let rawValue: UInt8
    /// Makes an action from its code.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Open the URI (0).
    public static let open = Action(rawValue: 0)
    /// Save it for later (1).
    public static let save = Action(rawValue: 1)
    /// Open it for editing (2).
    public static let edit = Action(rawValue: 2)
  }

  /// The record this is a view on, byte for byte as it was read or made.
  public let record: NDEFRecord
  /// The message inside, with every record including those this view does not know.
  public let message: NDEFMessage
  /// The URI.
  public let uri: URIRecord
  /// Titles, at most one for a language.
  public let titles: [TextRecord]
  /// What to do with the URI, if the poster says.
  public let action: Action?
  /// Size in bytes of what the URI leads to, if the poster says.
  public let size: UInt32?
  /// Media type of what the URI leads to, if the poster says.
  public let mediaType: String?
  /// Icons: records of media type `image/…` or `video/…`.
  public let icons: [NDEFRecord]
  /// What a strict reading would have thrown, in this record and those inside it.
  public let forgiven: [NDEFError]

  /// Reads a Smart Poster.
  ///
  /// - Parameters:
  ///   - record: A record of well-known type `Sp`.
  ///   - options: Count for the message inside and its records too.
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
  ///   - titles: At most one for a language.
  ///   - action: What to do with it, or `nil` to leave that to the phone.
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

/// What has been found in a Smart Poster so far.
private struct PosterParts {
  let options: NDEFOptions
  var leniency = Leniency()
  var uri: URIRecord?
  var titles: [TextRecord] = []
  var action: SmartPosterRecord.Action?
  var size: UInt32?
  var mediaType: String?
  var icons: [NDEFRecord] = []

  init(options: NDEFOptions) { self.options = options }

  /// Takes one record of the poster; errors count from the record's payload, which is `offset`
  /// bytes into the poster's.
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

  /// Whether a record is the first of its kind; a second is a fault that may be forgiven.
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
