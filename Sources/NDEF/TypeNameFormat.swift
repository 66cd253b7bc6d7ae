/// How the type field of a record is to be understood: the three TNF bits of its header.
///
/// NFC Forum, NFC Data Exchange Format (NDEF) 1.0, section 3.2.6.
public enum TypeNameFormat: UInt8, Hashable, Sendable, CaseIterable {
  /// The record is empty: no type, no identifier, no payload.
  case empty = 0
  /// A type of the NFC Forum, for example `U` for a URI.
  case wellKnown = 1
  /// A media type as in RFC 2046, for example `text/plain`.
  case media = 2
  /// The type field itself is an absolute URI. Phones do not open it.
  case absoluteURI = 3
  /// A type of somebody else's domain, for example `example.com:door`.
  case external = 4
  /// The payload's type is not known; there is no type field.
  case unknown = 5
  /// A later chunk of a record. Only ever seen in bytes; never in an ``NDEFRecord``.
  case unchanged = 6
  /// Reserved. Only seen where ``NDEFOptions/allowsReservedTypeNameFormat`` let it pass.
  case reserved = 7
}
