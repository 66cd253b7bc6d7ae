import CCrypto

/// AES-128 in CBC mode without padding, and the CMAC over it: all that NTAG 424 DNA uses.
enum AES {
  /// Bytes of one block.
  static let blockByteCount = 16

  /// An initialisation vector of zeros.
  static let zeroBlock = [UInt8](repeating: 0, count: blockByteCount)

  /// Encrypts whole blocks (NIST SP 800-38A, 6.2).
  static func encrypt(
    _ bytes: [UInt8], key: SecretKey, vector: [UInt8] = zeroBlock
  ) throws(AuthenticityError) -> [UInt8] {
    try CipherContext().run(bytes, key: key, vector: vector, encrypting: true)
  }

  /// Decrypts whole blocks.
  static func decrypt(
    _ bytes: [UInt8], key: SecretKey, vector: [UInt8] = zeroBlock
  ) throws(AuthenticityError) -> [UInt8] {
    try CipherContext().run(bytes, key: key, vector: vector, encrypting: false)
  }

  /// The CMAC of a message (NIST SP 800-38B, RFC 4493): 16 bytes.
  static func mac(
    of bytes: [UInt8], key: SecretKey
  ) throws(AuthenticityError) -> [UInt8] {
    var mac = zeroBlock
    var count = 0
    let made = EVP_Q_mac(
      nil, "CMAC", nil, "AES-128-CBC", nil, key.bytes, key.bytes.count, bytes, bytes.count, &mac,
      mac.count, &count)
    guard made != nil, count == blockByteCount else {
      throw .cryptography("compute a CMAC")
    }
    return mac
  }
}

/// OpenSSL's state of one encryption, freed with the value.
private struct CipherContext: ~Copyable {
  private let pointer: OpaquePointer

  init() throws(AuthenticityError) {
    guard let pointer = EVP_CIPHER_CTX_new() else { throw .cryptography("make a cipher") }
    self.pointer = pointer
  }

  deinit { EVP_CIPHER_CTX_free(pointer) }

  borrowing func run(
    _ bytes: [UInt8], key: SecretKey, vector: [UInt8], encrypting: Bool
  ) throws(AuthenticityError) -> [UInt8] {
    precondition(
      bytes.count.isMultiple(of: AES.blockByteCount) && vector.count == AES.blockByteCount,
      "whole blocks only, as every caller cuts them")
    var result = [UInt8](repeating: 0, count: bytes.count)
    var count: Int32 = 0
    var rest: Int32 = 0
    guard let size = Int32(exactly: bytes.count),
      EVP_CipherInit_ex2(
        pointer, EVP_aes_128_cbc(), key.bytes, vector, encrypting ? 1 : 0, nil) == 1,
      EVP_CIPHER_CTX_set_padding(pointer, 0) == 1,
      EVP_CipherUpdate(pointer, &result, &count, bytes, size) == 1,
      EVP_CipherFinal_ex(pointer, nil, &rest) == 1, count == size, rest == 0
    else { throw .cryptography(encrypting ? "encrypt" : "decrypt") }
    return result
  }
}

/// The digest SHA-256 (FIPS 180-4).
package enum SHA256 {
  /// The digest of some bytes: 32 bytes.
  ///
  /// - Throws: ``AuthenticityError`` with code `cryptography-failed`.
  package static func digest(of bytes: [UInt8]) throws(AuthenticityError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var count = 0
    guard
      EVP_Q_digest(nil, "SHA256", nil, bytes, bytes.count, &digest, &count) == 1,
      count == digest.count
    else { throw .cryptography("compute a SHA-256") }
    return digest
  }
}
