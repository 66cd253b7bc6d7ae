package import Invocation
package import Publishing

/// The `banner` object of a tag for a page.
package struct BannerTagResult: Encodable {
  /// The type of the object.
  let type = "banner"
  /// The bundle identifier of the clip.
  let clip: String
  /// The app's number in the App Store.
  let appID: String
  /// The way of showing the banner, such as `card`.
  let display: String?
  /// The tag for the page.
  let tag: String

  package init(_ banner: SmartAppBanner, clip: String, appID: String) {
    (self.clip, self.appID) = (clip, appID)
    (display, tag) = (banner.display, banner.tag)
  }
}

/// The `banner-report` object of a page.
package struct BannerResult: Encodable {
  /// The tag of a page.
  private struct Banner: Encodable {
    /// The line of the tag, from 1.
    let line: Int?
    /// The column of the tag, from 1.
    let column: Int?
    /// The app's number in the App Store.
    let appID: String?
    /// The bundle identifier of the clip.
    let clip: String?
    /// The way of showing the banner, such as `card`.
    let display: String?
    /// The argument for the app.
    let argument: String?
    /// The data of an affiliate.
    let affiliateData: String?

    init(_ banner: SmartAppBanner, at position: DocumentPosition?) {
      (line, column) = (position?.line, position?.column)
      (appID, clip, display) = (banner.appID, banner.clip, banner.display)
      (argument, affiliateData) = (banner.argument, banner.affiliateData)
    }
  }

  /// The experience that a page opens.
  private struct Experience: Encodable {
    /// `advanced` or `default`.
    let kind: String
    /// The registered link; `nil` for a default experience.
    let link: String?
    /// The title of the card.
    let title: String?
    /// The subtitle of the card.
    let subtitle: String?
    /// The label of the card's button.
    let action: String
    /// The bundle identifier of the clip.
    let clip: String

    init(_ experience: MatchedExperience) {
      kind = experience.kind.rawValue
      link = experience.link?.payload
      (title, subtitle) = (experience.card.title, experience.card.subtitle)
      action = experience.card.action.rawValue
      clip = experience.clip
    }
  }

  /// The type of the object.
  let type = "banner-report"
  /// The page as it was given.
  let source: String
  /// The verdict about the page.
  let verdict: String
  /// The URL that was fetched.
  let url: String?
  /// The status of HTTP.
  let status: Int?
  /// The tag of the page.
  private let banner: Banner?
  /// The experience that the page opens.
  private let experience: Experience?
  /// The findings about the page.
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
