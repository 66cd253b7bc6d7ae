/// The computations of NTAG 424 DNA's Secure Dynamic Messaging for one reading of one tag, in both
/// directions: a verifier checks messages, a simulated tag makes them.
///
/// Source: NXP AN12196, sections 4.4 and 5; NT4H2421Gx, section 9.3; for LRP, NXP AN12304.
package struct SecureMessaging: Sendable {
  private let ciphers: Ciphers
  private let counter: [UInt8]

  private enum Ciphers: Sendable {
    case aes(mac: SecretKey, encryption: SecretKey)
    case lrp(mac: LeakageResilientPrimitive, encryption: LeakageResilientPrimitive)
  }

  /// Derives the session keys.
  ///
  /// - Parameters:
  ///   - uid: The UID if it is mirrored, otherwise empty.
  ///   - counter: SDMReadCtr, low byte first, if it is mirrored, otherwise empty.
  ///   - fileReadKey: K_SDMFileRead.
  ///   - mode: The algorithm of the tag. Messages can be made with AES only.
  package init(
    uid: [UInt8], counter: [UInt8], fileReadKey: SecretKey,
    mode: SecureUniqueMessage.Mode = .aes
  ) throws(AuthenticityError) {
    func vector(_ label: [UInt8]) -> [UInt8] { label + [0x00, 0x01, 0x00, 0x80] + uid + counter }
    func sessionKey(_ label: [UInt8]) throws(AuthenticityError) -> SecretKey {
      try SecretKey(try AES.mac(of: vector(label).paddedToBlocks, key: fileReadKey))
    }
    switch mode {
    case .aes:
      ciphers = .aes(
        mac: try sessionKey([0x3C, 0xC3]), encryption: try sessionKey([0xC3, 0x3C]))
    case .lrp:
      // NT4H2421Gx, section 9.3.9.2: one vector, which ends with a label, and one key for both.
      let filled = (vector([]) + [0x00, 0x00]).paddedToBlocks.dropLast(2) + [0x1E, 0xE1]
      let key = try SecretKey(
        try LeakageResilientPrimitive(key: fileReadKey, updatedKey: 0).mac(of: Array(filled)))
      ciphers = .lrp(
        mac: try LeakageResilientPrimitive(key: key, updatedKey: 0),
        encryption: try LeakageResilientPrimitive(key: key, updatedKey: 1))
    }
    self.counter = counter
  }

  /// Computes the SDMMAC: every second byte of the CMAC over a part of the mirrored text, 8 bytes.
  package func truncatedMAC(over text: [UInt8]) throws(AuthenticityError) -> [UInt8] {
    let mac =
      switch ciphers {
      case .aes(let key, _): try AES.mac(of: text, key: key)
      case .lrp(let lrp, _): try lrp.mac(of: text)
      }
    return stride(from: 1, to: mac.count, by: 2).map { mac[$0] }
  }

  /// Encrypts file data (SDMENCFileData), in whole blocks, with AES.
  package func encrypt(fileData: [UInt8]) throws(AuthenticityError) -> [UInt8] {
    guard case .aes(_, let key) = ciphers else {
      throw .cryptography("encrypt file data by LRP")
    }
    return try AES.encrypt(fileData, key: key, vector: try initialisationVector(key))
  }

  /// Decrypts file data, in whole blocks.
  package func decrypt(fileData: [UInt8]) throws(AuthenticityError) -> [UInt8] {
    switch ciphers {
    case .aes(_, let key):
      try AES.decrypt(fileData, key: key, vector: try initialisationVector(key))
    case .lrp(_, let lrp): try lrp.decrypt(fileData, counter: counter + [0x00, 0x00, 0x00])
    }
  }

  /// The counter, padded with zeros and encrypted.
  private func initialisationVector(_ key: SecretKey) throws(AuthenticityError) -> [UInt8] {
    try AES.encrypt(counter.paddedToBlocks, key: key)
  }
}

/// The identity of a tag in a message: its UID, its counter, or both.
package struct PICCData: Hashable, Sendable {
  /// The UID, 7 bytes; `nil` if it is not mirrored.
  package let uid: [UInt8]?
  /// SDMReadCtr, low byte first, 3 bytes; `nil` if it is not mirrored.
  package let counter: [UInt8]?

  /// The length of a UID in PICCData; the tag byte allows others, but no product uses them.
  static let uidByteCount = 7
  /// The length of SDMReadCtr in bytes.
  static let counterByteCount = 3

  /// Makes PICCData from its parts.
  package init(uid: [UInt8]?, counter: [UInt8]?) {
    self.uid = uid
    self.counter = counter
  }

  /// The length of the random number before the block, which is LRP's counter (NT4H2421Gx, 9.3.4).
  static let randomByteCount = 8

  /// Decrypts one block of PICCData, which in LRP mode follows a random number of eight bytes.
  /// Returns `nil` if the result is malformed, as with the wrong key.
  package init?(encrypted: [UInt8], metaReadKey: SecretKey) throws(AuthenticityError) {
    let bytes: [UInt8]
    if encrypted.count == AES.blockByteCount {
      bytes = try AES.decrypt(encrypted, key: metaReadKey)
    } else {
      bytes = try LeakageResilientPrimitive(key: metaReadKey, updatedKey: 0).decrypt(
        Array(encrypted.dropFirst(Self.randomByteCount)),
        counter: Array(encrypted.prefix(Self.randomByteCount)))
    }
    guard bytes.count == AES.blockByteCount else { return nil }
    // PICCDataTag: bit 7 UID, bit 6 counter, low nibble the UID's length (NT4H2421Gx, 9.3.4).
    let tag = bytes[0]
    let holdsUID = tag & 0x80 != 0
    guard tag & 0x30 == 0, tag & 0x0F == (holdsUID ? UInt8(Self.uidByteCount) : 0) else {
      return nil
    }
    var rest = bytes.dropFirst()
    uid = holdsUID ? Array(rest.prefix(Self.uidByteCount)) : nil
    if holdsUID { rest = rest.dropFirst(Self.uidByteCount) }
    counter = tag & 0x40 != 0 ? Array(rest.prefix(Self.counterByteCount)) : nil
  }

  /// Encrypts PICCData, padded to one block.
  ///
  /// - Parameter padding: At least 15 bytes, of which the first are used; a tag uses random ones.
  package func encrypted(
    metaReadKey: SecretKey, padding: [UInt8]
  ) throws(AuthenticityError) -> [UInt8] {
    let tag = (uid.map { 0x80 | UInt8($0.count) } ?? 0) | (counter == nil ? 0 : 0x40)
    let bytes = ([tag] + (uid ?? []) + (counter ?? []) + padding).prefix(AES.blockByteCount)
    return try AES.encrypt(Array(bytes), key: metaReadKey)
  }
}

extension [UInt8] {
  /// The bytes, padded with zeros to whole blocks.
  fileprivate var paddedToBlocks: [UInt8] {
    let rest = count % AES.blockByteCount
    return rest == 0 ? self : self + Array(repeating: 0, count: AES.blockByteCount - rest)
  }
}
