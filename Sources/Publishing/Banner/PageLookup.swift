import Invocation

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
