public import FoundationEssentials
public import Invocation
public import WebFetching

/// Fetches the association files of hosts, as Apple's crawler does or from Apple's network.
public struct AssociationFetcher: Sendable {
  /// The host of Apple's network. Phones ask it since iOS 14.
  public static let cdnHost = "app-site-association.cdn-apple.com"

  private let fetcher: WebFetcher
  private let now: @Sendable () -> Date

  /// Makes a fetcher.
  ///
  /// - Parameters:
  ///   - policy: What is allowed; see ``standardPolicy``.
  ///   - now: The time that certificates are compared with.
  public init(
    _ policy: WebFetcher.Policy = Self.standardPolicy,
    now: @escaping @Sendable () -> Date = Date.init
  ) {
    fetcher = WebFetcher(policy)
    self.now = now
  }

  /// As Apple's crawler does it, as far as that is known: redirects within a host are followed
  /// although the documentation forbids them, because App Store Connect has error codes for other
  /// redirects only. The name is the crawler's with ours behind it: servers that let only known
  /// crawlers through are to do so. Files over 128 KB are read up to 1 MB, so that what reads them
  /// can say how large they are.
  public static var standardPolicy: WebFetcher.Policy {
    var policy = WebFetcher.Policy()
    policy.userAgent = "AASA-Bot/1.0.0 (cliptag association check)"
    policy.redirects = .follow(limit: 10, acrossSites: false)
    return policy
  }

  /// Asks the host itself: `/.well-known/apple-app-site-association`, and the same at the root
  /// when the host answers without a file. That place is not documented any more, and still read.
  ///
  /// - Parameter host: The host as in the `appclips:` entry of the entitlement.
  /// - Returns: The file, or why there is none: what is wrong with the host is no error here.
  /// - Throws: `WebFetchError` when it is this computer that cannot fetch, or the task is
  ///   cancelled.
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
      "The file is at \(root) and not at \(wellKnown) (\(first.reason)). Apple's crawler has been "
        + "seen to read it there; the documentation does not promise it. Serve it in /.well-known.")
    return answer(response, host: host, first: [finding])
  }

  /// Asks Apple's network, which gives what its crawler has found within the last day.
  ///
  /// - Parameter host: The host as in the `appclips:` entry of the entitlement.
  /// - Returns: The file, or why the network has none.
  /// - Throws: `WebFetchError` when the network itself does not answer, or the task is cancelled.
  public func fetchFromCDN(_ host: String) async throws(WebFetchError) -> AssociationAnswer {
    try check(host)
    let url = "https://\(Self.cdnHost)/a/v1/\(host)"
    let response = try await fetcher.fetch(WebRequest(url))
    if response.status == 200 {
      return AssociationAnswer(
        source: .cdn, host: host, url: url, file: response.body, findings: [], response: response)
    }
    let failure = CDNFailure(response.headers)
    let isOwn = failure.number == nil && failure.reason == nil && response.status >= 500
    let code: DomainErrorCode = isOwn ? .unexpectedError : failure.domainError
    let finding = AssociationFinding(
      .associationNotFetched, .error, as: code,
      failure.sentence(host: host, status: response.status, code))
    return AssociationAnswer(
      source: .cdn, host: host, url: url, domainError: code, findings: [finding],
      response: response, cdnFailure: failure)
  }

  /// One URL of the host, and what came of it.
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

  /// What is written into a URL must be a host and nothing else.
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
      source: .site, host: host, url: response.url, file: response.body,
      findings: first + response.associationFindings(now: now()), response: response)
  }

  private func failure(_ attempt: Attempt, host: String, url: String) -> AssociationAnswer {
    let (message, code, response): (String, DomainErrorCode, WebResponse?) =
      switch attempt {
      case .file(let response), .status(let response):
        (
          "\(response.url) answers with status \(response.status). "
            + DomainErrorCode.badHTTPResponse.nextStep,
          .badHTTPResponse, response
        )
      case .error(let error, let code): ("\(error.message) \(error.hint)", code, nil)
      }
    return AssociationAnswer(
      source: .site, host: host, url: response?.url ?? url, domainError: code,
      findings: [AssociationFinding(.associationNotFetched, .error, as: code, message)],
      response: response)
  }
}

/// What came of asking for a host's association file.
public struct AssociationAnswer: Sendable, Hashable {
  /// Who was asked.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The host itself, as Apple's crawler asks it.
    case site
    /// Apple's content delivery network, which phones ask since iOS 14.
    case cdn
  }

  /// Who was asked.
  public let source: Source
  /// The host whose file was asked for.
  public let host: String
  /// The URL that gave the file, or that the failure is about.
  public let url: String
  /// The file's bytes, decompressed; nil when none was had.
  package let file: [UInt8]?
  /// The code that App Store Connect would show for the failure; nil when there is a file.
  public let domainError: DomainErrorCode?
  /// What is wrong or worth knowing; the failure is the first.
  public let findings: [AssociationFinding]
  /// The answer that decided; nil when there was none.
  public let response: WebResponse?
  /// What the network says about its own failure to fetch the file.
  public let cdnFailure: CDNFailure?

  /// For how many seconds the answer has been in a cache (`Age`; RFC 9111, 5.1); nil when nothing is
  /// said.
  public var age: Int? {
    response?.headers["Age"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }
  /// When the file was changed, as the server says (`Last-Modified`).
  public var lastModified: Date? {
    response?.headers["Last-Modified"].flatMap { HTTPDate.secondsSince1970($0) }
      .map { Date(timeIntervalSince1970: Double($0)) }
  }

  init(
    source: Source, host: String, url: String, file: [UInt8]? = nil,
    domainError: DomainErrorCode? = nil, findings: [AssociationFinding],
    response: WebResponse? = nil,
    cdnFailure: CDNFailure? = nil
  ) {
    self.source = source
    self.host = host
    self.url = url
    self.file = file
    self.domainError = domainError
    self.findings = findings
    self.response = response
    self.cdnFailure = cdnFailure
  }
}

extension Finding.Code {
  /// No association file could be fetched for the host.
  public static let associationNotFetched = Finding.Code(rawValue: "association-not-fetched")
  /// The server redirects the request for the association file.
  public static let associationRedirect = Finding.Code(rawValue: "association-redirect")
  /// The host was given with a path, and an association file holds for the whole host.
  public static let associationHostPath = Finding.Code(rawValue: "association-host-path")
  /// The host's association file is right, and Apple's network still has an older one.
  public static let associationStale = Finding.Code(rawValue: "association-stale")
  /// The host and Apple's network do not say the same in their association files.
  public static let associationDiffers = Finding.Code(rawValue: "association-differs")
  /// The association file is not in `/.well-known`, only at the root of the host.
  public static let associationRootPath = Finding.Code(rawValue: "association-root-path")
  /// The association file is not sent as `application/json`.
  public static let associationContentType = Finding.Code(rawValue: "association-content-type")
  /// The certificate of the host ends within two weeks.
  public static let associationCertificateEnds = Finding.Code(
    rawValue: "association-certificate-ends")

}

extension WebFetchError {
  /// The code that App Store Connect would show if its crawler met this; nil when it says nothing
  /// about the host but is this computer's own trouble.
  ///
  /// Apple lists the codes without a word about them: this goes by their names.
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

  /// Whether the host answered, so that another of its URLs may answer better.
  var isAnswerOfHost: Bool {
    [.crossSiteRedirect, .insecureRedirect, .tooManyRedirects, .badResponse].contains(code)
  }
}
