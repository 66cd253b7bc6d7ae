/// An AES-128 key of a tag.
///
/// It is written nowhere: its description, its debug description and its mirror hide the bytes.
public struct SecretKey: Sendable {
  /// Bytes of a key.
  package static let byteCount = 16

  /// The key itself, for the module that computes with it.
  package let bytes: [UInt8]

  /// The key of a tag as it comes from the factory: zeros.
  public static let factory = SecretKey(repeating: 0)

  private init(repeating byte: UInt8) {
    bytes = Array(repeating: byte, count: Self.byteCount)
  }

  /// Takes 16 bytes.
  ///
  /// - Throws: ``AuthenticityError`` with code `invalid-value` for any other number of bytes.
  public init(_ bytes: [UInt8]) throws(AuthenticityError) {
    guard bytes.count == Self.byteCount else {
      throw AuthenticityError(
        .invalidValue, "A key has \(Self.byteCount) bytes, not \(bytes.count).")
    }
    self.bytes = bytes
  }

  /// Reads 32 hexadecimal digits of any case.
  ///
  /// - Throws: ``AuthenticityError`` with code `invalid-value`; the message tells the number of
  ///   characters and none of them.
  public init(hexadecimal text: String) throws(AuthenticityError) {
    guard let bytes = [UInt8](hexadecimal: text.utf8),
      bytes.count == Self.byteCount
    else {
      throw AuthenticityError(
        .invalidValue,
        "A key is \(2 * Self.byteCount) hexadecimal digits; this has \(text.count) characters, or "
          + "others than 0-9 and A-F.")
    }
    self.bytes = bytes
  }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Not the key.
  public var description: String { "(secret)" }
  /// Not the key.
  public var debugDescription: String { description }
  /// Nothing to look into.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
