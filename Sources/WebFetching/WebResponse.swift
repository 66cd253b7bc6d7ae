/// A server's answer.
public struct WebResponse: Sendable, Hashable {
  /// The status, for example 200. Any status is an answer: 404 and 500 are no errors here.
  public let status: Int
  /// The header fields in their order.
  public let headers: HeaderFields
  /// The body, decompressed.
  public let body: [UInt8]
  /// The URL that gave this answer: the request's, or where the last redirect led.
  public let url: String
  /// The redirects that led there, first one first.
  public internal(set) var redirects: [WebRedirect]
  /// The server's certificate; nil where libcurl's TLS does not tell.
  public let certificate: CertificateFacts?
  /// The numeric address that answered: the proxy's when there is one.
  public let remoteAddress: String?

  /// Makes an answer, as tests of what reads answers need.
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

/// A server's direction to another URL.
public struct WebRedirect: Sendable, Hashable {
  /// Where a redirect leads to, seen from where it comes from.
  public enum Kind: String, Sendable, Hashable {
    /// To the same host over HTTPS, at any port.
    case sameSite
    /// To another host over HTTPS. `www.example.com` is another host than `example.com`.
    case crossSite
    /// To something else than HTTPS.
    case insecure
  }

  /// The status: 301, 302, 303, 307 or 308.
  public let status: Int
  /// The URL that gave it.
  public let from: String
  /// Where it leads, as an absolute URL.
  public let to: String
  /// How the two are related.
  public let kind: Kind

  /// Makes a redirect.
  package init(status: Int, from: String, to: String, kind: Kind) {
    self.status = status
    self.from = from
    self.to = to
    self.kind = kind
  }
}
