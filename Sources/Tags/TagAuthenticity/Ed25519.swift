import CCrypto

/// A private key for Ed25519 signatures (RFC 8032).
///
/// Its description, debug description and mirror hide it.
public final class Ed25519PrivateKey: Sendable {
  // Written once, here; OpenSSL allows any number of threads to sign with one key
  // (openssl-threads(7)).
  nonisolated(unsafe) private let pointer: OpaquePointer

  /// The maximum size of a key file in bytes; a key has about 120 bytes.
  package static let maximumByteCount = 16_384

  /// Generates a random key.
  ///
  /// - Throws: ``AuthenticityError`` with code `cryptography-failed`.
  public init() throws(AuthenticityError) {
    guard let context = EVP_PKEY_CTX_new_from_name(nil, "ED25519", nil) else {
      throw .cryptography("make a key")
    }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_generate(context, &key) == 1, let key else {
      throw .cryptography("make a key")
    }
    pointer = key
  }

  /// Reads an unencrypted key, PKCS #8 in PEM (RFC 8410, RFC 7468). Returns `nil` for anything
  /// else.
  public init?(pem: [UInt8]) {
    guard let key = PEMText.key(pem, isPrivate: true) else { return nil }
    pointer = key
  }

  deinit { EVP_PKEY_free(pointer) }

  /// Encodes the key as PKCS #8 in PEM, unencrypted.
  ///
  /// - Throws: ``AuthenticityError`` with code `cryptography-failed`.
  public func pem() throws(AuthenticityError) -> [UInt8] {
    try PEMText.made { PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
  }

  /// Returns the public key.
  ///
  /// - Throws: ``AuthenticityError`` with code `cryptography-failed`.
  public func publicKey() throws(AuthenticityError) -> Ed25519PublicKey {
    let text = try PEMText.made { PEM_write_bio_PUBKEY($0, pointer) }
    guard let key = Ed25519PublicKey(pem: text) else { throw .cryptography("make a public key") }
    return key
  }

  /// Signs bytes.
  ///
  /// - Returns: 64 bytes.
  /// - Throws: ``AuthenticityError`` with code `cryptography-failed`.
  public func signature(of bytes: [UInt8]) throws(AuthenticityError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw .cryptography("sign") }
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 64)
    var count = signature.count
    guard EVP_DigestSignInit_ex(context, nil, nil, nil, nil, pointer, nil) == 1,
      EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1, count == 64
    else { throw .cryptography("sign") }
    return signature
  }
}

extension Ed25519PrivateKey: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// A placeholder for the key.
  public var description: String { "(secret)" }
  /// A placeholder for the key.
  public var debugDescription: String { description }
  /// An empty mirror.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A public key for signatures with Ed25519 (RFC 8032).
public final class Ed25519PublicKey: Sendable {
  // Written once, here; verifying only reads it.
  nonisolated(unsafe) private let pointer: OpaquePointer

  /// Reads a key, SubjectPublicKeyInfo in PEM (RFC 8410, RFC 7468). Returns `nil` for anything
  /// else.
  public init?(pem: [UInt8]) {
    guard let key = PEMText.key(pem, isPrivate: false) else { return nil }
    pointer = key
  }

  deinit { EVP_PKEY_free(pointer) }

  /// Encodes the key as SubjectPublicKeyInfo in PEM.
  ///
  /// - Throws: ``AuthenticityError`` with code `cryptography-failed`.
  public func pem() throws(AuthenticityError) -> [UInt8] {
    try PEMText.made { PEM_write_bio_PUBKEY($0, pointer) }
  }

  /// Returns `true` if a signature over bytes was made with this key.
  ///
  /// - Throws: ``AuthenticityError`` with code `cryptography-failed`.
  public func verifies(
    _ signature: [UInt8], of bytes: [UInt8]
  ) throws(AuthenticityError) -> Bool {
    guard let context = EVP_MD_CTX_new() else { throw .cryptography("verify a signature") }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit_ex(context, nil, nil, nil, nil, pointer, nil) == 1 else {
      throw .cryptography("verify a signature")
    }
    let answer = EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count)
    // Otherwise the reason for a wrong signature remains in this thread's error queue.
    ERR_clear_error()
    return answer == 1
  }
}

/// PEM conversion by OpenSSL.
private enum PEMText {
  /// The key in a text; the caller owns it.
  static func key(_ text: [UInt8], isPrivate: Bool) -> OpaquePointer? {
    guard text.count <= Ed25519PrivateKey.maximumByteCount,
      let key = ccrypto_ed25519_key(text, text.count, isPrivate ? 1 : 0)
    else {
      ERR_clear_error()
      return nil
    }
    return key
  }

  static func made(_ write: (OpaquePointer) -> Int32) throws(AuthenticityError) -> [UInt8] {
    guard let file = BIO_new(BIO_s_mem()) else { throw .cryptography("write a key") }
    defer { BIO_free(file) }
    guard write(file) == 1 else { throw .cryptography("write a key") }
    var text = [UInt8](repeating: 0, count: BIO_ctrl_pending(file))
    let count = BIO_read(file, &text, Int32(text.count))
    guard count == text.count else { throw .cryptography("write a key") }
    return text
  }
}
