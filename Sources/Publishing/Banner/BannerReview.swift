public import Invocation
public import WebFetching
import WebPages

/// A web page looked at for its Smart App Banner, with the registry and the page's own URL.
public struct BannerReview: Hashable, Sendable {
  /// The page's URL, after redirects; nil when it is not known.
  public let url: String?
  /// The status that the server gave; nil for a file.
  public let status: Int?
  /// The first banner of the page.
  public let banner: SmartAppBanner?
  /// Where its tag stands.
  public let position: DocumentPosition?
  /// The experience whose card the page's URL shows, if one would.
  public let experience: MatchedExperience?
  /// What is wrong or worth knowing.
  public let findings: [AssociationFinding]

  /// Reviews a page that a server gave.
  ///
  /// - Parameters:
  ///   - response: The server's answer.
  ///   - check: What the banner is compared with.
  ///   - directory: Where the page's URL is looked up.
  /// - Throws: `WebPageError`, or what the directory throws.
  public init(
    _ response: WebResponse, check: SmartAppBannerCheck, directory: any ExperienceDirectory
  ) throws {
    try self.init(
      page: response.body, url: response.url, status: response.status,
      serving: response.bannerFindings, check: check, directory: directory)
  }

  /// Reviews a page at hand.
  ///
  /// - Parameters:
  ///   - page: Its bytes.
  ///   - url: Where it is served or will be; nil when that is not known.
  ///   - check: What the banner is compared with.
  ///   - directory: Where the page's URL is looked up.
  /// - Throws: `WebPageError`, or what the directory throws.
  public init(
    page: [UInt8], url: String?, check: SmartAppBannerCheck, directory: any ExperienceDirectory
  ) throws {
    try self.init(
      page: page, url: url, status: nil, serving: [], check: check, directory: directory)
  }

  private init(
    page bytes: [UInt8], url: String?, status: Int?, serving: [AssociationFinding],
    check: SmartAppBannerCheck, directory: any ExperienceDirectory
  ) throws {
    let page = try WebPage(bytes)
    let tags = page.metas.filter(\.isBanner)
    let (banner, found) = check.review(tags.map(\.bannerTag))
    self.url = url
    self.status = status
    self.banner = banner
    position = tags.first?.position
    var findings = serving + found + (tags.isEmpty ? page.metas.compactMap(\.misspelling) : [])
    if page.isCut {
      findings.append(
        AssociationFinding(
          .bannerPageCut, tags.isEmpty ? .warning : .note,
          "Only the beginning of the page was looked at, \(WebPage.maximumSize / 1024) KB or less; "
            + "put the tag first."))
    }
    var experience: MatchedExperience?
    if let url {
      let lookup = try PageLookup(url: url, banner: banner, directory: directory)
      findings += lookup.findings
      experience = lookup.experience
    }
    self.experience = experience
    if banner?.clip != nil, let finding = page.imageFinding { findings.append(finding) }
    self.findings = findings
  }

  /// Whether the page offers a clip as it is to.
  public var verdict: Verdict {
    findings.contains { $0.finding.severity == .error } ? .rejected : .accepted
  }
}

extension WebPage {
  /// What keeps Messages from showing the page with its picture; nil when it can.
  fileprivate var imageFinding: AssociationFinding? {
    let rest =
      "Messages shows the page with that picture, and a touch on it opens the clip. Add "
      + "<meta property=\"og:image\" content=\"https://…\"> to the head."
    let images = metas.filter { meta in
      let name = meta.attributes["property"] ?? meta.attributes["name"] ?? ""
      return ["og:image", "og:image:url", "og:image:secure_url"].contains(name.lowercased())
    }
    guard let first = images.first else {
      if isCut { return nil }
      return AssociationFinding(
        .bannerNoImage, .warning, "The page has no og:image, which links in Messages need: \(rest)")
    }
    let isUsable = images.contains { meta in
      let url = meta.attributes["content"]?.lowercased() ?? ""
      return url.hasPrefix("https://") && url.count > "https://".count
    }
    guard !isUsable else { return nil }
    return AssociationFinding(
      .bannerNoImage, .warning, at: first.position,
      "The og:image is \((first.attributes["content"] ?? "").isEmpty ? "empty" : "no https URL"), so "
        + "that links in Messages may show no picture: \(rest)")
  }
}

extension WebPage.Meta {
  fileprivate var position: DocumentPosition { DocumentPosition(line: line, column: column) }

  fileprivate var isBanner: Bool { attributes["name"]?.lowercased() == SmartAppBanner.name }

  fileprivate var bannerTag: SmartAppBannerCheck.Tag {
    .init(content: attributes["content"], position: position, isInHead: isInHead)
  }

  /// Whether the tag was probably meant to be a banner.
  fileprivate var misspelling: AssociationFinding? {
    let name = attributes["name"]?.lowercased() ?? ""
    let isProperty = attributes["property"]?.lowercased() == SmartAppBanner.name
    guard isProperty || name.nearest(among: [SmartAppBanner.name]) != nil else { return nil }
    return AssociationFinding(
      .bannerMisspelled, .error, at: position,
      isProperty
        ? "The tag has “\(SmartAppBanner.name)” as its “property”; it has to be its “name”."
        : "The tag's name is nearly “\(SmartAppBanner.name)”; write it so.")
  }
}

extension WebResponse {
  /// What keeps people from the page.
  fileprivate var bannerFindings: [AssociationFinding] {
    var findings: [AssociationFinding] = []
    if !(200...299).contains(status) {
      findings.append(
        AssociationFinding(
          .bannerPage, .error,
          "\(url) answers with status \(status), which is no page for people."))
    }
    let type = headers["Content-Type"] ?? ""
    let media = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    if !["text/html", "application/xhtml+xml"].contains(media) {
      findings.append(
        AssociationFinding(
          .bannerPage, .error,
          "\(url) is sent as \(type.isEmpty ? "no type at all" : type.printable), not as "
            + "text/html."))
    }
    return findings
  }
}
