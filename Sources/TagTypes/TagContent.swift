/// What a tag holds, as far as it could be read.
public enum TagContent: Hashable, Sendable {
  /// No capability container yet; the tag can be formatted. `holdsData` when its memory is not
  /// blank, so that formatting would overwrite something.
  case unformatted(holdsData: Bool)
  /// The tag is not one of NDEF and cannot become one here.
  case notNDEF
  /// Formatted, but without an NDEF message TLV and without other data.
  case noMessage
  /// Formatted, without an NDEF message TLV, but holding what is not NDEF: a TLV block of unknown
  /// kind, one that runs past the data area, or bytes behind the terminator. The page is where
  /// it begins, on a tag that has pages.
  case otherData(page: Int?)
  /// An NDEF message of length 0: prepared, and holding zero bytes. (A message that holds
  /// `D0 00 00` is a ``message(_:)``.)
  case empty
  /// The bytes of the NDEF message, which may or may not be a valid one.
  case message([UInt8])
  /// An NDEF message that runs past the memory for it, as a writer leaves it that publishes the
  /// length first and is then interrupted. The page is where the message begins, on a tag that has
  /// pages.
  case torn(page: Int?)
  /// Memory that is needed cannot be read; a password or key guards it. The page is the one that
  /// refused, on a tag that has pages.
  case unreadable(page: Int?)
}
