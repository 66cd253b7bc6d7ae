import CCrypto

/// The reply of a time-stamp authority (RFC 3161): that some bytes were there at a time, said by somebody
/// who has no part in them.
public struct TimeStamp: Sendable {
  /// The time that the authority states, in seconds since 1970.
  public let secondsSince1970: Int64

  /// The largest reply that is read, in bytes; with its certificates one has some thousand.
  package static let maximumByteCount = 1 << 18
  /// The largest file of certificates that is read, in bytes.
  package static let maximumAuthorityByteCount = 1 << 21

  /// Verifies a reply with OpenSSL: it is a granted one over these bytes, signed by an authority whose
  /// certificate is valid today, meant for time stamps, and leads to one that is trusted.
  ///
  /// - Parameters:
  ///   - reply: The reply, in DER.
  ///   - bytes: What was stamped.
  ///   - authorities: Certificates in PEM that are trusted.
  /// - Throws: ``AuthenticityError/Code/notAuthentic`` with OpenSSL's reason;
  ///   ``AuthenticityError/Code/invalidValue`` when there is no certificate to trust.
  public init(
    _ reply: [UInt8], of bytes: [UInt8], trusting authorities: [UInt8]
  ) throws(AuthenticityError) {
    var seconds: Int64 = 0
    var reason: UnsafePointer<CChar>?
    let answer = ccrypto_time_stamp(
      reply, reply.count, bytes, bytes.count, authorities, authorities.count, &seconds, &reason)
    guard answer >= 0 else {
      throw AuthenticityError(.invalidValue, "There is no certificate in PEM to trust.")
    }
    guard answer == 1 else {
      let why = reason.map { String(cString: $0) } ?? "no reason given"
      throw AuthenticityError(.notAuthentic, "The time stamp does not verify: \(why).")
    }
    secondsSince1970 = seconds
  }
}
