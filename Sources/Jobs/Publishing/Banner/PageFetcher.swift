import Invocation
public import WebFetching

/// Fetches web pages as Safari on an iPhone receives them.
public struct PageFetcher: Sendable {
  private let fetcher: WebFetcher

  /// Creates a fetcher.
  public init(_ policy: WebFetcher.Policy = Self.standardPolicy) { fetcher = WebFetcher(policy) }

  /// The standard policy. Redirects are followed on the page's own host and port: another page has
  /// another banner, and an untrusted page must not lead into this network. The user agent is that
  /// of an iPhone, for servers that send phones another page.
  public static var standardPolicy: WebFetcher.Policy {
    var policy = WebFetcher.Policy()
    policy.userAgent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
      + "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1 (cliptag banner)"
    policy.redirects = .follow(limit: 20, acrossSites: false)
    policy.maximumBodyBytes = 16 << 20
    return policy
  }

  /// Fetches a page.
  ///
  /// - Throws: `WebFetchError` if there is no answer.
  public func fetch(_ url: String) async throws(WebFetchError) -> WebResponse {
    try await fetcher.fetch(WebRequest(url, headers: ["Accept": "text/html"]))
  }
}

/// A look-up in the registry of a page's URL, with which its banner invokes the clip.
struct PageLookup {
  private(set) var findings: [AssociationFinding] = []
  private(set) var experience: MatchedExperience?

  /// - Throws: Errors of the directory.
  init(url: String, banner: SmartAppBanner?, directory: any ExperienceDirectory) throws {
    let result = try InvocationCheck(directory: directory).examine(payload: url, carrier: .url)
    // Without a clip in the banner, or with an unknown one, there is nothing to compare.
    guard let page = result.url else {
      findings = result.findings.map { AssociationFinding($0.code, $0.severity, $0.message) }
      return
    }
    guard let id = banner?.clip, let clip = try directory.clip(bundleID: id) else { return }
    guard clip.domains.contains(page.host) else {
      findings.append(
        AssociationFinding(
          .unassociatedHost, .error,
          "The page is on \(page.host), which is not among the domains of \(id), so the banner does "
            + "not show the clip; add appclips:\(page.host) to the entitlements, and the host to "
            + "the registry."))
      return
    }
    switch result.state {
    case .ok, .ambiguous:
      experience = result.experience
      if let other = result.experience?.clip, other != id {
        findings.append(
          AssociationFinding(
            .bannerOtherClip, .warning,
            "The page's URL is covered by an experience of \(other), but its banner offers \(id)."))
      }
    default:
      // A banner shows the clip's default experience if no other covers the page.
      if let card = clip.defaultExperience {
        experience = MatchedExperience(kind: .default, link: nil, card: card, clip: id)
      } else {
        findings.append(
          AssociationFinding(
            .noMatch, .error,
            "No experience of \(id) covers \(page.payload), and the clip has no default "
              + "experience, so the banner has no card to show; register one."))
      }
    }
  }
}
