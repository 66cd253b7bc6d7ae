public import Basics

/// The reason that a server's answer could not be fetched.
public struct WebFetchError: CodedError {
  /// The stable name of a kind of failure: lower case with hyphens, never renamed.
  public struct Code: ErrorCode {
    /// The name as printed in JSON, for example `certificate-expired`.
    public let rawValue: String
    /// Creates a code from its printed name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The request cannot be sent: its URL, method or headers are invalid.
    public static let invalidRequest = Self(rawValue: "invalid-request")
    /// The URL is not an HTTPS URL.
    public static let notHTTPS = Self(rawValue: "not-https")
    /// No address was found for the host name.
    public static let hostNotFound = Self(rawValue: "host-not-found")
    /// The host accepts no connections at the port.
    public static let cannotConnect = Self(rawValue: "cannot-connect")
    /// The proxy cannot be reached or refuses.
    public static let proxyFailed = Self(rawValue: "proxy-failed")
    /// The certificate has expired or is not yet valid.
    public static let certificateExpired = Self(rawValue: "certificate-expired")
    /// The certificate is for other hosts.
    public static let certificateWrongHost = Self(rawValue: "certificate-wrong-host")
    /// The certificate's issuer is not trusted, or it is self-signed.
    public static let certificateUnknownIssuer = Self(rawValue: "certificate-unknown-issuer")
    /// The certificate is invalid for another reason.
    public static let certificateInvalid = Self(rawValue: "certificate-invalid")
    /// The server and this computer do not agree on TLS.
    public static let tlsFailed = Self(rawValue: "tls-failed")
    /// The file of trusted certificates cannot be used.
    public static let authoritiesUnreadable = Self(rawValue: "authorities-unreadable")
    /// The request exceeded a time limit.
    public static let timedOut = Self(rawValue: "fetch-timed-out")
    /// The answer exceeds the size limit.
    public static let tooLarge = Self(rawValue: "answer-too-large")
    /// The connection ended before the answer was complete.
    public static let truncated = Self(rawValue: "answer-truncated")
    /// The connection ended before an answer.
    public static let connectionLost = Self(rawValue: "connection-lost")
    /// The answer is not HTTP, or its compression is damaged.
    public static let badResponse = Self(rawValue: "bad-response")
    /// The server redirects, and redirects are not followed.
    public static let redirected = Self(rawValue: "redirected")
    /// The server redirects to another host or port.
    public static let crossSiteRedirect = Self(rawValue: "cross-site-redirect")
    /// The server redirects to a URL that is not HTTPS.
    public static let insecureRedirect = Self(rawValue: "insecure-redirect")
    /// The host's address belongs to this computer or a private network, and such addresses are not
    /// allowed.
    public static let privateAddress = Self(rawValue: "private-address")
    /// The server redirects too many times.
    public static let tooManyRedirects = Self(rawValue: "too-many-redirects")
    /// The work was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// libcurl is not installed or is too old.
    public static let libraryMissing = Self(rawValue: "web-library-missing")
    /// Fetching failed in another way.
    public static let failed = Self(rawValue: "fetch-failed")

  }

  /// The kind of failure.
  public let code: Code
  /// The cause and its place, in one sentence.
  public let message: String
  /// The next step, in one sentence.
  public let hint: String
  /// The URL that failed.
  public let url: String
  /// The redirects that led there; if one was refused, it is the last.
  public private(set) var redirects: [WebRedirect]
  /// The server's certificate, if it was received.
  public let certificate: CertificateFacts?

  /// Creates an error.
  package init(
    _ code: Code, _ message: String, hint: String, url: String, redirects: [WebRedirect] = [],
    certificate: CertificateFacts? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
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
