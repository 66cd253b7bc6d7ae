import CCrypto

/// AES-128 in CBC mode without padding, and the CMAC over it, as NTAG 424 DNA uses them.
package enum AES {
  /// The size of a block in bytes.
  package static let blockByteCount = 16

  /// An initialisation vector of zeros.
  package static let zeroBlock = [UInt8](repeating: 0, count: blockByteCount)

  /// Encrypts whole blocks (NIST SP 800-38A, 6.2).
  package static func encrypt(
    _ bytes: [UInt8], key: SecretKey, vector: [UInt8] = zeroBlock
  ) throws(AuthenticityError) -> [UInt8] {
    try CipherContext().run(bytes, key: key, vector: vector, encrypting: true)
  }

  /// Decrypts whole blocks.
  package static func decrypt(
    _ bytes: [UInt8], key: SecretKey, vector: [UInt8] = zeroBlock
  ) throws(AuthenticityError) -> [UInt8] {
    try CipherContext().run(bytes, key: key, vector: vector, encrypting: false)
  }

  /// Computes the CMAC of a message (NIST SP 800-38B, RFC 4493): 16 bytes.
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

/// 3DES with two keys in CBC mode without padding, as MIFARE Ultralight C uses it.
package enum TripleDES {
  private static let blockByteCount = 8

  /// Encrypts whole blocks (NIST SP 800-67).
  ///
  /// - Parameters:
  ///   - bytes: A multiple of eight bytes.
  ///   - key: Sixteen bytes.
  ///   - vector: Eight bytes; zeros by default.
  /// - Throws: ``AuthenticityError`` with code `cryptography-failed`, also for another size.
  package static func encrypt(
    _ bytes: [UInt8], key: [UInt8], vector: [UInt8] = [UInt8](repeating: 0, count: 8)
  ) throws(AuthenticityError) -> [UInt8] {
    try run(bytes, key, vector, encrypting: true)
  }

  /// Decrypts whole blocks; the parameters and errors are those of ``encrypt(_:key:vector:)``.
  package static func decrypt(
    _ bytes: [UInt8], key: [UInt8], vector: [UInt8] = [UInt8](repeating: 0, count: 8)
  ) throws(AuthenticityError) -> [UInt8] {
    try run(bytes, key, vector, encrypting: false)
  }

  private static func run(
    _ bytes: [UInt8], _ key: [UInt8], _ vector: [UInt8], encrypting: Bool
  ) throws(AuthenticityError) -> [UInt8] {
    guard key.count == 16, vector.count == blockByteCount,
      bytes.count.isMultiple(of: blockByteCount)
    else { throw .cryptography("use 3DES with other sizes") }
    return try CipherContext().run(
      bytes, EVP_des_ede_cbc(), key: key, vector: vector, encrypting: encrypting)
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
    return try run(
      bytes, EVP_aes_128_cbc(), key: key.bytes, vector: vector, encrypting: encrypting)
  }

  borrowing func run(
    _ bytes: [UInt8], _ cipher: OpaquePointer?, key: [UInt8], vector: [UInt8], encrypting: Bool
  ) throws(AuthenticityError) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: bytes.count)
    var count: Int32 = 0
    var rest: Int32 = 0
    guard let size = Int32(exactly: bytes.count),
      EVP_CipherInit_ex2(
        pointer, cipher, key, vector, encrypting ? 1 : 0, nil) == 1,
      EVP_CIPHER_CTX_set_padding(pointer, 0) == 1,
      EVP_CipherUpdate(pointer, &result, &count, bytes, size) == 1,
      EVP_CipherFinal_ex(pointer, nil, &rest) == 1, count == size, rest == 0
    else { throw .cryptography(encrypting ? "encrypt" : "decrypt") }
    return result
  }
}

/// The SHA-256 digest (FIPS 180-4).
package enum SHA256 {
  /// Computes the digest of bytes: 32 bytes.
  ///
  /// - Throws: ``AuthenticityError`` with code `cryptography-failed`.
  package static func digest(of bytes: [UInt8]) throws(AuthenticityError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    guard ccrypto_sha256(bytes, bytes.count, &digest) == 1 else {
      throw .cryptography("compute a SHA-256")
    }
    return digest
  }
}

/// A public key on an elliptic curve, freed with the value.
struct PublicKey: ~Copyable {
  private let pointer: OpaquePointer

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - curve: The name of the curve in SEC 2, for example `secp128r1`.
  ///   - point: The point, uncompressed: 04, x, y (SEC 1, 2.3.3).
  /// - Throws: ``AuthenticityError`` with code `cryptography-failed`: some builds of OpenSSL omit
  ///   small curves.
  init(curve: String, point: [UInt8]) throws(AuthenticityError) {
    guard let pointer = ccrypto_public_key(curve, point, point.count) else {
      throw .cryptography("make a public key on \(curve)")
    }
    self.pointer = pointer
  }

  deinit { EVP_PKEY_free(pointer) }

  /// Returns `true` if an ECDSA signature was made with this key (SEC 1, 4.1.4).
  ///
  /// - Parameters:
  ///   - digest: The signed number; no hash is computed.
  ///   - r: The first half of the signature, big-endian.
  ///   - s: The second half of the signature, big-endian.
  /// - Throws: ``AuthenticityError`` with code `cryptography-failed`. A signature outside its range
  ///   is wrong, not an error.
  borrowing func verifies(
    _ digest: [UInt8], r: ArraySlice<UInt8>, s: ArraySlice<UInt8>
  ) throws(AuthenticityError) -> Bool {
    let verification = try Verification(of: pointer)
    let signature = Self.sequence(r, s)
    guard EVP_PKEY_verify_init(verification.pointer) == 1 else {
      throw .cryptography("verify a signature")
    }
    let answer = EVP_PKEY_verify(
      verification.pointer, signature, signature.count, digest, digest.count)
    guard answer >= 0 else { throw .cryptography("verify a signature") }
    // Otherwise the reason for a wrong signature remains in this thread's error queue.
    ERR_clear_error()
    return answer == 1
  }

  /// OpenSSL's state of one verification, freed with the value.
  private struct Verification: ~Copyable {
    let pointer: OpaquePointer

    init(of key: OpaquePointer) throws(AuthenticityError) {
      guard let pointer = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
        throw .cryptography("verify a signature")
      }
      self.pointer = pointer
    }

    deinit { EVP_PKEY_CTX_free(pointer) }
  }

  /// The signature in OpenSSL's format: an ASN.1 sequence of two integers in DER (RFC 3279, 2.2.3).
  /// Signatures here have at most 56 bytes, so every length fits in one byte.
  private static func sequence(_ r: ArraySlice<UInt8>, _ s: ArraySlice<UInt8>) -> [UInt8] {
    let integers = integer(r) + integer(s)
    return [0x30, UInt8(integers.count)] + integers
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    // ASN.1 integers are signed, and zero has one byte.
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return [0x02, UInt8(digits.count)] + digits
  }
}
