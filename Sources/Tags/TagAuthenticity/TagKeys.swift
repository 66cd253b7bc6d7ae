/// The five application keys of one NTAG 424 DNA.
package struct TagKeys: Sendable {
  /// The number of keys.
  package static let count = 5

  /// The keys by number.
  package let keys: [SecretKey]
  /// The version of each key.
  package let version: UInt8

  /// The keys from the factory: zeros, of version 0.
  package static let factory = TagKeys(
    keys: [SecretKey](repeating: .factory, count: count), version: 0)

  /// The key with a number, 0 to 4.
  package subscript(number: Int) -> SecretKey { keys[number] }
}

/// The keys of the tags of one product line, from which those of each tag are derived.
package struct TagKeySet: Sendable {
  /// The key of which key 0 is made, which changes all other keys and the file's settings.
  package let masterKey: SecretKey
  /// The key of which key 1, K_SDMFileRead, is made.
  package let fileReadKey: SecretKey
  /// Key 2, K_SDMMetaRead, the same on all tags, since it decrypts the UID; `nil` if the tags show
  /// UID and counter in clear.
  package let metaReadKey: SecretKey?
  /// The bytes after the UID in the input that diversifies key 0 and 1 (NXP AN10922); `nil` if all
  /// tags share these keys.
  package let diversificationInput: [UInt8]?
  /// The version of the keys, 1 to 255.
  package let version: UInt8

  /// Makes a set.
  ///
  /// - Throws: ``AuthenticityError`` with code `invalid-value` if two keys are equal, if one is the
  ///   factory's, or if the version is 0, which is the factory's.
  package init(
    masterKey: SecretKey, fileReadKey: SecretKey, metaReadKey: SecretKey?,
    diversificationInput: [UInt8]?, version: UInt8
  ) throws(AuthenticityError) {
    let keys = [masterKey, fileReadKey, metaReadKey].compactMap(\.self).map(\.bytes)
    guard !keys.contains(SecretKey.factory.bytes) else {
      throw AuthenticityError(.invalidValue, "A tag is not given a key of zeros, the factory's.")
    }
    guard Set(keys).count == keys.count else {
      throw AuthenticityError(
        .invalidValue, "masterKey, fileReadKey and metaReadKey have to be different.")
    }
    guard version > 0 else {
      throw AuthenticityError(.invalidValue, "Version 0 is that of the factory's keys.")
    }
    self.masterKey = masterKey
    self.fileReadKey = fileReadKey
    self.metaReadKey = metaReadKey
    self.diversificationInput = diversificationInput
    self.version = version
  }

  /// The keys of one tag.
  ///
  /// The keys without a task are derived from the master key, so that none is left as from the
  /// factory.
  ///
  /// - Parameter uid: The tag's UID, seven bytes.
  package func keys(ofTag uid: [UInt8]) throws(AuthenticityError) -> TagKeys {
    // No UID begins with 6B, so that the input of no other key equals these.
    func spare(_ number: UInt8) throws(AuthenticityError) -> SecretKey {
      try masterKey.diversified(by: Array("key".utf8) + [number] + uid)
    }
    func own(_ key: SecretKey) throws(AuthenticityError) -> SecretKey {
      guard let diversificationInput else { return key }
      return try key.diversified(by: uid + diversificationInput)
    }
    let second = if let metaReadKey { metaReadKey } else { try spare(2) }
    return TagKeys(
      keys: [try own(masterKey), try own(fileReadKey), second, try spare(3), try spare(4)],
      version: version)
  }
}

extension SecretKey {
  /// The data with which ChangeKey makes this key another one's successor (NT4H2421Gx, section
  /// 10.6.1).
  ///
  /// - Parameters:
  ///   - old: The present key with the same number.
  ///   - isOwn: `true` for the key of the session, whose present value the tag does not compare.
  ///   - version: The version of the new key.
  package func replacing(_ old: SecretKey, isOwn: Bool, version: UInt8) -> [UInt8] {
    isOwn
      ? bytes + [version]
      : zip(bytes, old.bytes).map { $0 ^ $1 } + [version] + bytes.checksum
  }

  /// The key in the data of ChangeKey, on the tag's side.
  ///
  /// - Returns: `nil` if the data are those for another present key, or malformed.
  package static func successor(
    of old: SecretKey, isOwn: Bool, in data: [UInt8]
  ) -> (key: SecretKey, version: UInt8)? {
    guard data.count == byteCount + (isOwn ? 1 : 5) else { return nil }
    let sent = Array(data[..<byteCount])
    let bytes = isOwn ? sent : zip(sent, old.bytes).map { $0 ^ $1 }
    guard isOwn || bytes.checksum == Array(data[(byteCount + 1)...]),
      let key = try? SecretKey(bytes)
    else { return nil }
    return (key, data[byteCount])
  }
}

extension [UInt8] {
  /// CRC-32 (IEEE 802.3) without the final inversion, low byte first.
  fileprivate var checksum: [UInt8] {
    let value = reduce(into: UInt32.max) { value, byte in
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
