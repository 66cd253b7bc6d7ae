public import Basics

/// Why a server's answer could not be had.
public struct WebFetchError: CodedError {
  /// The stable name of a kind of failure: lower case with hyphens, never renamed.
  public struct Code: ErrorCode {
    /// The name as printed in JSON, for example `certificate-expired`.
    public let rawValue: String
    /// Makes a code from its printed name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The request cannot be sent: its URL, method or headers are wrong.
    public static let invalidRequest = Self(rawValue: "invalid-request")
    /// The URL to be fetched is not one of HTTPS.
    public static let notHTTPS = Self(rawValue: "not-https")
    /// No address is known for the host's name.
    public static let hostNotFound = Self(rawValue: "host-not-found")
    /// Nothing accepts connections there.
    public static let cannotConnect = Self(rawValue: "cannot-connect")
    /// The proxy cannot be reached or refuses.
    public static let proxyFailed = Self(rawValue: "proxy-failed")
    /// The certificate is not valid any more, or not yet.
    public static let certificateExpired = Self(rawValue: "certificate-expired")
    /// The certificate is for other hosts.
    public static let certificateWrongHost = Self(rawValue: "certificate-wrong-host")
    /// The certificate's issuer is not trusted, or it is signed by itself.
    public static let certificateUnknownIssuer = Self(rawValue: "certificate-unknown-issuer")
    /// The certificate is wrong in another way.
    public static let certificateInvalid = Self(rawValue: "certificate-invalid")
    /// The server and this computer do not agree on TLS.
    public static let tlsFailed = Self(rawValue: "tls-failed")
    /// The file of trusted certificates cannot be used.
    public static let authoritiesUnreadable = Self(rawValue: "authorities-unreadable")
    /// Fetching took longer than is allowed.
    public static let timedOut = Self(rawValue: "fetch-timed-out")
    /// The answer is larger than is read.
    public static let tooLarge = Self(rawValue: "answer-too-large")
    /// The connection ended before the whole answer had come.
    public static let truncated = Self(rawValue: "answer-truncated")
    /// The connection ended before an answer.
    public static let connectionLost = Self(rawValue: "connection-lost")
    /// The answer is not HTTP, or its compression is damaged.
    public static let badResponse = Self(rawValue: "bad-response")
    /// The server redirects, and no redirect is followed here.
    public static let redirected = Self(rawValue: "redirected")
    /// The server redirects to another host.
    public static let crossSiteRedirect = Self(rawValue: "cross-site-redirect")
    /// The server redirects to something else than HTTPS.
    public static let insecureRedirect = Self(rawValue: "insecure-redirect")
    /// The host's address is one of this computer or of a private network, and nobody asked for that.
    public static let privateAddress = Self(rawValue: "private-address")
    /// The server redirects too often.
    public static let tooManyRedirects = Self(rawValue: "too-many-redirects")
    /// The work was stopped.
    public static let cancelled = Self(rawValue: "cancelled")
    /// libcurl is not installed, or too old.
    public static let libraryMissing = Self(rawValue: "web-library-missing")
    /// Fetching failed in another way.
    public static let failed = Self(rawValue: "fetch-failed")

  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: what was wrong, and where.
  public let message: String
  /// One sentence: what to do next.
  public let hint: String
  /// The URL that was fetched when it failed.
  public let url: String
  /// The redirects that led there; the last one is the one refused, when one was.
  public private(set) var redirects: [WebRedirect]
  /// The server's certificate, when it was seen.
  public let certificate: CertificateFacts?

  /// Makes an error.
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

  /// The same error at the end of redirects.
  func after(_ redirects: [WebRedirect]) -> WebFetchError {
    var error = self
    error.redirects = redirects
    return error
  }
}
