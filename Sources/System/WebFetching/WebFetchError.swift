public import CliptagBasics

/// The reason that a server's answer could not be fetched.
public struct WebFetchError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The stable name of a kind of failure: lower case with hyphens, never renamed.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let invalidRequest = Self(
      "invalid-request", .usage,
      "The request cannot be sent: its URL, method or headers are invalid.")
    public static let notHTTPS = Self("not-https", .usage, "The URL is not an HTTPS URL.")
    public static let hostNotFound = Self(
      "host-not-found", .unavailable, "No address was found for the host name.")
    public static let cannotConnect = Self(
      "cannot-connect", .unavailable, "The host accepts no connections on the port.")
    public static let proxyFailed = Self(
      "proxy-failed", .unavailable, "The proxy is unreachable or refuses the connection.")
    public static let certificateExpired = Self(
      "certificate-expired", .unavailable, "The certificate has expired or is not yet valid.")
    public static let certificateWrongHost = Self(
      "certificate-wrong-host", .unavailable, "The certificate is for other hosts.")
    public static let certificateUnknownIssuer = Self(
      "certificate-unknown-issuer", .unavailable,
      "The certificate's issuer is not trusted, or it is self-signed.")
    public static let certificateInvalid = Self(
      "certificate-invalid", .unavailable, "The certificate is invalid for another reason.")
    public static let tlsFailed = Self(
      "tls-failed", .unavailable, "The server and this computer do not agree on TLS.")
    public static let authoritiesUnreadable = Self(
      "authorities-unreadable", .noInput, "The file of trusted certificates cannot be used.")
    public static let timedOut = Self(
      "fetch-timed-out", .unavailable, "The request exceeded a time limit.")
    public static let tooLarge = Self(
      "answer-too-large", .unavailable, "The response exceeds the size limit.")
    public static let truncated = Self(
      "answer-truncated", .unavailable, "The connection ended before the response was complete.")
    public static let connectionLost = Self(
      "connection-lost", .unavailable, "The connection ended before a response.")
    public static let badResponse = Self(
      "bad-response", .unavailable, "The response is not HTTP, or its compression is damaged.")
    public static let redirected = Self(
      "redirected", .unavailable, "The server redirects, and redirects are not followed.")
    public static let crossSiteRedirect = Self(
      "cross-site-redirect", .unavailable, "The server redirects to another host or port.")
    public static let insecureRedirect = Self(
      "insecure-redirect", .unavailable, "The server redirects to a URL that is not HTTPS.")
    public static let privateAddress = Self(
      "private-address", .unavailable,
      "The host's address belongs to this computer or a private network, and such addresses are not allowed."
    )
    public static let tooManyRedirects = Self(
      "too-many-redirects", .unavailable, "The server redirects too many times.")
    public static let cancelled = Self("cancelled", .interrupted, "The operation was cancelled.")
    public static let libraryMissing = Self(
      "web-library-missing", .unavailable, "libcurl is not installed or is too old.")
    public static let failed = Self("fetch-failed", .unavailable, "The request failed otherwise.")

    public static let all: [Self] = [
      .invalidRequest, .notHTTPS, .hostNotFound, .cannotConnect, .proxyFailed, .certificateExpired,
      .certificateWrongHost, .certificateUnknownIssuer, .certificateInvalid, .tlsFailed,
      .authoritiesUnreadable, .timedOut, .tooLarge, .truncated, .connectionLost, .badResponse,
      .redirected, .crossSiteRedirect, .insecureRedirect, .privateAddress, .tooManyRedirects,
      .cancelled, .libraryMissing, .failed,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// The cause and its place, in one sentence.
  public let message: String
  /// The next step, in one sentence.
  public let advice: Hint
  /// The next step in the library's wording.
  public var hint: String { advice.text }
  /// The URL that failed.
  public let url: String
  /// The redirects that led there; if one was refused, it is the last.
  public private(set) var redirects: [WebRedirect]
  /// The server's certificate, if it was received.
  public let certificate: CertificateFacts?

  /// Creates an error.
  package init(
    _ code: Code, _ message: String, hint: Hint, url: String, redirects: [WebRedirect] = [],
    certificate: CertificateFacts? = nil
  ) {
    self.code = code
    self.message = message
    advice = hint
    self.url = url
    self.redirects = redirects
    self.certificate = certificate
  }

  /// Returns the same error with redirects.
  func after(_ redirects: [WebRedirect]) -> WebFetchError {
    var error = self
    error.redirects = redirects
    return error
  }
}
