extension SecretKey {
  /// The most bytes from which a key is diversified.
  static let maximumDiversificationByteCount = 31

  /// The key of one tag, made of this one and of what tells the tag apart (NXP AN10922, section 2.2,
  /// "AES-128 key"): whoever takes one tag's key learns no other.
  ///
  /// - Parameter input: 1 to 31 bytes: the UID, and what else was agreed upon behind it.
  /// - Throws: ``AuthenticityError`` with code `invalid-value` for another number of bytes.
  package func diversified(by input: [UInt8]) throws(AuthenticityError) -> SecretKey {
    guard (1...Self.maximumDiversificationByteCount).contains(input.count) else {
      throw AuthenticityError(
        .invalidValue,
        "A key is diversified by 1 to \(Self.maximumDiversificationByteCount) bytes, not "
          + "\(input.count).")
    }
    // A CMAC over two blocks always, also where one would hold the input, with the constant 01 of
    // AES-128 in front; so it is computed from the cipher.
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
  /// A block times x in the field of NIST SP 800-38B, section 6.1.
  fileprivate var doubled: [UInt8] {
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
