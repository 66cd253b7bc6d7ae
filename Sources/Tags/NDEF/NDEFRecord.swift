/// One NDEF record, as encoded in a message.
///
/// A record keeps every byte: reading and writing it gives the same bytes. The one exception is a
/// chunked record, which is joined on reading and written whole. ``URIRecord``, ``TextRecord`` and
/// ``SmartPosterRecord`` are views of a record.
///
/// NFC Forum, NDEF 1.0, section 3.2.
public struct NDEFRecord: Hashable, Sendable {
  /// The size of the field that holds the payload's length.
  public enum LengthForm: Hashable, Sendable {
    /// One byte (the SR flag): payloads up to 255 bytes.
    case short
    /// Four bytes.
    case long
  }

  /// The interpretation of ``type``.
  public let typeNameFormat: TypeNameFormat
  /// The type, 0 to 255 bytes; for a URI record the single byte `U`.
  public let type: [UInt8]
  /// The identifier, 0 to 255 bytes; `nil` if the record has no such field (IL flag clear), which
  /// is encoded differently from a field of length 0.
  public let identifier: [UInt8]?
  /// The payload, up to 4,294,967,295 bytes.
  public let payload: [UInt8]
  /// The size of the length field: short if the payload's length fits, unless the record was read
  /// in the long form.
  public let lengthForm: LengthForm

  /// The empty record, `D0 00 00` as the only record of a message.
  public static let empty = NDEFRecord(
    unchecked: .empty, type: [], identifier: nil, payload: [], lengthForm: .short)

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - typeNameFormat: Any but `unchanged` and `reserved`.
  ///   - type: 1 to 255 bytes; none for `empty` and `unknown`.
  ///   - identifier: 0 to 255 bytes, or `nil` for no identifier field; `nil` for `empty`.
  ///   - payload: Up to 4,294,967,295 bytes; none for `empty`.
  /// - Throws: ``NDEFError`` with the code `fieldTooLong`, `missingType`, `unexpectedType`,
  ///   `emptyRecordWithContent`, `brokenChunks` or `reservedTypeNameFormat`.
  public init(
    _ typeNameFormat: TypeNameFormat, type: [UInt8], identifier: [UInt8]? = nil, payload: [UInt8]
  ) throws(NDEFError) {
    let lengthForm: LengthForm = payload.count > 255 ? .long : .short
    self.init(
      unchecked: typeNameFormat, type: type, identifier: identifier, payload: payload,
      lengthForm: lengthForm)
    if type.count > 255 {
      throw NDEFError(.fieldTooLong, at: nil, "a type has at most 255 bytes, not \(type.count)")
    }
    if let identifier, identifier.count > 255 {
      throw NDEFError(
        .fieldTooLong, at: nil, "an identifier has at most 255 bytes, not \(identifier.count)")
    }
    if payload.count > UInt32.max {
      throw NDEFError(.fieldTooLong, at: nil, "a payload has at most 4,294,967,295 bytes")
    }
    if let fault = shapeFault(at: nil) { throw fault }
  }

  /// Makes a record from fields whose lengths the caller has checked.
  init(
    unchecked typeNameFormat: TypeNameFormat, type: [UInt8], identifier: [UInt8]?,
    payload: [UInt8], lengthForm: LengthForm
  ) {
    self.typeNameFormat = typeNameFormat
    self.type = type
    self.identifier = identifier
    self.payload = payload
    self.lengthForm = lengthForm
  }

  /// Returns `true` if the record has the well-known type of this name.
  func isWellKnown(_ name: String) -> Bool {
    typeNameFormat == .wellKnown && type == Array(name.utf8)
  }

  /// The fault in the fields of a record of this type name format, or `nil`.
  func shapeFault(at offset: Int?) -> NDEFError? {
    switch typeNameFormat {
    case .empty where !type.isEmpty || identifier?.isEmpty == false || !payload.isEmpty:
      return NDEFError(
        .emptyRecordWithContent, at: offset,
        "an empty record has no type, identifier or payload")
    case .wellKnown where type.isEmpty, .media where type.isEmpty,
      .absoluteURI where type.isEmpty, .external where type.isEmpty:
      return NDEFError(
        .missingType, at: offset,
        "a record of type name format \(typeNameFormat.rawValue) needs a type")
    case .unknown where !type.isEmpty:
      return NDEFError(
        .unexpectedType, at: offset, "a record of unknown type has no type field")
    case .unchanged:
      return NDEFError(
        .brokenChunks, at: offset, "type name format 6 marks a later chunk, not a record")
    case .reserved:
      return NDEFError(
        .reservedTypeNameFormat, at: offset, "type name format 7 is reserved")
    default:
      return nil
    }
  }
}

/// The interpretation of a record's type field: the three TNF bits of its header.
///
/// NFC Forum, NFC Data Exchange Format (NDEF) 1.0, section 3.2.6.
public enum TypeNameFormat: UInt8, Hashable, Sendable, CaseIterable {
  /// The record is empty: no type, no identifier, no payload.
  case empty = 0
  /// A type defined by the NFC Forum, for example `U` for a URI.
  case wellKnown = 1
  /// A media type as in RFC 2046, for example `text/plain`.
  case media = 2
  /// The type field itself is an absolute URI. Phones do not open it.
  case absoluteURI = 3
  /// A type in another organisation's domain, for example `example.com:door`.
  case external = 4
  /// The payload's type is not known; there is no type field.
  case unknown = 5
  /// A later chunk of a record. It occurs only in bytes, never in an ``NDEFRecord``.
  case unchanged = 6
  /// Reserved. It occurs only if ``NDEFOptions/allowsReservedTypeNameFormat`` accepted it.
  case reserved = 7
}
