import CliptagBasics
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Invocation
public import WebFetching

/// Fetches the association files of hosts, directly like Apple's crawler or from Apple's network.
public struct AssociationFetcher: Sendable {
  /// The host of Apple's network, which devices query since iOS 14.
  public static let cdnHost = "app-site-association.cdn-apple.com"

  private let fetcher: WebFetcher
  private let now: @Sendable () -> Date

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - policy: The limits of the requests; see ``standardPolicy``.
  ///   - now: The time with which certificates are compared.
  public init(
    _ policy: WebFetcher.Policy = Self.standardPolicy,
    now: @escaping @Sendable () -> Date = Date.init
  ) {
    fetcher = WebFetcher(policy)
    self.now = now
  }

  /// The behaviour of Apple's crawler as far as it is known: redirects within a host are followed
  /// although the documentation forbids them, because App Store Connect has error codes for other
  /// redirects only. The user agent is the crawler's followed by cliptag's, so that servers that
  /// admit only known crawlers respond. Files over 128 KB are read up to 1 MB, so that the review
  /// can report their size.
  public static var standardPolicy: WebFetcher.Policy {
    var policy = WebFetcher.Policy()
    policy.userAgent = "AASA-Bot/1.0.0 (cliptag association check)"
    policy.redirects = .follow(limit: 10, acrossSites: false)
    return policy
  }

  /// Fetches the file from the host: `/.well-known/apple-app-site-association`, and the same name
  /// at the root if the host answers without a file. That location is no longer documented but
  /// still read.
  ///
  /// - Parameter host: The host as in the `appclips:` entry of the entitlement.
  /// - Returns: The file, or the reason that there is none: a problem of the host is not an error
  ///   here.
  /// - Throws: `WebFetchError` if this computer cannot fetch, or the task is cancelled.
  public func fetchFromSite(_ host: String) async throws(WebFetchError) -> AssociationAnswer {
    let wellKnown = "https://\(host)/.well-known/apple-app-site-association"
    let first = try await attempt(wellKnown, of: host)
    if case .file(let response) = first { return answer(response, host: host) }
    guard first.isAnswerOfHost else { return failure(first, host: host, url: wellKnown) }
    let root = "https://\(host)/apple-app-site-association"
    guard case .file(let response) = try await attempt(root, of: host) else {
      return failure(first, host: host, url: wellKnown)
    }
    let finding = AssociationFinding(
      .associationRootPath, .warning,
      "The file is at \(root) and not at \(wellKnown) (\(first.reason)). Apple's crawler was "
        + "observed to read it there, which is not documented. Serve it in /.well-known.")
    return answer(response, host: host, first: [finding])
  }

  /// Fetches the file from Apple's network, which returns what its crawler found within the last
  /// day.
  ///
  /// - Parameter host: The host as in the `appclips:` entry of the entitlement.
  /// - Returns: The file, or the reason that the network has none.
  /// - Throws: `WebFetchError` if the network does not answer, or the task is cancelled.
  public func fetchFromCDN(_ host: String) async throws(WebFetchError) -> AssociationAnswer {
    try check(host)
    let url = "https://\(Self.cdnHost)/a/v1/\(host)"
    let response = try await fetcher.fetch(WebRequest(url))
    if response.status == 200 {
      return AssociationAnswer(
        source: .cdn, host: host, url: url, file: response.body, domainError: nil,
        findings: [], response: response, cdnFailure: nil)
    }
    let failure = CDNFailure(response.headers)
    let isOwn = failure.number == nil && failure.reason == nil && response.status >= 500
    let code: DomainErrorCode = isOwn ? .unexpectedError : failure.domainError
    let finding = AssociationFinding(
      .associationNotFetched, .error, as: code,
      failure.sentence(host: host, status: response.status, code))
    return AssociationAnswer(
      source: .cdn, host: host, url: url, file: nil, domainError: code, findings: [finding],
      response: response, cdnFailure: failure)
  }

  /// The outcome of a request for one URL of the host.
  private enum Attempt {
    case file(WebResponse)
    case status(WebResponse)
    case error(WebFetchError, DomainErrorCode)

    var isAnswerOfHost: Bool {
      switch self {
      case .file, .status: true
      case .error(let error, _): error.isAnswerOfHost
      }
    }

    var reason: String {
      switch self {
      case .file: "found"
      case .status(let response): "status \(response.status)"
      case .error(let error, _): error.code.rawValue
      }
    }
  }

  private func attempt(_ url: String, of host: String) async throws(WebFetchError) -> Attempt {
    try check(host)
    do throws(WebFetchError) {
      let response = try await fetcher.fetch(WebRequest(url))
      return response.status == 200 ? .file(response) : .status(response)
    } catch {
      guard let code = error.domainError else { throw error }
      return .error(error, code)
    }
  }

  /// Throws unless the text is a host name, because it becomes part of a URL.
  private func check(_ host: String) throws(WebFetchError) {
    do throws(InvocationURLError) {
      _ = try HostName.parse(host)
    } catch {
      throw WebFetchError(
        .invalidRequest, "\(error.problem).", hint: "Give a host like fruta.example.com.",
        url: host)
    }
  }

  private func answer(
    _ response: WebResponse, host: String, first: [AssociationFinding] = []
  ) -> AssociationAnswer {
    AssociationAnswer(
      source: .site, host: host, url: response.url, file: response.body, domainError: nil,
      findings: first + response.associationFindings(now: now()), response: response,
      cdnFailure: nil)
  }

  private func failure(_ attempt: Attempt, host: String, url: String) -> AssociationAnswer {
    let (message, code, response): (String, DomainErrorCode, WebResponse?) =
      switch attempt {
      case .file(let response), .status(let response):
        (
          "\(response.url) responds with status \(response.status). "
            + DomainErrorCode.badHTTPResponse.nextStep,
          .badHTTPResponse, response
        )
      case .error(let error, let code): ("\(error.message) \(error.hint)", code, nil)
      }
    return AssociationAnswer(
      source: .site, host: host, url: response?.url ?? url, file: nil, domainError: code,
      findings: [AssociationFinding(.associationNotFetched, .error, as: code, message)],
      response: response, cdnFailure: nil)
  }
}

/// The outcome of a request for a host's association file.
public struct AssociationAnswer: Sendable, Hashable {
  /// The server that was queried.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The host, queried like Apple's crawler.
    case site
    /// Apple's content delivery network, which devices query since iOS 14.
    case cdn
  }

  /// The server that was queried.
  public let source: Source
  /// The host whose file was requested.
  public let host: String
  /// The URL of the file, or of the failure.
  public let url: String
  /// The file's bytes, decompressed; `nil` on failure.
  package let file: [UInt8]?
  /// The code that App Store Connect would show for the failure; `nil` if there is a file.
  public let domainError: DomainErrorCode?
  /// The findings; the failure comes first.
  public let findings: [AssociationFinding]
  /// The decisive response; `nil` if there was none.
  public let response: WebResponse?
  /// The network's report of its failure to fetch the file.
  public let cdnFailure: CDNFailure?

  /// The number of seconds for which the answer has been in a cache (`Age`; RFC 9111, 5.1); `nil`
  /// if it is not given.
  public var age: Int? {
    response?.headers["Age"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }
  /// The time of the file's last change according to the server (`Last-Modified`).
  public var lastModified: Date? {
    response?.headers["Last-Modified"].flatMap { HTTPDate.secondsSince1970($0) }
      .map { Date(timeIntervalSince1970: Double($0)) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let associationNotFetched = Self(
    "association-not-fetched", "The association file could not be fetched from the host.")
  public static let associationRedirect = Self(
    "association-redirect", "The server redirects the request for the association file.")
  public static let associationHostPath = Self(
    "association-host-path",
    "The host was given with a path, but an association file applies to the whole host.")
  public static let associationStale = Self(
    "association-stale",
    "The host's association file is correct, but Apple's network still has an older one.")
  public static let associationDiffers = Self(
    "association-differs", "The association files of the host and of Apple's network differ.")
  public static let associationRootPath = Self(
    "association-root-path",
    "The association file is not in `/.well-known`, only at the root of the host.")
  public static let associationContentType = Self(
    "association-content-type", "The association file is not sent as `application/json`.")
  public static let associationCertificateEnds = Self(
    "association-certificate-ends", "The certificate of the host expires within two weeks.")

  /// The codes above, in the order of the documentation.
  package static let ofFetching: [Self] = [
    .associationNotFetched, .associationRedirect, .associationHostPath, .associationStale,
    .associationDiffers, .associationRootPath, .associationContentType,
    .associationCertificateEnds,
  ]
}

extension WebFetchError {
  /// The code that App Store Connect would show for this error of its crawler; `nil` for errors of
  /// this computer, which say nothing about the host.
  ///
  /// Apple lists the codes without descriptions; the mapping follows their names.
  var domainError: DomainErrorCode? {
    switch code {
    case .hostNotFound: .dnsError
    case .cannotConnect: .networkError
    case .connectionLost, .truncated: .networkErrorTemporary
    case .certificateExpired, .certificateWrongHost, .certificateUnknownIssuer,
      .certificateInvalid, .tlsFailed:
      .tlsError
    case .timedOut: .timeout
    case .badResponse: .badHTTPResponse
    case .tooLarge: .otherError
    case .crossSiteRedirect: .crossSiteRedirectsForbidden
    case .insecureRedirect: .insecureRedirectsForbidden
    case .tooManyRedirects: .tooManyRedirects
    default: nil
    }
  }

  /// A Boolean value that indicates whether the host answered, so that another of its URLs may
  /// succeed.
  var isAnswerOfHost: Bool {
    [.crossSiteRedirect, .insecureRedirect, .tooManyRedirects, .badResponse].contains(code)
  }
}
