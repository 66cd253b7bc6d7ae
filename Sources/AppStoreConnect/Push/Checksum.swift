internal import CCrypto

/// What App Store Connect compares a file with once it has come.
enum Checksum {
  /// MD5 in lower-case hexadecimal; nil where OpenSSL is built without it.
  static func md5(of bytes: [UInt8]) -> String? {
    var digest = [UInt8](repeating: 0, count: 16)
    var count = 0
    guard EVP_Q_digest(nil, "MD5", nil, bytes, bytes.count, &digest, &count) == 1, count == 16
    else {
      ERR_clear_error()
      return nil
    }
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
