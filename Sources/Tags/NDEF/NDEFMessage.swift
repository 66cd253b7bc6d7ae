/// An NDEF message of one or more records.
///
/// An *empty message* is one empty record, `D0 00 00`. *Zero bytes* are not a message: a tag whose
/// NDEF field has length 0 is prepared but holds nothing, and decoding `[]` throws
/// ``NDEFError/Code-swift.struct/zeroBytes``.
///
/// NFC Forum, NDEF 1.0, section 2.3.1.
public struct NDEFMessage: Hashable, Sendable {
  /// The records in order; at least one.
  public let records: [NDEFRecord]

  /// The empty message, `D0 00 00`.
  public static let empty = NDEFMessage(unchecked: [.empty])

  /// Makes a message.
  ///
  /// - Parameter records: At least one.
  /// - Throws: ``NDEFError`` with the code `noRecords`.
  public init(_ records: [NDEFRecord]) throws(NDEFError) {
    guard !records.isEmpty else {
      throw NDEFError(
        .noRecords, at: nil, "a message has at least one record; the empty message is D0 00 00")
    }
    self.records = records
  }

  /// Makes a message of one record.
  public init(_ record: NDEFRecord) { records = [record] }

  /// Makes a message of one URI record, with the longest prefix code that fits.
  public init(uri: String) { self.init(URIRecord(uri).record) }

  init(unchecked records: [NDEFRecord]) { self.records = records }

  /// Reads a message strictly.
  ///
  /// Use ``NDEFReading`` for a lenient reading.
  ///
  /// - Parameter bytes: The whole message, with nothing before or after it.
  /// - Throws: ``NDEFError`` with the offset of the first byte that is wrong.
  public init(decoding bytes: [UInt8]) throws(NDEFError) {
    self = try NDEFReading(bytes, options: .strict).message
  }

  /// The encoded message, in which no record is chunked.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for (index, record) in records.enumerated() {
      var header = record.typeNameFormat.rawValue
      if index == 0 { header |= Header.messageBegin }
      if index == records.count - 1 { header |= Header.messageEnd }
      if record.lengthForm == .short { header |= Header.shortRecord }
      if record.identifier != nil { header |= Header.identifierLength }
      bytes.append(header)
      bytes.append(UInt8(record.type.count))
      let length = UInt32(record.payload.count)
      switch record.lengthForm {
      case .short: bytes.append(UInt8(length))
      case .long: for shift in [24, 16, 8, 0] { bytes.append(UInt8(length >> shift & 0xFF)) }
      }
      if let identifier = record.identifier { bytes.append(UInt8(identifier.count)) }
      bytes += record.type
      bytes += record.identifier ?? []
      bytes += record.payload
    }
    return bytes
  }

  /// The first record of well-known type `U`, even if it is malformed; `nil` if there is none.
  package var firstURIRecord: NDEFRecord? { records.first { $0.isWellKnown("U") } }

  /// The first URI record, on which phones act. Returns `nil` if there is none or if it cannot be
  /// read; a later record does not replace it.
  ///
  /// - Parameter options: The leniency with which the URI record is read.
  public func firstURI(options: NDEFOptions = .strict) -> URIRecord? {
    firstURIRecord.flatMap { try? URIRecord($0, options: options) }
  }
}

/// The flag bits of a record's first byte (NDEF 1.0, section 3.2).
enum Header {
  static let messageBegin: UInt8 = 0x80
  static let messageEnd: UInt8 = 0x40
  static let chunk: UInt8 = 0x20
  static let shortRecord: UInt8 = 0x10
  static let identifierLength: UInt8 = 0x08
  static let typeNameFormat: UInt8 = 0x07
}
