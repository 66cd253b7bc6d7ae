/// Whether a page's Smart App Banner offers a clip of the registry.
public struct SmartAppBannerCheck: Sendable {
  /// The clips of the registry.
  package let clips: [AppClip]
  /// The clips that the page is to offer; empty for any of the registry.
  package let wanted: [AppClip]

  /// A tag of the page that is a banner.
  package struct Tag: Hashable, Sendable {
    /// Its `content`; nil when it has none.
    package let content: String?
    /// Where it stands.
    package let position: DocumentPosition
    /// Whether it stands in the page's `head`.
    package let isInHead: Bool

    /// Makes a tag.
    package init(content: String?, position: DocumentPosition, isInHead: Bool) {
      self.content = content
      self.position = position
      self.isInHead = isInHead
    }
  }

  /// Makes a check.
  public init(clips: [AppClip], wanted: [AppClip] = []) {
    self.clips = clips
    self.wanted = wanted
  }

  /// Looks at the banner tags of a page.
  ///
  /// - Parameter tags: Those with the banner's name, in the order of the page.
  /// - Returns: The banner of the first one, and what is wrong or worth knowing.
  package func review(_ tags: [Tag]) -> (banner: SmartAppBanner?, findings: [AssociationFinding]) {
    guard let tag = tags.first else {
      return (
        nil,
        [
          AssociationFinding(
            .bannerMissing, .error,
            "The page has no <meta name=\"\(SmartAppBanner.name)\"> tag, so it offers no clip; add "
              + "one to its head.")
        ]
      )
    }
    var findings = placeFindings(tag, of: tags)
    guard let content = tag.content, content.contains(where: { !$0.isWhitespace }) else {
      findings.append(
        finding(.bannerItem, .error, tag, "The tag has no “content”, so it says nothing."))
      return (nil, findings)
    }
    let reading = SmartAppBanner.read(content, at: tag.position)
    findings += reading.findings + valueFindings(reading.banner, tag)
    return (reading.banner, findings)
  }

  private func finding(
    _ code: Finding.Code, _ severity: Finding.Severity, _ tag: Tag, _ message: String
  ) -> AssociationFinding {
    AssociationFinding(code, severity, at: tag.position, message)
  }

  private func placeFindings(_ tag: Tag, of tags: [Tag]) -> [AssociationFinding] {
    var findings: [AssociationFinding] = []
    if tags.count > 1 {
      let lines = tags.dropFirst().prefix(5).map { String($0.position.line) }
      findings.append(
        finding(
          .bannerRepeated, .warning, tag,
          "The page has \(tags.count) banner tags (others in line \(lines.joined(separator: ", ")))"
            + "; which one counts is not documented. Keep one."))
    }
    if !tag.isInHead {
      findings.append(
        finding(
          .bannerNotInHead, .warning, tag,
          "The tag stands outside the page's head, where Apple documents it; move it there."))
    }
    return findings
  }

  private func valueFindings(_ banner: SmartAppBanner, _ tag: Tag) -> [AssociationFinding] {
    var findings = clipFindings(banner, tag)
    let clip = clips.first { $0.bundleID == banner.clip }
    if banner.appID == nil {
      findings.append(
        finding(
          .bannerAppID, .error, tag,
          "The tag has no “app-id”, which a clip's banner needs too; add the app's number in the "
            + "App Store\(clip?.appStoreID.map { ", \($0)" } ?? "")."))
    } else if let id = banner.appID {
      if id.isEmpty || !id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        findings.append(
          finding(
            .bannerAppID, .error, tag,
            "“app-id” is \(id.quotedForMessage); it is the app's number in the App Store, digits "
              + "only."))
      } else if let registered = clip?.appStoreID, registered != id {
        findings.append(
          finding(
            .bannerAppID, .error, tag,
            "“app-id” is \(id), and the registry has \(registered) for \(clip?.bundleID ?? "")."))
      }
    }
    if let display = banner.display, display != "card" {
      findings.append(
        finding(
          .bannerDisplay, .warning, tag,
          "“app-clip-display” is \(display.quotedForMessage); only “card” has a meaning."))
    }
    if banner.argument != nil, banner.clip != nil {
      findings.append(
        finding(
          .bannerArgument, .note, tag,
          "“app-argument” is for the app; a clip is given the URL of the page instead."))
    }
    return findings
  }

  private func clipFindings(_ banner: SmartAppBanner, _ tag: Tag) -> [AssociationFinding] {
    guard let id = banner.clip, !id.isEmpty else {
      return [
        finding(
          .bannerNoClip, .error, tag,
          "The tag has no “app-clip-bundle-id”, so the page offers the app and no clip; add the "
            + "clip's bundle identifier.")
      ]
    }
    guard clips.contains(where: { $0.bundleID == id }) else {
      let meant = id.suggestion(among: clips.map(\.bundleID))
      return [
        finding(
          .unknownClip, .error, tag,
          "The clip \(id.quotedForMessage) is not in the registry.\(meant)")
      ]
    }
    guard !wanted.isEmpty, !wanted.contains(where: { $0.bundleID == id }) else { return [] }
    let names = wanted.map(\.bundleID).joined(separator: " or ")
    return [
      finding(
        .bannerOtherClip, .error, tag, "The tag offers \(id), and \(names) is wanted.")
    ]
  }
}
