import CCrypto

/// The authenticated messages between a reader and an NTAG 424 DNA (EV2 secure messaging with AES),
/// in both directions: a reader protects commands, a simulated tag checks them and protects its
/// responses.
///
/// Source: NT4H2421Gx, section 9.1; the examples of NXP AN12196, sections 5 and 6.
package struct SecureSession: Hashable, Sendable {
  /// The protection of the data of a command or response.
  package enum Protection: Hashable, Sendable {
    /// A MAC follows the data (CommMode.MAC).
    case mac
    /// The data are encrypted, and a MAC follows (CommMode.Full).
    case full
  }

  private let encryptionKey: [UInt8]
  private let macKey: [UInt8]
  private let transaction: [UInt8]
  private var counter: UInt16

  /// The size of the MAC of a message in bytes.
  package static let macByteCount = 8
  /// The size of the transaction identifier in bytes.
  package static let transactionByteCount = 4

  /// Makes a session of known session keys.
  ///
  /// - Parameters:
  ///   - transaction: TI, four bytes.
  ///   - counter: CmdCtr, the number of commands so far.
  package init(
    encryptionKey: SecretKey, macKey: SecretKey, transaction: [UInt8], counter: UInt16 = 0
  ) {
    self.encryptionKey = encryptionKey.bytes
    self.macKey = macKey.bytes
    self.transaction = transaction
    self.counter = counter
  }

  /// Derives the session keys from the random numbers of both sides (section 9.1.7).
  init(
    key: SecretKey, readerRandom: [UInt8], tagRandom: [UInt8], transaction: [UInt8],
    counter: UInt16 = 0
  ) throws(AuthenticityError) {
    let mixed = zip(readerRandom[2..<8], tagRandom[0..<6]).map { $0 ^ $1 }
    let vector =
      [0x00, 0x01, 0x00, 0x80] + readerRandom[0..<2] + mixed + tagRandom[6...] + readerRandom[8...]
    self.init(
      encryptionKey: try SecretKey(try AES.mac(of: [0xA5, 0x5A] + vector, key: key)),
      macKey: try SecretKey(try AES.mac(of: [0x5A, 0xA5] + vector, key: key)),
      transaction: transaction, counter: counter)
  }

  /// Returns the session that follows an authentication within this one: its keys are new, the
  /// transaction and the counter continue (AuthenticateEV2NonFirst).
  func continued(
    key: SecretKey, readerRandom: [UInt8], tagRandom: [UInt8]
  ) throws(AuthenticityError) -> SecureSession {
    try SecureSession(
      key: key, readerRandom: readerRandom, tagRandom: tagRandom, transaction: transaction,
      counter: counter)
  }
}

/// A reader's half.
extension SecureSession {
  /// The APDU of a command.
  ///
  /// - Parameters:
  ///   - instruction: The command's code.
  ///   - header: The parameters that are never encrypted.
  ///   - data: The data, encrypted in mode `full`.
  package func command(
    _ instruction: UInt8, header: [UInt8] = [], data: [UInt8] = [], _ protection: Protection
  ) throws(AuthenticityError) -> [UInt8] {
    let isEncrypted = protection == .full && !data.isEmpty
    let body = header + (isEncrypted ? try encrypted(data, isResponse: false) : data)
    let mac = try truncatedMAC(instruction, counter, body)
    return [0x90, instruction, 0x00, 0x00, UInt8(body.count + mac.count)] + body + mac + [0x00]
  }

  /// Verifies the response to the last command, and counts the command.
  ///
  /// - Parameters:
  ///   - bytes: The response without its status word.
  ///   - status: The second byte of the status word.
  /// - Returns: The data, decrypted.
  /// - Throws: ``AuthenticityError`` with code `not-authentic` if the tag of the session did not
  ///   make it.
  package mutating func response(
    _ bytes: [UInt8], status: UInt8, _ protection: Protection
  ) throws(AuthenticityError) -> [UInt8] {
    guard bytes.count >= Self.macByteCount else {
      throw AuthenticityError(.notAuthentic, "The tag's response has no MAC.")
    }
    let data = Array(bytes.dropLast(Self.macByteCount))
    let mac = Array(bytes.suffix(Self.macByteCount))
    guard Self.areEqual(mac, try truncatedMAC(status, counter &+ 1, data)) else {
      throw AuthenticityError(.notAuthentic, "The MAC of the tag's response is wrong.")
    }
    defer { counter &+= 1 }
    guard protection == .full, !data.isEmpty else { return data }
    return try decrypted(data, isResponse: true)
  }
}

/// A tag's half.
extension SecureSession {
  /// Verifies the data of a command that was received.
  ///
  /// - Parameters:
  ///   - body: The command's data field, MAC last.
  ///   - headerByteCount: The number of bytes that are never encrypted.
  /// - Returns: Header and data, decrypted; `nil` if the session's reader did not send it.
  package func received(
    _ instruction: UInt8, _ body: [UInt8], headerByteCount: Int, _ protection: Protection
  ) throws(AuthenticityError) -> [UInt8]? {
    guard body.count >= Self.macByteCount + headerByteCount else { return nil }
    let content = Array(body.dropLast(Self.macByteCount))
    let mac = Array(body.suffix(Self.macByteCount))
    guard Self.areEqual(mac, try truncatedMAC(instruction, counter, content)) else { return nil }
    let data = Array(content[headerByteCount...])
    guard protection == .full, !data.isEmpty else { return content }
    guard data.count.isMultiple(of: AES.blockByteCount) else { return nil }
    return Array(content[..<headerByteCount]) + (try decrypted(data, isResponse: false))
  }

  /// Counts the command that was received, and protects the response to it.
  package mutating func answer(
    _ data: [UInt8], status: UInt8, _ protection: Protection
  ) throws(AuthenticityError) -> [UInt8] {
    let isEncrypted = protection == .full && !data.isEmpty
    let body = isEncrypted ? try encrypted(data, isResponse: true) : data
    counter &+= 1
    return body + (try truncatedMAC(status, counter, body))
  }
}

/// The computations of both halves.
extension SecureSession {
  private func truncatedMAC(
    _ first: UInt8, _ counter: UInt16, _ body: [UInt8]
  ) throws(AuthenticityError) -> [UInt8] {
    let mac = try AES.mac(
      of: [first] + Self.bytes(counter) + transaction + body, key: try SecretKey(macKey))
    return stride(from: 1, to: mac.count, by: 2).map { mac[$0] }
  }

  /// Pads by 80 and zeros, and encrypts.
  private func encrypted(
    _ data: [UInt8], isResponse: Bool
  ) throws(AuthenticityError) -> [UInt8] {
    let size = AES.blockByteCount
    let padding = [0x80] + [UInt8](repeating: 0, count: size - 1 - data.count % size)
    return try AES.encrypt(
      data + padding, key: try SecretKey(encryptionKey), vector: try vector(isResponse))
  }

  /// Decrypts, and removes the padding.
  private func decrypted(
    _ data: [UInt8], isResponse: Bool
  ) throws(AuthenticityError) -> [UInt8] {
    guard data.count.isMultiple(of: AES.blockByteCount) else {
      throw AuthenticityError(.notAuthentic, "The tag's response is not in whole blocks.")
    }
    let plain = try AES.decrypt(
      data, key: try SecretKey(encryptionKey), vector: try vector(isResponse))
    guard let end = plain.lastIndex(where: { $0 != 0 }), plain[end] == 0x80 else {
      throw AuthenticityError(.notAuthentic, "The padding of the tag's response is wrong.")
    }
    return Array(plain[..<end])
  }

  private func vector(_ isResponse: Bool) throws(AuthenticityError) -> [UInt8] {
    let label: [UInt8] = isResponse ? [0x5A, 0xA5] : [0xA5, 0x5A]
    let number = isResponse ? counter &+ 1 : counter
    let block = label + transaction + Self.bytes(number) + [UInt8](repeating: 0, count: 8)
    return try AES.encrypt(block, key: try SecretKey(encryptionKey))
  }

  private static func bytes(_ counter: UInt16) -> [UInt8] {
    [UInt8(counter & 0xFF), UInt8(counter >> 8)]
  }

  /// Compares in constant time.
  fileprivate static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }
}

/// The description hides the session's keys.
extension SecureSession: CustomStringConvertible, CustomReflectable {
  /// A placeholder.
  package var description: String { "(secret)" }
  /// An empty mirror.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The mutual authentication that begins a session (AuthenticateEV2First and
/// AuthenticateEV2NonFirst; NT4H2421Gx, section 9.1.5).
package struct SecureAuthentication: Sendable {
  private let key: SecretKey
  private let random: [UInt8]

  /// The size of a random number in bytes.
  package static let randomByteCount = 16

  /// Makes one half of an authentication.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - random: The random number of this side, 16 bytes; `nil` for a new one.
  package init(key: SecretKey, random: [UInt8]? = nil) {
    self.key = key
    self.random =
      random ?? (0..<Self.randomByteCount).map { _ in UInt8.random(in: .min ... .max) }
  }

  /// The reader's reply to the tag's encrypted random number, of 16 bytes: 32 bytes.
  package func reply(to challenge: [UInt8]) throws(AuthenticityError) -> [UInt8] {
    let tagRandom = try AES.decrypt(challenge, key: key)
    return try AES.encrypt(random + tagRandom.rotated, key: key)
  }

  /// Verifies that the tag has the key, too, by its last message, of 32 bytes.
  ///
  /// - Returns: The session.
  /// - Throws: ``AuthenticityError`` with code `not-authentic`.
  package func session(
    challenge: [UInt8], confirmation: [UInt8]
  ) throws(AuthenticityError) -> SecureSession {
    let plain = try AES.decrypt(confirmation, key: key)
    let end = SecureSession.transactionByteCount + Self.randomByteCount
    let returned = Array(plain[SecureSession.transactionByteCount..<end])
    guard SecureSession.areEqual(returned, random.rotated) else {
      throw AuthenticityError(.notAuthentic, "The tag does not prove that it has the key.")
    }
    return try SecureSession(
      key: key, readerRandom: random, tagRandom: try AES.decrypt(challenge, key: key),
      transaction: Array(plain[..<SecureSession.transactionByteCount]))
  }

  /// The tag's encrypted random number: 16 bytes.
  package func challenge() throws(AuthenticityError) -> [UInt8] {
    try AES.encrypt(random, key: key)
  }

  /// Verifies the reader's reply, of 32 bytes, on the tag's side.
  ///
  /// - Parameters:
  ///   - reply: The reply.
  ///   - transaction: TI of a new session, four bytes.
  ///   - session: The present session, which is continued; `nil` for a new one.
  /// - Returns: The tag's last message and the session; `nil` if the reader does not have the key.
  package func accept(
    _ reply: [UInt8], transaction: [UInt8], continuing session: SecureSession? = nil
  ) throws(AuthenticityError) -> (confirmation: [UInt8], session: SecureSession)? {
    guard reply.count == 2 * Self.randomByteCount else { return nil }
    let plain = try AES.decrypt(reply, key: key)
    let readerRandom = Array(plain[..<Self.randomByteCount])
    guard SecureSession.areEqual(Array(plain[Self.randomByteCount...]), random.rotated) else {
      return nil
    }
    if let session {
      return (
        try AES.encrypt(readerRandom.rotated, key: key),
        try session.continued(key: key, readerRandom: readerRandom, tagRandom: random)
      )
    }
    // PDcap2 and PCDcap2 are zeros.
    let capabilities = [UInt8](repeating: 0, count: 12)
    return (
      try AES.encrypt(transaction + readerRandom.rotated + capabilities, key: key),
      try SecureSession(
        key: key, readerRandom: readerRandom, tagRandom: random, transaction: transaction)
    )
  }
}

extension [UInt8] {
  /// The bytes, the first one last.
  fileprivate var rotated: [UInt8] { Array(dropFirst() + prefix(1)) }
}
