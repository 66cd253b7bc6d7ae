import CliptagBasics

/// A Smart App Banner: the `meta` tag with which a page offers an app and its clip in Safari and
/// Messages.
public struct SmartAppBanner: Hashable, Sendable {
  /// The name of the tag.
  public static let name = "apple-itunes-app"

  /// The value of `app-id`: the number of the app in the App Store.
  public var appID: String?
  /// The value of `app-clip-bundle-id`: the bundle identifier of the clip.
  public var clip: String?
  /// The value of `app-clip-display`: `card` shows the whole card instead of the banner.
  public var display: String?
  /// The value of `app-argument`: a URL for the app, which clips do not receive.
  public var argument: String?
  /// The value of `affiliate-data`, for the affiliate programme.
  public var affiliateData: String?

  /// Makes a banner.
  public init(
    appID: String? = nil, clip: String? = nil, display: String? = nil, argument: String? = nil,
    affiliateData: String? = nil
  ) {
    self.appID = appID
    self.clip = clip
    self.display = display
    self.argument = argument
    self.affiliateData = affiliateData
  }

  /// The keys of `content` with their spelling, in the order in which they are written.
  enum Key: String, CaseIterable {
    case appID = "app-id"
    case clip = "app-clip-bundle-id"
    case display = "app-clip-display"
    case affiliateData = "affiliate-data"
    case argument = "app-argument"
  }

  subscript(key: Key) -> String? {
    get {
      switch key {
      case .appID: appID
      case .clip: clip
      case .display: display
      case .affiliateData: affiliateData
      case .argument: argument
      }
    }
    set {
      switch key {
      case .appID: appID = newValue
      case .clip: clip = newValue
      case .display: display = newValue
      case .affiliateData: affiliateData = newValue
      case .argument: argument = newValue
      }
    }
  }

  /// The `content` of the tag.
  public var content: String {
    Key.allCases.compactMap { key in self[key].map { "\(key.rawValue)=\($0)" } }
      .joined(separator: ", ")
  }

  /// The tag, for the `head` of the page.
  public var tag: String {
    var escaped = ""
    for scalar in content.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return "<meta name=\"\(Self.name)\" content=\"\(escaped)\">"
  }

  /// The result of reading a banner, with the faults of its form.
  public struct Reading: Hashable, Sendable {
    /// The contents of the tag.
    public let banner: SmartAppBanner
    /// The findings about parts without a meaning.
    public let findings: [AssociationFinding]
  }

  /// Reads the `content` of a tag: keys and values with `=`, separated by commas.
  ///
  /// - Parameters:
  ///   - content: The value of the attribute, decoded.
  ///   - position: The position of the tag.
  public static func read(_ content: String, at position: DocumentPosition) -> Reading {
    var banner = SmartAppBanner()
    var findings: [AssociationFinding] = []
    func report(_ code: Finding.Code, _ severity: Finding.Severity, _ message: String) {
      findings.append(AssociationFinding(code, severity, at: position, message))
    }
    let items = content.split(separator: ",", omittingEmptySubsequences: true).prefix(100)
    for item in items.flatMap({ separated($0, report) }) {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmed }
      guard parts.count == 2 else {
        if parts.first != "" {
          report(
            .bannerItem, .error,
            "\(parts[0].quotedForMessage) in “content” is not key=value; write a comma between "
              + "items only, and = between a key and its value.")
        }
        continue
      }
      guard let key = Key(rawValue: parts[0]) else {
        report(
          .bannerKey, .warning,
          [
            "\(parts[0].quotedForMessage) is not a key of a Smart App Banner.",
            Key.allCases.map(\.rawValue).question(about: parts[0]),
          ].sentences)
        continue
      }
      if banner[key] != nil {
        report(
          .bannerRepeatedKey, .warning,
          "“\(key.rawValue)” is in the tag more than once; keep one.")
      } else {
        banner[key] = parts[1]
      }
    }
    return Reading(banner: banner, findings: findings)
  }

  /// Splits an item: another key in its value indicates a missing comma, which is reported.
  private static func separated(
    _ item: Substring, _ report: (Finding.Code, Finding.Severity, String) -> Void
  ) -> [Substring] {
    var items: [Substring] = []
    var rest = item
    while items.count < Key.allCases.count, let start = rest.startOfSecondKey {
      let key = rest[start...].prefix { $0 != "=" }.trimmed
      report(
        .bannerItem, .error,
        "A comma is missing before “\(key)”; separate items with commas, not with white space or "
          + "other signs.")
      items.append(rest[..<start].prefix(upTo: rest[..<start].endOfItem))
      rest = rest[start...]
    }
    return items + [rest]
  }
}

extension Substring {
  /// The start of another key of a banner inside the value.
  fileprivate var startOfSecondKey: Index? {
    guard let equals = firstIndex(of: "=") else { return nil }
    let isArgument = self[..<equals].trimmed == SmartAppBanner.Key.argument.rawValue
    let value = self[index(after: equals)...]
    let starts = SmartAppBanner.Key.allCases.compactMap { key -> Index? in
      guard let range = value.firstRange(of: key.rawValue), range.lowerBound > value.startIndex,
        value[range.upperBound...].drop(while: \.isWhitespace).first == "="
      else { return nil }
      // A URL may contain anything but white space.
      let before = value[value.index(before: range.lowerBound)]
      let isSeparated = isArgument ? before.isWhitespace : !before.isLetter && before != "-"
      return isSeparated ? range.lowerBound : nil
    }
    return starts.min()
  }

  /// The end of the item's text, before the character in place of a comma.
  fileprivate var endOfItem: Index {
    let tail = reversed().prefix { $0.isWhitespace || $0 == ";" }
    return index(endIndex, offsetBy: -tail.count)
  }
}

extension Substring {
  /// The text without the white space of HTML at both ends.
  fileprivate var trimmed: String {
    let space: Set<Unicode.Scalar> = [" ", "\t", "\n", "\r", "\u{0C}"]
    let start = unicodeScalars.drop { space.contains($0) }
    let count = start.reversed().prefix { space.contains($0) }.count
    return String(Substring(start.dropLast(count)))
  }
}

/// Checks whether a page's Smart App Banner offers a clip of the registry.
public struct SmartAppBannerCheck: Sendable {
  /// The clips of the registry.
  package let clips: [AppClip]
  /// The bundle identifiers of the clips that the page should offer; empty for any clip of the
  /// registry.
  package let wanted: [String]

  /// A banner tag of the page.
  package struct Tag: Hashable, Sendable {
    /// The `content` of the tag; nil if it has none.
    package let content: String?
    /// The position of the tag.
    package let position: DocumentPosition
    /// Whether the tag is in the page's `head`.
    package let isInHead: Bool

    /// Makes a tag.
    package init(content: String?, position: DocumentPosition, isInHead: Bool) {
      self.content = content
      self.position = position
      self.isInHead = isInHead
    }
  }

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - clips: The clips of the registry; empty without a registry, which checks the form only.
  ///   - wanted: The bundle identifiers of the clips that the page should offer, whether the
  ///     registry has them or not; empty for any clip of the registry.
  public init(clips: [AppClip], wanted: [String] = []) {
    self.clips = clips
    self.wanted = wanted
  }

  /// Reviews the banner tags of a page.
  ///
  /// - Parameter tags: The tags with the banner's name, in the order of the page.
  /// - Returns: The banner of the first tag, and the findings.
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
        finding(.bannerItem, .error, tag, "The tag has no “content” and no effect; add “content”."))
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
            + "; the order of precedence is not documented. Keep one."))
    }
    if !tag.isInHead {
      findings.append(
        finding(
          .bannerNotInHead, .warning, tag,
          "The tag is outside the page's head; move it into the head, as Apple documents."))
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
          "“app-argument” is for the app; a clip receives the URL of the page instead."))
    }
    return findings
  }

  private func clipFindings(_ banner: SmartAppBanner, _ tag: Tag) -> [AssociationFinding] {
    guard let id = banner.clip, !id.isEmpty else {
      return [
        finding(
          .bannerNoClip, .error, tag,
          "The tag has no “app-clip-bundle-id”, so the page offers only the app; add the "
            + "clip's bundle identifier.")
      ]
    }
    if wanted.contains(id) { return [] }
    let isKnown = clips.contains { $0.bundleID == id }
    if !isKnown, let problem = formFinding(id, tag) { return [problem] }
    if !wanted.isEmpty {
      let names = wanted.joined(separator: " or ")
      return [
        finding(
          .bannerOtherClip, .error, tag,
          "The tag offers \(id.quotedForMessage) instead of \(names).")
      ]
    }
    guard !isKnown else { return [] }
    if clips.isEmpty {
      return [
        finding(
          .unknownClip, .warning, tag,
          "The clip \(id.quotedForMessage) is in no registry, so only the syntax of the tag was "
            + "checked; give the clip of the page, or import a registry.")
      ]
    }
    return [
      finding(
        .unknownClip, .error, tag,
        [
          "The clip \(id.quotedForMessage) is not in the registry.",
          clips.map(\.bundleID).question(about: id),
        ].sentences)
    ]
  }

  /// The finding about the form of a clip's bundle identifier, if it is something else.
  private func formFinding(_ id: String, _ tag: Tag) -> AssociationFinding? {
    if let told = AppClip(applicationIdentifier: id) {
      return finding(
        .bannerTeamPrefix, .error, tag,
        "“app-clip-bundle-id” is \(id.quotedForMessage), with a team prefix; leave the team prefix "
          + "out: \(told.bundleID).")
    }
    let known = clips.map(\.bundleID) + wanted
    if let clip = known.first(where: { $0.hasPrefix(id + ".") }) {
      return finding(
        .bannerAppAsClip, .error, tag,
        "“app-clip-bundle-id” is \(id.quotedForMessage), the identifier of the app; write the clip's, "
          + "\(clip).")
    }
    guard AppClip.problem(withBundleID: id) == nil else {
      return finding(
        .bannerClipForm, .error, tag,
        "“app-clip-bundle-id” is \(id.quotedForMessage), which is not a bundle identifier; write the "
          + "clip's, such as com.example.app.Clip.")
    }
    return nil
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let bannerMissing = Self("banner-missing", "The page has no Smart App Banner tag.")
  public static let bannerMisspelled = Self(
    "banner-misspelled", "A tag of the page is a misspelled Smart App Banner.")
  public static let bannerRepeated = Self(
    "banner-repeated", "The page has several Smart App Banner tags.")
  public static let bannerNotInHead = Self(
    "banner-not-in-head", "The Smart App Banner tag is outside the page's head.")
  public static let bannerItem = Self(
    "banner-item", "An item of the banner is not a key and a value, or the banner is empty.")
  public static let bannerKey = Self("banner-key", "A key of the banner is unknown.")
  public static let bannerRepeatedKey = Self(
    "banner-repeated-key", "The banner contains a key twice.")
  public static let bannerAppID = Self(
    "banner-app-id", "The banner's `app-id` is missing, malformed, or not that of the registry.")
  public static let bannerNoClip = Self(
    "banner-no-clip", "The banner names no clip, so it offers the app only.")
  public static let bannerOtherClip = Self(
    "banner-other-clip",
    "The banner names a clip other than the expected one or the one that its page opens.")
  public static let bannerTeamPrefix = Self(
    "banner-team-prefix", "The banner has a team's prefix before the clip's bundle identifier.")
  public static let bannerAppAsClip = Self(
    "banner-app-as-clip", "The banner has the app's identifier in place of the clip's.")
  public static let bannerClipForm = Self(
    "banner-clip-form",
    "The identifier that the banner gives for the clip is not a bundle identifier.")
  public static let bannerNoImage = Self(
    "banner-no-image",
    "The page has no `og:image`, so Messages shows no preview that opens the clip.")
  public static let bannerDisplay = Self(
    "banner-display", "The banner's `app-clip-display` is not `card`.")
  public static let bannerArgument = Self(
    "banner-argument", "The banner has an `app-argument`, which a clip does not receive.")
  public static let bannerPage = Self(
    "banner-page", "The page is not served as a web page with status 200.")
  public static let bannerPageCut = Self(
    "banner-page-cut", "The page is too large or too deep, so only its beginning was examined.")

  /// The codes above, in the order of the documentation.
  package static let ofBanners: [Self] = [
    .bannerMissing, .bannerMisspelled, .bannerRepeated, .bannerNotInHead, .bannerItem, .bannerKey,
    .bannerRepeatedKey, .bannerAppID, .bannerNoClip, .bannerOtherClip, .bannerTeamPrefix,
    .bannerAppAsClip, .bannerClipForm, .bannerNoImage, .bannerDisplay, .bannerArgument,
    .bannerPage, .bannerPageCut,
  ]
}
