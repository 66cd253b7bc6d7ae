import CliptagBasics
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Synchronization

/// The identity of a caller of App Store Connect: an API key of a team or of one person.
public struct Credentials: Sendable {
  /// The private key.
  package let key: SigningKey
  /// The key's identifier, ten characters.
  public let keyID: String
  /// The team's issuer identifier, a UUID; nil for the key of one person.
  public let issuerID: String?

  /// Makes credentials.
  ///
  /// - Throws: ``AppStoreConnectError`` with code `unusable-key` for invalid identifiers: they
  ///   consist of letters, digits and hyphens.
  public init(key: SigningKey, keyID: String, issuerID: String?) throws(AppStoreConnectError) {
    for (name, value) in [("key", keyID), ("issuer", issuerID ?? "none")] {
      let isSound =
        (1...64).contains(value.utf8.count)
        && value.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Self.isAlphanumeric($0) }
      guard isSound else {
        throw .unusableKey("\"\(value.shortened)\" is not a \(name) id of App Store Connect")
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

  /// A token (RFC 7519) that authenticates requests to App Store Connect ("Generating Tokens for
  /// API Requests").
  ///
  /// - Parameters:
  ///   - issued: Seconds since 1970.
  ///   - lifetime: Its validity in seconds, at most 1200.
  func token(issued: Int, lifetime: Int) throws(AppStoreConnectError) -> String {
    let header = #"{"alg":"ES256","kid":"\#(keyID)","typ":"JWT"}"#
    let subject = issuerID.map { #""iss":"\#($0)""# } ?? #""sub":"user""#
    let claims =
      #"{\#(subject),"iat":\#(issued),"exp":\#(issued + lifetime),"aud":"appstoreconnect-v1"}"#
    let text = String(base64URL: Array(header.utf8)) + "." + String(base64URL: Array(claims.utf8))
    return text + "." + String(base64URL: try key.signature(of: Array(text.utf8)))
  }
}

/// Provides a token for each request, and renews it before it expires.
final class TokenSource: Sendable {
  /// The lifetime in seconds. App Store Connect accepts at most 20 minutes; less, as clocks differ.
  static let lifetime = 900
  /// The seconds before its expiry at which a token is no longer used: no request takes longer.
  static let margin = 120

  private let credentials: Credentials
  private let secondsSince1970: @Sendable () -> Int
  private let last = Mutex<(token: String, issued: Int)?>(nil)

  /// - Parameter secondsSince1970: The current time.
  init(_ credentials: Credentials, secondsSince1970: @escaping @Sendable () -> Int) {
    self.credentials = credentials
    self.secondsSince1970 = secondsSince1970
  }

  /// A token that is valid for at least ``margin`` seconds more.
  func token() throws(AppStoreConnectError) -> String {
    let now = secondsSince1970()
    // After the clock is set back, a token's issue time would be in the future, and it would be
    // refused.
    if let last = last.withLock({ $0 }),
      (0..<Self.lifetime - Self.margin).contains(now - last.issued)
    {
      return last.token
    }
    let token = try credentials.token(issued: now, lifetime: Self.lifetime)
    last.withLock { $0 = (token, now) }
    return token
  }

  /// Discards the last token, which was refused.
  func renew() { last.withLock { $0 = nil } }
}

extension String {
  /// Bytes in the alphabet for URLs, without padding (RFC 4648, section 5), as in tokens.
  fileprivate init(base64URL bytes: [UInt8]) {
    self = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
