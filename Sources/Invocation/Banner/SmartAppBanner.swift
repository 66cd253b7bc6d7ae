/// A Smart App Banner: the `meta` tag by which a page offers an app and its clip in Safari and
/// Messages.
public struct SmartAppBanner: Hashable, Sendable {
  /// The name of the tag.
  public static let name = "apple-itunes-app"

  /// `app-id`: the number of the app in the App Store.
  public var appID: String?
  /// `app-clip-bundle-id`: the bundle identifier of the clip.
  public var clip: String?
  /// `app-clip-display`: `card` shows the whole card instead of the banner.
  public var display: String?
  /// `app-argument`: a URL for the app, which clips are not given.
  public var argument: String?
  /// `affiliate-data`: for the affiliate programme.
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

  /// The keys of `content` as they are spelled in it, in the order in which they are written.
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
}

extension SmartAppBanner {
  /// A banner that was read, and what is wrong with its form.
  public struct Reading: Hashable, Sendable {
    /// What the tag says.
    public let banner: SmartAppBanner
    /// What has no meaning in it.
    public let findings: [AssociationFinding]
  }

  /// Reads the `content` of a tag: keys and values with `=`, separated by commas.
  ///
  /// - Parameters:
  ///   - content: The value of the attribute, decoded.
  ///   - position: Where the tag stands.
  public static func read(_ content: String, at position: DocumentPosition) -> Reading {
    var banner = SmartAppBanner()
    var findings: [AssociationFinding] = []
    func report(_ code: Finding.Code, _ severity: Finding.Severity, _ message: String) {
      findings.append(AssociationFinding(code, severity, at: position, message))
    }
    let items = content.split(separator: ",", omittingEmptySubsequences: true).prefix(100)
    for item in items {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmed }
      guard parts.count == 2 else {
        if parts.first != "" {
          report(
            .bannerItem, .error,
            "\(parts[0].quotedForMessage) in “content” is no key=value; write a comma between "
              + "items only, and = between a key and its value.")
        }
        continue
      }
      guard let key = Key(rawValue: parts[0]) else {
        let meant = parts[0].lowercased().suggestion(among: Key.allCases.map(\.rawValue))
        report(
          .bannerKey, .warning,
          "\(parts[0].quotedForMessage) means nothing in a Smart App Banner.\(meant)")
        continue
      }
      if banner[key] != nil {
        report(
          .bannerRepeatedKey, .warning,
          "“\(key.rawValue)” stands in the tag more than once; keep one.")
      } else {
        banner[key] = parts[1]
      }
    }
    return Reading(banner: banner, findings: findings)
  }
}

extension Substring {
  /// Without the white space of HTML at both ends.
  fileprivate var trimmed: String {
    let space: Set<Unicode.Scalar> = [" ", "\t", "\n", "\r", "\u{0C}"]
    let start = unicodeScalars.drop { space.contains($0) }
    let count = start.reversed().prefix { space.contains($0) }.count
    return String(Substring(start.dropLast(count)))
  }
}
