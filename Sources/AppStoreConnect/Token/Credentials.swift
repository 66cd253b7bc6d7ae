/// What identifies a caller to App Store Connect: an API key of a team or of one person.
public struct Credentials: Sendable {
  /// The private key.
  package let key: SigningKey
  /// The key's identifier, ten characters.
  public let keyID: String
  /// The team's issuer identifier, a UUID; nil for the key of one person.
  public let issuerID: String?

  /// Makes credentials.
  ///
  /// - Throws: ``AppStoreConnectError`` with code `unusable-key` for identifiers that are none: they
  ///   consist of letters, digits and hyphens.
  public init(key: SigningKey, keyID: String, issuerID: String?) throws(AppStoreConnectError) {
    for (name, value) in [("key", keyID), ("issuer", issuerID ?? "none")] {
      let isSound =
        (1...64).contains(value.utf8.count)
        && value.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Self.isAlphanumeric($0) }
      guard isSound else {
        throw .unusableKey("\"\(value.shortened)\" is no \(name) identifier of App Store Connect")
      }
    }
    self.key = key
    self.keyID = keyID
    self.issuerID = issuerID
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

extension Credentials {
  /// A token (RFC 7519) that App Store Connect takes as proof ("Generating Tokens for API
  /// Requests").
  ///
  /// - Parameters:
  ///   - issued: Seconds since 1970.
  ///   - lifetime: Seconds for which it counts, at most 1200.
  func token(issued: Int, lifetime: Int) throws(AppStoreConnectError) -> String {
    let header = #"{"alg":"ES256","kid":"\#(keyID)","typ":"JWT"}"#
    let subject = issuerID.map { #""iss":"\#($0)""# } ?? #""sub":"user""#
    let claims =
      #"{\#(subject),"iat":\#(issued),"exp":\#(issued + lifetime),"aud":"appstoreconnect-v1"}"#
    let text = String(base64URL: Array(header.utf8)) + "." + String(base64URL: Array(claims.utf8))
    return text + "." + String(base64URL: try key.signature(of: Array(text.utf8)))
  }
}
