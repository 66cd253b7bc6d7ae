import Invocation
public import WebFetching

/// Fetches web pages as Safari on an iPhone gets them.
public struct PageFetcher: Sendable {
  private let fetcher: WebFetcher

  /// Makes a fetcher.
  public init(_ policy: WebFetcher.Policy = Self.standardPolicy) { fetcher = WebFetcher(policy) }

  /// Redirects are followed on the page's own host and port: another page is another banner, and a
  /// stranger's page is not to lead into this network. Servers that give phones another page are to
  /// take this for one.
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
  /// - Throws: `WebFetchError` when there is no answer.
  public func fetch(_ url: String) async throws(WebFetchError) -> WebResponse {
    try await fetcher.fetch(WebRequest(url, headers: ["Accept": "text/html"]))
  }
}

/// What the registry says of a page's URL, which is what its banner invokes the clip with.
struct PageLookup {
  private(set) var findings: [AssociationFinding] = []
  private(set) var experience: MatchedExperience?

  /// - Throws: What the directory throws.
  init(url: String, banner: SmartAppBanner?, directory: any ExperienceDirectory) throws {
    let result = try InvocationCheck(directory: directory).examine(payload: url, carrier: .url)
    // Without a clip in the banner, or with one that nobody knows, there is nothing to compare.
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
            "The page's URL is covered by an experience of \(other), and its banner offers \(id)."))
      }
    default:
      // A banner shows the clip's default experience where no other covers the page.
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
