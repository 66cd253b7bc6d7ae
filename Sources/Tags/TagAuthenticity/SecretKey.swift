import CliptagBasics

/// An AES-128 key of a tag.
///
/// Its description, debug description and mirror hide the bytes.
public struct SecretKey: Sendable {
  /// The size of a key in bytes.
  package static let byteCount = 16

  /// The bytes of the key, for use in this module's computations.
  package let bytes: [UInt8]

  /// The factory key of a tag: zeros.
  public static let factory = SecretKey(repeating: 0)

  private init(repeating byte: UInt8) {
    bytes = Array(repeating: byte, count: Self.byteCount)
  }

  /// Makes a key of 16 bytes.
  ///
  /// - Throws: ``AuthenticityError`` with code `invalid-value` for any other number of bytes.
  public init(_ bytes: [UInt8]) throws(AuthenticityError) {
    guard bytes.count == Self.byteCount else {
      throw AuthenticityError(
        .invalidValue, "A key has \(Self.byteCount) bytes, not \(bytes.count).")
    }
    self.bytes = bytes
  }

  /// Reads 32 hexadecimal digits of either case.
  ///
  /// - Throws: ``AuthenticityError`` with code `invalid-value`; the message states the number of
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
  /// A placeholder for the key.
  public var description: String { "(secret)" }
  /// A placeholder for the key.
  public var debugDescription: String { description }
  /// An empty mirror.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SecretKey {
  /// The maximum number of bytes from which a key is diversified.
  static let maximumDiversificationByteCount = 31

  /// Derives the key of one tag from this one and data unique to the tag (NXP AN10922, section 2.2,
  /// "AES-128 key"). One tag's key reveals no other.
  ///
  /// - Parameter input: 1 to 31 bytes: the UID, followed by any agreed data.
  /// - Throws: ``AuthenticityError`` with code `invalid-value` for another number of bytes.
  package func diversified(by input: [UInt8]) throws(AuthenticityError) -> SecretKey {
    guard (1...Self.maximumDiversificationByteCount).contains(input.count) else {
      throw AuthenticityError(
        .invalidValue,
        "A key is diversified by 1 to \(Self.maximumDiversificationByteCount) bytes, not "
          + "\(input.count).")
    }
    // A CMAC that always covers two blocks, even if one would hold the input, and begins with the
    // constant 01 of AES-128; it is therefore computed from the cipher.
    var subkey = try AES.encrypt(AES.zeroBlock, key: self).doubled
    var text = [0x01] + input
    if text.count < 2 * AES.blockByteCount {
      subkey = subkey.doubled
      text.append(0x80)
      text += Array(repeating: 0, count: 2 * AES.blockByteCount - text.count)
    }
    for index in subkey.indices { text[AES.blockByteCount + index] ^= subkey[index] }
    return try SecretKey(Array(try AES.encrypt(text, key: self).suffix(AES.blockByteCount)))
  }
}

extension [UInt8] {
  /// A block multiplied by x in the field of NIST SP 800-38B, section 6.1.
  var doubled: [UInt8] {
    var result = self
    var carry: UInt8 = 0
    for index in indices.reversed() {
      result[index] = self[index] << 1 | carry
      carry = self[index] >> 7
    }
    if carry == 1 { result[count - 1] ^= 0x87 }
    return result
  }
}
