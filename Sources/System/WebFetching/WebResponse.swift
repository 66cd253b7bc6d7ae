/// A server's answer.
public struct WebResponse: Sendable, Hashable {
  /// The status, for example 200. Any status is an answer: 404 and 500 are not errors here.
  public let status: Int
  /// The header fields in order.
  public let headers: HeaderFields
  /// The body, decompressed.
  public let body: [UInt8]
  /// The URL of this answer: the request's, or the target of the last redirect.
  public let url: String
  /// The redirects that led there, in order.
  public internal(set) var redirects: [WebRedirect]
  /// The server's certificate; `nil` if libcurl's TLS library does not report it.
  public let certificate: CertificateFacts?
  /// The numeric address that answered; with a proxy, the proxy's.
  public let remoteAddress: String?

  /// Creates an answer, for tests.
  public init(
    status: Int, headers: HeaderFields = [:], body: [UInt8] = [], url: String,
    redirects: [WebRedirect] = [], certificate: CertificateFacts? = nil,
    remoteAddress: String? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.redirects = redirects
    self.certificate = certificate
    self.remoteAddress = remoteAddress
  }
}

/// A server's redirect to another URL.
public struct WebRedirect: Sendable, Hashable {
  /// The relation of the target to the redirecting URL.
  public enum Kind: String, Sendable, Hashable {
    /// The same host and port over HTTPS.
    case sameSite
    /// Another host or port over HTTPS. `www.example.com` and `example.com` are different hosts.
    case crossSite
    /// A URL that is not HTTPS.
    case insecure
  }

  /// The status: 301, 302, 303, 307 or 308.
  public let status: Int
  /// The redirecting URL.
  public let from: String
  /// The target as an absolute URL.
  public let to: String
  /// The relation of the two.
  public let kind: Kind
}
