package import Invocation
package import Publishing

/// The `banner` object of a tag for a page.
package struct BannerTagResult: Encodable {
  let type = "banner"
  let clip: String
  let appID: String
  let display: String?
  let tag: String

  package init(_ banner: SmartAppBanner, clip: String, appID: String) {
    (self.clip, self.appID) = (clip, appID)
    (display, tag) = (banner.display, banner.tag)
  }
}

/// The `banner-report` object of a page.
package struct BannerResult: Encodable {
  private struct Banner: Encodable {
    let line: Int?
    let column: Int?
    let appID: String?
    let clip: String?
    let display: String?
    let argument: String?
    let affiliateData: String?

    init(_ banner: SmartAppBanner, at position: DocumentPosition?) {
      (line, column) = (position?.line, position?.column)
      (appID, clip, display) = (banner.appID, banner.clip, banner.display)
      (argument, affiliateData) = (banner.argument, banner.affiliateData)
    }
  }

  private struct Experience: Encodable {
    let kind: String
    let link: String?
    let title: String?
    let subtitle: String?
    let action: String
    let clip: String

    init(_ experience: MatchedExperience) {
      kind = experience.kind.rawValue
      link = experience.link?.payload
      (title, subtitle) = (experience.card.title, experience.card.subtitle)
      action = experience.card.action.rawValue
      clip = experience.clip
    }
  }

  let type = "banner-report"
  let source: String
  let verdict: String
  let url: String?
  let status: Int?
  private let banner: Banner?
  private let experience: Experience?
  let findings: [SiteFindingResult]

  private enum CodingKeys: CodingKey {
    case type, source, verdict, url, status, banner, experience, findings
  }

  /// - Parameter source: The page as it was given.
  package init(_ review: BannerReview, source: String) {
    self.source = source
    verdict = review.verdict.rawValue
    (url, status) = (review.url, review.status)
    banner = review.banner.map { Banner($0, at: review.position) }
    experience = review.experience.map(Experience.init)
    findings = review.findings.map(SiteFindingResult.init)
  }
}
