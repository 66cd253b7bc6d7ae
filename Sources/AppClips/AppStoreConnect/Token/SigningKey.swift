import CliptagBasics
internal import CCrypto

/// The private key of an App Store Connect API key: P-256, from the `.p8` file that App Store
/// Connect provides once.
///
/// The key is never printed: its description, its debug description and its mirror hide it.
public final class SigningKey: Sendable {
  // Assigned once, here; OpenSSL lets any number of threads sign with one key, as signing only
  // reads it (openssl-threads(7)).
  nonisolated(unsafe) private let pointer: OpaquePointer

  /// The maximum size of the file in bytes; a key has about 260.
  package static let maximumByteCount = 16_384

  /// Reads a key.
  ///
  /// - Parameter file: The bytes of the `.p8` file: PKCS #8 in PEM (RFC 5958, RFC 7468),
  ///   unencrypted.
  /// - Throws: ``AppStoreConnectError`` with code `unusable-key`; the message contains nothing of
  ///   the file.
  public init(_ file: [UInt8]) throws(AppStoreConnectError) {
    guard let pointer = Self.decoded(file) else {
      throw .unusableKey(
        "it is not an unencrypted private key in PEM (it should begin with BEGIN PRIVATE KEY)")
    }
    var name = [CChar](repeating: 0, count: 64)
    var count = 0
    let hasName = EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1
    let group = String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard hasName, group == "prime256v1" else {
      EVP_PKEY_free(pointer)
      throw .unusableKey("its curve is not P-256, required for App Store Connect")
    }
    self.pointer = pointer
  }

  deinit { EVP_PKEY_free(pointer) }

  /// The key in a file, if it has the expected format. No passphrase is ever asked for.
  private static func decoded(_ file: [UInt8]) -> OpaquePointer? {
    let label = Array("-----BEGIN PRIVATE KEY-----".utf8)
    guard file.count <= maximumByteCount,
      file.drop(while: { [0x20, 0x09, 0x0A, 0x0D].contains($0) }).starts(with: label)
    else { return nil }
    let key = ccrypto_private_key(file, file.count)
    ERR_clear_error()
    return key
  }

  /// Signs bytes with ECDSA over SHA-256 (RFC 7518, 3.4).
  ///
  /// - Returns: 64 bytes: the two numbers of the signature, big-endian, 32 bytes each.
  /// - Throws: ``AppStoreConnectError`` with code `signing-failed`.
  func signature(of bytes: [UInt8]) throws(AppStoreConnectError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw .signingFailed() }
    defer { EVP_MD_CTX_free(context) }
    // An ECDSA signature of P-256 in DER has at most 72 bytes.
    var sequence = [UInt8](repeating: 0, count: 80)
    var count = sequence.count
    guard
      EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, pointer, nil) == 1,
      EVP_DigestSign(context, &sequence, &count, bytes, bytes.count) == 1,
      let numbers = Self.numbers(in: Array(sequence.prefix(count)))
    else { throw .signingFailed() }
    return numbers
  }

  /// The two numbers of a signature in DER (RFC 3279, 2.2.3).
  private static func numbers(in sequence: [UInt8]) -> [UInt8]? {
    let signature = sequence.withUnsafeBufferPointer { sequence in
      var start = sequence.baseAddress
      return d2i_ECDSA_SIG(nil, &start, sequence.count)
    }
    guard let signature else { return nil }
    defer { ECDSA_SIG_free(signature) }
    var numbers = [UInt8](repeating: 0, count: 64)
    let isWritten = numbers.withUnsafeMutableBufferPointer { numbers in
      BN_bn2binpad(ECDSA_SIG_get0_r(signature), numbers.baseAddress, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(signature), numbers.baseAddress.map { $0 + 32 }, 32) == 32
    }
    return isWritten ? numbers : nil
  }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A placeholder that hides the key.
  public var description: String { "(secret)" }
  /// A placeholder that hides the key.
  public var debugDescription: String { description }
  /// An empty mirror, which hides the key.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
