import CCrypto

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
