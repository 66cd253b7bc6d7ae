import CliptagBasics
public import Invocation
public import WebFetching

/// A review of a web page's Smart App Banner against the registry and the page's URL.
public struct BannerReview: Hashable, Sendable {
  /// The page's URL, after redirects; `nil` if unknown.
  public let url: String?
  /// The status of the response; `nil` for a file.
  public let status: Int?
  /// The first banner of the page.
  public let banner: SmartAppBanner?
  /// The position of its tag.
  public let position: DocumentPosition?
  /// The experience whose card appears for the page's URL, if any.
  public let experience: MatchedExperience?
  /// The findings.
  public let findings: [AssociationFinding]

  /// Reviews a page from a server.
  ///
  /// - Parameters:
  ///   - response: The server's response.
  ///   - check: The check of the banner.
  ///   - directory: The directory in which the page's URL is looked up.
  /// - Throws: `WebPageError`, or errors of the directory.
  public init(
    _ response: WebResponse, check: SmartAppBannerCheck, directory: any ExperienceDirectory
  ) throws {
    try self.init(
      page: response.body, url: response.url, status: response.status,
      serving: response.bannerFindings, check: check, directory: directory)
  }

  /// Reviews a local page.
  ///
  /// - Parameters:
  ///   - page: The bytes of the page.
  ///   - url: The current or future URL of the page; `nil` if unknown.
  ///   - check: The check of the banner.
  ///   - directory: The directory in which the page's URL is looked up.
  /// - Throws: `WebPageError`, or errors of the directory.
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
          "Only the beginning of the page was examined, \(WebPage.maximumSize / 1024) KB or less; "
            + "move the tag to the beginning."))
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

  /// The verdict on whether the page offers a clip correctly.
  public var verdict: Verdict {
    findings.contains { $0.finding.severity == .error } ? .rejected : .accepted
  }
}

extension WebPage {
  /// The finding that prevents Messages from showing the page with its picture, or `nil`.
  fileprivate var imageFinding: AssociationFinding? {
    let rest =
      "Messages shows that picture, and a tap on it opens the clip. Add "
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
      "The og:image is \((first.attributes["content"] ?? "").isEmpty ? "empty" : "not an https URL"), so "
        + "links in Messages may show no picture: \(rest)")
  }
}

extension WebPage.Meta {
  fileprivate var position: DocumentPosition { DocumentPosition(line: line, column: column) }

  fileprivate var isBanner: Bool { attributes["name"]?.lowercased() == SmartAppBanner.name }

  fileprivate var bannerTag: SmartAppBannerCheck.Tag {
    .init(content: attributes["content"], position: position, isInHead: isInHead)
  }

  /// A finding if the tag was probably meant to be a banner.
  fileprivate var misspelling: AssociationFinding? {
    let name = attributes["name"]?.lowercased() ?? ""
    let isProperty = attributes["property"]?.lowercased() == SmartAppBanner.name
    guard isProperty || [SmartAppBanner.name].nearest(to: name) != nil else { return nil }
    return AssociationFinding(
      .bannerMisspelled, .error, at: position,
      isProperty
        ? "The tag has “\(SmartAppBanner.name)” as its “property”; it must be its “name”."
        : "The tag's name is misspelled; write “\(SmartAppBanner.name)”.")
  }
}

extension WebResponse {
  /// The findings that prevent people from seeing the page.
  fileprivate var bannerFindings: [AssociationFinding] {
    var findings: [AssociationFinding] = []
    if !(200...299).contains(status) {
      findings.append(
        AssociationFinding(
          .bannerPage, .error,
          "\(url) responds with status \(status), not with a page."))
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
