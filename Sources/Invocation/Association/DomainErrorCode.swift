/// Why App Store Connect could not verify a domain: the `errorCode` of an `appClipDomainStatuses`
/// resource (App Store Connect API 4.4.1).
///
/// Apple lists the codes without a word about them. ``meaning`` is read from the names, from the
/// failures that Apple's crawler reports, and from the rules for association files.
public enum DomainErrorCode: String, Hashable, Sendable, CaseIterable {
  /// The server answered, and not with status 200.
  case badHTTPResponse = "BAD_HTTP_RESPONSE"
  /// The file is not JSON of the right shape.
  case badJSONContent = "BAD_JSON_CONTENT"
  /// The file is signed, and the signature does not verify.
  case badPKCS7Signature = "BAD_PKCS7_SIGNATURE"
  /// No association file could be had.
  case cannotReachAASAFile = "CANNOT_REACH_AASA_FILE"
  /// The server redirects to another host.
  case crossSiteRedirectsForbidden = "CROSS_SITE_REDIRECTS_FORBIDDEN"
  /// The host's name does not resolve.
  case dnsError = "DNS_ERROR"
  /// The server redirects to a URL that is not https.
  case insecureRedirectsForbidden = "INSECURE_REDIRECTS_FORBIDDEN"
  /// The file lacks the section that an entitlement entry asks for.
  case invalidEntitlementMissingSection = "INVALID_ENTITLEMENT_MISSING_SECTION"
  /// An entry of the associated domains is malformed.
  case invalidEntitlementSyntaxError = "INVALID_ENTITLEMENT_SYNTAX_ERROR"
  /// An entry names a service that nobody knows.
  case invalidEntitlementUnhandledSection = "INVALID_ENTITLEMENT_UNHANDLED_SECTION"
  /// The file's section does not list the identifier.
  case invalidEntitlementUnknownID = "INVALID_ENTITLEMENT_UNKNOWN_ID"
  /// The connection failed.
  case networkError = "NETWORK_ERROR"
  /// The connection failed, and may work later.
  case networkErrorTemporary = "NETWORK_ERROR_TEMPORARY"
  /// Something else went wrong.
  case otherError = "OTHER_ERROR"
  /// The server did not answer in time.
  case timeout = "TIMEOUT"
  /// The TLS connection could not be made.
  case tlsError = "TLS_ERROR"
  /// The server redirects again and again.
  case tooManyRedirects = "TOO_MANY_REDIRECTS"
  /// Apple's service failed.
  case unexpectedError = "UNEXPECTED_ERROR"

  /// What the code says, in one sentence.
  public var meaning: String { words.meaning }

  /// What to do about it, in one sentence.
  public var nextStep: String { words.nextStep }

  private var words: (meaning: String, nextStep: String) {
    Self.responses[self] ?? Self.contents[self] ?? Self.connections[self] ?? ("", "")
  }

  private static let responses: [DomainErrorCode: (meaning: String, nextStep: String)] = [
    .badHTTPResponse: (
      "The server did not answer with status 200.",
      "Serve the file with status 200 to everybody, also to AASA-Bot and to addresses abroad."
    ),
    .cannotReachAASAFile: (
      "No association file could be fetched from the host.",
      "Put the file at /.well-known/apple-app-site-association, without an ending."
    ),
    .crossSiteRedirectsForbidden: (
      "The server redirects the request to another host.",
      "Serve the file from the host itself, without a redirect."
    ),
    .insecureRedirectsForbidden: (
      "The server redirects the request to a URL that is not https.",
      "Serve the file over https, without a redirect."
    ),
    .tooManyRedirects: (
      "The server redirects the request again and again.",
      "Serve the file without a redirect."
    ),
  ]

  private static let contents: [DomainErrorCode: (meaning: String, nextStep: String)] = [
    .badJSONContent: (
      "The file is not JSON of the shape that is needed.",
      "Correct the file; the findings name line and column."
    ),
    .badPKCS7Signature: (
      "The file is signed, and its signature is not valid.",
      "Serve the JSON unsigned: signatures have not been needed since iOS 9.3."
    ),
    .invalidEntitlementMissingSection: (
      "The file has no section for the service that the entitlement names.",
      "Add \"appclips\": { \"apps\": […] } to the file."
    ),
    .invalidEntitlementSyntaxError: (
      "An entry of the associated domains entitlement is malformed.",
      "Write appclips: and the host, without scheme, port, path or wildcard."
    ),
    .invalidEntitlementUnhandledSection: (
      "An entry of the associated domains entitlement names a service that does not exist.",
      "Begin the entry with appclips:, applinks:, webcredentials: or activitycontinuation:."
    ),
    .invalidEntitlementUnknownID: (
      "The file does not list the identifier of the clip.",
      "Add the prefix and bundle identifier of the clip to \"apps\" of \"appclips\"."
    ),
  ]

  private static let connections: [DomainErrorCode: (meaning: String, nextStep: String)] = [
    .dnsError: (
      "The name of the host does not resolve.",
      "Correct the host's entries in the DNS, or the spelling in the entitlement."
    ),
    .networkError: (
      "The connection to the host failed.",
      "Let Apple's crawler through to port 443 of a public address."
    ),
    .networkErrorTemporary: (
      "The connection to the host failed, and may work later.",
      "Wait for the next attempt, which comes within a day."
    ),
    .otherError: (
      "Apple names no reason.", "Check the file, the certificate and the entitlements."
    ),
    .timeout: (
      "The server did not answer in time.", "Serve the file at once, as a file of its own."
    ),
    .tlsError: (
      "The TLS connection to the host could not be made.",
      "Serve the host with a valid certificate, its chain complete, from a public authority."
    ),
    .unexpectedError: (
      "Apple's own service failed.", "Wait for the next attempt, which comes within a day."
    ),
  ]
}
