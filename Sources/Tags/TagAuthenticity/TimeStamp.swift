import CCrypto

/// The reply of a time-stamp authority (RFC 3161): the statement of an independent party that bytes
/// existed at a time.
public struct TimeStamp: Sendable {
  /// The time that the authority states, in seconds since 1970.
  public let secondsSince1970: Int64

  /// The maximum size of a reply in bytes; with its certificates, one has several thousand.
  package static let maximumByteCount = 1 << 18
  /// The maximum size of a file of certificates in bytes.
  package static let maximumAuthorityByteCount = 1 << 21

  /// Verifies a reply with OpenSSL: it is granted, covers these bytes, and is signed by an
  /// authority whose certificate is valid today, is meant for time stamps, and leads to a trusted
  /// one.
  ///
  /// - Parameters:
  ///   - reply: The reply, in DER.
  ///   - bytes: The stamped bytes.
  ///   - authorities: Trusted certificates in PEM.
  /// - Throws: ``AuthenticityError/Code/notAuthentic`` with OpenSSL's reason;
  ///   ``AuthenticityError/Code/invalidValue`` if there is no certificate to trust.
  public init(
    _ reply: [UInt8], of bytes: [UInt8], trusting authorities: [UInt8]
  ) throws(AuthenticityError) {
    var seconds: Int64 = 0
    var reason: UnsafePointer<CChar>?
    let answer = ccrypto_time_stamp(
      reply, reply.count, bytes, bytes.count, authorities, authorities.count, &seconds, &reason)
    guard answer >= 0 else {
      throw AuthenticityError(.invalidValue, "The file has no trusted certificate in PEM.")
    }
    guard answer == 1 else {
      let why = reason.map { String(cString: $0) } ?? "no reason given"
      throw AuthenticityError(.notAuthentic, "The time stamp does not verify: \(why).")
    }
    secondsSince1970 = seconds
  }
}
